"""The answer job: one attempt at a queued question, from its beginning to an outcome that is shown and recorded.

Any number of attempts may be under way at one time, in processes that know nothing of each other; only the last one
that the ledger has begun counts. An attempt shows progress only while its last check (at most progress_valid_seconds
ago) confirmed that it is the current one. Before it shows the outcome, it asks the ledger again.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Literal, Protocol

from bot.conversation.button_questions import ALONE
from bot.conversation.chat_platform import ChatPlatform, ReplyChannel, withdraw_reply
from bot.conversation.question_log import log_ended
from bot.conversation.readers import ReplyReaders
from bot.conversation.recorded_outcome import log_search_limits, recorded_outcome, with_unread_files
from bot.conversation.texts import UNKNOWN_ASKER
from domain.answers import Failed, Progress, Question, ReplyPart, Turn, failed
from domain.cancellation import cancel_and_wait, cancellable_sleep, raise_if_cancelled
from domain.conversation import (
    AcceptedQuestion,
    Platform,
    QuestionLimits,
    RecordedOutcome,
    Result,
)
from domain.errors import OUR_FAULT, Bug, KbError, Misconfigured, Transient
from domain.ledger import Ledger, Memory
from domain.masked_answer import MaskedAnswer, masked_answer
from domain.masking import Masker
from domain.text.languages import language_of
from domain.translation import set_language, translated

log = logging.getLogger(__name__)

StopReason = Literal["amended", "withdrawn", "void"]
"""Why an attempt is not brought to its end."""

NoAnswerReason = Literal["busy", "late", "given_up"]
"""Why there is no answer to show."""

MAX_ATTEMPTS = 4
"""After this many unfinished attempts, the question is assumed to crash its worker and is given up."""

SHOW_SECONDS = 15.0
"""Seconds after its deadline, or after an attempt began that was too late, in which an outcome may still be shown."""

GIVE_UP_SECONDS = 600.0
"""Seconds after its deadline for which a platform that is away, or does not accept us, is waited for."""

STOP_SECONDS = 5.0
"""Seconds within which answering must stop after its waiter has gone away."""

AGAIN_SECONDS = 2.0
"""Seconds after which a question is asked again that failed while something was away for a moment."""

RECORD_SECONDS, RETRY_SECONDS = 30.0, 0.5
"""Seconds for which it is tried to record an outcome that is shown, and between two of these."""


class Answerer(Protocol):
    """What answers questions; agent.service.AnswerService does."""

    def stream(self, question: Question) -> AsyncIterator[Progress | ReplyPart | MaskedAnswer]:
        """Progress and parts of the reply, then exactly one outcome."""


@dataclass(frozen=True, slots=True)
class ConversationOptions:
    """How conversations are led."""

    limits: QuestionLimits = field(default_factory=QuestionLimits)
    domains: tuple[str, ...] = ()
    """Of the organisation's addresses, in lower case; empty admits any. See domain.conversation.scope_of."""
    turns: int = 6
    """How many earlier questions a new one is understood with."""
    idle: timedelta = timedelta(hours=12)
    """The age after which an earlier question is not used any more."""
    poll_seconds: float = 1.0
    """Seconds between two looks at whether the question was changed or deleted."""
    progress_valid_seconds: float = 10.0
    """Seconds after such a look in which this attempt may still show progress: another one may have begun."""
    note: float = 15.0
    """Seconds for which it is tried to note where a reply is: with the time for a status message, less than a question
    waits before it is given to another worker."""
    overtime: float = SHOW_SECONDS + RECORD_SECONDS + 15.0
    """Seconds after its deadline, or its beginning where that is later, after which an attempt is cancelled."""


@dataclass(frozen=True)
class ConversationDependencies:
    """What conversations are led with; see bot.conversation.service.ConversationService."""

    ledger: Ledger
    memory: Memory
    answers: Answerer
    masker: Masker
    platforms: Mapping[Platform, ChatPlatform]
    options: ConversationOptions = field(default_factory=ConversationOptions)
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)


class _UnreachableError(Exception):
    """There is no place to reply to, for good. cause: what the platform said."""

    def __init__(self, cause: KbError) -> None:
        super().__init__(cause.what)
        self.cause = cause


class AnswerJob:
    """An attempt that the ledger has begun. began: just before that, by the monotonic clock. seconds: it may take."""

    def __init__(self, dependencies: ConversationDependencies, asked: AcceptedQuestion, began: float) -> None:
        self._dependencies = dependencies
        self._ledger = dependencies.ledger
        self._asked = asked
        self._platform = dependencies.platforms[asked.place.platform]
        left = asked.time_left.total_seconds()
        self._began = began
        self._until = began + left
        self.seconds = max(0.0, left) + dependencies.options.overtime
        self._confirmed = began
        self._before: Result | None = None
        self._address = ""  # the asker's
        self._wrote = False  # anything of a reply
        self._rewrites = False  # a reply that was shown in part before it failed: now it is shown once it is whole
        # after the first attempt an outcome may be there, which no progress may take the place of
        self._nothing_shown_yet = asked.attempt == 1
        self._reply: ReplyChannel = self._platform.reply(asked, max(0.0, left) + SHOW_SECONDS)

    async def run(self) -> StopReason | None:
        """Brings it to its end; gives why that was not to be, or None. A platform that is away leaves the question
        open: `requeue_lost` makes it somebody's again.

        Raises:
            Transient: the database is away; the question is taken up again as well.
        """
        asked = self._asked
        set_language(language_of(asked.text))
        try:
            if not await self._record_handle(await self._resume_reply()):
                return await self._abandon()
            outcome = "busy" if asked.excess else await self._outcome()
            if isinstance(outcome, str) and outcome in {"amended", "withdrawn", "void"}:
                return await self._abandon()
            if not await self._ledger.begin_posting(asked.number, asked.attempt, asked.revision):
                return await self._abandon()
            shown = await self._deliver(outcome)
        except _UnreachableError as error:
            await record_unreachable(self._ledger, asked, asked.attempt, error.cause, self._began)
            return None
        return None if shown is None or await self._record_outcome(shown) else await self._abandon()

    async def _resume_reply(self) -> Mapping[str, str]:
        """Where the reply is. Without a status message it goes on, too: the outcome may still be shown."""
        handle: Mapping[str, str] = {}
        try:
            handle = await self._reply.resume()
            await self._find_earlier_outcome()
        except (Transient, Misconfigured) as error:
            log.warning("Question %s shows no status message: %s", self._asked.number, error.what)
        except KbError as error:
            raise _UnreachableError(error) from error
        return handle

    async def _record_handle(self, handle: Mapping[str, str]) -> bool:
        """Records where the reply is; False if the attempt is void. A status message that nobody knows of is taken
        back; an outcome of an earlier attempt stays."""
        asked = self._asked
        try:
            return await when_back(
                lambda: self._ledger.update_handle(asked.number, asked.attempt, handle), self._dependencies.options.note
            )
        except Transient:
            if self._before is None:
                await self._reply.withdraw(asked.handle)
            raise

    async def _find_earlier_outcome(self) -> Result | None:
        """How an earlier attempt has shown that it ended."""
        if not self._nothing_shown_yet:
            self._before = await self._reply.outcome()
            self._nothing_shown_yet = self._before is None
        return self._before

    async def _outcome(self) -> MaskedAnswer | NoAnswerReason | StopReason:
        """What is to be shown, unless the question changes before."""
        asked = self._asked
        left = self._until - monotonic()
        if left <= 0:
            return "late"
        if asked.attempt - asked.revision > MAX_ATTEMPTS:
            log.error("Question %s was given up: each attempt ended its worker", asked.number)
            return "given_up"
        answering = asyncio.create_task(self._answer())
        watching = asyncio.create_task(self._wait_until_void())
        try:
            await asyncio.wait({answering, watching}, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            if answering.done():
                return answering.result()
            return watching.result() if watching.done() else "late"
        finally:
            await cancel_and_wait(answering, watching, limit=STOP_SECONDS)

    async def _wait_until_void(self) -> StopReason:
        """Waits until the attempt does not count any more."""
        while True:
            await cancellable_sleep(self._dependencies.options.poll_seconds)
            looked = monotonic()
            with suppress(Transient):  # the database is away: the answer may still be in time
                change = self._stop_reason(await self._ledger.find(self._asked.number))
                if change is not None:
                    return change
                self._confirmed = looked

    def _stop_reason(self, now: AcceptedQuestion | None) -> StopReason | None:
        """Why this attempt has to stop, by the question as it is now; None while it may go on."""
        if now is None or now.state == "withdrawn":
            return "withdrawn"
        if now.attempt != self._asked.attempt:
            return "void"
        return "amended" if now.revision != self._asked.revision else None

    async def _answer(self) -> MaskedAnswer:
        """The agent's outcome, whatever it comes to. What was away for a moment, such as a database that another server
        takes the place of, is waited for, as long as there is time. Raises Transient when the database is away."""
        try:
            while self._may_ask_again(answer := await self._run_agent()):
                log.warning("Question %s is asked again: it failed for something that was away", self._asked.number)
                self._rewrites = self._wrote
                await cancellable_sleep(AGAIN_SECONDS)
            return answer
        except Transient:
            raise
        except Exception:
            log.exception("Question %s failed", self._asked.number)
            return self._fault()

    def _may_ask_again(self, answer: MaskedAnswer) -> bool:
        outcome, left = answer.outcome, self._until - monotonic()
        return isinstance(outcome, Failed) and outcome.retryable and left > 5 * AGAIN_SECONDS

    async def _run_agent(self) -> MaskedAnswer:
        asked, options = self._asked, self._dependencies.options
        try:
            identity = await self._platform.identity(asked.asker)
        except (Transient, Misconfigured) as error:
            log.warning("Question %s: nobody says who asks: %s (%s)", asked.number, error.what, error.why)
            unknown = replace(failed(error), message=translated(UNKNOWN_ASKER), retryable=False)
            return masked_answer(unknown, self._dependencies.masker)
        self._address = identity.email or ""
        found = await self._platform.audience(asked)
        readers = ReplyReaders(self._platform, asked, identity, options.domains)
        scope, reason = readers.rights(found)
        history, left = await self._history(), self._until - monotonic()
        again = readers if found.audience == "organisation" else None
        question = Question(asked.text, scope, history=history, scope_reason=reason, seconds=left, readers=again)
        question = self._platform.narrowed_question(asked, question)
        async for event in self._dependencies.answers.stream(question):
            raise_if_cancelled()  # the outcome may be shown by now
            if isinstance(event, MaskedAnswer):
                log_search_limits(asked.number, event.outcome)
                return with_unread_files(event, asked, self._dependencies.masker)
            if isinstance(event, ReplyPart):
                self._wrote = True
                if not self._rewrites:
                    await self._reply.write(event)
            # not in the place of an earlier attempt's outcome, nor of what another attempt shows that began meanwhile
            elif self._nothing_shown_yet and monotonic() - self._confirmed < options.progress_valid_seconds:
                await self._reply.progress(event)
        raise AssertionError("a stream of answers ends with an outcome")

    async def _history(self) -> tuple[Turn, ...]:
        """What was said before; nothing, where the database does not say, or the question came from elsewhere."""
        asked, options = self._asked, self._dependencies.options
        if asked.handle.get(ALONE):
            return ()
        since = self._dependencies.clock() - options.idle
        try:
            return await self._dependencies.memory.turns(asked.asker, asked.place, limit=options.turns, since=since)
        except Transient as error:
            log.warning("Question %s is answered without what was said before: %s", asked.number, error.what)
            return ()

    async def _deliver(self, outcome: MaskedAnswer | str) -> RecordedOutcome | None:
        """Shows how it ended; None when the question stays open: the platform is away, or does not accept us until an
        operator has mended that, as when a secret has ended."""
        number = self._asked.number
        try:
            return await self._show(outcome)
        except (Transient, Misconfigured) as error:
            if monotonic() > self._until + GIVE_UP_SECONDS:
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
            return await self._deliver("given_up")

    async def _show(self, outcome: MaskedAnswer | str) -> RecordedOutcome:
        reply = self._reply
        if isinstance(outcome, MaskedAnswer):
            twice = await reply.finish(outcome)
            masker, handle = self._dependencies.masker, reply.correctable()
            return recorded_outcome(outcome, self._asked, masker, twice=twice, handle=handle, address=self._address)
        if outcome == "busy" and self._asked.excess:
            return RecordedOutcome("busy", duplicate_possible=await reply.refuse(self._asked.excess))
        before = await self._find_earlier_outcome()
        if before is not None:  # an answer that stands there is better than the news that there is none
            return RecordedOutcome(before)
        if outcome == "late":
            return RecordedOutcome("late", duplicate_possible=await reply.late())
        return RecordedOutcome("failed", duplicate_possible=await reply.finish(self._fault()))

    async def _record_outcome(self, recorded_outcome: RecordedOutcome) -> bool:
        """Records what is shown, also when the database is away for a moment."""
        asked = self._asked
        ours = await when_back(
            lambda: self._ledger.close(asked.number, asked.attempt, recorded_outcome), RECORD_SECONDS
        )
        if ours:
            log_ended(self._asked, recorded_outcome, monotonic() - self._began)
        return ours

    async def _abandon(self) -> StopReason:
        """What became of a question whose attempt does not count any more."""
        change = self._stop_reason(await self._ledger.find(self._asked.number)) or "void"
        if change != "amended":
            await withdraw_reply(self._reply, self._ledger, self._asked.number)
        return change

    def _fault(self) -> MaskedAnswer:
        return masked_answer(failed(Bug(OUR_FAULT)), self._dependencies.masker)


async def when_back(call: Callable[[], Awaitable[bool]], seconds: float) -> bool:
    """What the database says, which is asked again for so long while it is away. Raises Transient after that."""
    until = monotonic() + seconds
    while True:
        try:
            return await call()
        except Transient:
            if monotonic() > until:
                raise
        await asyncio.sleep(RETRY_SECONDS)


async def record_unreachable(
    ledger: Ledger, asked: AcceptedQuestion, attempt: int, error: KbError, began: float | None = None
) -> None:
    """Records that a question has no visible outcome, and why. began: when the attempt did, by the monotonic clock."""
    log.error("Question %s has no visible outcome: %s (%s)", asked.number, error.what, error.why or "no cause given")
    recorded = RecordedOutcome("unreachable")
    if await ledger.close(asked.number, attempt, recorded):
        log_ended(asked, recorded, 0.0 if began is None else monotonic() - began)
