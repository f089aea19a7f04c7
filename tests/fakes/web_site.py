"""A web site on a free loopback port that can misbehave, and a resolver and a dialler to reach it by any name."""

import asyncio
import gzip
import socket
import ssl
import struct
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

import httpcore

from domain.errors import Refused


@dataclass(frozen=True)
class Request:
    """One request as it arrived. sni: the name of the TLS handshake, empty without one."""

    line: str
    headers: dict[str, str]
    sni: str = ""

    @property
    def path(self) -> str:
        return self.line.split(" ")[1]


Route = Callable[[asyncio.StreamWriter], Awaitable[None]]


def raw(data: bytes) -> Route:
    """Sends `data` and closes."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        await writer.drain()

    return answer


def head(status: int, *headers: str) -> bytes:
    return "\r\n".join([f"HTTP/1.1 {status} Status", "Connection: close", *headers, "", ""]).encode("latin-1")


def page(body: bytes | str = b"", *headers: str, status: int = 200) -> Route:
    content = body.encode() if isinstance(body, str) else body
    return raw(head(status, f"Content-Length: {len(content)}", *headers) + content)


def redirect(location: str, status: int = 302) -> Route:
    return page(b"", f"Location: {location}", status=status)


def gzipped(body: bytes) -> Route:
    return page(gzip.compress(body), "Content-Encoding: gzip")


def dripping(pause: float) -> Route:
    """A body that comes one byte every `pause` seconds and never ends."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        writer.write(head(200, "Content-Length: 100000"))
        while True:
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(pause)

    return answer


def endless(chunk: bytes, sent: list[int], *headers: str) -> Route:
    """A body without end; `sent` gets the size of each piece that left."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        writer.write(head(200, *headers))
        while True:
            writer.write(chunk)
            await writer.drain()
            sent.append(len(chunk))

    return answer


async def reset(writer: asyncio.StreamWriter) -> None:
    """Begins an answer, then drops the connection with RST."""
    writer.write(head(200, "Content-Length: 100") + b"begun")
    await writer.drain()
    raw_socket = writer.get_extra_info("socket")
    raw_socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def silence(writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(60)


@dataclass
class WebSite:
    """Serves `routes` by path; anything else is 404. requests: what arrived, in order."""

    routes: dict[str, Route] = field(default_factory=dict)
    tls: ssl.SSLContext | None = None
    requests: list[Request] = field(default_factory=list)
    port: int = 0
    _names: list[str] = field(default_factory=list)
    _open: set[asyncio.Task[None]] = field(default_factory=set)

    async def __aenter__(self) -> Self:
        if self.tls:
            self.tls.sni_callback = lambda _socket, name, _context: self._names.append(name or "")
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, ssl=self.tls)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)
        await self._server.wait_closed()

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"{'https' if self.tls else 'http'}://{host}:{self.port}{path}"

    @property
    def paths(self) -> list[str]:
        return [request.path for request in self.requests]

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            headers = dict(line.lower().split(": ", 1) for line in lines[1:] if line)
            request = Request(lines[0], headers, self._names[-1] if self._names else "")
            self.requests.append(request)
            await self.routes.get(request.path, page(b"no such page", status=404))(writer)
        except (ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
            pass  # the client went away, which is what many tests are about
        finally:
            writer.close()


class Names:
    """A resolver with fixed answers; each question takes the next answer, the last one stays. asked: the questions."""

    def __init__(self, **answers: Sequence[Sequence[str]]) -> None:
        self._answers = {name.replace("_", "."): deque(found) for name, found in answers.items()}
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        if host not in self._answers:
            raise Refused(f"the name {host} is not known")
        found = self._answers[host]
        return found.popleft() if len(found) > 1 else found[0]


class Detour(httpcore.AsyncNetworkBackend):
    """Connects to loopback, whatever public address is dialled. dialled: the addresses; dead: those that refuse."""

    def __init__(self, port: int, *, dead: Iterable[str] = ()) -> None:
        self._port = port
        self._dead = frozenset(dead)
        self.dialled: list[str] = []

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's interface
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        self.dialled.append(host)
        if host in self._dead:
            raise httpcore.ConnectError("refused")
        return await httpcore.AnyIOBackend().connect_tcp("127.0.0.1", self._port, timeout)
