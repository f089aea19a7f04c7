"""What the listener itself answers, before anybody's handler is asked."""

import logging
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import pytest
from aiohttp import web

from bot.http_listener import http_listener
from domain.errors import Misconfigured
from tests.attacks.delivering import answered
from tests.attacks.requests_http import NO_HTTP, posted
from tests.flows.teams.talk import Answer


@pytest.fixture
async def base() -> AsyncIterator[str]:
    async def length(request: web.Request) -> web.StreamResponse:
        return web.Response(text=str(len(request.headers.get("Authorization", ""))))

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
