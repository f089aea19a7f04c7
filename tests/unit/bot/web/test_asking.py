"""Questions over HTTP: their events come to an end whatever fails, and callers who went away take no place."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, get_args
from urllib.parse import urlsplit

import aiohttp
import pytest
from aiohttp import web

from bot.conversation.answer_job import ConversationOptions
from bot.conversation.service import ConversationService
from bot.http_listener import http_listener
from bot.web.asking import MAX_OF_ONE, WebAsking
from bot.web.callers import Caller
from bot.web.live_replies import LiveReplies
from bot.web.models import AskBody, NoQuery, OutcomeBody
from bot.web.operations import ApiCall, masked_json, met
from bot.web.platform import WebPlatform
from bot.web.problems import ProblemError
from bot.web.reply_state import ReplyState
from domain.conversation import AcceptedQuestion, Participant, QuestionLimits
from domain.errors import Transient
from domain.masking import Masker
from domain.web_access import TokenScope
from tests.fakes.ledger import MemoryConversations
from tests.fakes.platform import ScriptedAnswers
from tests.fakes.web_access import MemoryShownReplies

ADA = Caller(Participant("web", "ada@example.com"), frozenset(get_args(TokenScope)))
DONE = ReplyState(1, 3, outcome=OutcomeBody(result="answered", text="The answer."))
EVENTS = {"Accept": "text/event-stream"}
LIMIT = 60.0
"""Seconds after which a test has hung."""


class Asked:
    """What answers questions over HTTP, over memory. Each is asked by the same caller."""

    def __init__(self, limits: QuestionLimits | None = None) -> None:
        self.kept = MemoryConversations()
        self.live = LiveReplies(MemoryShownReplies())
        ledger, memory, platform = self.kept.ledger(), self.kept.memory(), WebPlatform(self.live)
        options = ConversationOptions(limits or QuestionLimits())
        conversations = ConversationService(ledger, memory, ScriptedAnswers(), Masker(), {"web": platform}, options)
        given: Any = SimpleNamespace(conversations=conversations, live=self.live)
        self.asking = WebAsking(given)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        found = await self.asking.ask(ApiCall(request, ADA, NoQuery(), AskBody(question="Why?")))
        if isinstance(found, web.StreamResponse):
            return found
        return web.json_response(masked_json(found, Masker().mask))


@asynccontextmanager
async def listening(handle: Any) -> AsyncIterator[tuple[str, aiohttp.ClientSession]]:
    async with (
        http_listener("127.0.0.1", 0, {"/ask": met(handle)}) as base,
        aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(LIMIT)) as client,
    ):
        yield f"{base}/ask", client


async def test_an_outcome_is_sent_though_the_database_fails_after_it_was_shown() -> None:
    asked = Asked()
    async with listening(asked.handle) as (url, client), client.post(url, headers=EVENTS) as reply:
        await reply.content.readuntil(b"\n\n")
        asked.kept.hiccups["find"] = 1000
        await asked.live.save(1, DONE)
        said = await reply.text()
    assert "event: outcome" in said
    assert "The answer." in said
    await asked.live.close()


class Odd(LiveReplies):
    """Cannot be followed to the end."""

    async def follow(self, number: int, seconds: float, beat: float = 10.0) -> AsyncIterator[ReplyState | None]:
        yield ReplyState(1, 1, words="Reading")
        raise RuntimeError("odd")


async def test_events_that_cannot_go_on_end_with_a_problem_and_the_connection_is_closed() -> None:
    asked = Asked()
    asked.asking.given.live = Odd(MemoryShownReplies())  # type: ignore[misc] # a namespace
    async with listening(asked.handle) as (url, client), client.post(url, headers=EVENTS) as reply:
        said = await reply.text()
        assert (reply.status, said.count("HTTP/1.1")) == (200, 0)
        names = [line.removeprefix("event: ") for line in said.splitlines() if line.startswith("event: ")]
        assert names == ["question", "progress", "problem"]
        assert '"code":"fault"' in said


async def begun_and_failing(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    await response.write(b"Some words")
    raise Transient("The database is away")


async def test_no_second_answer_follows_one_that_has_begun() -> None:
    async with listening(begun_and_failing) as (url, client), client.post(url) as reply:
        assert reply.status == 200
        with pytest.raises(aiohttp.ClientPayloadError):
            await reply.read()


LARGE = 8_000_000
"""Bytes that no buffer between two programs holds."""
END = b"\r\n0\r\n\r\n"
"""Of a whole reply that is sent in parts."""


async def read_late(url: str, stalled: asyncio.Event, headers: str = "") -> bytes:
    """What a caller gets who reads nothing before the other side has given up."""
    address = urlsplit(url)
    with socket.socket() as caller:
        caller.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        caller.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(caller, (address.hostname, address.port))
        request = f"POST /ask HTTP/1.1\r\nHost: localhost\r\n{headers}Content-Length: 0\r\n\r\n"
        await loop.sock_sendall(caller, request.encode())
        await stalled.wait()
        said = b""
        try:
            while not said.endswith(END) and (part := await loop.sock_recv(caller, 1 << 20)):
                said += part
        except ConnectionResetError:
            pass
        return said


async def test_events_that_a_slow_follower_does_not_take_break_off_and_have_no_end() -> None:
    asked, stalled = Asked(), asyncio.Event()
    asked.asking.write_seconds = 0.2

    async def handle(request: web.Request) -> web.StreamResponse:
        asked.live.show(1, ReplyState(1, 2, written="x" * LARGE))
        try:
            return await asked.handle(request)
        finally:
            stalled.set()

    async with asyncio.timeout(LIMIT), listening(handle) as (url, _):
        said = await read_late(url, stalled, "Accept: text/event-stream\r\n")
    assert len(said) < LARGE
    assert not said.endswith(END)
    await asked.live.close()


async def test_an_answer_that_has_begun_and_fails_does_not_wait_for_a_slow_reader() -> None:
    stalled = asyncio.Event()

    async def handle(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        try:
            async with asyncio.timeout(0.2):
                await response.write(b"x" * LARGE)
        except TimeoutError:
            asyncio.get_running_loop().call_later(0.2, stalled.set)
        raise Transient("The database is away")

    async with asyncio.timeout(LIMIT), listening(handle) as (url, _):
        assert len(await read_late(url, stalled)) < LARGE


async def test_a_caller_who_hangs_up_takes_no_place_and_may_send_the_question_again() -> None:
    asked, key = Asked(), {"Idempotency-Key": "the-same-question"}
    async with listening(asked.handle) as (url, client):
        for _ in range(MAX_OF_ONE):
            with pytest.raises(TimeoutError):
                await client.post(url, headers=key, timeout=aiohttp.ClientTimeout(0.1))
        async with asyncio.timeout(LIMIT):
            while asked.asking.streams.total():  # noqa: ASYNC110 - nobody tells of it
                await asyncio.sleep(0.05)
        waiting = asyncio.create_task(_replied(client, url, key))
        await asyncio.sleep(0.1)
        await asked.live.save(1, DONE)
        assert await waiting == (200, "The answer.")
    assert len(asked.kept.questions) == 1
    await asked.live.close()


async def test_a_question_beyond_a_limit_may_be_sent_again_with_its_key_once_the_limit_is_free() -> None:
    asked = Asked(QuestionLimits(user_minute=1, user_day=2))

    async def sent(key: str) -> AcceptedQuestion | int:
        """The question, or the seconds after which it may be sent again."""
        try:
            return await asked.asking.accept(ADA, "Why?", None, key)
        except ProblemError as problem:
            return int(problem.headers["Retry-After"])

    async def number(key: str) -> int:
        accepted = await sent(key)
        assert isinstance(accepted, AcceptedQuestion)
        return accepted.number

    await number("the-first")
    assert [await sent("the-second") for _ in range(2)] == [60, 60]
    asked.kept.now += timedelta(minutes=1)
    second = await number("the-second")
    assert await number("the-second") == second, "it is asked once"
    asked.kept.now += timedelta(hours=1)
    assert await sent("the-third") == 23 * 3600 - 60, "until the first is a day old"
    assert len(asked.kept.questions) == 3
    await asked.live.close()


async def _replied(client: aiohttp.ClientSession, url: str, headers: dict[str, str]) -> tuple[int, str]:
    async with client.post(url, headers=headers) as reply:
        return reply.status, (await reply.json())["outcome"]["text"]
