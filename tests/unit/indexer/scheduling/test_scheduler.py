"""Taking what is due, over a table in memory."""

import asyncio
import logging
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from domain.cron import Cron, Window
from domain.errors import Transient
from domain.schedule import REGISTERED, SourceTaskKey
from indexer.scheduling.scheduler import REQUEUE_LOST_TASK_AFTER, Scheduler
from indexer.scheduling.triggers import Trigger
from tests.fakes.scheduled_runs import MemoryScheduledRuns

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NIGHT = datetime(2026, 7, 1, 3, 30, tzinfo=UTC)


def at(cron: str, window: str = "") -> Trigger:
    return Trigger(Cron(cron), ZoneInfo("UTC"), Window(window) if window else None)


class Company:
    """A table and the sources that a schedule reads. clock: the table's."""

    def __init__(self, **triggers: Trigger) -> None:
        self.table = MemoryScheduledRuns()
        self.sources = ["docs", "wiki"]
        self.scheduler = Scheduler(triggers, self.table, self._names, lambda _job: "index")

    async def _names(self, _job: str) -> list[str]:
        return self.sources

    async def wake(self, now: datetime) -> list[tuple[str, str]]:
        self.table.clock = now
        return [(job, due_time.key) for job, due_time in await self.scheduler.wake()]


async def test_what_was_due_before_there_was_a_schedule_is_not_made_up_for() -> None:
    company = Company(content=at("30 3 * * *"))
    assert await company.wake(NIGHT + HOUR) == []
    (row,) = company.table.rows
    assert (row.name, row.due_at) == (REGISTERED, NIGHT + HOUR)
    assert await company.wake(NIGHT + 2 * HOUR) == []
    assert await company.wake(NIGHT + DAY) == [("content", "2026-07-02T03:30")]


async def test_each_job_is_claimed_by_itself_and_all_sources_are_its_work() -> None:
    company = Company(content=at("30 3 * * *"), prune=at("30 3 * * *"), permissions=at("0 * * * *"))
    await company.wake(NIGHT - HOUR)
    company.sources.append("tracker")
    claimed = await company.wake(NIGHT)
    assert claimed == [
        ("content", "2026-07-01T03:30"),
        ("prune", "2026-07-01T03:30"),
        ("permissions", "2026-07-01T03:00Z"),
    ]
    queued = [SourceTaskKey.from_arguments(job.arguments) for job in company.table.jobs.jobs]
    assert queued == [
        SourceTaskKey(*due_time, source) for due_time in claimed for source in ("docs", "wiki", "tracker")
    ]
    assert {job.queue for job in company.table.jobs.jobs} == {"index"}
    assert await company.wake(NIGHT) == []


async def test_after_an_outage_the_latest_due_time_is_claimed_once() -> None:
    company = Company(content=at("30 3 * * *"), permissions=at("*/30 * * * *"))
    await company.wake(NIGHT - HOUR)
    assert await company.wake(NIGHT + 9 * DAY + 5 * HOUR) == [
        ("content", "2026-07-10T03:30"),
        ("permissions", "2026-07-10T08:30Z"),
    ]
    assert await company.wake(NIGHT + 9 * DAY + 5 * HOUR) == []


async def test_what_waits_for_a_window_is_claimed_when_it_opens() -> None:
    company = Company(content=at("0 12 * * *", "22:00-06:00"), permissions=at("0 12 * * *"))
    await company.wake(NIGHT)
    assert await company.wake(NIGHT + 10 * HOUR) == [("permissions", "2026-07-01T12:00")]
    assert await company.wake(NIGHT + 19 * HOUR) == [("content", "2026-07-01T12:00")]


async def test_a_clock_that_jumps_back_takes_nothing_twice() -> None:
    company = Company(permissions=at("*/30 * * * *"))
    await company.wake(NIGHT - HOUR)
    assert len(await company.wake(NIGHT)) == 1
    for hours in (-5, -1, 0):
        assert await company.wake(NIGHT + hours * HOUR) == []
    assert len(await company.wake(NIGHT + HOUR / 2)) == 1


async def test_a_run_by_hand_counts_as_one() -> None:
    company = Company(content=at("30 3 * * *"))
    await company.wake(NIGHT - HOUR)
    assert await company.table.claim("content", "manual:now", NIGHT + HOUR, ["docs"], queue="")
    assert await company.wake(NIGHT + 2 * HOUR) == []


async def test_work_that_vanished_is_queued_again(caplog: pytest.LogCaptureFixture) -> None:
    company = Company(content=at("30 3 * * *"))
    await company.wake(NIGHT - HOUR)
    await company.wake(NIGHT)
    company.table.jobs.jobs.clear()
    await company.wake(NIGHT + REQUEUE_LOST_TASK_AFTER)
    assert company.table.jobs.jobs == []
    await company.wake(NIGHT + 2 * REQUEUE_LOST_TASK_AFTER)
    assert len(company.table.jobs.jobs) == 2
    assert "The reading of docs for content was lost" in caplog.text


async def test_when_something_may_be_due_next() -> None:
    company = Company(content=at("30 3 * * *", "22:00-06:00"), prune=at("0 5 * * 0"))
    assert company.scheduler.soonest(NIGHT - HOUR) == NIGHT
    assert company.scheduler.soonest(NIGHT + 5 * HOUR) == NIGHT.replace(hour=22, minute=0)
    assert Company().scheduler.soonest(NIGHT) is None


async def test_it_goes_on_when_the_database_was_away(caplog: pytest.LogCaptureFixture) -> None:
    company = Company(content=at("30 3 * * *"))
    seen = asyncio.Event()
    calls = 0

    async def now() -> datetime:
        nonlocal calls
        calls += 1
        if calls < 3:
            raise Transient("The database is away", why="it was stopped")
        seen.set()
        return NIGHT

    caplog.set_level(logging.WARNING)
    scheduler = Scheduler({"content": at("30 3 * * *")}, company.table, company._names, lambda _job: "index", now)
    keeping = asyncio.create_task(scheduler.run_forever(every=timedelta(seconds=0.01)))
    await asyncio.wait_for(seen.wait(), 30)
    keeping.cancel()
    await asyncio.wait({keeping}, timeout=30)
    assert keeping.cancelled()
    assert "The schedule waits: The database is away (it was stopped)" in caplog.text
