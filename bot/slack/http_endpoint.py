"""Slack's requests over HTTP: signed, of a bounded size, and only then Bolt's."""

import hashlib
import hmac
import logging
import time
from collections.abc import Awaitable, Callable

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.async_app import AsyncApp

from bot.http_listener import body_of

log = logging.getLogger(__name__)

PATH = "/slack/events"

TOLERANCE = 300
"""Seconds by which a time stamp may be off: Slack's own advice against replayed requests."""


def slack_handler(
    app: AsyncApp, secret: str, clock: Callable[[], float] = time.time
) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    """Handles Slack's requests: events, commands and presses all come to one path. Those that are not signed with
    `secret` are answered 401, those that are too large 413, packed ones 415 and those that cannot be read 400, all
    with an empty body."""

    async def handle(request: web.Request) -> web.StreamResponse:
        body = await body_of(request)
        if isinstance(body, int):
            return web.Response(status=body)
        stamp = request.headers.get("X-Slack-Request-Timestamp")
        if not is_signed(secret, stamp, request.headers.get("X-Slack-Signature"), body, clock()):
            return web.Response(status=401)
        try:
            asked = await to_bolt_request(request)
            if not isinstance(asked.body.get("event", {}), dict):
                return web.Response(status=400)
            response = await app.async_dispatch(asked)
        except (ValueError, TypeError, AttributeError, LookupError, RecursionError) as error:
            # Bolt's, for what is no JSON or has another shape than Slack's requests; what ours raise it handles itself
            log.warning("A signed request could not be read: %s", type(error).__name__)
            return web.Response(status=400)
        return await to_aiohttp_response(response)

    return handle


def is_signed(secret: str, timestamp: str | None, signature: str | None, body: bytes, now: float) -> bool:
    """Whether Slack signed the body, lately.

    secret: of the app. timestamp, signature: the headers X-Slack-Request-Timestamp and X-Slack-Signature. now: seconds
    since 1970.
    """
    if not timestamp or not signature or not f"{timestamp}{signature}".isascii():
        return False
    if not timestamp.isdigit() or len(timestamp) > 12 or abs(now - int(timestamp)) > TOLERANCE:
        return False
    expected = hmac.new(secret.encode(), b"v0:" + timestamp.encode() + b":" + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(f"v0={expected}".encode(), signature.encode())
