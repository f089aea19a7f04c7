"""What the listener itself answers, before anybody's handler is asked."""

import asyncio
import logging
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import pytest
from aiohttp import web

from bot.http_listener import LONGEST_LINE, http_listener
from domain.errors import Misconfigured


@pytest.fixture
async def base() -> AsyncIterator[str]:
    async def length(request: web.Request) -> web.StreamResponse:
        return web.Response(text=str(len(request.headers.get("Authorization", ""))))

    async def broken(request: web.Request) -> web.StreamResponse:
        raise ZeroDivisionError(request.path)

    async with http_listener("127.0.0.1", 0, {"/length": length, "/broken": broken}) as opened:
        yield opened


async def answered(base: str, request: bytes) -> tuple[int, bytes]:
    """Status and body for bytes as they are."""
    address = urlsplit(base)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    writer.write(request)
    answer = await asyncio.wait_for(reader.read(), 10)
    writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), body


def posted(path: str, *headers: str) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: here", "Content-Length: 0", "Connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode()


async def test_a_long_header_reaches_who_handles_it(base: str) -> None:
    assert await answered(base, posted("/length", f"Authorization: {'a' * 20_000}")) == (200, b"20000")


NO_HTTP = {
    "too long a header": posted("/length", f"Authorization: {'a' * (LONGEST_LINE + 1)}"),
    "a negative length": posted("/length", "Content-Length: -5"),
    "garbage": b"\x16\x03\x01\x02\x00\x01\r\n\r\n",
    "a header without a name": posted("/length", ": x"),
}


@pytest.mark.parametrize("name", NO_HTTP)
async def test_what_is_no_http_is_told_so_without_words(base: str, name: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    assert await answered(base, NO_HTTP[name]) == (400, b"")
    assert not [each for each in caplog.records if each.levelno > logging.DEBUG]
    assert not any(each.exc_info for each in caplog.records)


async def test_a_fault_of_ours_is_logged_with_its_trace(base: str, caplog: pytest.LogCaptureFixture) -> None:
    status, _ = await answered(base, posted("/broken"))
    assert status == 500
    assert any(each.levelno == logging.ERROR and each.exc_info for each in caplog.records)


async def test_a_port_that_is_taken_is_an_operators_to_mend(base: str) -> None:
    with pytest.raises(Misconfigured, match="cannot be listened on"):
        async with http_listener("127.0.0.1", urlsplit(base).port or 0, {}):
            pass
