"""What was due, taken and done, in PostgreSQL. A tick and the jobs of its work are put in one transaction.

Only one process at a time decides about a job's ticks (an advisory lock that goes with the transaction), and it takes
none that was due before one that is taken: neither two processes nor one whose clock lags can do anything twice.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from domain.schedule import BEGUN, LOST_AFTER, TASK, Ended, Part, PartKey, Progress, TickRow
from storage import queue as jobs
from storage.ledger_statements import Values, changed, every, one
from storage.readers import Connection, Readers

_COLUMNS = "job, tick, due_at, taken_at, started_at, finished_at, detail"
_NOW = b"SELECT clock_timestamp() AS now"
_BEGIN = b"""
    INSERT INTO ticks (job, tick, due_at, finished_at, state)
    SELECT %(job)s, %(tick)s, %(at)s, now(), 'done' WHERE NOT EXISTS (SELECT FROM ticks WHERE job = %(job)s)
    ON CONFLICT DO NOTHING
"""
_TURN = b"SELECT pg_try_advisory_xact_lock(hashtextextended('kb-agent/ticks/' || %(job)s, 0)) AS ours"
# the statement that looks has to begin when the lock is held
_TAKE = b"""
    INSERT INTO ticks (job, tick, due_at, state) SELECT %(job)s, %(tick)s, %(due_at)s, 'queued'
    WHERE NOT EXISTS (SELECT FROM ticks WHERE job = %(job)s AND due_at >= %(due_at)s) ON CONFLICT DO NOTHING
"""
_WRITE = b"""
    UPDATE ticks SET state = %(state)s, detail = %(detail)s,
        started_at = CASE WHEN %(begun)s THEN coalesce(started_at, now()) ELSE started_at END,
        finished_at = CASE WHEN %(over)s THEN coalesce(finished_at, now()) END
    WHERE job = %(job)s AND tick = %(tick)s
"""
_TO_CHANGE = f"SELECT {_COLUMNS} FROM ticks WHERE job = %(job)s AND tick = %(tick)s FOR UPDATE".encode()
_OPEN = f"""
    SELECT {_COLUMNS}, taken_at < now() - %(lost)s AS lost FROM ticks
    WHERE state IN ('queued', 'running') AND taken_at < now() - %(patience)s
    ORDER BY due_at FOR UPDATE SKIP LOCKED
""".encode()
_LIVE = b"""
    SELECT args->>'job' AS job, args->>'tick' AS tick, args->>'source' AS source FROM procrastinate_jobs
    WHERE task_name = %(task)s AND status IN ('todo', 'doing')
"""
_LATEST = f"SELECT {_COLUMNS} FROM ticks WHERE job = %(job)s ORDER BY due_at DESC LIMIT 1".encode()
_HISTORY = f"""
    SELECT {_COLUMNS} FROM ticks WHERE tick <> %(begun)s ORDER BY taken_at DESC, due_at DESC LIMIT %(limit)s
""".encode()
_PRUNE = b"""
    DELETE FROM ticks AS old WHERE taken_at < %(before)s
    AND EXISTS (SELECT FROM ticks AS newer WHERE newer.job = old.job AND newer.due_at > old.due_at)
"""


class PostgresTicks:
    """The TickTable of all processes over one database."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers

    async def now(self) -> datetime:
        """See domain.schedule.TickTable."""
        row = await self._readers.read(lambda connection: one(connection, _NOW, {}))
        now: datetime = row.now
        return now

    async def begin(self, job: str, at: datetime) -> None:
        """See domain.schedule.TickTable."""
        values = {"job": job, "tick": BEGUN, "at": at}
        await self._readers.read(lambda connection: changed(connection, _BEGIN, values))

    async def take(self, job: str, tick: str, due_at: datetime, sources: Sequence[str], *, queue: str) -> bool:
        """See domain.schedule.TickTable."""
        values = {"job": job, "tick": tick, "due_at": due_at}

        async def work(connection: Connection) -> bool:
            async with connection.transaction():
                if not (await one(connection, _TURN, values)).ours or not await changed(connection, _TAKE, values):
                    return False
                progress = Progress(queue, {source: Part() for source in sorted(sources)})
                if queue:
                    progress = await _queued(connection, job, tick, progress)
                await _write(connection, job, tick, progress)
                return True

        return await self._readers.read(work)

    async def began(self, part: PartKey) -> bool:
        """See domain.schedule.TickTable."""
        return await self._change(part, Part("runs"))

    async def ended(self, part: PartKey, state: Ended, said: str) -> None:
        """See domain.schedule.TickTable."""
        await self._change(part, Part(state, said))

    async def repair(self, patience: timedelta) -> list[PartKey]:
        """See domain.schedule.TickTable."""
        values = {"patience": patience, "lost": LOST_AFTER}

        async def work(connection: Connection) -> list[PartKey]:
            async with connection.transaction():
                found = await every(connection, _OPEN, values)
                if not found:
                    return []
                live = {PartKey(*row) for row in await every(connection, _LIVE, {"task": TASK})}
                return [key for row in found for key in await _repaired(connection, row, live)]

        return await self._readers.read(work)

    async def latest(self, job: str) -> TickRow | None:
        """See domain.schedule.TickTable."""
        row = await self._readers.read(lambda connection: one(connection, _LATEST, {"job": job}))
        return row and _as_row(row)

    async def history(self, limit: int) -> list[TickRow]:
        """See domain.schedule.TickTable."""
        values = {"limit": limit, "begun": BEGUN}
        return [
            _as_row(row) for row in await self._readers.read(lambda connection: every(connection, _HISTORY, values))
        ]

    async def prune(self, *, before: datetime) -> int:
        """See domain.schedule.TickTable."""
        return await self._readers.read(lambda connection: changed(connection, _PRUNE, {"before": before}))

    async def _change(self, key: PartKey, part: Part) -> bool:
        """Notes what became of a part; False when it has ended, or there is none."""

        async def work(connection: Connection) -> bool:
            async with connection.transaction():
                row = await one(connection, _TO_CHANGE, {"job": key.job, "tick": key.tick})
                progress = Progress.from_text(row.detail if row else "")
                known = progress.parts.get(key.source)
                if known is None or known.ended:
                    return False
                await _write(connection, key.job, key.tick, progress.having(key.source, part))
                return True

        return await self._readers.read(work)


async def _write(connection: Connection, job: str, tick: str, progress: Progress) -> None:
    state = progress.state
    values: Values = {
        "job": job,
        "tick": tick,
        "state": state,
        "detail": progress.as_text(),
        "begun": any(part.state != "waits" for part in progress.parts.values()),
        "over": state not in {"queued", "running"},
    }
    await changed(connection, _WRITE, values)


async def _queued(connection: Connection, job: str, tick: str, progress: Progress) -> Progress:
    """Puts the jobs of all parts; what becomes of the tick then."""
    for source in progress.parts:
        progress = await _put(connection, PartKey(job, tick, source), progress)
    return progress


async def _put(connection: Connection, key: PartKey, progress: Progress) -> Progress:
    if await jobs.put(connection, TASK, key._asdict(), queue=progress.queue, lane=key.lane, once=key.once):
        return progress.having(key.source, Part())
    return progress.having(key.source, Part("done", "another one waits to do it"))


async def _repaired(connection: Connection, row: Any, live: set[PartKey]) -> list[PartKey]:
    """Sees to a tick that is open; gives the parts that were put again."""
    progress = Progress.from_text(row.detail)
    again = []
    for source, part in progress.parts.items():
        key = PartKey(row.job, row.tick, source)
        if part.ended or key in live:
            continue
        if row.lost:
            progress = progress.having(source, Part("failed", "it was broken off"))
        elif progress.queue:
            progress = await _put(connection, key, progress)
            again.append(key)
    await _write(connection, row.job, row.tick, progress)
    return again


def _as_row(row: Any) -> TickRow:
    return TickRow(
        row.job, row.tick, row.due_at, row.taken_at, row.started_at, row.finished_at, Progress.from_text(row.detail)
    )
