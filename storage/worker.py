"""A worker over procrastinate: its loop fetches and runs, `WorkersJobs` decides what a job's row goes through.

What the library leaves open is settled there: a job belongs to a worker until that worker ends it or is taken for dead;
whoever may go on is woken at once; a short absence of the database is sat out, a long one ends the worker.
"""

import asyncio
import logging
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import Any, TypeVar

import psycopg
from procrastinate import App, JobContext, PsycopgConnector
from procrastinate.exceptions import ConnectorException, UniqueViolation
from procrastinate.jobs import DeleteJobCondition, Job, Status
from procrastinate.manager import JobManager, NotificationCallback
from procrastinate.retry import BaseRetryStrategy, RetryDecision
from procrastinate.worker import Worker

from domain.errors import Bug, KbError, Transient
from domain.ledger import Work, WorkerOptions
from storage import queue
from storage.faults import translate
from storage.readers import Connection

T = TypeVar("T")

POLL = 2.0
"""Seconds after which a worker looks for jobs without having been woken."""

PAUSE = 0.5
"""Seconds between two attempts to reach a database that is away."""

CONNECT_SECONDS = 5.0

_AWAY = (psycopg.OperationalError, psycopg.InterfaceError)


class JobFailedError(Exception):
    """What a job's exception was, and where, without its words: those may be personal."""


class QuietJob(Job):
    """A job whose arguments stay out of every log."""

    @property
    def call_string(self) -> str:
        """Its name for a log."""
        return f"{self.task_name}[{self.id}]"

    def log_context(self) -> dict[str, Any]:
        """What a log may hold of it."""
        return {"id": self.id, "task_name": self.task_name, "queue": self.queue, "attempts": self.attempts}


class WorkersJobs(JobManager):
    """The jobs of one worker, as its loop asks for them.

    lost: seconds without the database, or without a sign of life, after which others take the jobs over.
    """

    def __init__(self, connector: PsycopgConnector, lost: float) -> None:
        super().__init__(connector)
        self.given_up = asyncio.Event()
        self.cause: KbError = Bug("A worker ended without a reason")
        self._lost = lost
        self._heard = monotonic()
        self._worker: int | None = None
        self._held: set[int] = set()
        self._fetching = asyncio.Lock()

    async def register_worker(self) -> int:
        """The number of a new worker."""
        self._worker = await super().register_worker()
        return self._worker

    async def unregister_worker(self, worker_id: int) -> None:
        """Takes the worker away; what it still holds is free for others. A database that is away finds that out."""
        with suppress(ConnectorException):
            await super().unregister_worker(worker_id)

    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> Job | None:
        """The next job, from now on this worker's; None when there is none, or the database is away."""
        async with self._fetching:
            try:
                job = await super().fetch_job(list(queues or ()), worker_id)
            except UniqueViolation:
                return None  # another worker has just got one of the same lane, and wakes us when it is done
            except ConnectorException as error:
                self._missed(error)
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
        await self._surely(lambda: self._give_back(job.id, self._worker))
        self._held.discard(job.id or 0)

    async def update_heartbeat(self, worker_id: int) -> None:
        """Gives a sign of life. Ends the worker when others took it for dead."""
        try:
            alive = await self._rows(queue.BEAT, worker=worker_id)
        except ConnectorException as error:
            self._missed(error)
            return
        self._heard = monotonic()
        if not alive:
            self._taken_for_dead()

    async def listen_for_jobs(
        self, *, on_notification: NotificationCallback, queues: Iterable[str] | None = None
    ) -> None:
        """Wakes the worker when there is something to do; goes on when the database is back."""
        while True:
            with suppress(ConnectorException):  # polling finds out whether it is away
                await super().listen_for_jobs(on_notification=on_notification, queues=queues)
            await asyncio.sleep(PAUSE)

    async def tend(self, every: float) -> None:
        """Gives signs of life, and takes over what dead workers have left, every so many seconds, for ever."""
        while True:
            if self._worker is not None:
                await self.update_heartbeat(self._worker)
                with suppress(ConnectorException):  # the next time, then
                    await self._take_over()
            await asyncio.sleep(every if self._worker is not None else PAUSE)

    async def _take_over(self) -> None:
        """Gives back what belongs to nobody: of workers that are dead, and what was fetched without our knowledge."""
        await self.prune_stalled_workers(self._lost)
        for row in await self._rows(queue.HELD, worker=None):
            await self._give_back(row["id"], None)
        async with self._fetching:  # a connection that breaks may keep the answer, not the deed
            for row in await self._rows(queue.HELD, worker=self._worker):
                if row["id"] not in self._held:
                    await self._give_back(row["id"], self._worker)

    async def _give_back(self, job: int | None, worker: int | None) -> None:
        try:
            await self._rows(queue.GIVE_BACK, job=job, worker=worker)
        except UniqueViolation:  # another one waits to do the same
            await self._rows(queue.REMOVE, job=job, worker=worker)

    async def _end(self, job: Job, statement: bytes) -> None:
        await self._surely(lambda: self._rows(statement, job=job.id, worker=job.worker_id))
        self._held.discard(job.id or 0)

    async def _surely(self, work: Callable[[], Awaitable[object]]) -> None:
        """Does it, as soon as the database is there. When it stays away, others will find out."""
        while not self.given_up.is_set():
            try:
                await work()
                return
            except ConnectorException as error:
                self._missed(error)
            await asyncio.sleep(PAUSE)

    async def _rows(self, statement: bytes, **values: object) -> list[dict[str, Any]]:
        return await self.connector.execute_query_all_async(statement, **values)  # type: ignore[arg-type] # a constant

    def _missed(self, error: ConnectorException) -> None:
        """Notes that the database did not do what was asked; gives up when that is for good."""
        cause = error.__cause__ if isinstance(error.__cause__, psycopg.Error) else error
        if isinstance(cause, psycopg.errors.ForeignKeyViolation):
            self._taken_for_dead()
        elif not isinstance(cause, _AWAY) or monotonic() - self._heard > self._lost:
            self._give_up(translate(cause))

    def _taken_for_dead(self) -> None:
        why = f"It gave no sign of life for {self._lost} s, and others took over its jobs."
        self._give_up(Transient("A worker was taken for dead", why=why))

    def _give_up(self, cause: KbError) -> None:
        if not self.given_up.is_set():
            self.cause = cause
            self.given_up.set()


class _GiveBack(BaseRetryStrategy):
    """A job that was cut off is done again, one that failed is not."""

    def get_retry_decision(
        self,
        *,
        exception: BaseException,
        job: Job,  # noqa: ARG002 - the library's
    ) -> RetryDecision | None:
        return RetryDecision() if isinstance(exception, asyncio.CancelledError) else None


async def run(conninfo: str, tasks: Mapping[str, Work], options: WorkerOptions) -> None:
    """See domain.ledger.Jobs.work. conninfo: of the database."""
    log = logging.getLogger("procrastinate")
    if log.level == logging.NOTSET:
        log.setLevel(logging.WARNING)
    async with _connector(conninfo) as connector:
        jobs = WorkersJobs(connector, options.lost)
        worker = _worker(connector, jobs, tasks, options)
        running: asyncio.Task[None] = asyncio.create_task(worker.run())  # type: ignore[no-untyped-call] # the library's
        tending = asyncio.create_task(jobs.tend(options.heartbeat))
        giving_up = asyncio.create_task(jobs.given_up.wait())
        try:
            await asyncio.wait({running, tending, giving_up}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            worker.stop()  # type: ignore[no-untyped-call] # the library's
            await _ended(running)
            for task in (tending, giving_up):
                task.cancel()
            results = await asyncio.gather(running, tending, giving_up, return_exceptions=True)
    raise _why(jobs, results)


def _why(jobs: WorkersJobs, results: Iterable[object]) -> Exception:
    """Why a worker ended that nobody stopped."""
    if jobs.given_up.is_set():
        return jobs.cause
    for result in results:
        if isinstance(result, ConnectorException):
            cause = result.__cause__
            return translate(cause if isinstance(cause, Exception) else result)
        if isinstance(result, Exception):
            return result
    return Bug("A worker ended by itself")


async def _ended(task: asyncio.Task[None]) -> None:
    """Waits for the end of a task, however often it is said to hurry: the task has its own limit."""
    while not task.done():
        with suppress(asyncio.CancelledError):
            await asyncio.wait({task})


@asynccontextmanager
async def _connector(conninfo: str) -> AsyncIterator[PsycopgConnector]:
    connector = PsycopgConnector(
        conninfo=conninfo,
        kwargs={"connect_timeout": max(2, round(CONNECT_SECONDS))},
        min_size=0,
        max_size=3,
        timeout=CONNECT_SECONDS,
        reconnect_timeout=CONNECT_SECONDS,
        configure=_autocommit,
    )
    await connector.open_async()
    try:
        yield connector
    finally:
        await connector.close_async()


async def _autocommit(connection: Connection) -> None:
    await connection.set_autocommit(True)


def _worker(
    connector: PsycopgConnector, jobs: WorkersJobs, tasks: Mapping[str, Work], options: WorkerOptions
) -> Worker:
    app = App(connector=connector)
    app.job_manager = jobs
    for name, work in tasks.items():
        app.task(name=name, pass_context=True, retry=_GiveBack())(_as_task(work))
    return Worker(
        app,
        queues=options.queues,
        concurrency=options.concurrency,
        fetch_job_polling_interval=POLL,
        abort_job_polling_interval=24 * 3600.0,  # nobody asks for that
        shutdown_graceful_timeout=options.grace,
        listen_notify=True,
        delete_jobs=DeleteJobCondition.SUCCESSFUL,
        install_signal_handlers=False,
        update_heartbeat_interval=options.lost,  # ours is `tend`, which goes on while the last jobs are waited for
        stalled_worker_timeout=options.lost,
    )


def _as_task(work: Work) -> Callable[..., Coroutine[Any, Any, None]]:
    """The work, with what it raises told without words."""

    async def do(context: JobContext, /, **arguments: object) -> None:
        failed = ""
        try:
            await work(arguments)
        except asyncio.CancelledError:
            failed = "It was cancelled from within"
        except Exception as error:  # noqa: BLE001 - whatever it is, its words must not go on
            failed = _account(error)
        if failed and context.should_abort():
            raise asyncio.CancelledError
        if failed:
            raise JobFailedError(failed)  # outside of `except`: nothing leads from it to the words

    return do


def _account(error: BaseException) -> str:
    """The types of an exception and its causes, and the lines they came through."""
    lines = []
    cause: BaseException | None = error
    while cause is not None:
        lines.append(type(cause).__name__)
        lines += [f"  {each.filename}:{each.lineno} {each.name}" for each in traceback.extract_tb(cause.__traceback__)]
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    return "\n".join(lines)
