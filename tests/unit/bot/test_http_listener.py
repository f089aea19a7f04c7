"""What the listener itself answers, before anybody's handler is asked."""

import asyncio
import logging
import resource
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from urllib.parse import urlsplit

import pytest
from aiohttp import web

from bot.http_listener import ConnectionLimits, http_listener
from domain.errors import Misconfigured
from tests.attacks.delivering import SECONDS, answered
from tests.attacks.requests_http import NO_HTTP, posted
from tests.flows.teams.talk import Answer


async def length(request: web.Request) -> web.StreamResponse:
    return web.Response(text=str(len(request.headers.get("Authorization", ""))))


@asynccontextmanager
async def connected(base: str) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    address = urlsplit(base)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    try:
        yield reader, writer
    finally:
        writer.close()


async def ended(reader: asyncio.StreamReader) -> bool:
    """Whether the other end closes the connection, without a word."""
    async with asyncio.timeout(SECONDS):
        try:
            return not await reader.read()
        except ConnectionError:
            return True


@pytest.fixture
async def base() -> AsyncIterator[str]:
    async def broken(request: web.Request) -> web.StreamResponse:
        raise ZeroDivisionError(request.path)

    async with http_listener("127.0.0.1", 0, {"/length": length, "/broken": broken}) as opened:
        yield opened


async def test_a_long_header_reaches_who_handles_it(base: str) -> None:
    assert await answered(base, posted("/length", f"Authorization: {'a' * 20_000}")) == Answer(200, b"20000")


@pytest.mark.parametrize("name", NO_HTTP)
async def test_what_is_no_http_is_told_so_without_words(base: str, name: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    assert await answered(base, NO_HTTP[name]) == Answer(400, b"")
    assert not [each for each in caplog.records if each.levelno > logging.DEBUG]
    assert not any(each.exc_info for each in caplog.records)


async def test_a_fault_of_ours_is_logged_with_its_trace(base: str, caplog: pytest.LogCaptureFixture) -> None:
    assert (await answered(base, posted("/broken"))).status == 500
    assert any(each.levelno == logging.ERROR and each.exc_info for each in caplog.records)


async def test_a_port_that_is_taken_is_an_operators_to_mend(base: str) -> None:
    with pytest.raises(Misconfigured, match="cannot be listened on"):
        async with http_listener("127.0.0.1", urlsplit(base).port or 0, {}):
            pass


HALF = b"POST /length HTTP/1.1\r\nHost: x\r\n"
WHOLE = HALF + b"Content-Length: 0\r\n\r\n"


@pytest.mark.parametrize("begun", [b"", HALF], ids=["nothing", "half of the headers"])
async def test_a_connection_is_closed_on_which_no_request_comes(begun: bytes) -> None:
    limits = ConnectionLimits(headers=0.1) if begun else ConnectionLimits(idle=0.1)
    listening = http_listener("127.0.0.1", 0, {"/length": length}, limits=limits)
    async with listening as base, connected(base) as (reader, writer):
        writer.write(begun)
        assert await ended(reader)


async def test_a_connection_stays_open_between_requests_until_half_of_one_comes() -> None:
    limits = ConnectionLimits(headers=0.5)
    listening = http_listener("127.0.0.1", 0, {"/length": length}, limits=limits)
    async with listening as base, connected(base) as (reader, writer), asyncio.timeout(SECONDS):
        for pause in (2 * limits.headers, 0.0):
            writer.write(WHOLE)
            assert b"200 OK" in await reader.readuntil(b"\r\n\r\n0")
            await asyncio.sleep(pause)
        writer.write(HALF)
        assert await ended(reader)


@pytest.mark.parametrize("begun", [WHOLE, WHOLE + HALF], ids=["a request", "and half of the next with it"])
async def test_a_connection_is_closed_after_a_request_when_no_other_comes(begun: bytes) -> None:
    listening = http_listener("127.0.0.1", 0, {"/length": length}, limits=ConnectionLimits(idle=0.1))
    async with listening as base, connected(base) as (reader, writer), asyncio.timeout(SECONDS):
        writer.write(begun)
        assert b"200 OK" in await reader.read()


async def test_connections_that_are_only_held_open_keep_nobody_out(caplog: pytest.LogCaptureFixture) -> None:
    async with AsyncExitStack() as stack:
        limits = ConnectionLimits(most=3)
        base = await stack.enter_async_context(http_listener("127.0.0.1", 0, {"/length": length}, limits=limits))
        await stack.enter_async_context(asyncio.timeout(SECONDS))
        first, silent, last = [await stack.enter_async_context(connected(base)) for _ in range(3)]
        for reader, writer in (last, first):
            await served(reader, writer)
        for idle_longest, _ in (silent, last, first):
            await served(*await stack.enter_async_context(connected(base)))
            assert await ended(idle_longest)
    assert [each.levelno for each in caplog.records].count(logging.WARNING) == 1


async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(WHOLE)
    assert b"200 OK" in await reader.readuntil(b"\r\n\r\n0")


async def test_while_all_connections_are_at_work_further_ones_are_closed_at_once() -> None:
    begun, go_on = asyncio.Semaphore(0), asyncio.Event()

    async def slow(_request: web.Request) -> web.StreamResponse:
        begun.release()
        await go_on.wait()
        return web.Response(text="done")

    listening = http_listener("127.0.0.1", 0, {"/length": slow}, limits=ConnectionLimits(most=2))
    async with listening as base, connected(base) as one, connected(base) as other, asyncio.timeout(SECONDS):
        for _, writer in (one, other):
            writer.write(WHOLE)
            await begun.acquire()
        for _ in range(3):
            async with connected(base) as (refused, _more):
                assert await ended(refused)
        go_on.set()
        for reader, _ in (one, other):
            assert b"200 OK" in await reader.readuntil(b"done"), "what was open before is served"
        assert await answered_or_closed(base), "it is idle now"


def test_three_listeners_leave_most_files_to_whatever_else_the_process_does() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (800, hard))
        assert ConnectionLimits.of_this_process().most == 100
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def answered_or_closed(base: str) -> bool:
    """Whether a request is answered; else its connection is closed."""
    async with connected(base) as (reader, writer):
        writer.write(WHOLE.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        try:
            return b"200 OK" in await reader.read()
        except ConnectionError:
            return False
