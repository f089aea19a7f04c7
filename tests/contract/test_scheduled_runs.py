"""What ScheduledRunTable promises, held against every implementation."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from sqlalchemy import text

from domain.job_ports import JobQueue
from domain.schedule import (
    FAIL_LOST_TASK_AFTER,
    POSTPONED_AT_MOST,
    REGISTERED,
    ScheduledRun,
    ScheduledRunTable,
    SourceTaskKey,
    SourceTaskResult,
)
from storage.open import Storage, open_storage
from storage.server.database import DatabaseOptions
from tests.fakes.scheduled_runs import MemoryScheduledRuns
from tests.fakes.worker import Doing, options, working

MINUTE = timedelta(minutes=1)
DUE = datetime(2026, 1, 1, 3, 30, tzinfo=UTC)


@dataclass(frozen=True)
class Runs:
    """One implementation. queued: the work that waits or is done. lose: makes all of it vanish. pass_time: makes
    everything in the table older."""

    table: ScheduledRunTable
    jobs: JobQueue
    queued: Callable[[], Awaitable[list[SourceTaskKey]]]
    lose: Callable[[], Awaitable[None]]
    pass_time: Callable[[timedelta], Awaitable[None]]

    async def claim(
        self, name: str = "a", *sources: str, job: str = "content", due_at: datetime = DUE, queue: str = "index"
    ) -> bool:
        return await self.table.claim(job, name, due_at, sources or ("docs", "wiki"), queue=queue)

    async def row(self, job: str = "content") -> ScheduledRun:
        row = await self.table.latest(job)
        assert row is not None
        return row


@pytest.fixture
async def runs(place: DatabaseOptions | None) -> AsyncIterator[Runs]:
    """Each implementation in turn, empty."""
    if place is None:
        yield in_memory(MemoryScheduledRuns())
        return
    async with open_storage(place) as storage:
        yield in_postgresql(storage)


def in_memory(kept: MemoryScheduledRuns) -> Runs:
    async def queued() -> list[SourceTaskKey]:
        return [SourceTaskKey.from_arguments(job.arguments) for job in kept.jobs.jobs]

    async def lose() -> None:
        kept.jobs.jobs.clear()

    async def pass_time(by: timedelta) -> None:
        kept.clock += by

    return Runs(kept, kept.jobs, queued, lose, pass_time)


def in_postgresql(storage: Storage) -> Runs:
    @asynccontextmanager
    async def changing(statement: str, **values: object) -> AsyncIterator[list[SourceTaskKey]]:
        async with storage.engine.begin() as connection:
            found = await connection.execute(text(statement), values)
            yield [SourceTaskKey(*row) for row in found] if found.returns_rows else []

    async def queued() -> list[SourceTaskKey]:
        columns = "args->>'job', args->>'tick', args->>'source'"
        async with changing(f"SELECT {columns} FROM procrastinate_jobs ORDER BY id") as found:
            return found

    async def lose() -> None:
        async with changing("DELETE FROM procrastinate_jobs"):
            pass

    async def pass_time(by: timedelta) -> None:
        older = ", ".join(f"{each} = {each} - :by" for each in ("taken_at", "started_at", "finished_at"))
        async with changing(f"UPDATE ticks SET {older}", by=by):
            pass

    return Runs(storage.scheduled_runs(), storage.job_queue(), queued, lose, pass_time)


async def test_a_run_is_claimed_once_and_its_work_is_queued(runs: Runs) -> None:
    assert await runs.claim()
    assert not await runs.claim()
    assert await runs.queued() == [SourceTaskKey("content", "a", "docs"), SourceTaskKey("content", "a", "wiki")]
    row = await runs.row()
    assert (row.job, row.name, row.due_at, row.state) == ("content", "a", DUE, "queued")
    assert (row.started_at, row.finished_at) == (None, None)
    assert {source: part.state for source, part in row.progress.tasks.items()} == {"docs": "waits", "wiki": "waits"}


async def test_of_many_at_once_one_takes_a_run(runs: Runs) -> None:
    found = await asyncio.gather(*(runs.claim() for _ in range(12)))
    assert sum(found) == 1
    assert len(await runs.queued()) == 2


async def test_nothing_is_claimed_that_was_due_before_what_is_claimed(runs: Runs) -> None:
    assert await runs.claim("b")
    for due_time, due_at in (("a", DUE - MINUTE), ("c", DUE)):
        assert not await runs.claim(due_time, due_at=due_at)
    assert await runs.claim("a", job="prune", due_at=DUE - MINUTE)
    assert await runs.claim("d", due_at=DUE + MINUTE)
    assert (await runs.row()).name == "d"


async def test_a_name_is_not_used_twice_even_for_a_later_time(runs: Runs) -> None:
    assert await runs.claim()
    assert not await runs.claim(due_at=DUE + MINUTE)


async def test_a_run_is_done_when_all_of_its_parts_are(runs: Runs) -> None:
    await runs.claim()
    docs, wiki = SourceTaskKey("content", "a", "docs"), SourceTaskKey("content", "a", "wiki")
    assert await runs.table.start_task(docs)
    row = await runs.row()
    assert row.state == "running"
    assert row.started_at is not None
    await runs.table.finish_task(docs, "done", "3 added")
    assert (await runs.row()).state == "running"
    assert await runs.table.start_task(wiki)
    assert await runs.table.start_task(wiki), "by another worker, when the first one died"
    await runs.table.finish_task(wiki, "done", "")
    row = await runs.row()
    assert row.state == "done"
    assert row.finished_at is not None
    assert row.progress.tasks["docs"].summary == "3 added"


async def test_parts_may_end_at_one_time(runs: Runs) -> None:
    sources = [f"s{n}" for n in range(8)]
    parts = [SourceTaskKey("content", "a", source) for source in sources]
    await runs.claim("a", *sources)
    await asyncio.gather(*(runs.table.start_task(part) for part in parts))
    await asyncio.gather(*(runs.table.finish_task(part, "done", part.source) for part in parts))
    row = await runs.row()
    assert row.state == "done"
    assert {source: part.summary for source, part in row.progress.tasks.items()} == {each: each for each in sources}


async def test_a_run_with_a_failed_part_has_failed(runs: Runs) -> None:
    await runs.claim()
    await runs.table.finish_task(SourceTaskKey("content", "a", "wiki"), "failed", "odd \0 words \ud83d")
    assert (await runs.row()).state == "running"
    await runs.table.finish_task(SourceTaskKey("content", "a", "docs"), "done", "")
    assert (await runs.row()).state == "failed"


async def test_what_has_ended_is_not_done_again(runs: Runs) -> None:
    await runs.claim()
    docs = SourceTaskKey("content", "a", "docs")
    await runs.table.finish_task(docs, "done", "first")
    assert not await runs.table.start_task(docs)
    await runs.table.finish_task(docs, "failed", "second")
    part = (await runs.row()).progress.tasks["docs"]
    assert (part.state, part.summary) == ("done", "first")


@pytest.mark.parametrize("part", [("content", "b", "docs"), ("prune", "a", "docs"), ("content", "a", "other")])
async def test_what_there_is_no_run_for_is_not_done(runs: Runs, part: tuple[str, str, str]) -> None:
    await runs.claim()
    assert not await runs.table.start_task(SourceTaskKey(*part))
    await runs.table.finish_task(SourceTaskKey(*part), "done", "")
    assert (await runs.row()).state == "queued"


async def test_a_run_of_no_source_is_done(runs: Runs) -> None:
    assert await runs.table.claim("content", "a", DUE, (), queue="index")
    row = await runs.row()
    assert row.state == "done"
    assert row.finished_at is not None


async def test_while_an_earlier_run_waits_a_later_one_adds_no_work(runs: Runs) -> None:
    await runs.claim("a", "docs")
    await runs.claim("b", "docs", "wiki", due_at=DUE + MINUTE)
    assert await runs.queued() == [SourceTaskKey("content", "a", "docs"), SourceTaskKey("content", "b", "wiki")]
    docs = (await runs.row()).progress.tasks["docs"]
    assert (docs.state, docs.summary) == ("attention", "not begun: the run of a still waits")
    await runs.claim("a", "docs", job="prune")
    assert SourceTaskKey("prune", "a", "docs") in await runs.queued()


@pytest.mark.parametrize("result", ["done", "failed"])
async def test_what_was_not_begun_ends_as_what_waited_in_its_place(runs: Runs, result: SourceTaskResult) -> None:
    await runs.claim("a", "docs", "wiki")
    await runs.claim("b", "docs", "wiki", due_at=DUE + MINUTE)
    assert await runs.table.start_task(SourceTaskKey("content", "a", "docs"))
    await runs.table.finish_task(SourceTaskKey("content", "a", "docs"), result, "3 added")
    tasks = (await runs.row()).progress.tasks
    assert (tasks["docs"].state, tasks["docs"].summary) == (result, "3 added")
    assert tasks["wiki"].summary == "not begun: the run of a still waits"
    await runs.table.finish_task(SourceTaskKey("content", "a", "wiki"), "done", "")
    assert (await runs.row()).state == result


async def test_what_is_due_every_day_is_begun_though_the_source_was_held_the_day_before(runs: Runs) -> None:
    await runs.claim("a", "docs")
    docs = SourceTaskKey("content", "a", "docs")
    await runs.pass_time(timedelta(hours=23))
    await runs.lose()  # a worker has it, and the source is held
    if not await runs.table.postpone_task(docs, "it is locked"):
        await runs.table.finish_task(docs, "failed", "it is locked")
    assert (await runs.row()).state == "failed"
    await runs.claim("b", "docs", due_at=DUE + timedelta(days=1))
    assert await runs.queued() == [docs._replace(run="b")]


async def test_a_run_that_read_nothing_needs_a_look(runs: Runs) -> None:
    await runs.claim("a", "docs")
    await runs.claim("b", "docs", due_at=DUE + MINUTE)
    assert (await runs.row()).state == "attention"
    assert (await runs.row()).finished_at is not None


async def test_what_cannot_be_done_now_waits_and_is_done_later(runs: Runs) -> None:
    await runs.claim("a", "docs")
    docs = SourceTaskKey("content", "a", "docs")
    await runs.lose()  # a worker has it
    assert await runs.table.start_task(docs)
    for _ in range(2):  # the second time without having heard of the first
        assert await runs.table.postpone_task(docs, "it is locked")
    assert await runs.queued() == [docs]
    row = await runs.row()
    assert (row.state, row.progress.tasks["docs"].summary) == ("queued", "it is locked")
    assert await runs.table.start_task(docs)
    await runs.table.finish_task(docs, "done", "")
    assert not await runs.table.postpone_task(docs, "it is locked"), "it has ended"
    assert not await runs.table.postpone_task(docs._replace(source="wiki"), "it is locked"), "there is none"


async def test_what_waits_for_a_source_too_long_or_in_no_queue_is_not_put_back(runs: Runs) -> None:
    await runs.claim("a", "docs", queue="")
    assert not await runs.table.postpone_task(SourceTaskKey("content", "a", "docs"), "it is locked")
    await runs.claim("b", "docs", due_at=DUE + MINUTE)
    await runs.pass_time(POSTPONED_AT_MOST + MINUTE)
    assert not await runs.table.postpone_task(SourceTaskKey("content", "b", "docs"), "it is locked")


async def test_what_cannot_be_done_now_is_left_to_a_later_run_that_waits(runs: Runs) -> None:
    await runs.claim("a", "docs")
    await runs.lose()  # a worker has it
    await runs.claim("b", "docs", due_at=DUE + MINUTE)
    assert await runs.table.postpone_task(SourceTaskKey("content", "a", "docs"), "it is locked")
    assert await runs.queued() == [SourceTaskKey("content", "b", "docs")]
    (earlier,) = [row for row in await runs.table.history(9) if row.name == "a"]
    assert earlier.progress.tasks["docs"].summary == "not begun: the run of b still waits"


async def test_who_takes_a_run_without_a_queue_does_its_work(runs: Runs) -> None:
    assert await runs.claim(queue="")
    assert await runs.queued() == []
    await runs.pass_time(2 * MINUTE)
    assert await runs.table.requeue_lost(MINUTE) == []
    assert (await runs.row()).state == "queued"


async def test_workers_do_the_work_one_at_a_time_a_source(runs: Runs) -> None:
    doing, begun = Doing("docs"), []
    await runs.claim("a", "docs", "wiki")

    async def do(arguments: object) -> None:
        assert isinstance(arguments, dict)
        begun.append(SourceTaskKey.from_arguments(arguments))
        await doing({"name": begun[-1].source if begun[-1].job == "content" else begun[-1].job})

    async with working(runs.jobs, {"scheduled": do}, options("index")):
        await doing.until_ended("wiki")
        await runs.claim("a", "docs", job="prune")
        assert doing.began == ["docs", "wiki"]
        doing.let_go("docs")
        await doing.until_ended("prune")
    assert begun[-1] == SourceTaskKey("prune", "a", "docs")


async def test_work_that_vanished_is_queued_again_after_a_while(runs: Runs) -> None:
    await runs.claim()
    await runs.table.finish_task(SourceTaskKey("content", "a", "wiki"), "done", "")
    await runs.table.start_task(SourceTaskKey("content", "a", "docs"))
    await runs.lose()
    assert await runs.table.requeue_lost(MINUTE) == []
    await runs.pass_time(2 * MINUTE)
    assert await runs.table.requeue_lost(MINUTE) == [SourceTaskKey("content", "a", "docs")]
    assert await runs.queued() == [SourceTaskKey("content", "a", "docs")]
    assert await runs.table.requeue_lost(MINUTE) == []
    assert (await runs.row()).progress.tasks["docs"].state == "waits"


async def test_of_many_at_once_one_repairs(runs: Runs) -> None:
    await runs.claim()
    await runs.lose()
    await runs.pass_time(2 * MINUTE)
    found = await asyncio.gather(*(runs.table.requeue_lost(MINUTE) for _ in range(6)))
    assert sorted(part.source for each in found for part in each) == ["docs", "wiki"]
    assert len(await runs.queued()) == 2


@pytest.mark.parametrize("queue", ["index", ""])
async def test_what_vanished_long_ago_has_failed(runs: Runs, queue: str) -> None:
    await runs.claim(queue=queue)
    await runs.lose()
    await runs.pass_time(FAIL_LOST_TASK_AFTER + MINUTE)
    assert await runs.table.requeue_lost(MINUTE) == []
    row = await runs.row()
    assert (row.state, row.progress.tasks["docs"].state) == ("failed", "failed")
    assert await runs.queued() == []


async def test_what_waits_for_long_has_not_failed(runs: Runs) -> None:
    await runs.claim()
    await runs.pass_time(FAIL_LOST_TASK_AFTER + MINUTE)
    assert await runs.table.requeue_lost(MINUTE) == []
    assert (await runs.row()).state == "queued"


async def test_a_schedule_begins_once(runs: Runs) -> None:
    assert await runs.table.latest("content") is None
    for minutes in (0, 1):
        await runs.table.register("content", DUE + minutes * MINUTE)
        row = await runs.row()
        assert (row.name, row.due_at, row.state) == (REGISTERED, DUE, "done")
    assert await runs.table.history(9) == []
    assert not await runs.claim(due_at=DUE), "what was due before"
    assert await runs.claim(due_at=DUE + MINUTE)
    await runs.table.register("content", DUE + 2 * MINUTE)
    assert [row.name for row in await runs.table.history(9)] == ["a"]


async def test_many_begin_at_once(runs: Runs) -> None:
    await asyncio.gather(*(runs.table.register("content", DUE) for _ in range(8)))
    assert (await runs.row()).name == REGISTERED


async def test_the_history_shows_the_newest_first(runs: Runs) -> None:
    for number, due_time in enumerate("abc"):
        await runs.claim(due_time, due_at=DUE + number * MINUTE)
        await runs.pass_time(MINUTE)
    await runs.claim("x", job="prune")
    assert [(row.job, row.name) for row in await runs.table.history(3)] == [
        ("prune", "x"),
        ("content", "c"),
        ("content", "b"),
    ]


async def test_old_runs_go_except_the_last_one_of_a_job(runs: Runs) -> None:
    await runs.table.register("content", DUE - MINUTE)
    await runs.claim("a")
    await runs.claim("b", due_at=DUE + MINUTE)
    await runs.claim("a", job="prune")
    await runs.pass_time(timedelta(days=91))
    assert await runs.table.prune(before=await runs.table.now() - timedelta(days=90)) == 2
    assert {(row.job, row.name) for row in await runs.table.history(9)} == {("content", "b"), ("prune", "a")}
    await runs.claim("c", due_at=DUE + 2 * MINUTE)
    assert await runs.table.prune(before=await runs.table.now() - timedelta(days=90)) == 1


async def test_time_goes_on(runs: Runs) -> None:
    moments = [await runs.table.now() for _ in range(3)]
    assert all(before <= after and before.utcoffset() == timedelta() for before, after in pairwise(moments))
