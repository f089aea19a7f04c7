"""The HTTP listeners of a serving process."""

import asyncio
import logging
import resource
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from aiohttp import ClientError, web
from aiohttp.http_exceptions import HttpProcessingError

from domain.errors import Misconfigured

LARGEST = 1_000_000
"""Bytes of a request's body."""

READING = 10.0
"""Seconds in which a body has to be here, and before it the headers."""

IDLE = 75.0
"""Seconds for which a connection stays open without a request: longer than the 60 of load balancers and proxies, which
would otherwise use it again while it is being closed."""

MAX_CONNECTIONS = 1_000
"""Connections of a listener that are open at a time, where the system lets the process open eight times as many files:
a process has up to three listeners."""

TOLD_AGAIN = 60.0
"""Seconds between two lines of the log about connections that were closed to make room."""

LONGEST_LINE = 32_768
"""Bytes of a request's first line, and of a header: a token may be long, and who sends one hears of that from us."""

log = logging.getLogger(__name__)

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """What a connection may take of a listener. headers: seconds in which a request's headers have to be here, from
    their first byte on. idle: seconds for which it stays open before the first request, and between two. most:
    connections that are open at a time; for a further one, that is closed which has been idle longest; where none is
    idle, the new one."""

    headers: float = READING
    idle: float = IDLE
    most: int = MAX_CONNECTIONS

    @classmethod
    def of_this_process(cls) -> "ConnectionLimits":
        """The usual ones of a listener. Most of the files that the process may open are left to whatever else it
        does, and to its other listeners."""
        files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        return cls() if files == resource.RLIM_INFINITY else cls(most=min(MAX_CONNECTIONS, files // 8))


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
    limits: ConnectionLimits | None = None,
) -> AsyncIterator[str]:
    """Inside, POST requests to each path are handled, GET requests to those of `pages`, other methods by `others`.
    Gives its base URL.
    if_taken: what an operator can do about an address that something else listens on. limits: those of the process,
    where none are given.

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
        listening = await _listening(runner, host, port, if_taken, limits or ConnectionLimits.of_this_process())
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
    """A connection on which what is no HTTP is answered without words, and is no error of ours. It is closed when the
    headers of a request do not come to their end, or to make room for another one while it is idle."""

    def __init__(
        self,
        server: web.Server,
        limits: ConnectionLimits,
        full: Callable[[], None],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        super().__init__(
            server,
            loop=loop,
            access_log=None,  # type: ignore[arg-type] # as a runner says that there is no such log
            keepalive_timeout=limits.idle,
            max_line_size=LONGEST_LINE,
            max_field_size=LONGEST_LINE,
        )
        self._server = server
        self._limits = limits
        self._full = full
        self._headers_due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A connection begins; see aiohttp's own."""
        super().connection_made(transport)
        if len(self._server.connections) > self._limits.most:
            self._full()
            others = (each for each in self._server.connections if isinstance(each, _Connection) and each.is_idle())
            min(others, key=_Connection.idle_until, default=self).cut()

    def is_idle(self) -> bool:
        """Whether no request is known to have begun."""
        return self._awaits_request() and self._headers_due is None

    def idle_until(self) -> float:
        """When it will have been idle for too long, by the clock of the loop."""
        return self._next_keepalive_close_time

    def cut(self) -> None:
        """Closes it at once, also where its other end does not take what was sent."""
        transport = self.transport
        self.force_close()
        if transport is not None:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        """Reads on; see aiohttp's own. Between requests nothing is due; what begins has to come to its end, or, where
        it came along with the end of the request before, has as long as an idle connection."""
        super().data_received(data)
        if self._awaits_request():
            self._expect_headers()
        else:
            self._forget_headers()

    def connection_lost(self, exc: BaseException | None) -> None:
        """The connection has ended; see aiohttp's own."""
        self._forget_headers()
        super().connection_lost(exc)

    def _awaits_request(self) -> bool:
        return self._waiter is not None and not self._waiter.done()

    def _expect_headers(self) -> None:
        if self._headers_due is None:
            loop = asyncio.get_running_loop()
            self._headers_due = loop.call_later(self._limits.headers, self._close_if_waiting)

    def _forget_headers(self) -> None:
        if self._headers_due is not None:
            self._headers_due.cancel()
            self._headers_due = None

    def _close_if_waiting(self) -> None:
        if self._awaits_request():
            log.debug("The headers of a request did not come to their end")
            self.cut()

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


async def _listening(
    runner: web.AppRunner, host: str, port: int, if_taken: str, limits: ConnectionLimits
) -> asyncio.Server:
    server, loop = runner.server, asyncio.get_running_loop()
    if server is None:
        raise AssertionError("the runner is set up")
    told = float("-inf")

    def full() -> None:
        nonlocal told
        if loop.time() - told >= TOLD_AGAIN:
            told = loop.time()
            log.warning("Connections are closed to make room, since %d are open", limits.most)

    try:
        return await loop.create_server(lambda: _Connection(server, limits, full, loop), host, port, backlog=128)
    except OSError as error:
        raise Misconfigured(
            f"{host}:{port} cannot be listened on",
            why=error.strerror or str(error),
            next_step=f"Stop what listens there, or {if_taken}",
        ) from error
