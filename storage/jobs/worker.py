"""A worker over procrastinate: its loop fetches and runs, storage.jobs.job_manager decides what a row goes through."""

import asyncio
import logging
import traceback
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

from procrastinate import App, JobContext, PsycopgConnector
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import DeleteJobCondition, Job
from procrastinate.retry import BaseRetryStrategy, RetryDecision
from procrastinate.worker import Worker
from psycopg import AsyncConnection

from domain.cancellation import MAX_WAIT_SECONDS, cancel_and_wait, run_with_timeout
from domain.errors import Bug
from domain.job_ports import MAX_WORKER_DEATHS, JobHandler, WorkerOptions
from storage.jobs.job_manager import WorkerJobManager
from storage.server.connections import UNPREPARED, BoundedConnection, connect_timeout, keepalive, server_keepalive
from storage.server.errors import translate

CONNECT_SECONDS = 5.0
"""How long to wait for a connection."""


class JobFailedError(Exception):
    """What a job's exception was, and where, without its words: those may be personal."""


class _GiveBack(BaseRetryStrategy):
    """A job that was cut off is done again, one that failed is not."""

    def get_retry_decision(
        self,
        *,
        exception: BaseException,
        job: Job,  # noqa: ARG002 - the library's
    ) -> RetryDecision | None:
        return RetryDecision() if isinstance(exception, asyncio.CancelledError) else None


async def run(
    conninfo: str,
    tasks: Mapping[str, JobHandler],
    options: WorkerOptions,
    dead_letter_handlers: Mapping[str, JobHandler],
    *,
    direct: str | None = None,
) -> None:
    """See domain.job_ports.JobQueue.run_worker.

    Args:
        conninfo: of the database.
        direct: the same, past the pooler that `conninfo` leads through, for LISTEN; None without a pooler.
    """
    log = logging.getLogger("procrastinate")
    if log.level == logging.NOTSET:
        log.setLevel(logging.WARNING)
    async with AsyncExitStack() as stack:
        connector = await stack.enter_async_context(_connector(conninfo, pooled=direct is not None))
        listener = await stack.enter_async_context(_connector(direct)) if direct else connector
        jobs = WorkerJobManager(connector, options, listener)
        worker = _worker(connector, jobs, tasks, options, dead_letter_handlers)
        running: asyncio.Task[None] = asyncio.create_task(worker.run())  # type: ignore[no-untyped-call] # the library's
        tending = asyncio.create_task(jobs.tend(options.heartbeat))
        giving_up = asyncio.create_task(jobs.stopping.wait())
        try:
            await asyncio.wait({running, tending, giving_up}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            worker.stop()  # type: ignore[no-untyped-call] # the library's
            await _wait_for_end(running, options.grace + options.cut_off + MAX_WAIT_SECONDS)
            await cancel_and_wait(running, tending, giving_up)
    raise _why(jobs, [task.exception() for task in (running, tending) if task.done() and not task.cancelled()])


def _why(jobs: WorkerJobManager, results: Iterable[object]) -> Exception:
    """Why a worker ended that nobody stopped."""
    if jobs.stopping.is_set():
        return jobs.cause
    for result in results:
        if isinstance(result, ConnectorException):
            cause = result.__cause__
            return translate(cause if isinstance(cause, Exception) else result)
        if isinstance(result, Exception):
            return result
    return Bug("A worker ended by itself")


async def _wait_for_end(task: asyncio.Task[None], seconds: float) -> None:
    """Waits for the end of a task that has its own limit, so long at most, however often it is said to hurry."""
    clock = asyncio.get_running_loop().time
    until = clock() + seconds
    while not task.done() and clock() < until:
        with suppress(asyncio.CancelledError):
            await asyncio.wait({task}, timeout=until - clock())


@asynccontextmanager
async def _connector(conninfo: str, *, pooled: bool = False) -> AsyncIterator[PsycopgConnector]:
    async def configure(connection: AsyncConnection[Any]) -> None:
        await connection.set_autocommit(True)
        if not pooled:
            await connection.execute(server_keepalive())

    connector = PsycopgConnector(
        conninfo=conninfo,
        kwargs={"connect_timeout": connect_timeout(CONNECT_SECONDS), **keepalive(conninfo)}
        | (UNPREPARED if pooled else {}),
        min_size=0,
        max_size=3,
        timeout=CONNECT_SECONDS,
        reconnect_timeout=CONNECT_SECONDS,
        connection_class=BoundedConnection,
        configure=configure,
    )
    await connector.open_async()
    try:
        yield connector
    finally:
        await connector.close_async()


def _worker(
    connector: PsycopgConnector,
    jobs: WorkerJobManager,
    tasks: Mapping[str, JobHandler],
    options: WorkerOptions,
    dead_letter_handlers: Mapping[str, JobHandler],
) -> Worker:
    app = App(connector=connector)
    app.job_manager = jobs
    for name, work in tasks.items():
        app.task(name=name, pass_context=True, retry=_GiveBack())(
            _as_task(work, options.cut_off, dead_letter_handlers.get(name, work))
        )
    return Worker(
        app,
        queues=options.queues,
        concurrency=options.concurrency,
        fetch_job_polling_interval=options.poll,
        abort_job_polling_interval=24 * 3600.0,  # jobs are never aborted by request
        shutdown_graceful_timeout=options.grace,
        listen_notify=True,
        delete_jobs=DeleteJobCondition.SUCCESSFUL,
        install_signal_handlers=False,
        update_heartbeat_interval=options.lost,  # ours is `tend`, which goes on while the last jobs are waited for
        stalled_worker_timeout=options.lost,
    )


def _as_task(
    work: JobHandler, cut_off: float, dead_letter_handler: JobHandler
) -> Callable[..., Coroutine[Any, Any, None]]:
    """The work, with what it raises told without words. dead_letter_handler: done in its place when too many workers
    died of it."""

    async def do(context: JobContext, /, **arguments: object) -> None:
        failed = ""
        try:
            handler = dead_letter_handler if context.job.attempts >= MAX_WORKER_DEATHS else work
            await run_with_timeout(None, handler(arguments), again=cut_off / 4, limit=cut_off)
        except asyncio.CancelledError:
            failed = "It was cancelled from within"
        except Exception as error:  # noqa: BLE001 - whatever it is, its words must not go on
            failed = _account(error)
        if failed and context.should_abort():
            raise asyncio.CancelledError
        if failed:
            # outside of `except`, so that the error has no context with the original message
            raise JobFailedError(failed)

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
