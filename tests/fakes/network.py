"""A network that fails as networks do: a proxy between the product and a server, which delays, resets, falls silent,
refuses, or leads to another server."""

import asyncio
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Literal

Target = tuple[str, int] | str
"""A host and port, or the path of a Unix socket."""

State = Literal["flowing", "silent", "refusing"]

KEEPALIVE_SECONDS = 60.0
"""After so long a server finds out by TCP keep-alive that the way to a client is gone, as `storage.server.connections`
sets it. The kernel answers a keep-alive here on either side, so that it would never notice."""

_BLOCK = 65_536
_RESET = struct.pack("ii", 1, 0)
"""SO_LINGER that makes a close a reset."""


class Proxy:
    """Listens on a free port of loopback and hands on what it gets. Its methods may be called from any thread.

    target: whom it leads to. It can be changed; connections that are open stay with the one before.
    """

    def __init__(self, target: Target) -> None:
        self.target = target
        self.delay = 0.0
        """Seconds that each piece waits, in both directions."""
        self.port = 0
        self._state: State = "flowing"
        self._loop = asyncio.new_event_loop()
        self._open: dict[asyncio.StreamWriter, State] = {}
        self._servers: set[asyncio.StreamWriter] = set()
        """To the server, whose side is open still."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._ended = asyncio.Event()

    def reset(self) -> int:
        """Resets all connections; returns how many there were."""
        return self._in_loop(self._reset)

    def silence(self) -> int:
        """From now on nothing passes on the connections that are open, and nobody is told; new ones work. So does a
        firewall that has forgotten them. The server's side ends after KEEPALIVE_SECONDS. Returns how many there are."""
        return self._in_loop(self._silence)

    @property
    def silent(self) -> int:
        """Connections that are silent, and open still on the server's side."""
        return self._in_loop(lambda: len(self._silent_servers()))

    def refuse(self, *, refusing: bool) -> None:
        """Whether new connections are reset at once."""
        self._state = "refusing" if refusing else "flowing"

    def _in_loop(self, work: Callable[[], int]) -> int:
        async def run() -> int:
            return work()

        return asyncio.run_coroutine_threadsafe(run(), self._loop).result(60)

    def _reset(self) -> int:
        for writer in self._open:
            _let_reset(writer)
        return len(self._open) // 2

    def _silence(self) -> int:
        flowing = sum(state == "flowing" for state in self._open.values()) // 2
        before = self._silent_servers()
        self._open = dict.fromkeys(self._open, "silent")
        self._loop.call_later(KEEPALIVE_SECONDS, self._end_servers, self._silent_servers() - before)
        return flowing

    def _silent_servers(self) -> set[asyncio.StreamWriter]:
        return {each for each in self._servers if self._open.get(each) == "silent"}

    def _end_servers(self, servers: set[asyncio.StreamWriter]) -> None:
        for each in servers & self._servers:
            each.transport.abort()

    async def _serve(self, started: threading.Event) -> None:
        server = await asyncio.start_server(self._accepted, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        started.set()
        async with server:
            await self._ended.wait()
            self._reset()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await asyncio.sleep(0)  # what was aborted is closed in the next turn

    async def _accepted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        await self._led(reader, writer)

    async def _led(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._state == "refusing":
            _let_reset(writer)
            return
        try:
            if isinstance(self.target, str):
                there, back = await asyncio.open_unix_connection(self.target)
            else:
                there, back = await asyncio.open_connection(*self.target)
        except OSError:
            _let_reset(writer)
            return
        self._open[writer] = self._open[back] = "flowing"
        self._servers.add(back)
        await asyncio.gather(self._hand_on(reader, back), self._answers(there, writer, back))

    async def _answers(
        self, there: asyncio.StreamReader, writer: asyncio.StreamWriter, back: asyncio.StreamWriter
    ) -> None:
        await self._hand_on(there, writer)
        self._servers.discard(back)

    async def _hand_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while block := await reader.read(_BLOCK):
                if self.delay:
                    await asyncio.sleep(self.delay)
                if self._open.get(writer) != "silent":
                    writer.write(block)
                    await writer.drain()
        if self._open.get(writer) != "silent" or self._ended.is_set():
            self._open.pop(writer, None)
            writer.transport.abort()


def _let_reset(writer: asyncio.StreamWriter) -> None:
    """Closes a connection so that the other end gets a reset."""
    raw = writer.get_extra_info("socket")
    if raw is not None and raw.family != socket.AF_UNIX:
        with suppress(OSError):  # it is closed already
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    writer.transport.abort()


@contextmanager
def proxy(target: Target) -> Iterator[Proxy]:
    """A proxy in a thread of its own."""
    made, started = Proxy(target), threading.Event()
    thread = threading.Thread(target=lambda: made._loop.run_until_complete(made._serve(started)), daemon=True)
    thread.start()
    assert started.wait(10)
    try:
        yield made
    finally:
        made._loop.call_soon_threadsafe(made._ended.set)
        thread.join(10)
        made._loop.close()
