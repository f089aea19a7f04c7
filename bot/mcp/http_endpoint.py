"""Streamable HTTP on the API's listener: a request is checked as one of the API, then served by the SDK over ASGI.

There are no sessions: each request carries its token, and a token that is revoked opens nothing from then on.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, MutableMapping
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from bot.http_listener import Handler, body_of
from bot.mcp.server import Context, mcp_server
from bot.mcp.tools import McpTools
from bot.web.asking import WRITE_SECONDS
from bot.web.callers import Caller, Callers
from bot.web.operations import HEADERS, LARGEST_BODY, check_media_type, met, no_body, no_token
from domain.cancellation import cancellable_sleep

log = logging.getLogger(__name__)

PATH = "/mcp"

LOOK_SECONDS = 1.0
"""Seconds between two looks whether a client is still there."""

_CALLER = "kb_agent.caller"
"""Where the caller stands in the scope of ASGI."""

Message = MutableMapping[str, Any]


@asynccontextmanager
async def mcp_endpoint(tools: McpTools, callers: Callers) -> AsyncIterator[Handler]:
    """Inside, the handler of POST requests serves the protocol."""
    ready = asyncio.get_running_loop().create_future()
    ready.set_result(tools)
    manager = StreamableHTTPSessionManager(mcp_server(ready, _caller_of), stateless=True)

    @met
    async def handle(request: web.Request) -> web.StreamResponse:
        caller = await _permitted(callers, request)
        check_media_type(request)
        body = await body_of(request, LARGEST_BODY)
        if isinstance(body, int):
            raise no_body(body)
        exchange = _Exchange(request, body)
        await manager.handle_request(_scope(request, caller), exchange.receive, exchange.send)
        return exchange.answered()

    async with manager.run():
        yield handle


async def _permitted(callers: Callers, request: web.Request) -> Caller:
    """Who calls, by a token alone: no page of ours calls here. Raises ProblemError."""
    callers.check_host(request)
    callers.check_site(request)
    caller = await callers.find(request)
    if caller is None or caller.csrf:
        raise no_token()
    return caller


def _caller_of(context: Context) -> Caller:
    caller = context.request.scope[_CALLER] if context.request is not None else None
    if not isinstance(caller, Caller):
        raise AssertionError("every request over HTTP has a caller")  # noqa: TRY004 - a mistake of ours
    return caller


def _scope(request: web.Request, caller: Caller) -> dict[str, Any]:
    """The request as ASGI has it, without its token. Its media type was checked; the SDK knows it in small letters."""
    replaced = (b"authorization", b"content-type")
    kept = [(name, value) for name, value in request.raw_headers if name.lower() not in replaced]
    kept.append((b"content-type", b"application/json"))
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "http",
        "path": PATH,
        "raw_path": PATH.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(name.lower(), value) for name, value in kept],
        "client": None,
        "server": None,
        _CALLER: caller,
    }


class _Exchange:
    """One request and its answer, between aiohttp and ASGI."""

    def __init__(self, request: web.Request, body: bytes) -> None:
        self._request = request
        self._body: bytes | None = body
        self._response: web.StreamResponse | None = None
        self._gone = False

    async def receive(self) -> Message:
        """The body; then, once the client has gone, that."""
        if self._body is not None:
            body, self._body = self._body, None
            return {"type": "http.request", "body": body, "more_body": False}
        while not self._gone and (transport := self._request.transport) is not None and not transport.is_closing():
            await cancellable_sleep(LOOK_SECONDS)
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        """A part of the answer; nothing once the client has gone, or takes nothing."""
        try:
            async with asyncio.timeout(WRITE_SECONDS):
                await self._send(message)
        except (ConnectionError, TimeoutError):
            self._gone = True
            log.debug("A client went away")

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._response = web.StreamResponse(status=message["status"])
            for name, value in message["headers"]:
                self._response.headers.add(name.decode("latin-1"), value.decode("latin-1"))
            self._response.headers.update(HEADERS)
            await self._response.prepare(self._request)
            return
        response = self.answered()
        await response.write(message.get("body", b""))
        if not message.get("more_body", False):
            await response.write_eof()

    def answered(self) -> web.StreamResponse:
        """The answer. Raises ConnectionResetError where there is none, since the client has gone."""
        if self._response is None:
            raise ConnectionResetError
        return self._response
