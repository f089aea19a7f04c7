"""A worker that tests start and stop, and jobs that tell what they do."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from types import MappingProxyType

from domain.job_ports import JobHandler, JobQueue, WorkerOptions

PATIENCE = 30.0
"""Seconds that anything may take; a test that meets this bound fails."""

POLL = 25.0
"""Seconds after which a worker looks for jobs that it was not woken for, in tests of being woken."""

WOKEN = 15.0
"""Seconds within which a worker starts a job that it was woken for: less than POLL."""


def options(
    *queues: str,
    concurrency: int = 4,
    grace: float = PATIENCE,
    lost: float = 5.0,
    cut_off: float = PATIENCE,
    poll: float = 2.0,
) -> WorkerOptions:
    """Options with fast signs of life."""
    return WorkerOptions(queues or ("slack",), concurrency, 0.1, lost, grace, cut_off, poll)


@asynccontextmanager
async def working(
    jobs: JobQueue,
    tasks: Mapping[str, JobHandler],
    how: WorkerOptions,
    dead_letter_handlers: Mapping[str, JobHandler] = MappingProxyType({}),
) -> AsyncIterator[asyncio.Task[None]]:
    """A worker, stopped at the end unless it was before."""
    worker = asyncio.create_task(jobs.run_worker(tasks, how, dead_letter_handlers))
    try:
        yield worker
    finally:
        if not worker.done():
            await stopped(worker)


async def stopped(worker: asyncio.Task[None]) -> None:
    """Stops a worker, and waits for its end."""
    worker.cancel()
    with suppress(asyncio.CancelledError):
        await worker


class Doing:
    """Jobs that write down when they begin and end; one may be held until it is let go.

    began, ended: values of the argument `name`, in order. most: how many were at it at one time.
    """

    def __init__(self, *held: str) -> None:
        self.began: list[str] = []
        self.ended: list[str] = []
        self.most = 0
        self._held = {name: asyncio.Event() for name in held}
        self._news = asyncio.Condition()

    async def __call__(self, arguments: Mapping[str, object]) -> None:
        """The work."""
        name = str(arguments["name"])
        await self._note(self.began, name)
        self.most = max(self.most, len(self.began) - len(self.ended))
        if name in self._held:
            await self._held[name].wait()
        await self._note(self.ended, name)

    def let_go(self, name: str) -> None:
        """Ends the waiting of a held job, now or later."""
        self._held[name].set()

    async def until_began(self, *names: str, within: float = PATIENCE) -> None:
        """Returns when these have begun, each as often as it is named."""
        await self._until(self.began, names, within)

    async def until_ended(self, *names: str, within: float = PATIENCE) -> None:
        """Returns when these have ended, each as often as it is named."""
        await self._until(self.ended, names, within)

    async def _note(self, where: list[str], name: str) -> None:
        async with self._news:
            where.append(name)
            self._news.notify_all()

    async def _until(self, where: list[str], names: tuple[str, ...], within: float) -> None:
        async with asyncio.timeout(within), self._news:
            await self._news.wait_for(lambda: all(where.count(name) >= names.count(name) for name in names))
