"""Calls of the Web API: what an error means, when it is tried again, and how fast."""

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from slack_sdk.errors import SlackApiError, SlackRequestError
from slack_sdk.web.async_client import AsyncWebClient

from bot.conversation.chat_platform import OutcomeUnknown
from bot.slack.client import MissingScope, SlackClient, SlackRefused, TokenBucket, _translated
from domain.errors import KbError, Misconfigured, Transient
from tests.fakes.slack_web import SOON, Web, raised, slack_error


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (slack_error("ratelimited"), Transient),
        (slack_error(None, 429), Transient),
        (slack_error("service_unavailable", 503), Transient),
        (slack_error("some_new_word", 500), Transient),
        (slack_error("internal_error"), OutcomeUnknown),
        (slack_error("fatal_error", 500), OutcomeUnknown),
        (slack_error("request_timeout", 408), OutcomeUnknown),
        (slack_error(None, 503), OutcomeUnknown),
        (slack_error(None, 200), OutcomeUnknown),
        (slack_error("invalid_auth"), Misconfigured),
        (slack_error("token_revoked"), Misconfigured),
        (slack_error("missing_scope"), MissingScope),
        (slack_error("channel_not_found"), SlackRefused),
        (slack_error("some_new_word"), SlackRefused),
    ],
)
def test_what_an_error_means(error: SlackApiError, kind: type[KbError]) -> None:
    assert type(_translated("chat.update", error)) is kind


def test_a_body_that_is_no_json_comes_with_another_response() -> None:
    response = SimpleNamespace(status=200, headers={})  # aiohttp's own
    found = _translated("chat.update", raised("no JSON", response))
    assert type(found) is OutcomeUnknown
    assert found.why == "status 200"


def test_a_missing_permission_is_named() -> None:
    data = {"ok": False, "error": "missing_scope", "needed": "users:read"}
    found = _translated("users.info", raised("no", SimpleNamespace(data=data, status_code=200, headers={})))
    assert "it needs users:read" in str(found)


@pytest.mark.parametrize(
    ("given", "seconds"), [("3", 3.0), ("0", 0.1), ("-5", 1.0), ("soon", 1.0), ("", 1.0), ("9999", 300.0), ("1.5", 1.5)]
)
def test_retry_after(given: str, seconds: float) -> None:
    found = _translated("chat.update", slack_error("ratelimited", 429, **{"Retry-After": given}))
    assert isinstance(found, Transient)
    assert found.retry_after == seconds


def test_retry_after_may_be_missing() -> None:
    found = _translated("chat.update", slack_error("ratelimited", 429))
    assert isinstance(found, Transient)
    assert found.retry_after == 1.0


async def test_a_failure_for_now_is_tried_again() -> None:
    web = Web(SOON, SOON, {"ok": True, "ts": "1"})
    assert await SlackClient(web, 5).call("chat.postMessage", channel="C1", thread_ts=None) == {"ok": True, "ts": "1"}
    assert web.called == [("chat.postMessage", {"json": {"channel": "C1"}})] * 3


async def test_without_patience_it_is_tried_once() -> None:
    web = Web(SOON)
    with pytest.raises(Transient):
        await SlackClient(web, 5).call("chat.update", patience=0.0)
    assert len(web.called) == 1


async def test_nobody_waits_for_longer_than_the_patience() -> None:
    web = Web(slack_error("ratelimited", 429, **{"Retry-After": "30"}))
    with pytest.raises(Transient) as caught:
        await SlackClient(web, 5).call("chat.update")
    assert caught.value.retry_after == 30


@pytest.mark.parametrize("code", ["channel_not_found", "token_revoked"])
async def test_what_will_not_change_is_not_tried_again(code: str) -> None:
    web = Web(slack_error(code))
    with pytest.raises((SlackRefused, Misconfigured)):
        await SlackClient(web, 5).call("chat.update")
    assert len(web.called) == 1


@pytest.mark.parametrize(
    "error", [aiohttp.ServerDisconnectedError(), TimeoutError(), SlackRequestError("no"), ConnectionResetError()]
)
async def test_what_broke_off_may_have_been_done(error: Exception) -> None:
    with pytest.raises(OutcomeUnknown) as caught:
        await SlackClient(Web(error), 5).call("chat.update", patience=0.0)
    assert type(error).__name__ in str(caught.value)


def _asked(*found: dict[str, Any] | None) -> tuple[list[int], Callable[[], Awaitable[dict[str, Any] | None]]]:
    left, times = list(found), [0]

    async def done() -> dict[str, Any] | None:
        times[0] += 1
        return left.pop(0)

    return times, done


async def test_what_was_done_is_not_done_twice() -> None:
    web = Web(aiohttp.ServerDisconnectedError())
    times, done = _asked({"ts": "1"})
    assert await SlackClient(web, 5).call("chat.postMessage", unless=done) == {"ts": "1"}
    assert (times, len(web.called)) == ([1], 1)


async def test_what_was_not_done_is_done_then() -> None:
    web = Web(aiohttp.ServerDisconnectedError(), {"ts": "2"})
    times, done = _asked(None)
    assert await SlackClient(web, 5).call("chat.postMessage", unless=done) == {"ts": "2"}
    assert (times, len(web.called)) == ([1], 2)


async def test_a_failure_that_left_nothing_is_not_looked_into() -> None:
    web = Web(SOON, {"ts": "2"})
    times, done = _asked()
    assert await SlackClient(web, 5).call("chat.postMessage", unless=done) == {"ts": "2"}
    assert times == [0]


async def test_methods_that_read_take_a_form() -> None:
    web = Web({"ok": True})
    await SlackClient(web, 5).call("users.info", user="U1")
    assert web.called == [("users.info", {"data": {"user": "U1"}})]


async def test_without_a_response_url_nothing_is_sent() -> None:
    with pytest.raises(SlackRefused):
        await SlackClient(Web(), 5).respond("", json.loads("{}"))


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.slack.com/commands/1",
        "https://hooks.slack.com.evil.example/1",
        "https://evil.example/hooks.slack.com",
        "https://hooks.slack.com@evil.example/1",
        "https://slack.com/api/1",
        "http://169.254.169.254/latest",
        "file:///etc/passwd",
        "nonsense",
    ],
)
async def test_a_response_url_that_is_not_slacks_gets_nothing(url: str) -> None:
    with pytest.raises(SlackRefused, match="none of Slack's"):
        await SlackClient(AsyncWebClient(), 5).respond(url, {"text": "private"})


def test_a_pace_allows_a_tenth_at_once() -> None:
    pace = TokenBucket(50)
    assert [pace.take() for _ in range(7)] == [True] * 5 + [False] * 2


def test_a_slow_pace_allows_one() -> None:
    pace = TokenBucket(1)
    assert [pace.take(), pace.take()] == [True, False]


def test_a_pace_fills_with_time_and_no_further_than_its_burst() -> None:
    pace = TokenBucket(60_000)
    taken = 0
    while pace.take():
        taken += 1
    assert 6_000 <= taken < 12_000


async def test_all_calls_have_to_be_done_within_a_time() -> None:
    web = Web(SOON)
    with pytest.raises(Transient):
        await SlackClient(web, 5).within(0.0).call("chat.update", patience=30.0)
    assert len(web.called) == 1


async def test_what_nobody_can_look_for_is_not_done_twice_blindly() -> None:
    web = Web(SOON, aiohttp.ServerDisconnectedError())
    with pytest.raises(OutcomeUnknown):
        await SlackClient(web, 5).call("chat.postEphemeral", blindly=False)
    assert len(web.called) == 2


async def test_what_slack_wants_fewer_calls_of_is_not_called_before_its_time() -> None:
    web = Web(slack_error("ratelimited", 429, **{"Retry-After": "30"}), {"ok": True}, {"ok": True})
    client = SlackClient(web, 5)
    for asking in (client, client.within(10.0), client):
        with pytest.raises(Transient) as caught:
            await asking.call("chat.appendStream", patience=0.0, channel="C1")
        assert not isinstance(caught.value, OutcomeUnknown)
        assert caught.value.retry_after is not None
    assert len(web.called) == 1, "nobody calls it meanwhile"
    assert await client.call("chat.update", channel="C1") == {"ok": True}, "others are called"


async def test_posts_are_held_in_one_channel() -> None:
    web = Web(slack_error("ratelimited", 429, **{"Retry-After": "30"}), {"ok": True})
    client = SlackClient(web, 5)
    for channel in ("C1", "C1"):
        with pytest.raises(Transient):
            await client.call("chat.postMessage", channel=channel)
    assert await client.call("chat.postMessage", channel="C2") == {"ok": True}
    assert len(web.called) == 2


async def test_who_has_patience_waits_until_slack_takes_calls_again() -> None:
    web = Web(SOON, {"ok": True})
    client = SlackClient(web, 5)
    with pytest.raises(Transient):
        await client.call("chat.update", patience=0.0)
    assert await client.call("chat.update") == {"ok": True}


async def test_a_reply_without_end_to_a_response_url_is_not_read_to_its_end() -> None:
    async def endless(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(status=404)
        await response.prepare(request)
        with contextlib.suppress(ConnectionError):
            while True:
                await response.write(b"no such hook " * 1_000)
        return response

    app = web.Application()
    app.router.add_post("/response", endless)
    async with TestServer(app) as server, asyncio.timeout(60):
        client = SlackClient(AsyncWebClient(base_url=str(server.make_url("/api/"))), 5)
        with pytest.raises(SlackRefused) as caught:
            await client.respond(str(server.make_url("/response")), {"text": "hello"})
    assert "no such hook" in caught.value.why
    assert len(caught.value.why) <= 200
