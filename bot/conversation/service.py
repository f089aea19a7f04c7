"""A question comes in, is answered once, and the answer is shown: the same on every platform.

`receive` is what a platform's request waits for: after it, the question is in the ledger and cannot be lost. `welcome`
shows the first sign and queues it. `answer` is the job: any worker's, again after a crash, and only the last attempt
counts.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Literal, Protocol

from bot.conversation.platform import ChatPlatform, Reply
from domain.answers import Answer, Declined, Failed, NotFound, Progress, Question, Turn, Written
from domain.conversation import (
    Asked,
    CitedPassage,
    Claim,
    Ending,
    Incoming,
    Known,
    Limits,
    MessageKey,
    Platform,
    Result,
    scope_of,
)
from domain.errors import KbError, Misconfigured, Refused, Transient
from domain.ledger import Ledger, Memory
from domain.masking import Masker
from domain.masking.shown import MaskedAnswer, masked_answer
from domain.text.encodable import encodable

log = logging.getLogger(__name__)

Change = Literal["amended", "withdrawn", "void", "late"]
"""Why an attempt is not brought to its end."""

UNKNOWN_ASKER = (
    "I could not check who you are, so I do not know what you may read\n  why: the chat platform did not answer\n"
    "  next: ask again in a minute."
)

OUR_FAULT = "Something went wrong on our side\n  next: ask again; if it stays so, tell whoever runs this service."

ATTEMPTS = 4
"""After so many that came to no end, a question is taken for one that ends whoever is at it."""


class Answering(Protocol):
    """What answers questions; agent.service.AnswerService does."""

    def stream(self, question: Question) -> AsyncIterator[Progress | Written | MaskedAnswer]:
        """Progress and parts of the reply, then exactly one outcome."""


@dataclass(frozen=True, slots=True)
class ConversationOptions:
    """How conversations are led.

    domains: see domain.conversation.scope_of. turns: earlier questions that a new one is understood with. idle: age
    after which they are not. watch: seconds between two looks at whether the question was changed or deleted.
    """

    limits: Limits = field(default_factory=Limits)
    domains: tuple[str, ...] = ()
    turns: int = 6
    idle: timedelta = timedelta(hours=12)
    watch: float = 1.0


class ConversationService:
    """Leads conversations over ports.

    platforms: by name. clock: the time, aware.
    """

    def __init__(
        self,
        ledger: Ledger,
        memory: Memory,
        answers: Answering,
        masker: Masker,
        platforms: Mapping[Platform, ChatPlatform],
        options: ConversationOptions | None = None,
        *,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._ledger = ledger
        self._memory = memory
        self._answers = answers
        self._masker = masker
        self._platforms = platforms
        self._options = options or ConversationOptions()
        self._clock = clock

    async def receive(self, incoming: Incoming) -> Claim:
        """Accepts a question, without its secrets; see Ledger.claim. Raises Transient when that is not possible now:
        then the platform has to be told to deliver it again."""
        unread = tuple(self._masker.mask(encodable(name)).text for name in incoming.unread)
        kept = replace(incoming, text=self._without_secrets(incoming.text), unread=unread)
        return await self._ledger.claim(kept, self._options.limits)

    async def welcome(self, incoming: Incoming, claim: Claim) -> None:
        """Shows the first sign of a question just claimed, and queues it. Never raises: what goes wrong here is made
        good by `left_over`, or is an operator's to see."""
        if not claim.fresh:
            return
        reply = self._platforms[incoming.place.platform].reply(self._as_asked(incoming, claim))
        try:
            if claim.excess:
                await reply.refuse(claim.excess)
                await self._ledger.close(claim.number, 0, Ending("busy"))
            elif not await self._ledger.placed(claim.number, await self._opened(reply)):
                await reply.withdraw()  # a worker did not wait for us, and has shown its own
        except Refused as error:
            await self._unreachable(claim.number, 0, error)
        except KbError as error:
            log.warning("Question %s waits for a worker: %s", claim.number, error.what)

    async def answer(self, number: int) -> None:
        """Answers a question that was queued. Whatever happens, it ends in one outcome, unless another attempt has
        taken its place.

        Raises:
            Transient: the database is away; the question is taken up again later.
        """
        asked = await self._ledger.begin(number)
        while asked is not None:
            change = await self._attempted(asked)
            asked = await self._ledger.begin(number) if change == "amended" else None

    async def amend(self, key: MessageKey, text: str) -> None:
        """The asker changed a question."""
        number = await self._ledger.amend(key, self._without_secrets(text))
        if number is not None:
            log.info("Question %s was changed", number)

    async def withdraw(self, key: MessageKey) -> None:
        """The asker deleted a question: what was shown before it was answered goes. A worker that is at it notices by
        itself, too; an answer stays."""
        known = await self._ledger.withdraw(key)
        if known is not None and known.state in {"received", "running", "posting"}:
            await self._platforms[key.platform].reply(self._known_as_asked(known)).withdraw()

    async def _attempted(self, asked: Asked) -> Change | None:
        """One attempt, whatever goes wrong in it."""
        reply = self._platforms[asked.place.platform].reply(asked)
        try:
            try:
                return await self._attempt(asked, reply)
            except KbError:
                raise
            except Exception:
                log.exception("Question %s failed", asked.number)
                await reply.finish(masked_answer(Failed(OUR_FAULT), self._masker))
                await self._ledger.close(asked.number, asked.attempt, Ending("failed"))
        except Refused as error:
            await self._unreachable(asked.number, asked.attempt, error)
        return None

    async def _opened(self, reply: Reply) -> Mapping[str, str]:
        try:
            return await reply.open()
        except Transient as error:
            log.warning("No first sign could be shown: %s", error.what)
            return {}

    async def _attempt(self, asked: Asked, reply: Reply) -> Change | None:
        """One attempt; why it was not brought to its end, or None."""
        try:
            handle = await reply.resume()
            if not await self._ledger.moved(asked.number, asked.attempt, handle):
                return await self._standing(asked, reply)
            outcome = "busy" if asked.excess else await self._outcome(asked, reply)
            if isinstance(outcome, str) and outcome not in {"busy", "late"}:
                return await self._standing(asked, reply)
            if not await self._ledger.posting(asked.number, asked.attempt, asked.revision):
                return await self._standing(asked, reply)
            ending = await self._shown(asked, reply, outcome)
        except (Transient, Misconfigured) as error:
            await self._unreachable(asked.number, asked.attempt, error)
            return None
        closed = await self._ledger.close(asked.number, asked.attempt, ending)
        return None if closed else await self._standing(asked, reply)

    async def _shown(self, asked: Asked, reply: Reply, outcome: MaskedAnswer | str) -> Ending:
        """Shows how it ended."""
        if isinstance(outcome, MaskedAnswer):
            return self._ending(asked, outcome, twice=await reply.finish(outcome))
        if asked.excess:
            await reply.refuse(asked.excess)
            return Ending("busy")
        await reply.late()
        return Ending("late")

    async def _standing(self, asked: Asked, reply: Reply) -> Change:
        """What became of a question whose attempt does not count any more."""
        now = await self._ledger.standing(asked.number)
        if now is None or now.state == "withdrawn":
            await reply.withdraw()
            return "withdrawn"
        if now.attempt == asked.attempt and now.revision != asked.revision:
            return "amended"
        return "void"

    async def _outcome(self, asked: Asked, reply: Reply) -> MaskedAnswer | Change:
        """The outcome, unless the question changes or its time is up before."""
        left = (asked.deadline - self._clock()).total_seconds()
        if left <= 0:
            return "late"
        if asked.attempt - asked.revision > ATTEMPTS:
            log.error("Question %s was given up: each attempt ended its worker", asked.number)
            return masked_answer(Failed(OUR_FAULT), self._masker)
        answering = asyncio.create_task(self._answered(asked, reply))
        watching = asyncio.create_task(self._changed(asked))
        try:
            await asyncio.wait({answering, watching}, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            if answering.done():
                return answering.result()
            return watching.result() if watching.done() else "late"
        finally:
            for task in (answering, watching):
                task.cancel()
            await asyncio.gather(answering, watching, return_exceptions=True)

    async def _changed(self, asked: Asked) -> Change:
        """Waits until the attempt does not count any more."""
        while True:
            await asyncio.sleep(self._options.watch)
            with suppress(Transient):  # the database is away: the answer may still be in time
                now = await self._ledger.standing(asked.number)
                if now is None or now.state == "withdrawn":
                    return "withdrawn"
                if now.attempt != asked.attempt:
                    return "void"
                if now.revision != asked.revision:
                    return "amended"

    async def _answered(self, asked: Asked, reply: Reply) -> MaskedAnswer:
        platform = self._platforms[asked.place.platform]
        try:
            identity = await platform.identity(asked.asker)
        except (Transient, Misconfigured) as error:
            log.warning("Question %s: nobody says who asks: %s", asked.number, error.what)
            return masked_answer(Failed(UNKNOWN_ASKER), self._masker)
        since = self._clock() - self._options.idle
        turns = await self._memory.turns(asked.asker, asked.place, limit=self._options.turns, since=since)
        scope = scope_of(identity, await platform.audience(asked), self._options.domains)
        question = platform.question(asked, Question(asked.text, scope, history=turns))
        async for event in self._answers.stream(question):
            if isinstance(event, MaskedAnswer):
                return self._with_remarks(event, asked)
            if isinstance(event, Progress):
                await reply.progress(event)
            else:
                await reply.write(event)
        raise AssertionError("a stream of answers ends with an outcome")

    def _with_remarks(self, answer: MaskedAnswer, asked: Asked) -> MaskedAnswer:
        """The outcome, saying which attached files were not looked into."""
        outcome = answer.outcome
        if not asked.unread or isinstance(outcome, Failed):
            return answer
        remark = f"I cannot read what is attached to a question: {', '.join(asked.unread)}."
        if isinstance(outcome, Declined):
            return masked_answer(replace(outcome, reason=f"{outcome.reason} {remark}"), self._masker, asked.text)
        notice = f"{outcome.notice} {remark}" if outcome.notice else remark
        return masked_answer(replace(outcome, notice=notice), self._masker, asked.text)

    def _ending(self, asked: Asked, answer: MaskedAnswer, *, twice: bool) -> Ending:
        outcome = answer.outcome
        results: dict[type, Result] = {
            Answer: "answered",
            NotFound: "not_found",
            Declined: "declined",
            Failed: "failed",
        }
        cited = outcome.citations if isinstance(outcome, Answer) else ()
        return Ending(
            results[type(outcome)],
            self._turn(asked, answer),
            tuple(CitedPassage(each.n, each.chunk_id) for each in cited if each.chunk_id),
            twice,
        )

    def _turn(self, asked: Asked, answer: MaskedAnswer) -> Turn | None:
        """What is remembered: what was shown, and the question as it may be shown."""
        outcome = answer.outcome
        question = self._masker.mask(encodable(asked.text)).text
        match outcome:
            case Answer():
                return Turn(question, outcome.text)
            case NotFound():
                return Turn(question, f"Not found. Searched {outcome.searched}.")
            case _:
                return None

    async def _unreachable(self, number: int, attempt: int, error: KbError) -> None:
        log.error("Question %s has no visible outcome: %s (%s)", number, error.what, error.why or "no cause given")
        await self._ledger.close(number, attempt, Ending("unreachable"))

    def _without_secrets(self, text: str) -> str:
        return self._masker.secrets(encodable(text)).text

    def _as_asked(self, incoming: Incoming, claim: Claim) -> Asked:
        now = self._clock()
        return Asked(
            number=claim.number,
            key=incoming.key,
            place=incoming.place,
            asker=incoming.asker,
            text=self._without_secrets(incoming.text),
            audience=incoming.audience,
            handle=incoming.handle,
            attempt=0,
            revision=0,
            received_at=now,
            deadline=now + self._options.limits.deadline,
            unread=incoming.unread,
            excess=claim.excess,
        )

    def _known_as_asked(self, known: Known) -> Asked:
        now = self._clock()
        return Asked(
            number=known.number,
            key=known.key,
            place=known.place,
            asker=known.asker,
            text=known.text,
            audience=known.audience,
            handle=known.handle,
            attempt=0,
            revision=0,
            received_at=now,
            deadline=now,
        )
