"""The HTTP listeners of a serving process."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from types import MappingProxyType
from typing import Any

from aiohttp import ClientError, web
from aiohttp.http_exceptions import HttpProcessingError

from domain.errors import Misconfigured

LARGEST = 1_000_000
"""Bytes of a request's body."""

READING = 10.0
"""Seconds in which a body has to be here."""

LONGEST_LINE = 32_768
"""Bytes of a request's first line, and of a header: a token may be long, and who sends one hears of that from us."""

log = logging.getLogger(__name__)

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


async def health(_request: web.Request) -> web.StreamResponse:
    """Says that the process runs."""
    return web.json_response({"status": "ok"})


@asynccontextmanager
async def http_listener(
    host: str,
    port: int,
    handlers: Mapping[str, Handler],
    *,
    pages: Mapping[str, Handler] = MappingProxyType({"/health": health}),
    others: Mapping[str, Handler] = MappingProxyType({}),
    if_taken: str = "set KB_AGENT_HTTP_PORT to another port.",
) -> AsyncIterator[str]:
    """Inside, POST requests to each path are handled, GET requests to those of `pages`, other methods by `others`.
    Gives its base URL.
    if_taken: what an operator can do about an address that something else listens on.

    Raises:
        Misconfigured: the address cannot be listened on.
    """
    app = web.Application(client_max_size=LARGEST)
    for path, handler in pages.items():
        app.router.add_get(path, handler)
    for path, handler in handlers.items():
        app.router.add_post(path, handler)
    for path, handler in others.items():
        app.router.add_route("*", path, handler)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=5.0)
    await runner.setup()
    try:
        listening = await _listening(runner, host, port, if_taken)
        try:
            bound = listening.sockets[0].getsockname()
            name = f"[{bound[0]}]" if ":" in str(bound[0]) else bound[0]
            yield f"http://{name}:{bound[1]}"
        finally:
            listening.close()
    finally:
        await runner.cleanup()


async def body_of(request: web.Request, largest: int = LARGEST) -> bytes | int:
    """The body of a request whose sender is not known yet, or the status that says why it is not looked at: 413 beyond
    `largest` bytes, 415 when it is packed, 408 when it is slow, 400 when it breaks off."""
    if (request.content_length or 0) > largest:
        return 413
    if request.headers.get("Content-Encoding", "identity") != "identity":
        return 415  # nothing is unpacked for who is not known
    try:
        async with asyncio.timeout(READING):
            body = await request.read()
    except web.HTTPRequestEntityTooLarge:
        return 413
    except TimeoutError:
        return 408
    except (ClientError, ValueError, ConnectionError):
        return 400
    return body if len(body) <= largest else 413


class _Connection(web.RequestHandler):
    """A connection on which what is no HTTP is answered without words, and is no error of ours."""

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """The answer to a request that could not be handled; see aiohttp's own."""
        if not isinstance(exc, HttpProcessingError):
            return super().handle_error(request, status, exc, message)
        log.debug("A request was no HTTP: %s", type(exc).__name__)
        answer = web.Response(status=status)
        answer.force_close()
        return answer

    def log_exception(self, *args: Any, **more: Any) -> None:
        """Logs what went wrong, but not with the rest of a body that was answered unread; see aiohttp's own."""
        if isinstance(more.get("exc_info"), web.RequestPayloadError):
            log.debug("The rest of a request could not be read")
        else:
            super().log_exception(*args, **more)


async def _listening(runner: web.AppRunner, host: str, port: int, if_taken: str) -> asyncio.Server:
    server, loop = runner.server, asyncio.get_running_loop()
    if server is None:
        raise AssertionError("the runner is set up")

    def connection() -> _Connection:
        most = LONGEST_LINE
        # as a runner says that there is no such log
        return _Connection(server, loop=loop, access_log=None, max_line_size=most, max_field_size=most)  # type: ignore[arg-type]

    try:
        return await loop.create_server(connection, host, port, backlog=128)
    except OSError as error:
        raise Misconfigured(
            f"{host}:{port} cannot be listened on",
            why=error.strerror or str(error),
            next_step=f"Stop what listens there, or {if_taken}",
        ) from error
