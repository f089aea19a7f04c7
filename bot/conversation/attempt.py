"""One attempt at a question that was queued: from its beginning to an outcome that is shown and recorded.

Any number of attempts may be under way at one time, in processes that know nothing of each other; only the last one
that the ledger has begun counts. What an attempt shows of its progress, it shows only as long as it has heard lately
that it is the one; its outcome, only when the ledger has just said so.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Literal, Protocol

from bot.conversation.endings import ending, note_limits, with_remarks
from bot.conversation.platform import ChatPlatform, Reply, take_back
from domain.answers import Progress, Question, Turn, Written, failed
from domain.conversation import Asked, Ending, Limits, Platform, Result, Standing, reach_of, scope_of
from domain.errors import Bug, KbError, Misconfigured, Transient
from domain.ledger import Ledger, Memory
from domain.masking import Masker
from domain.masking.shown import MaskedAnswer, masked_answer
from domain.tasks import end, heed, pause

log = logging.getLogger(__name__)

Change = Literal["amended", "withdrawn", "void"]
"""Why an attempt is not brought to its end."""

Unanswered = Literal["busy", "late", "given_up"]
"""Why there is no answer to show."""

UNKNOWN_ASKER = "I could not check who you are, so I do not know what you may read"

OUR_FAULT = "Something went wrong on our side"

ATTEMPTS = 4
"""After so many that came to no end, a question is taken for one that ends whoever is at it."""

SHOWING = 15.0
"""Seconds after its deadline, or after an attempt began that was too late, in which an outcome may still be shown."""

GIVEN_UP = 600.0
"""Seconds after its deadline for which a platform that is away, or does not accept us, is waited for."""

LINGERING = 5.0
"""Seconds within which answering must stop after its waiter has gone away."""

CLOSING, PAUSE = 30.0, 0.5
"""Seconds for which it is tried to record an outcome that is shown, and between two of these."""


class Answering(Protocol):
    """What answers questions; agent.service.AnswerService does."""

    def stream(self, question: Question) -> AsyncIterator[Progress | Written | MaskedAnswer]:
        """Progress and parts of the reply, then exactly one outcome."""


@dataclass(frozen=True, slots=True)
class ConversationOptions:
    """How conversations are led.

    domains: see domain.conversation.scope_of. turns: earlier questions that a new one is understood with. idle: age
    after which they are not. watch: seconds between two looks at whether the question was changed or deleted. lease:
    seconds after such a look for which an attempt may take itself for the last one. overtime: seconds
    beyond its deadline, or its beginning, after which one is ended that comes to no end.
    """

    limits: Limits = field(default_factory=Limits)
    domains: tuple[str, ...] = ()
    turns: int = 6
    idle: timedelta = timedelta(hours=12)
    watch: float = 1.0
    lease: float = 10.0
    overtime: float = SHOWING + CLOSING + 15.0


@dataclass(frozen=True, slots=True)
class Means:
    """What attempts are made with; see bot.conversation.service.ConversationService."""

    ledger: Ledger
    memory: Memory
    answers: Answering
    masker: Masker
    platforms: Mapping[Platform, ChatPlatform]
    options: ConversationOptions = field(default_factory=ConversationOptions)
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)


class _UnreachableError(Exception):
    """There is no place to reply to, for good. cause: what the platform said."""

    def __init__(self, cause: KbError) -> None:
        super().__init__(cause.what)
        self.cause = cause


class Attempt:
    """An attempt that the ledger has begun. began: just before that, by the monotonic clock. seconds: it may take."""

    def __init__(self, means: Means, asked: Asked, began: float) -> None:
        self._means = means
        self._ledger = means.ledger
        self._asked = asked
        self._platform = means.platforms[asked.place.platform]
        left = asked.left.total_seconds()
        self._until = began + left
        self.seconds = max(0.0, left) + means.options.overtime
        self._confirmed = began
        self._before: Result | None = None
        self._first = asked.attempt == 1  # else an outcome may be there, which no progress may take the place of
        self._reply: Reply = self._platform.reply(asked, max(0.0, left) + SHOWING)

    async def run(self) -> Change | None:
        """Brings it to its end; gives why that was not to be, or None. A platform that is away leaves the question
        open: `left_over` makes it somebody's again.

        Raises:
            Transient: the database is away; the question is taken up again as well.
        """
        asked = self._asked
        try:
            if not await self._ledger.moved(asked.number, asked.attempt, await self._resumed()):
                return await self._stopped()
            outcome = "busy" if asked.excess else await self._outcome()
            if isinstance(outcome, str) and outcome in {"amended", "withdrawn", "void"}:
                return await self._stopped()
            if not await self._ledger.posting(asked.number, asked.attempt, asked.revision):
                return await self._stopped()
            shown = await self._shown(outcome)
        except _UnreachableError as error:
            await unreachable(self._ledger, asked.number, asked.attempt, error.cause)
            return None
        return None if shown is None or await self._closed(shown) else await self._stopped()

    async def _resumed(self) -> Mapping[str, str]:
        """Where the reply is. Without a sign it goes on, too: the outcome may still be shown."""
        handle: Mapping[str, str] = {}
        try:
            handle = await self._reply.resume()
            await self._look()
        except (Transient, Misconfigured) as error:
            log.warning("Question %s shows no sign: %s", self._asked.number, error.what)
        except KbError as error:
            raise _UnreachableError(error) from error
        return handle

    async def _look(self) -> Result | None:
        """How an earlier attempt has shown that it ended."""
        if not self._first:
            self._before = await self._reply.outcome()
            self._first = self._before is None
        return self._before

    async def _outcome(self) -> MaskedAnswer | Unanswered | Change:
        """What is to be shown, unless the question changes before."""
        asked = self._asked
        left = self._until - monotonic()
        if left <= 0:
            return "late"
        if asked.attempt - asked.revision > ATTEMPTS:
            log.error("Question %s was given up: each attempt ended its worker", asked.number)
            return "given_up"
        answering = asyncio.create_task(self._answered())
        watching = asyncio.create_task(self._changed())
        try:
            await asyncio.wait({answering, watching}, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            if answering.done():
                return answering.result()
            return watching.result() if watching.done() else "late"
        finally:
            await end(answering, watching, limit=LINGERING)

    async def _changed(self) -> Change:
        """Waits until the attempt does not count any more."""
        while True:
            await pause(self._means.options.watch)
            looked = monotonic()
            with suppress(Transient):  # the database is away: the answer may still be in time
                change = self._change(await self._ledger.standing(self._asked.number))
                if change is not None:
                    return change
                self._confirmed = looked

    def _change(self, now: Standing | None) -> Change | None:
        """What a question's standing means for this attempt."""
        if now is None or now.state == "withdrawn":
            return "withdrawn"
        if now.attempt != self._asked.attempt:
            return "void"
        return "amended" if now.revision != self._asked.revision else None

    async def _answered(self) -> MaskedAnswer:
        """The agent's outcome, whatever it comes to. Raises Transient when the database is away."""
        try:
            return await self._streamed()
        except Transient:
            raise
        except Exception:
            log.exception("Question %s failed", self._asked.number)
            return self._fault()

    async def _streamed(self) -> MaskedAnswer:
        asked, options = self._asked, self._means.options
        try:
            identity = await self._platform.identity(asked.asker)
        except (Transient, Misconfigured) as error:
            log.warning("Question %s: nobody says who asks: %s (%s)", asked.number, error.what, error.why)
            return masked_answer(replace(failed(error), message=UNKNOWN_ASKER), self._means.masker)
        readers = await self._platform.audience(asked)
        scope = scope_of(identity, readers.audience, options.domains)
        reach = reach_of(identity, readers, options.domains)
        history, left = await self._history(), self._until - monotonic()
        question = Question(asked.text, scope, history=history, reach=reach, seconds=left)
        question = self._platform.question(asked, question)
        async for event in self._means.answers.stream(question):
            heed()  # the outcome may be shown by now
            if isinstance(event, MaskedAnswer):
                note_limits(asked.number, event.outcome)
                return with_remarks(event, asked, self._means.masker)
            if isinstance(event, Written):
                await self._reply.write(event)
            elif self._may_show():
                await self._reply.progress(event)
        raise AssertionError("a stream of answers ends with an outcome")

    def _may_show(self) -> bool:
        """Whether progress may take the place of what is shown: not of an earlier attempt's outcome, and not of what
        another one shows that began meanwhile."""
        return self._first and monotonic() - self._confirmed < self._means.options.lease

    async def _history(self) -> tuple[Turn, ...]:
        """What was said before; nothing, where the database does not say."""
        asked, options = self._asked, self._means.options
        since = self._means.clock() - options.idle
        try:
            return await self._means.memory.turns(asked.asker, asked.place, limit=options.turns, since=since)
        except Transient as error:
            log.warning("Question %s is answered without what was said before: %s", asked.number, error.what)
            return ()

    async def _shown(self, outcome: MaskedAnswer | str) -> Ending | None:
        """Shows how it ended; None when the question stays open: the platform is away, or does not accept us until an
        operator has mended that, as when a secret has ended."""
        number = self._asked.number
        try:
            return await self._show(outcome)
        except (Transient, Misconfigured) as error:
            if monotonic() > self._until + GIVEN_UP:
                raise _UnreachableError(error) from error
            level = logging.ERROR if isinstance(error, Misconfigured) else logging.WARNING  # that has to be mended
            log.log(
                level, "The outcome of question %s waits: %s (%s) %s", number, error.what, error.why, error.next_step
            )
            return None
        except KbError as error:
            raise _UnreachableError(error) from error
        except Exception:
            if outcome == "given_up":
                raise
            log.exception("The outcome of question %s could not be shown", number)
            return await self._shown("given_up")

    async def _show(self, outcome: MaskedAnswer | str) -> Ending:
        reply = self._reply
        if isinstance(outcome, MaskedAnswer):
            return ending(outcome, self._asked, self._means.masker, twice=await reply.finish(outcome))
        if outcome == "busy" and self._asked.excess:
            return Ending("busy", duplicate_possible=await reply.refuse(self._asked.excess))
        before = await self._look()
        if before is not None:  # an answer that stands there is better than the news that there is none
            return Ending(before)
        if outcome == "late":
            return Ending("late", duplicate_possible=await reply.late())
        return Ending("failed", duplicate_possible=await reply.finish(self._fault()))

    async def _closed(self, ending: Ending) -> bool:
        """Records what is shown, also when the database is away for a moment."""
        until = monotonic() + CLOSING
        while True:
            try:
                return await self._ledger.close(self._asked.number, self._asked.attempt, ending)
            except Transient:
                if monotonic() > until:
                    raise
            await asyncio.sleep(PAUSE)

    async def _stopped(self) -> Change:
        """What became of a question whose attempt does not count any more."""
        change = self._change(await self._ledger.standing(self._asked.number)) or "void"
        if change != "amended":
            await take_back(self._reply, self._ledger, self._asked.number)
        return change

    def _fault(self) -> MaskedAnswer:
        return masked_answer(failed(Bug(OUR_FAULT)), self._means.masker)


async def unreachable(ledger: Ledger, number: int, attempt: int, error: KbError) -> None:
    """Records that a question has no visible outcome, and why."""
    log.error("Question %s has no visible outcome: %s (%s)", number, error.what, error.why or "no cause given")
    await ledger.close(number, attempt, Ending("unreachable"))
