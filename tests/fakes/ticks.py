"""A table of ticks in memory."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from domain.schedule import BEGUN, LOST_AFTER, TASK, Ended, Part, PartKey, Progress, TickRow, TickTable
from tests.fakes.jobs import MemoryJob, MemoryJobs


class MemoryTicks(TickTable):
    """Ticks in a list; their work goes into `jobs`. clock: the time it goes by."""

    def __init__(self) -> None:
        self.jobs = MemoryJobs()
        self.rows: list[TickRow] = []
        self.clock = datetime(2026, 1, 1, tzinfo=UTC)

    async def now(self) -> datetime:
        return self.clock

    async def begin(self, job: str, at: datetime) -> None:
        if await self.latest(job) is None:
            self.rows.append(TickRow(job, BEGUN, at, self.clock, None, self.clock, Progress()))

    async def take(self, job: str, tick: str, due_at: datetime, sources: Sequence[str], *, queue: str) -> bool:
        if any(row.job == job and (row.tick == tick or row.due_at >= due_at) for row in self.rows):
            return False
        progress = Progress(queue, {source: Part() for source in sources})
        for source in sources if queue else ():
            progress = self._put(PartKey(job, tick, source), progress)
        self.rows.append(TickRow(job, tick, due_at, self.clock, None, None, Progress()))
        self._write(job, tick, progress)
        return True

    async def began(self, part: PartKey) -> bool:
        return self._change(part, Part("runs"))

    async def ended(self, part: PartKey, state: Ended, said: str) -> None:
        self._change(part, Part(state, said))

    async def repair(self, patience: timedelta) -> list[PartKey]:
        again = []
        live = {PartKey(**job.arguments) for job in self.jobs.jobs if job.state != "failed"}  # type: ignore[arg-type] # texts
        for row in [row for row in self.rows if not row.finished_at and row.taken_at < self.clock - patience]:
            progress = row.progress
            for source, part in row.progress.parts.items():
                key = PartKey(row.job, row.tick, source)
                if part.ended or key in live:
                    continue
                if row.taken_at < self.clock - LOST_AFTER:
                    progress = progress.having(source, Part("failed", "it was broken off"))
                elif progress.queue:
                    progress = self._put(key, progress)
                    again.append(key)
            self._write(row.job, row.tick, progress)
        return again

    async def latest(self, job: str) -> TickRow | None:
        return max((row for row in self.rows if row.job == job), key=lambda row: row.due_at, default=None)

    async def history(self, limit: int) -> list[TickRow]:
        found = [row for row in self.rows if row.tick != BEGUN]
        return sorted(found, key=lambda row: (row.taken_at, row.due_at), reverse=True)[:limit]

    async def prune(self, *, before: datetime) -> int:
        newest = {job: await self.latest(job) for job in {row.job for row in self.rows}}
        old = [row for row in self.rows if row.taken_at < before and row != newest[row.job]]
        self.rows = [row for row in self.rows if row not in old]
        return len(old)

    def _put(self, key: PartKey, progress: Progress) -> Progress:
        added = self.jobs.add(MemoryJob(TASK, key._asdict(), progress.queue, key.lane, key.once))
        return progress.having(key.source, Part() if added else Part("done", "another one waits to do it"))

    def _change(self, key: PartKey, part: Part) -> bool:
        for row in self.rows:
            known = row.progress.parts.get(key.source)
            if (row.job, row.tick) == key[:2] and known is not None and not known.ended:
                self._write(key.job, key.tick, row.progress.having(key.source, part))
                return True
        return False

    def _write(self, job: str, tick: str, progress: Progress) -> None:
        (number,) = [n for n, row in enumerate(self.rows) if (row.job, row.tick) == (job, tick)]
        row = self.rows[number]
        begun = any(part.state != "waits" for part in progress.parts.values())
        over = progress.state in {"done", "failed"}
        self.rows[number] = replace(
            row,
            progress=progress,
            started_at=row.started_at or (self.clock if begun else None),
            finished_at=(row.finished_at or self.clock) if over else None,
        )
