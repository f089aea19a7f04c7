"""What the row of a job goes through at a worker, as procrastinate's loop asks for it.

What the library leaves open is settled here: a job belongs to a worker until that worker ends it or is taken for dead;
whoever may go on is woken at once; a short absence of the database is sat out, a long one ends the worker.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from time import monotonic
from typing import Any

import psycopg
from procrastinate import PsycopgConnector
from procrastinate.exceptions import ConnectorException, UniqueViolation
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager, NotificationCallback

from domain.cancellation import cancellable_sleep
from domain.errors import Bug, KbError, Transient
from domain.job_ports import WorkerOptions
from storage.jobs import statements as queue
from storage.server.errors import translate

PAUSE = 0.5
"""Seconds between two attempts to reach a database that is away."""

_AWAY = (psycopg.OperationalError, psycopg.InterfaceError)


class QuietJob(Job):
    """A job whose arguments stay out of every log."""

    @property
    def call_string(self) -> str:
        """Its name for a log."""
        return f"{self.task_name}[{self.id}]"

    def log_context(self) -> dict[str, Any]:
        """What a log may hold of it."""
        return {"id": self.id, "task_name": self.task_name, "queue": self.queue, "attempts": self.attempts}


class WorkerJobManager(JobManager):
    """The jobs of one worker, as its loop asks for them.

    options: of the worker. listener: listens; for this, a connection has to be ours alone.
    """

    def __init__(self, connector: PsycopgConnector, options: WorkerOptions, listener: PsycopgConnector) -> None:
        super().__init__(connector)
        self._listening = JobManager(listener)
        self.stopping = asyncio.Event()
        self.cause: KbError = Bug("A worker ended without a reason")
        self._lost = options.lost
        self._options = options
        self._heard = monotonic()
        self._worker: int | None = None
        self._held: set[int] = set()
        self._fetching = asyncio.Lock()

    async def register_worker(self) -> int:
        """The number of a new worker. How much it does at a time is known to all while it lives."""
        worker = await super().register_worker()
        queues, slots = list(self._options.queues), self._options.concurrency
        await self._rows(queue.SET_SLOTS, worker=worker, queues=queues, slots=slots)
        self._worker = worker
        return worker

    async def unregister_worker(self, worker_id: int) -> None:
        """Takes the worker away; what it still holds is free for others. Where that fails, they will find out."""
        if not self.stopping.is_set():
            with suppress(ConnectorException):
                await super().unregister_worker(worker_id)

    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> Job | None:
        """The next job, from now on this worker's; None when there is none, or the database is away."""
        async with self._fetching:
            try:
                job = await super().fetch_job(list(queues or ()), worker_id)
            except UniqueViolation:
                return None  # another worker has just got one of the same lock_key, and wakes us when it is done
            except ConnectorException as error:
                self._note_failure(error)
                return None
            self._heard = monotonic()
            if job is None or job.id is None:
                return None
            self._held.add(job.id)
            return QuietJob(**job.asdict())

    async def finish_job(self, job: Job, status: Status, delete_job: bool) -> None:  # noqa: ARG002 - the library's
        """Ends a job, if it is still this worker's."""
        await self._end(job, queue.REMOVE if delete_job else queue.FAIL)

    async def retry_job(self, job: Job, *_when: object, **_how: object) -> None:
        """Gives a job back, if it is still this worker's: anybody may have it at once."""
        await self._run_until_done(lambda: self._give_back(job.id, self._worker, deaths=0))
        self._held.discard(job.id or 0)

    async def update_heartbeat(self, worker_id: int) -> None:
        """Gives a sign of life. Ends the worker when others took it for dead."""
        try:
            alive = await self._rows(queue.HEARTBEAT, worker=worker_id)
        except ConnectorException as error:
            self._note_failure(error)
            return
        self._heard = monotonic()
        if not alive:
            self._give_up_as_dead()

    async def listen_for_jobs(
        self, *, on_notification: NotificationCallback, queues: Iterable[str] | None = None
    ) -> None:
        """Wakes the worker when there is something to do; goes on when the database is back."""
        while True:
            with suppress(ConnectorException):  # whether the database is away is found out by polling
                await self._listening.listen_for_jobs(on_notification=on_notification, queues=queues)
            await cancellable_sleep(PAUSE)

    async def tend(self, every: float) -> None:
        """Gives signs of life, and takes over what dead workers have left, every so many seconds, for ever."""
        while True:
            if self._worker is not None:
                await self.update_heartbeat(self._worker)
                with suppress(ConnectorException):  # tried again at the next sign of life
                    await self._take_over()
            await cancellable_sleep(every if self._worker is not None else PAUSE)

    async def _take_over(self) -> None:
        """Gives back what belongs to nobody: of workers that are dead, and what was fetched without our knowledge."""
        await self.prune_stalled_workers(self._lost)
        for row in await self._rows(queue.RUNNING_JOBS, worker=None):
            await self._give_back(row["id"], None, deaths=1)
        async with self._fetching:  # the fetch may have been committed although its answer was lost
            for row in await self._rows(queue.RUNNING_JOBS, worker=self._worker):
                if row["id"] not in self._held:
                    await self._give_back(row["id"], self._worker, deaths=0)

    async def _give_back(self, job: int | None, worker: int | None, *, deaths: int) -> None:
        """Lets anybody have a job. deaths: of workers that were at it, to be counted."""
        try:
            await self._rows(queue.GIVE_BACK, job=job, worker=worker, deaths=deaths)
        except UniqueViolation:  # a job with the same unique key waits already
            await self._rows(queue.REMOVE, job=job, worker=worker)

    async def _end(self, job: Job, statement: bytes) -> None:
        await self._run_until_done(lambda: self._rows(statement, job=job.id, worker=job.worker_id))
        self._held.discard(job.id or 0)

    async def _run_until_done(self, work: Callable[[], Awaitable[object]]) -> None:
        """Does it, as soon as the database is there. When it stays away, others will find out."""
        while not self.stopping.is_set():
            try:
                await work()
                return
            except ConnectorException as error:
                self._note_failure(error)
            await asyncio.sleep(PAUSE)

    async def _rows(self, statement: bytes, **values: object) -> list[dict[str, Any]]:
        return await self.connector.execute_query_all_async(statement, **values)  # type: ignore[arg-type] # a constant

    def _note_failure(self, error: ConnectorException) -> None:
        """Notes that the database did not do what was asked; gives up when that is for good."""
        cause = error.__cause__ if isinstance(error.__cause__, psycopg.Error) else error
        if isinstance(cause, psycopg.errors.ForeignKeyViolation):
            self._give_up_as_dead()
        elif not isinstance(cause, _AWAY) or monotonic() - self._heard > self._lost:
            self._give_up(translate(cause))

    def _give_up_as_dead(self) -> None:
        why = f"It gave no sign of life for {self._lost} s, and others took over its jobs."
        self._give_up(Transient("A worker was taken for dead", why=why))

    def _give_up(self, cause: KbError) -> None:
        if not self.stopping.is_set():
            self.cause = cause
            self.stopping.set()
