"""A queue of work in memory."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from domain.errors import Transient
from domain.ledger import Jobs, Work, WorkerOptions

log = logging.getLogger(__name__)


@dataclass
class MemoryJob:
    """A job. Done ones are not kept."""

    task: str
    arguments: Mapping[str, object]
    queue: str
    lane: str
    once: str
    state: Literal["waiting", "running", "failed"] = "waiting"


class MemoryJobs(Jobs):
    """Jobs in a list, in the order they were put.

    away: whether it fails as a database does that is away.
    """

    def __init__(self) -> None:
        self.jobs: list[MemoryJob] = []
        self.away = False
        self._wakes: set[asyncio.Event] = set()

    async def put(self, task: str, arguments: Mapping[str, object], *, queue: str, lane: str, once: str) -> bool:
        if self.away:
            raise Transient("The database is away")
        return self.add(MemoryJob(task, dict(arguments), queue, lane, once))

    def add(self, job: MemoryJob) -> bool:
        """What `put` does."""
        if any(other.once == job.once and other.state == "waiting" for other in self.jobs):
            return False
        self.jobs.append(job)
        self._wake()
        return True

    def live(self, once: str) -> bool:
        """Whether a job of this name waits or runs."""
        return any(job.once == once and job.state != "failed" for job in self.jobs)

    async def work(self, tasks: Mapping[str, Work], options: WorkerOptions) -> None:
        running: dict[asyncio.Task[None], MemoryJob] = {}
        wake = asyncio.Event()
        self._wakes.add(wake)

        def done(task: asyncio.Task[None]) -> None:
            self._end(running.pop(task), task)

        try:
            while True:
                if self.away:
                    raise Transient("The database is away")
                for job in self._takeable(options):
                    if len(running) < options.concurrency:
                        job.state = "running"
                        running[task := asyncio.create_task(_done(tasks[job.task], job))] = job
                        task.add_done_callback(done)
                wake.clear()
                await wake.wait()
        finally:
            self._wakes.discard(wake)
            await self._stopped(running, options.grace)

    def go_away(self) -> None:
        """Fails from now on, for workers too."""
        self.away = True
        self._wake()

    def _takeable(self, options: WorkerOptions) -> list[MemoryJob]:
        """Jobs that may begin: the first of each lane in which none runs."""
        first: dict[str, MemoryJob] = {}
        for job in sorted(self.jobs, key=lambda job: job.state != "running"):
            if job.state != "failed":
                first.setdefault(job.lane, job)
        return [job for job in first.values() if job.state == "waiting" and job.queue in options.queues]

    def _end(self, job: MemoryJob, task: asyncio.Task[None]) -> None:
        """Notes how a job's task ended, unless it was cut off."""
        if job.state == "running":
            failed = task.cancelled() or task.exception()
            if failed:
                job.state = "failed"
                log.error("Job %s failed: %s", job.task, type(failed).__name__)
            else:
                self.jobs.remove(job)
        self._wake()

    async def _stopped(self, running: Mapping[asyncio.Task[None], MemoryJob], grace: float) -> None:
        """Waits for jobs, then cuts them off."""
        if running:
            await asyncio.wait(set(running), timeout=grace)
        cut = dict(running)
        for task in cut:
            task.cancel()
        await asyncio.gather(*cut, return_exceptions=True)
        for job in cut.values():
            self._give_back(job)
        self._wake()

    def _give_back(self, job: MemoryJob) -> None:
        if any(other.once == job.once and other.state == "waiting" for other in self.jobs):
            self.jobs.remove(job)
        else:
            job.state = "waiting"

    def _wake(self) -> None:
        for wake in self._wakes:
            wake.set()


async def _done(work: Work, job: MemoryJob) -> None:
    await work(job.arguments)
