"""The way of a question through a conversation, the same on every platform.

`receive` accepts a question: after it, the question is in the ledger and cannot be lost. `acknowledge` shows the status
message and queues the question. `answer` is the answer job; any worker runs it, again after a crash, and only the last
attempt counts.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from time import monotonic

from bot.conversation.answer_job import (
    GIVE_UP_SECONDS,
    MAX_ATTEMPTS,
    AnswerJob,
    ConversationDependencies,
    StopReason,
    record_unreachable,
    when_back,
)
from bot.conversation.chat_platform import withdraw_reply
from bot.conversation.question_log import log_accepted, log_begun, log_ended
from domain.cancellation import TimeLimitExceeded, run_with_timeout
from domain.conversation import AcceptedQuestion, Incoming, MessageKey, RecordedOutcome
from domain.errors import Bug, KbError, Refused, Transient
from domain.log_context import for_question
from domain.text.encodable import encodable
from domain.text.languages import language_of
from domain.translation import set_language

log = logging.getLogger(__name__)

STATUS_SECONDS = 5.0
"""Seconds in which a status message is tried to be shown: less than `requeue_lost` waits, so that no two show one."""

WITHDRAW_SECONDS = 30.0
"""Seconds for which it is tried to take a reply back."""


@dataclass(frozen=True)
class ConversationService(ConversationDependencies):
    """Leads conversations over ports."""

    async def receive(self, incoming: Incoming) -> AcceptedQuestion:
        """Accepts a question, without its secrets; see Ledger.claim. Raises Transient when that is not possible now:
        then the platform has to be told to deliver it again."""
        unread = tuple(self.masker.mask(encodable(name)).text for name in incoming.unread)
        kept = replace(incoming, text=self._without_secrets(incoming.text), unread=unread)
        accepted = await self.ledger.claim(kept, self.options.limits)
        if accepted.fresh:
            log_accepted(accepted)
        return accepted

    async def is_first(self, accepted: AcceptedQuestion) -> bool:
        """Whether nothing was asked in its thread before. Never raises: False while the database is away."""
        try:
            return not await self.ledger.has_question_in_thread(accepted.place, before=accepted.number)
        except KbError:
            return False

    async def acknowledge(self, accepted: AcceptedQuestion) -> None:
        """Shows the status message of a question just accepted, and queues it. Never raises: `requeue_lost` queues
        what was not, and the log tells operators of the rest."""
        if not accepted.fresh:
            return
        set_language(language_of(accepted.text))
        number = accepted.number
        reply = self.platforms[accepted.place.platform].reply(accepted, STATUS_SECONDS)
        try:
            if accepted.excess:
                busy = RecordedOutcome("busy", duplicate_possible=await reply.refuse(accepted.excess))
                ours = await self.ledger.close(number, 0, busy)
                if ours:
                    log_ended(accepted, busy, 0.0)
            else:
                handle: Mapping[str, str] = {}
                try:
                    handle = await reply.open()
                except Transient as error:
                    log.warning("No status message could be shown: %s", error.what)
                ours = await self._enqueue(accepted, handle)
            if not ours:  # a worker did not wait for us: what it goes on with may be our message, or one of its own
                await withdraw_reply(reply, self.ledger, number)
        except Refused as error:
            await record_unreachable(self.ledger, accepted, 0, error)
        except KbError as error:
            log.warning("Question %s waits for a worker: %s", number, error.what)

    async def _enqueue(self, accepted: AcceptedQuestion, handle: Mapping[str, str]) -> bool:
        """Queues a question; False if a worker has it already. A status message that nobody knows of is taken back."""
        try:
            return await when_back(lambda: self.ledger.enqueue(accepted.number, handle), self.options.note)
        except Transient:
            shown = replace(accepted, handle={**accepted.handle, **handle})
            await self.platforms[accepted.place.platform].reply(shown, WITHDRAW_SECONDS).withdraw()
            raise

    async def answer(self, number: int) -> None:
        """Answers a question that was queued. Whatever happens, it ends in one outcome, unless another attempt has
        taken its place, or the platform is away: then it is left open, and taken up again later.

        Raises:
            Transient: the database is away; the question is taken up again later.
        """
        again = True
        with for_question(number):
            while again:
                began = monotonic()
                asked = await self.ledger.begin_attempt(number)
                again = asked is not None and await self._run_attempt(asked, began) == "amended"

    async def _run_attempt(self, asked: AcceptedQuestion, began: float) -> StopReason | None:
        """One attempt. One that outlives its time, or breaks, leaves its question to the next one, unless it is too
        late for that, or too many broke before."""
        log_begun(asked)
        attempt = AnswerJob(self, asked, began)
        try:
            return await run_with_timeout(attempt.seconds, attempt.run())
        except TimeLimitExceeded:
            log.error("An attempt at question %s outlived its time and was ended", asked.number)  # noqa: TRY400 - no traceback tells more
        except KbError:
            raise
        except Exception:
            log.exception("An attempt at question %s broke", asked.number)
            if asked.attempt - asked.revision > MAX_ATTEMPTS + 1:
                await record_unreachable(self.ledger, asked, asked.attempt, Bug("Every attempt broke"), began)
                return None
        if asked.time_left.total_seconds() < -GIVE_UP_SECONDS:
            await record_unreachable(self.ledger, asked, asked.attempt, Transient("No attempt came to its end"), began)
        return None

    async def amend(self, key: MessageKey, text: str, *, restored: bool = False) -> bool:
        """The asker changed a question; False where nothing came of it. restored: they took its deletion back."""
        number = await self.ledger.change_text(key, self._without_secrets(text), restored=restored)
        if number is not None:
            log.info("Question %s was changed", number)
        return number is not None

    async def withdraw(self, key: MessageKey) -> bool:
        """The asker deleted a question: what was shown before it was answered goes. A worker that is at it notices by
        itself, too; an answer stays. False where the question is not known."""
        known = await self.ledger.withdraw(key)
        if known is not None and known.state in {"received", "running", "posting"}:
            nobodys = replace(known, attempt=0, revision=0, time_left=timedelta())
            await self.platforms[key.platform].reply(nobodys, WITHDRAW_SECONDS).withdraw()
        return known is not None

    def _without_secrets(self, text: str) -> str:
        return self.masker.secrets(encodable(text)).text
