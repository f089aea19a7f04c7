"""A queue of work in memory."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import Literal

from domain.cancellation import cancel_and_wait
from domain.errors import Transient
from domain.job_ports import ASKED_BY, JobHandler, JobQueue, WorkerOptions

log = logging.getLogger(__name__)


@dataclass(eq=False)
class MemoryJob:
    """A job. Done ones are not kept. stopping: it was cut off, and has not ended yet."""

    task: str
    arguments: Mapping[str, object]
    queue: str
    lock_key: str
    unique_key: str
    priority: int = 0
    state: Literal["waiting", "running", "stopping", "failed"] = "waiting"
    not_before: float = 0.0
    """By the loop's clock."""


class MemoryJobs(JobQueue):
    """Jobs in a list, in the order they were put.

    away: whether it fails as a database does that is away.
    """

    def __init__(self) -> None:
        self.jobs: list[MemoryJob] = []
        self.away = False
        self._wakes: dict[asyncio.Event, WorkerOptions] = {}

    async def put(
        self,
        task: str,
        arguments: Mapping[str, object],
        *,
        queue: str,
        lock_key: str,
        unique_key: str,
        priority: int = 0,
        delay: timedelta | None = None,
    ) -> bool:
        if self.away:
            raise Transient("The database is away")
        return self.add(MemoryJob(task, dict(arguments), queue, lock_key, unique_key, priority), delay)

    async def count_waiting(self, task: str, *, lock_key: str) -> int:
        if self.away:
            raise Transient("The database is away")
        return sum((job.task, job.lock_key, job.state) == (task, lock_key, "waiting") for job in self.jobs)

    async def take_waiting(self, task: str, *, lock_key: str) -> list[Mapping[str, object]]:
        if self.away:
            raise Transient("The database is away")
        found = [job for job in self.jobs if (job.task, job.lock_key, job.state) == (task, lock_key, "waiting")]
        self.jobs = [job for job in self.jobs if job not in found]
        return [job.arguments for job in sorted(found, key=lambda job: -job.priority)]

    def add(self, job: MemoryJob, delay: timedelta | None = None) -> bool:
        """What `put` does."""
        if any(other.unique_key == job.unique_key and other.state == "waiting" for other in self.jobs):
            return False
        if delay is not None:
            loop = asyncio.get_running_loop()
            job.not_before = loop.time() + delay.total_seconds()
            loop.call_at(job.not_before, self._wake)
            self._forget_erased(job)
        self.jobs.append(job)
        self._wake()
        return True

    def slots(self, queue: str) -> int:
        """How many jobs of a queue the workers do at one time."""
        return sum(options.concurrency for options in self._wakes.values() if queue in options.queues)

    def live(self, unique_key: str) -> bool:
        """Whether a job of this name waits or runs."""
        return any(job.unique_key == unique_key and job.state != "failed" for job in self.jobs)

    async def run_worker(
        self,
        tasks: Mapping[str, JobHandler],
        options: WorkerOptions,
        dead_letter_handlers: Mapping[str, JobHandler] = MappingProxyType({}),  # no worker dies in memory
    ) -> None:
        running: dict[asyncio.Task[None], MemoryJob] = {}
        wake = asyncio.Event()
        self._wakes[wake] = options

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
            del self._wakes[wake]
            await self._stopped(running, options)

    def _takeable(self, options: WorkerOptions) -> list[MemoryJob]:
        """Jobs that may begin: the first with each lock key of which none runs."""
        first: dict[str, MemoryJob] = {}
        for job in sorted(self.jobs, key=lambda job: (job.state not in {"running", "stopping"}, -job.priority)):
            if job.state != "failed":
                first.setdefault(job.lock_key, job)
        now = asyncio.get_running_loop().time()
        waiting = [job for job in first.values() if job.state == "waiting" and job.not_before <= now]
        return [job for job in waiting if job.queue in options.queues]

    def _end(self, job: MemoryJob, task: asyncio.Task[None]) -> None:
        """Notes how a job's task ended."""
        cut_off = job.state == "stopping"
        if not task.cancelled() and task.exception() is None:
            self._remove(job)
        elif cut_off:
            self._give_back(job)
        else:
            job.state = "failed"
            kind = "cancelled" if task.cancelled() else type(task.exception()).__name__
            log.error("Job %s failed: %s", job.task, kind)
        self._wake()

    async def _stopped(self, running: Mapping[asyncio.Task[None], MemoryJob], options: WorkerOptions) -> None:
        """Waits for jobs, then cuts them off."""
        if running:
            await asyncio.wait(set(running), timeout=options.grace)
        for job in running.values():
            job.state = "stopping"
        await cancel_and_wait(*running, again=options.cut_off / 4, limit=options.cut_off)

    def _give_back(self, job: MemoryJob) -> None:
        if any(other.unique_key == job.unique_key and other.state == "waiting" for other in self.jobs):
            self._remove(job)
        else:
            job.state = "waiting"

    def _forget_erased(self, job: MemoryJob) -> None:
        asked_by = {name: value for name, value in job.arguments.items() if name in ASKED_BY}
        running = [each.arguments for each in self.jobs if (each.lock_key, each.state) == (job.lock_key, "running")]
        if not any(asked_by.items() <= arguments.items() for arguments in running):
            job.arguments = {name: value for name, value in job.arguments.items() if name not in ASKED_BY}

    def _remove(self, job: MemoryJob) -> None:
        if job in self.jobs:
            self.jobs.remove(job)

    def _wake(self) -> None:
        for wake in self._wakes:
            wake.set()


async def _done(work: JobHandler, job: MemoryJob) -> None:
    await work(job.arguments)
