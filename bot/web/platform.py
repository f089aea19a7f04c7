"""HTTP as a platform of conversations: each asker alone reads the replies to their questions."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from bot.conversation.chat_platform import ChatPlatform, ReplyChannel
from bot.web.live_replies import LiveReplies
from bot.web.outcome_body import busy_body, late_body, outcome_body
from bot.web.reply_state import ReplyState
from domain.access import email_of
from domain.answers import Progress, ReplyPart
from domain.conversation import (
    ASKER_ALONE,
    AcceptedQuestion,
    ExceededLimit,
    Identity,
    Participant,
    ReplyAudience,
    Result,
)
from domain.masked_answer import MaskedAnswer

TRIAL = "trial"
"""The id of whoever tries the product out on this machine: no address is of this form."""


class WebReply(ReplyChannel):
    """What is shown of one reply."""

    def __init__(self, asked: AcceptedQuestion, live: LiveReplies) -> None:
        self._number = asked.number
        self._live = live
        self._state = ReplyState(asked.attempt, revision=asked.revision)
        self._before: ReplyState | None = None

    async def resume(self) -> Mapping[str, str]:
        """Looks what an earlier attempt has shown."""
        if self._state.attempt > 1:
            found = await self._live.load(self._number)
            ended = found is not None and found.outcome is not None and found.revision == self._state.revision
            self._before = found if ended else None
        return {}

    async def outcome(self) -> Result | None:
        """How an earlier attempt has shown that it ended."""
        await self.resume()
        return self._before.outcome.result if self._before and self._before.outcome else None

    async def progress(self, progress: Progress) -> None:
        """The step of the work, and how far it is."""
        self._state = self._next(
            stage=progress.stage,
            iteration=progress.iteration,
            percent=progress.percent,
            words=progress.text,
            tool=progress.tool,
        )
        self._live.show(self._number, self._state)

    async def write(self, written: ReplyPart) -> None:
        """A further part of the answer; not in the place of an outcome that is shown."""
        if self._before is None:
            self._state = self._next(written=self._state.written + written.text)
            self._live.show(self._number, self._state)

    async def finish(self, answer: MaskedAnswer) -> bool:
        """The outcome. A reader sees it once: there is one state."""
        return await self._keep(outcome=outcome_body(answer))

    async def refuse(self, excess: ExceededLimit) -> bool:
        """The question is beyond a limit."""
        return await self._keep(outcome=busy_body(excess))

    async def late(self) -> bool:
        """There was no answer in time."""
        return await self._keep(outcome=late_body())

    async def withdraw(self, kept: Mapping[str, str] | None = None) -> None:
        """Takes back what was shown, unless others go on with the question: there is one place for all attempts."""
        if kept is None:
            await self._live.forget(self._number)

    async def correct(self, answer: MaskedAnswer) -> bool:
        """An answer in the place of the one of before; False where that is forgotten."""
        found = await self._live.load(self._number)
        if found is None or found.outcome is None:
            return False
        self._state = found
        await self._keep(outcome=outcome_body(answer), written="", corrected=True)
        return True

    def _next(self, **changes: Any) -> ReplyState:
        return replace(self._state, step=self._state.step + 1, **changes)

    async def _keep(self, **changes: Any) -> bool:
        self._state = self._next(**changes)
        await self._live.save(self._number, self._state)
        return False


@dataclass(frozen=True)
class WebPlatform(ChatPlatform):
    """HTTP. trial: whether somebody is served who gives no name, on this machine alone."""

    live: LiveReplies
    trial: bool = False

    def reply(self, asked: AcceptedQuestion, patience: float) -> WebReply:  # noqa: ARG002 - nothing is tried again
        """The reply to a question."""
        return WebReply(asked, self.live)

    async def identity(self, person: Participant) -> Identity:
        """Who somebody is: the address of their token, or the one that they signed in with."""
        if self.trial and person.id == TRIAL:
            return Identity(None, member=True, anybody=True)
        address = email_of(person.id)
        return Identity(address, member=address is not None)

    async def audience(self, asked: AcceptedQuestion, *, since: float | None = None) -> ReplyAudience:  # noqa: ARG002 - it does not change
        """The asker alone."""
        return ASKER_ALONE
