"""Keeps an embedded server up for as long as it is used: one that dies is started again."""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Protocol, TypeVar

from domain.cancellation import cancellable_sleep
from domain.errors import KbError

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.5
"""Seconds between two checks whether the server runs."""

DEATH_WINDOW_SECONDS = 600.0
"""A death, or a failed start, counts for so many seconds."""

LONGEST_PAUSE = 60.0
"""The longest pause, in seconds, between two starts of a server that dies again and again."""

MANY_DEATHS = 3
"""After so many deaths within DEATH_WINDOW_SECONDS, the log asks an operator to look at it."""

T = TypeVar("T")


class RestartableServer(Protocol):
    """What the supervisor needs of storage.server.embedded.EmbeddedServer. Both methods block."""

    @property
    def cluster(self) -> Path:
        """The server's folder."""

    def is_running(self) -> bool:
        """Whether it runs."""

    def restart_if_dead(self) -> bool:
        """Starts it when it does not run; whether this process did. Raises KbErrors."""


def pause(troubles: int) -> float:
    """Seconds to wait before the next start. troubles: deaths and failed starts within DEATH_WINDOW_SECONDS, this one
    included."""
    return 0.0 if troubles <= 1 else min(LONGEST_PAUSE, 2.0 ** min(troubles - 2, 10))


class ServerSupervisor:
    """Starts one server again whenever it has died. clock: seconds. sleep: waits for so many seconds."""

    def __init__(
        self,
        server: RestartableServer,
        *,
        clock: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[None]] = cancellable_sleep,
    ) -> None:
        self._server = server
        self._clock = clock
        self._sleep = sleep
        self._troubles: deque[float] = deque()

    async def run_forever(self) -> None:
        """Runs until it is cancelled; goes on after every error."""
        while True:
            await self._sleep(LOOK_SECONDS)
            try:
                if not await _in_thread(self._server.is_running):
                    await self._restart()
            except KbError as error:
                log.error("%s (%s) %s", error.what, error.why, error.next_step)  # noqa: TRY400 - its words say it all
            except Exception:
                log.exception("The embedded database cannot be looked after")
                await self._sleep(LONGEST_PAUSE)

    async def _restart(self) -> None:
        """Starts the server: at once after its first death, after a pause later."""
        now = self._clock()
        while self._troubles and now - self._troubles[0] > DEATH_WINDOW_SECONDS:
            self._troubles.popleft()
        self._troubles.append(now)
        wait = pause(len(self._troubles))
        if len(self._troubles) >= MANY_DEATHS:
            log.error(
                "The embedded database was found dead %d times within %d minutes; it is started again in %d s. Look at"
                " %s, at free memory (the kernel kills what takes too much: dmesg) and at kb doctor",
                len(self._troubles),
                DEATH_WINDOW_SECONDS // 60,
                wait,
                self._server.cluster / "server.log",
            )
        await self._sleep(wait)
        try:
            if await _in_thread(self._server.restart_if_dead):
                log.warning("The embedded database had died; it was started again")
        except OSError as error:
            log.error("The embedded database cannot be started again: %s", error)  # noqa: TRY400 - it says it all


async def _in_thread(work: Callable[[], T]) -> T:
    """The result of `work`, done in a thread. A cancelled caller still waits for the thread to end."""
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
    keeping = asyncio.create_task(ServerSupervisor(server).run_forever())
    try:
        yield
    finally:
        keeping.cancel()
        with suppress(asyncio.CancelledError):
            await keeping
