"""ScheduledRunTable over PostgreSQL. A run is claimed and its tasks are queued in one transaction.

Only one process at a time decides about a job's runs (an advisory lock that goes with the transaction), and it claims
none that was due before one that is claimed: neither two processes nor one whose clock lags can do anything twice.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from domain.schedule import (
    FAIL_LOST_TASK_AFTER,
    POSTPONED_AT_MOST,
    POSTPONED_FOR,
    REGISTERED,
    SCHEDULED_TASK,
    ScheduledRun,
    ScheduledRunProgress,
    SourceTask,
    SourceTaskKey,
    SourceTaskResult,
    not_begun,
)
from storage.jobs import statements as jobs
from storage.server.pool import Connection, ConnectionPool, Values, fetch_all, fetch_one

_COLUMNS = "job, tick AS name, due_at, taken_at, started_at, finished_at, detail"
_NOW = b"SELECT clock_timestamp() AS now"
_REGISTER = b"""
    INSERT INTO ticks (job, tick, due_at, finished_at, state)
    SELECT %(job)s, %(run)s, %(at)s, now(), 'done' WHERE NOT EXISTS (SELECT FROM ticks WHERE job = %(job)s)
    ON CONFLICT DO NOTHING
"""
_LOCK_JOB = b"SELECT pg_try_advisory_xact_lock(hashtextextended('kb-agent/ticks/' || %(job)s, 0)) AS ours"
# the statement that looks has to begin when the lock is held
_CLAIM = b"""
    INSERT INTO ticks (job, tick, due_at, state) SELECT %(job)s, %(run)s, %(due_at)s, 'queued'
    WHERE NOT EXISTS (SELECT FROM ticks WHERE job = %(job)s AND due_at >= %(due_at)s) ON CONFLICT DO NOTHING
"""
_WRITE = b"""
    UPDATE ticks SET state = %(state)s, detail = %(detail)s,
        started_at = CASE WHEN %(started)s THEN coalesce(started_at, now()) ELSE started_at END,
        finished_at = CASE WHEN %(over)s THEN coalesce(finished_at, now()) END
    WHERE job = %(job)s AND tick = %(run)s
"""
_TO_CHANGE = f"""
    SELECT {_COLUMNS}, taken_at < now() - %(lost)s AS lost FROM ticks WHERE job = %(job)s AND tick = %(run)s FOR UPDATE
""".encode()
_FOLLOWING = f"""
    SELECT {_COLUMNS} FROM ticks WHERE job = %(job)s AND (tick = %(run)s OR position(%(waits)s IN detail) > 0)
    ORDER BY due_at FOR UPDATE
""".encode()
_OPEN = f"""
    SELECT {_COLUMNS}, taken_at < now() - %(lost)s AS lost FROM ticks
    WHERE state IN ('queued', 'running') AND taken_at < now() - %(patience)s
    ORDER BY due_at FOR UPDATE SKIP LOCKED
""".encode()
_LIVE = b"""
    SELECT args->>'job' AS job, args->>'tick' AS run, args->>'source' AS source FROM procrastinate_jobs
    WHERE task_name = %(task)s AND status IN ('todo', 'doing')
"""
_WAITS = b"SELECT args->>'tick' AS run FROM procrastinate_jobs WHERE queueing_lock = %(key)s AND status = 'todo'"
_LATEST = f"SELECT {_COLUMNS} FROM ticks WHERE job = %(job)s ORDER BY due_at DESC LIMIT 1".encode()
_HISTORY = f"""
    SELECT {_COLUMNS} FROM ticks WHERE tick <> %(registered)s ORDER BY taken_at DESC, due_at DESC LIMIT %(limit)s
""".encode()
_PRUNE = b"""
    DELETE FROM ticks AS old WHERE taken_at < %(before)s
    AND EXISTS (SELECT FROM ticks AS newer WHERE newer.job = old.job AND newer.due_at > old.due_at)
"""


class PostgresScheduledRuns:
    """The domain.schedule.ScheduledRunTable of all processes over one database."""

    def __init__(self, pool: ConnectionPool) -> None:
        self._pool = pool

    async def now(self) -> datetime:
        now: datetime = (await self._pool.fetch_one(_NOW)).now
        return now

    async def register(self, job: str, at: datetime) -> None:
        await self._pool.execute(_REGISTER, job=job, run=REGISTERED, at=at)

    async def claim(self, job: str, name: str, due_at: datetime, sources: Sequence[str], *, queue: str) -> bool:
        values = {"job": job, "run": name, "due_at": due_at}

        async def work(connection: Connection) -> bool:
            async with connection.transaction():
                if not (await fetch_one(connection, _LOCK_JOB, values)).ours:
                    return False
                if not (await connection.execute(_CLAIM, values)).rowcount:
                    return False
                progress = ScheduledRunProgress(queue, {source: SourceTask() for source in sorted(sources)})
                for source in progress.tasks if queue else ():
                    progress = await _put(connection, SourceTaskKey(job, name, source), progress)
                await _write(connection, job, name, progress)
                return True

        return await self._pool.run(work)

    async def start_task(self, key: SourceTaskKey) -> bool:
        return await self._change(key, SourceTask("runs"))

    async def postpone_task(self, key: SourceTaskKey, why: str) -> bool:
        async def work(connection: Connection) -> bool:
            async with connection.transaction():
                row, progress = await _to_change(connection, key)
                known = progress.tasks.get(key.source)
                if known is None or known.ended or row.lost or not progress.queue:
                    return False
                progress = await _put(connection, key, progress, SourceTask("waits", why), POSTPONED_FOR)
                await _write(connection, key.job, key.run, progress)
                return True

        return await self._pool.run(work)

    async def finish_task(self, key: SourceTaskKey, result: SourceTaskResult, summary: str) -> None:
        values, waited = {"job": key.job, "run": key.run, "waits": not_begun(key.run)}, _not_begun(key.run)

        async def work(connection: Connection) -> None:
            async with connection.transaction():
                found = await fetch_all(connection, _FOLLOWING, values)
                runs = {row.name: ScheduledRunProgress.from_text(row.detail) for row in found}
                known = runs[key.run].tasks.get(key.source) if key.run in runs else None
                if known is None or known.ended:
                    return
                for run, progress in runs.items():
                    if run == key.run or progress.tasks.get(key.source) == waited:
                        ended = progress.with_task(key.source, SourceTask(result, summary))
                        await _write(connection, key.job, run, ended)

        await self._pool.run(work)

    async def requeue_lost(self, patience: timedelta) -> list[SourceTaskKey]:
        values = {"patience": patience, "lost": FAIL_LOST_TASK_AFTER}

        async def work(connection: Connection) -> list[SourceTaskKey]:
            async with connection.transaction():
                found = await fetch_all(connection, _OPEN, values)
                if not found:
                    return []
                live = {SourceTaskKey(*row) for row in await fetch_all(connection, _LIVE, {"task": SCHEDULED_TASK})}
                return [key for row in found for key in await _requeued(connection, row, live)]

        return await self._pool.run(work)

    async def latest(self, job: str) -> ScheduledRun | None:
        row = await self._pool.fetch_one(_LATEST, job=job)
        return row and _as_run(row)

    async def history(self, limit: int) -> list[ScheduledRun]:
        return [_as_run(row) for row in await self._pool.fetch_all(_HISTORY, limit=limit, registered=REGISTERED)]

    async def prune(self, *, before: datetime) -> int:
        return await self._pool.execute(_PRUNE, before=before)

    async def _change(self, key: SourceTaskKey, task: SourceTask) -> bool:
        """Notes what became of a task; False when it has ended, or there is none."""

        async def work(connection: Connection) -> bool:
            async with connection.transaction():
                _, progress = await _to_change(connection, key)
                known = progress.tasks.get(key.source)
                if known is None or known.ended:
                    return False
                await _write(connection, key.job, key.run, progress.with_task(key.source, task))
                return True

        return await self._pool.run(work)


async def _to_change(connection: Connection, key: SourceTaskKey) -> tuple[Any, ScheduledRunProgress]:
    """The row of a task's run, held to the end of the transaction, and what became of that run: nothing without one."""
    values = {"job": key.job, "run": key.run, "lost": POSTPONED_AT_MOST}
    row = await fetch_one(connection, _TO_CHANGE, values)
    return row, ScheduledRunProgress.from_text(row.detail if row else "")


async def _write(connection: Connection, job: str, run: str, progress: ScheduledRunProgress) -> None:
    state = progress.state
    values: Values = {
        "job": job,
        "run": run,
        "state": state,
        "detail": progress.as_text(),
        "started": any(task.state != "waits" for task in progress.tasks.values()),
        "over": state not in {"queued", "running"},
    }
    await connection.execute(_WRITE, values)


async def _put(
    connection: Connection,
    key: SourceTaskKey,
    progress: ScheduledRunProgress,
    waits: SourceTask = SourceTask(),  # noqa: B008 - it never changes
    delay: timedelta | None = None,
) -> ScheduledRunProgress:
    """Queues a task, unless that of another run of its job waits to be begun; gives the run with what became of it."""
    if await jobs.put(
        connection,
        SCHEDULED_TASK,
        key.arguments,
        queue=progress.queue,
        lock_key=key.lock_key,
        unique_key=key.unique_key,
        delay=delay,
    ):
        return progress.with_task(key.source, waits)
    row = await fetch_one(connection, _WAITS, {"key": key.unique_key})
    if row and row.run == key.run:  # put by a transaction whose commit was not heard of
        return progress.with_task(key.source, waits)
    return progress.with_task(key.source, _not_begun(row and row.run))


def _not_begun(run: str | None) -> SourceTask:
    return SourceTask("attention", not_begun(run))


async def _requeued(connection: Connection, row: Any, live: set[SourceTaskKey]) -> list[SourceTaskKey]:
    """Sees to a run that is open; gives the tasks that were queued again."""
    progress = ScheduledRunProgress.from_text(row.detail)
    again = []
    for source, task in progress.tasks.items():
        key = SourceTaskKey(row.job, row.name, source)
        if task.ended or key in live:
            continue
        if row.lost:
            progress = progress.with_task(source, SourceTask("failed", "it was broken off"))
        elif progress.queue:
            progress = await _put(connection, key, progress)
            again.append(key)
    await _write(connection, row.job, row.name, progress)
    return again


def _as_run(row: Any) -> ScheduledRun:
    progress = ScheduledRunProgress.from_text(row.detail)
    return ScheduledRun(row.job, row.name, row.due_at, row.taken_at, row.started_at, row.finished_at, progress)
