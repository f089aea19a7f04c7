"""A local HTTP server that answers with JSON, notes what it was asked, and fails on demand."""

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from aiohttp import web

Fault = Callable[[web.BaseRequest, Any], Awaitable[web.StreamResponse]]
"""Answers a request instead of the server; gets the reply that would have been right."""


@dataclass(frozen=True)
class Received:
    """One request as it came in. body: its JSON, None without any."""

    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: Any


@dataclass
class JsonServer(ABC):
    """Serves on a free loopback port inside `async with`.

    url: scheme, host and port. requests: all that came in. faults: what the next requests meet, one each.
    """

    url: str = ""
    requests: list[Received] = field(default_factory=list)
    faults: deque[Fault] = field(default_factory=deque)

    @abstractmethod
    def answer(self, request: Received) -> tuple[int, Any]:
        """Status and JSON, without faults."""

    def fail_next(self, *faults: Fault) -> None:
        self.faults.extend(faults)

    async def __aenter__(self) -> Self:
        self._server = web.Server(self._handle)
        self._runner = web.ServerRunner(self._server, shutdown_timeout=0.05)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._runner.cleanup()

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        body = await request.json() if request.can_read_body else None
        self.requests.append(Received(request.path, dict(request.query), dict(request.headers), body))
        code, right = self.answer(self.requests[-1])
        if self.faults:
            return await self.faults.popleft()(request, right)
        return web.json_response(right, status=code)


def status(code: int, **headers: str) -> Fault:
    """An error reply that quotes the request's headers, as some servers do. headers: `_` stands for `-`."""

    async def fault(request: web.BaseRequest, _: Any) -> web.StreamResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return web.json_response({"error": {"message": str(request.headers)}}, status=code, headers=named)

    return fault


def changed(change: Callable[[Any], Any]) -> Fault:
    """The right reply as `change` makes it."""

    async def fault(_: web.BaseRequest, right: Any) -> web.StreamResponse:
        return web.json_response(change(right))

    return fault


def body(content: bytes, **headers: str) -> Fault:
    """A successful reply with this content. headers: `_` stands for `-`."""

    async def fault(_: web.BaseRequest, __: Any) -> web.StreamResponse:
        return web.Response(body=content, headers={name.replace("_", "-"): value for name, value in headers.items()})

    return fault


async def reset(request: web.BaseRequest, _: Any) -> web.StreamResponse:
    """Breaks the connection off."""
    if request.transport:
        request.transport.abort()
    return web.Response()


async def hang(_: web.BaseRequest, __: Any) -> web.StreamResponse:
    """Says nothing until the server closes."""
    await asyncio.sleep(60)
    return web.Response()


async def trickle(request: web.BaseRequest, _: Any) -> web.StreamResponse:
    """Sends a byte now and then, so that no single read waits long."""
    response = web.StreamResponse()
    await response.prepare(request)
    for _tick in range(600):
        await response.write(b" ")
        await asyncio.sleep(0.05)
    return response
