"""Questions over HTTP: asked, followed while they are answered, and rated."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from secrets import token_urlsafe

from aiohttp import web

from bot.web.callers import Caller
from bot.web.dependencies import WebDependencies
from bot.web.live_replies import BEAT_SECONDS
from bot.web.models import AskBody, Body, FeedbackBody, NoQuery, OutcomeBody, Reply
from bot.web.operations import HEADERS, ApiCall, problem_in
from bot.web.outcome_body import busy_body
from bot.web.problems import BUSY_SECONDS, ProblemError, busy, not_found
from bot.web.readable import readable_now
from bot.web.reading_models import Done, Forgotten
from bot.web.reply_state import NOTHING, Event, ReplyState, events
from domain.conversation import AcceptedQuestion, ConversationPlace, Incoming, MessageKey
from domain.errors import KbError
from domain.patterns import LinearRegex

log = logging.getLogger(__name__)

STREAM = "text/event-stream"

MAX_STREAMS, MAX_OF_ONE = 1_000, 20
"""Replies that are followed at one time in one process, and by one caller."""

OVERTIME = 75.0
"""Seconds after a question's deadline for which its outcome is waited for: a worker may show it then, see AnswerJob."""

RECORDING, LOOK_AGAIN = 2.0, 0.02
"""Seconds in which an outcome that is shown is recorded, at most, and after which it is looked for again."""

WRITE_SECONDS = 20.0
"""Seconds in which a follower has to take what it is sent."""

LOOK_FOR_CALLER = 0.5
"""Seconds between two looks whether a caller who waits for a whole reply is still there."""

Tell = Callable[[ReplyState], Awaitable[None]]
"""Is told what is shown of a reply."""

_NAME = LinearRegex(r"[A-Za-z0-9_-]{8,64}")


@dataclass
class WebAsking:
    """Asks for callers, and lets them follow. streams: how many each follows now. write_seconds: in which a follower
    has to take what it is sent."""

    given: WebDependencies
    streams: Counter[str] = field(default_factory=Counter)
    write_seconds: float = WRITE_SECONDS

    async def accept(self, caller: Caller, text: str, conversation: str | None, name: str) -> AcceptedQuestion:
        """Accepts a question and queues it. conversation: to go on with; None for a new one. name: of the question, by
        which it is asked once; empty for one of its own.

        Raises ProblemError for a question that is empty or beyond a limit, or whose name another question has;
        Transient when none can be taken now.
        """
        if not text.strip():
            raise ProblemError(422, "invalid", "The question is empty")
        message = name or token_urlsafe(16)
        begun = conversation or sha256(f"conversation\n{message}".encode()).hexdigest()[:24]
        channel = place_of(caller, begun)
        place = ConversationPlace("web", "", channel, private=True)
        incoming = Incoming(
            MessageKey("web", channel, message), place, caller.person, text, "asker", {"conversation": begun}
        )
        accepted = await self.given.conversations.receive(incoming)
        if accepted.other_text:
            raise ProblemError(409, "other_question", "This Idempotency-Key was sent with another question before")
        await self.given.conversations.acknowledge(accepted)
        if accepted.excess:
            free_in = accepted.free_in.total_seconds() if accepted.free_in else BUSY_SECONDS
            raise busy(busy_body(accepted.excess).text, free_in)
        await self._check_kept(accepted)
        return accepted

    async def _check_kept(self, asked: AcceptedQuestion) -> None:
        """A question that has ended and whose reply was forgotten is never shown again: nobody waits for it. Raises
        ProblemError then."""
        if asked.result is not None and await self.given.live.load(asked.number) is None:
            raise not_found()

    async def ask(self, call: ApiCall[NoQuery, AskBody]) -> Body | web.StreamResponse:
        """Answers, as events where that is asked for, else whole."""
        wants = _accepted_types(call.request)
        given = call.request.headers.getall("Idempotency-Key", [])
        name = given[0] if given else ""
        if given and not _NAME.fullmatch(name):
            raise ProblemError(422, "invalid", "Idempotency-Key takes 8 to 64 letters, digits, - and _")
        if STREAM not in wants:
            return await self.reply(call.caller, call.body, name, request=call.request)
        with self._following(call.caller):
            asked = await self.accept(call.caller, call.body.question, call.body.conversation, name)
            return await self._stream(call.request, asked)

    async def reply(
        self,
        caller: Caller,
        wanted: AskBody,
        name: str = "",
        tell: Tell | None = None,
        request: web.Request | None = None,
    ) -> Reply:
        """The whole reply to a question. name: as of `accept`. tell: is told of what is shown until then. request: is
        not waited for any more once its sender hangs up.

        Raises ProblemError, also where there is no outcome in time; Transient; ConnectionResetError for a sender who
        hung up.
        """
        beat = BEAT_SECONDS if request is None else LOOK_FOR_CALLER
        with self._following(caller):
            asked = await self.accept(caller, wanted.question, wanted.conversation, name)
            async for state in self._states(asked, beat):
                if request is not None and _hung_up(request):
                    raise ConnectionResetError
                if state is not None and state.outcome is not None:
                    return Reply(number=asked.number, conversation=conversation_of(asked), outcome=state.outcome)
                if state is not None and tell is not None:
                    await tell(state)
        raise _late()

    async def follow(self, call: ApiCall[NoQuery, NoQuery]) -> web.StreamResponse:
        """The events of a question of the caller's, from its state of now on."""
        asked = await self.own(call.caller, int(call.path("number")))
        await self._check_kept(asked)
        with self._following(call.caller):
            return await self._stream(call.request, asked)

    async def rate(self, call: ApiCall[NoQuery, FeedbackBody]) -> Body:
        """Notes what the caller thinks of a reply to a question of theirs."""
        asked = await self.own(call.caller, call.body.number)
        value = 1 if call.body.vote == "up" else -1
        rated = await self.given.actions.rate(asked.number, call.caller.person, value, call.body.reason)
        return Done(done=rated is not None)

    async def forget(self, call: ApiCall[NoQuery, NoQuery]) -> Body:
        """Forgets what the caller asked."""
        return Forgotten(forgotten=await self.given.actions.memory.forget(call.caller.person))

    async def own(self, caller: Caller, number: int) -> AcceptedQuestion:
        """A question of the caller's. Raises ProblemError where there is none: another's is none."""
        known = await self.given.conversations.ledger.find(number)
        if known is None or known.asker != caller.person:
            raise not_found()
        return known

    @contextmanager
    def _following(self, caller: Caller) -> Iterator[None]:
        who = caller.person.id
        if self.streams.total() >= MAX_STREAMS or self.streams[who] >= MAX_OF_ONE:
            raise busy("Too many replies are followed at one time.")
        self.streams[who] += 1
        try:
            yield
        finally:
            self.streams[who] -= 1
            if not self.streams[who]:
                del self.streams[who]

    async def _states(self, asked: AcceptedQuestion, beat: float = BEAT_SECONDS) -> AsyncIterator[ReplyState | None]:
        left, is_new = max(0.0, asked.time_left.total_seconds()) + OVERTIME, False
        async for state in self.given.live.follow(asked.number, left, beat):
            if state is not None and state.outcome is not None:
                if not is_new:
                    yield await self._readable(asked, state, state.outcome)
                    return
                await self._wait_until_recorded(asked.number)
            is_new = True
            yield state

    async def _readable(self, asked: AcceptedQuestion, state: ReplyState, outcome: OutcomeBody) -> ReplyState:
        """A state that was kept, with what its asker may read of the outcome by now."""
        await self._wait_until_recorded(asked.number)
        if not (outcome.sources or outcome.nearest):
            return state
        scope = await self.given.actions.scope(asked.asker)
        now = await readable_now(self.given.actions.search, outcome, scope)
        return state if now == outcome else replace(state, outcome=now, written="", corrected=True)

    async def _wait_until_recorded(self, number: int) -> None:
        """Waits until an outcome that is shown is recorded, too, which follows at once: whoever hears of it may have it
        forgotten. Where nobody can tell, the outcome is not held back."""
        for _ in range(round(RECORDING / LOOK_AGAIN)):
            try:
                known = await self.given.conversations.ledger.find(number)
            except KbError as error:
                log.info("Whether question %s is recorded is not known: %s", number, error.what)
                return
            if known is None or known.result is not None:
                return
            await asyncio.sleep(LOOK_AGAIN)

    async def _stream(self, request: web.Request, asked: AcceptedQuestion) -> web.StreamResponse:
        response = web.StreamResponse(headers={**HEADERS, "Content-Type": STREAM, "X-Accel-Buffering": "no"})
        await response.prepare(request)
        try:
            try:
                await self._tell(response, asked)
            except ConnectionError:
                raise
            except Exception as error:  # noqa: BLE001 - the answer has begun, and no other one can be sent
                problem = problem_in(error, f"The events of question {asked.number}")
                await self._send(response, _event(("problem", problem.body)))
                response.force_close()
            await response.write_eof()
        except ConnectionError:
            log.debug("A follower of question %s went away", asked.number)
            if request.transport is not None:
                request.transport.abort()  # one that is only slow would be sent the end, as of a whole reply
        return response

    async def _tell(self, response: web.StreamResponse, asked: AcceptedQuestion) -> None:
        """Sends the events up to the outcome. Raises ProblemError where there is none in time; ConnectionError once
        the follower went away."""
        conversation, seen = conversation_of(asked), NOTHING
        await self._send(response, _written("question", f'{{"number":{asked.number},"conversation":"{conversation}"}}'))
        async for state in self._states(asked):
            said = events(seen, state, asked.number, conversation) if state else []
            seen = state or seen
            await self._send(response, "".join(map(_event, said)) or ": waiting\n\n")
        if seen.outcome is None:
            raise _late()

    async def _send(self, response: web.StreamResponse, text: str) -> None:
        """Raises ConnectionError for a follower who went away, or takes nothing."""
        try:
            async with asyncio.timeout(self.write_seconds):
                await response.write(text.encode())
        except TimeoutError:
            raise ConnectionResetError from None


def place_of(caller: Caller, conversation: str) -> str:
    """Where a conversation of the caller's takes place: nobody reaches another's by its name."""
    return sha256(f"{caller.person.id}\n{conversation}".encode()).hexdigest()[:32]


def conversation_of(asked: AcceptedQuestion) -> str:
    """By what its asker asks on."""
    return asked.handle.get("conversation", "")


def _hung_up(request: web.Request) -> bool:
    return request.transport is None or request.transport.is_closing()


def _late() -> ProblemError:
    return ProblemError(503, "late", "There was no answer in time", "Its outcome may come later.")


def _accepted_types(request: web.Request) -> set[str]:
    """What the caller takes. Raises ProblemError where that is nothing that we have."""
    given = request.headers.get("Accept", "*/*")
    wants = {each.partition(";")[0].strip().lower() for each in given.split(",")}
    if not wants & {STREAM, "application/json", "application/*", "*/*", ""}:
        raise ProblemError(406, "accept", f"There is application/json and {STREAM}")
    return wants


def _event(event: Event) -> str:
    name, said = event
    return _written(name, said.model_dump_json())


def _written(name: str, data: str) -> str:
    """An event as it is sent; JSON has no line break."""
    return f"event: {name}\ndata: {data}\n\n"
