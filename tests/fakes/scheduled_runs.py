"""A table of scheduled runs in memory."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from domain.schedule import (
    FAIL_LOST_TASK_AFTER,
    POSTPONED_AT_MOST,
    POSTPONED_FOR,
    REGISTERED,
    SCHEDULED_TASK,
    ScheduledRun,
    ScheduledRunProgress,
    ScheduledRunTable,
    SourceTask,
    SourceTaskKey,
    SourceTaskResult,
    not_begun,
)
from tests.fakes.jobs import MemoryJob, MemoryJobs


class MemoryScheduledRuns(ScheduledRunTable):
    """Runs in a list; their tasks go into `jobs`. clock: the time it goes by."""

    def __init__(self) -> None:
        self.jobs = MemoryJobs()
        self.rows: list[ScheduledRun] = []
        self.clock = datetime(2026, 1, 1, tzinfo=UTC)

    async def now(self) -> datetime:
        return self.clock

    async def register(self, job: str, at: datetime) -> None:
        if await self.latest(job) is None:
            self.rows.append(ScheduledRun(job, REGISTERED, at, self.clock, None, self.clock, ScheduledRunProgress()))

    async def claim(self, job: str, name: str, due_at: datetime, sources: Sequence[str], *, queue: str) -> bool:
        if any(row.job == job and (row.name == name or row.due_at >= due_at) for row in self.rows):
            return False
        progress = ScheduledRunProgress(queue, {source: SourceTask() for source in sources})
        for source in sources if queue else ():
            progress = self._put(SourceTaskKey(job, name, source), progress)
        self.rows.append(ScheduledRun(job, name, due_at, self.clock, None, None, ScheduledRunProgress()))
        self._write(job, name, progress)
        return True

    async def start_task(self, key: SourceTaskKey) -> bool:
        return self._change(key, SourceTask("runs"))

    async def postpone_task(self, key: SourceTaskKey, why: str) -> bool:
        for row in self.rows:
            known = row.progress.tasks.get(key.source)
            if (row.job, row.name) != key[:2] or known is None or known.ended or not row.progress.queue:
                continue
            if row.claimed_at < self.clock - POSTPONED_AT_MOST:
                return False
            self._write(key.job, key.run, self._put(key, row.progress, SourceTask("waits", why), POSTPONED_FOR))
            return True
        return False

    async def finish_task(self, key: SourceTaskKey, result: SourceTaskResult, summary: str) -> None:
        ended, waited = SourceTask(result, summary), SourceTask("attention", not_begun(key.run))
        if self._change(key, ended):
            for row in [row for row in self.rows if row.job == key.job]:
                if row.progress.tasks.get(key.source) == waited:
                    self._write(row.job, row.name, row.progress.with_task(key.source, ended))

    async def requeue_lost(self, patience: timedelta) -> list[SourceTaskKey]:
        again = []
        live = {SourceTaskKey.from_arguments(job.arguments) for job in self.jobs.jobs if job.state != "failed"}
        for row in [row for row in self.rows if not row.finished_at and row.claimed_at < self.clock - patience]:
            progress = row.progress
            for source, task in row.progress.tasks.items():
                key = SourceTaskKey(row.job, row.name, source)
                if task.ended or key in live:
                    continue
                if row.claimed_at < self.clock - FAIL_LOST_TASK_AFTER:
                    progress = progress.with_task(source, SourceTask("failed", "it was broken off"))
                elif progress.queue:
                    progress = self._put(key, progress)
                    again.append(key)
            self._write(row.job, row.name, progress)
        return again

    async def latest(self, job: str) -> ScheduledRun | None:
        return max((row for row in self.rows if row.job == job), key=lambda row: row.due_at, default=None)

    async def history(self, limit: int) -> list[ScheduledRun]:
        found = [row for row in self.rows if row.name != REGISTERED]
        return sorted(found, key=lambda row: (row.claimed_at, row.due_at), reverse=True)[:limit]

    async def prune(self, *, before: datetime) -> int:
        newest = {job: await self.latest(job) for job in {row.job for row in self.rows}}
        old = [row for row in self.rows if row.claimed_at < before and row != newest[row.job]]
        self.rows = [row for row in self.rows if row not in old]
        return len(old)

    def _put(
        self,
        key: SourceTaskKey,
        progress: ScheduledRunProgress,
        waits: SourceTask = SourceTask(),  # noqa: B008 - it never changes
        delay: timedelta | None = None,
    ) -> ScheduledRunProgress:
        job = MemoryJob(SCHEDULED_TASK, key.arguments, progress.queue, key.lock_key, key.unique_key)
        if self.jobs.add(job, delay):
            return progress.with_task(key.source, waits)
        (run,) = [
            str(job.arguments["tick"])
            for job in self.jobs.jobs
            if (job.unique_key, job.state) == (key.unique_key, "waiting")
        ]
        return progress.with_task(key.source, waits if run == key.run else SourceTask("attention", not_begun(run)))

    def _change(self, key: SourceTaskKey, task: SourceTask) -> bool:
        for row in self.rows:
            known = row.progress.tasks.get(key.source)
            if (row.job, row.name) == key[:2] and known is not None and not known.ended:
                self._write(key.job, key.run, row.progress.with_task(key.source, task))
                return True
        return False

    def _write(self, job: str, name: str, progress: ScheduledRunProgress) -> None:
        (number,) = [n for n, row in enumerate(self.rows) if (row.job, row.name) == (job, name)]
        row = self.rows[number]
        begun = any(task.state != "waits" for task in progress.tasks.values())
        over = progress.state not in {"queued", "running"}
        self.rows[number] = replace(
            row,
            progress=progress,
            started_at=row.started_at or (self.clock if begun else None),
            finished_at=(row.finished_at or self.clock) if over else None,
        )
