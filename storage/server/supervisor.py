"""Keeps an embedded server up for as long as it is used: one that dies is started again."""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Protocol, TypeVar

from domain import tasks
from domain.errors import KbError

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.5
"""Between two looks at whether it runs."""

WINDOW = 600.0
"""Seconds for which it is remembered that it died, or could not be started."""

LONGEST_PAUSE = 60.0
"""Seconds between two attempts to start it, at most: a server that dies again and again is not to be hammered."""

OFTEN = 3
"""After so many deaths within WINDOW, an operator has to look at it."""

T = TypeVar("T")


class RestartableServer(Protocol):
    """The part of storage.server.embedded.EmbeddedServer that this takes. Both methods block."""

    @property
    def cluster(self) -> Path:
        """The server's folder."""

    def is_running(self) -> bool:
        """Whether it runs."""

    def restart_if_dead(self) -> bool:
        """Starts it when it does not run; whether this process did. Raises KbErrors."""


def pause(troubles: int) -> float:
    """Seconds to wait before it is started again. troubles: within WINDOW, this one included."""
    return 0.0 if troubles <= 1 else min(LONGEST_PAUSE, 2.0 ** min(troubles - 2, 10))


class ServerSupervisor:
    """Keeps one server up. clock: seconds. sleep: waits so many."""

    def __init__(
        self,
        server: RestartableServer,
        *,
        clock: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[None]] = tasks.pause,
    ) -> None:
        self._server = server
        self._clock = clock
        self._sleep = sleep
        self._troubles: deque[float] = deque()

    async def keep(self) -> None:
        """Starts it again whenever it has died, until it is cancelled. Whatever goes wrong, it is looked again."""
        while True:
            await self._sleep(LOOK_SECONDS)
            try:
                if not await _to_its_end(self._server.is_running):
                    await self._tend()
            except KbError as error:
                log.error("%s (%s) %s", error.what, error.why, error.next_step)  # noqa: TRY400 - its words say it all
            except Exception:
                log.exception("The embedded database cannot be looked after")
                await self._sleep(LONGEST_PAUSE)

    async def _tend(self) -> None:
        """Starts it, at once or after a pause."""
        now = self._clock()
        while self._troubles and now - self._troubles[0] > WINDOW:
            self._troubles.popleft()
        self._troubles.append(now)
        wait = pause(len(self._troubles))
        if len(self._troubles) >= OFTEN:
            log.error(
                "The embedded database was found dead %d times within %d minutes; it is started again in %d s. Look at"
                " %s, at free memory (the kernel kills what takes too much: dmesg) and at kb doctor",
                len(self._troubles),
                WINDOW // 60,
                wait,
                self._server.cluster / "server.log",
            )
        await self._sleep(wait)
        try:
            if await _to_its_end(self._server.restart_if_dead):
                log.warning("The embedded database had died; it was started again")
        except OSError as error:
            log.error("The embedded database cannot be started again: %s", error)  # noqa: TRY400 - it says it all


async def _to_its_end(work: Callable[[], T]) -> T:
    """What `work` gives, in a thread; whoever cancels this waits for the thread."""
    running = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.wait({running})
        with suppress(KbError, OSError):
            running.result()
        raise


@asynccontextmanager
async def supervised(server: RestartableServer) -> AsyncIterator[None]:
    """Inside, the server is started again when it dies."""
    keeping = asyncio.create_task(ServerSupervisor(server).keep())
    try:
        yield
    finally:
        keeping.cancel()
        with suppress(asyncio.CancelledError):
            await keeping
