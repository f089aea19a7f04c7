"""Claims what is due. Any number of processes may do so over one table: each due time is claimed once."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta

from domain.errors import KbError
from domain.log_context import WAITING
from domain.schedule import ScheduledRunTable
from indexer.scheduling.triggers import DueTime, Trigger, due, next_wake, waking_when_due

log = logging.getLogger(__name__)

EVERY = timedelta(seconds=20)
"""The schedule is looked at this often at least, also for work that another process lost."""

REQUEUE_LOST_TASK_AFTER = timedelta(minutes=1)
"""After so long, a task that is neither queued nor done is lost and queued again."""


class Scheduler:
    """The schedule in one process.

    triggers: by the job's name. sources: names those that a job is about. queue: names that of its work. now: the time
    that all processes go by; by default, the table's.
    """

    def __init__(
        self,
        triggers: Mapping[str, Trigger],
        table: ScheduledRunTable,
        sources: Callable[[str], Awaitable[Sequence[str]]],
        queue: Callable[[str], str],
        now: Callable[[], Awaitable[datetime]] | None = None,
    ) -> None:
        self._triggers = triggers
        self._table = table
        self._sources = sources
        self._queue = queue
        self._now = now or table.now

    async def run_forever(self, *, every: timedelta = EVERY) -> None:
        """Claims what is due, when it is due, until it is cancelled. The database may go away and come back."""
        async with waking_when_due(self._wake, self.soonest, every=every):
            await asyncio.Event().wait()

    async def wake(self) -> list[tuple[str, DueTime]]:
        """Claims what is due now, and queues lost work again; gives what it claimed, by job.

        Raises Transient when the database is away.
        """
        now = await self._now()
        claimed = [(job, due_time) for job in self._triggers if (due_time := await self._claim_due(job, now))]
        for key in await self._table.requeue_lost(REQUEUE_LOST_TASK_AFTER):
            log.warning("The reading of %s for %s was lost; it is queued again", key.source, key.job)
        return claimed

    def soonest(self, now: datetime) -> datetime | None:
        """When something may be due next."""
        return min((next_wake(trigger, now) for trigger in self._triggers.values()), default=None)

    async def _claim_due(self, job: str, now: datetime) -> DueTime | None:
        last = await self._table.latest(job)
        if last is None:  # due times before the job was registered are not made up for
            await self._table.register(job, now)
            return None
        due_time = due(self._triggers[job], now, last.due_at)
        if due_time is None:
            return None
        ours = await self._table.claim(
            job, due_time.key, due_time.due_at, await self._sources(job), queue=self._queue(job)
        )
        if ours:
            log.info("%s of %s is due and queued", job, due_time.key)
        return due_time if ours else None

    async def _wake(self) -> None:
        try:
            await self.wake()
        except KbError as error:
            log.warning("The schedule waits: %s (%s)", error.what, error.why, extra=WAITING)
