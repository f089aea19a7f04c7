"""Scheduled jobs that somebody starts by hand."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from domain.audit import AuditEntry
from domain.errors import Refused, Transient

if TYPE_CHECKING:
    from domain.conversation import Participant
    from domain.schedule import ScheduledRunTable
    from storage.open import Storage

TRIES, AGAIN_SECONDS = 20, 0.1
"""How often, and after how many seconds each time, a run is claimed while others hold the lock, for a moment."""


class AskedRun(NamedTuple):
    """A run that was claimed. sources: what it reads."""

    name: str
    sources: Sequence[str]


async def queue_run(storage: "Storage", job: str, person: "Participant") -> AskedRun:
    """Leaves a job to those who work, and notes that somebody did.

    Raises:
        Refused: there is no such job, or nothing to read. Transient: others hold the lock all the time.
    """
    from bot.app.scheduled_jobs import queue_of, source_names

    names = await source_names(storage.sources, job)
    run = await claimed(storage.scheduled_runs(), job, names, queue=queue_of(job))
    await note_run(storage, job, run, person)
    return AskedRun(run, names)


async def note_run(storage: "Storage", job: str, run: str, person: "Participant") -> None:
    """Notes in the audit log that somebody started a job."""
    await storage.audit_log().record(AuditEntry(person, "schedule_run", job, {"run": run}))


async def claimed(table: "ScheduledRunTable", job: str, names: Sequence[str], *, queue: str) -> str:
    """Claims a run of now; gives its name.

    Raises:
        Refused: there is nothing to read. Transient: others hold the lock all the time.
    """
    if not names:
        raise Refused(f"There is no source for {job} to read", next_step="See: kb sources list")
    for _ in range(TRIES):
        now = await table.now()
        run = f"manual:{now.isoformat()}"
        if await table.claim(job, run, now, names, queue=queue):
            return run
        await asyncio.sleep(AGAIN_SECONDS)
    raise Transient(f"The schedule of {job} is busy", next_step="Try again, or see: kb schedule")
