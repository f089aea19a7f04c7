"""What TickTable promises, held against every implementation."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from sqlalchemy import text

from domain.ledger import Jobs
from domain.schedule import BEGUN, LOST_AFTER, PartKey, TickRow, TickTable
from storage.database import DatabaseOptions
from storage.open import Storage, open_storage
from tests.fakes.ticks import MemoryTicks
from tests.fakes.work import Doing, options, working

MINUTE = timedelta(minutes=1)
DUE = datetime(2026, 1, 1, 3, 30, tzinfo=UTC)
Take = Callable[..., Awaitable[bool]]


@dataclass(frozen=True)
class Ticks:
    """One implementation. queued: the work that waits or is done. lose: makes all of it vanish. pass_time: makes
    everything in the table older."""

    table: TickTable
    jobs: Jobs
    queued: Callable[[], Awaitable[list[PartKey]]]
    lose: Callable[[], Awaitable[None]]
    pass_time: Callable[[timedelta], Awaitable[None]]

    async def take(
        self, tick: str = "a", *sources: str, job: str = "content", due_at: datetime = DUE, queue: str = "index"
    ) -> bool:
        return await self.table.take(job, tick, due_at, sources or ("docs", "wiki"), queue=queue)

    async def row(self, job: str = "content") -> TickRow:
        row = await self.table.latest(job)
        assert row is not None
        return row


@pytest.fixture
async def ticks(place: DatabaseOptions | None) -> AsyncIterator[Ticks]:
    """Each implementation in turn, empty."""
    if place is None:
        yield in_memory(MemoryTicks())
        return
    async with open_storage(place) as storage:
        yield in_postgresql(storage)


def in_memory(kept: MemoryTicks) -> Ticks:
    async def queued() -> list[PartKey]:
        return [PartKey(**job.arguments) for job in kept.jobs.jobs]  # type: ignore[arg-type] # texts

    async def lose() -> None:
        kept.jobs.jobs.clear()

    async def pass_time(by: timedelta) -> None:
        kept.clock += by

    return Ticks(kept, kept.jobs, queued, lose, pass_time)


def in_postgresql(storage: Storage) -> Ticks:
    @asynccontextmanager
    async def changing(statement: str, **values: object) -> AsyncIterator[list[PartKey]]:
        async with storage.engine.begin() as connection:
            found = await connection.execute(text(statement), values)
            yield [PartKey(*row) for row in found] if found.returns_rows else []

    async def queued() -> list[PartKey]:
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

    return Ticks(storage.ticks(), storage.jobs(), queued, lose, pass_time)


async def test_a_tick_is_taken_once_and_its_work_is_queued(ticks: Ticks) -> None:
    assert await ticks.take()
    assert not await ticks.take()
    assert await ticks.queued() == [PartKey("content", "a", "docs"), PartKey("content", "a", "wiki")]
    row = await ticks.row()
    assert (row.job, row.tick, row.due_at, row.state) == ("content", "a", DUE, "queued")
    assert (row.started_at, row.finished_at) == (None, None)
    assert {source: part.state for source, part in row.progress.parts.items()} == {"docs": "waits", "wiki": "waits"}


async def test_of_many_at_once_one_takes_a_tick(ticks: Ticks) -> None:
    found = await asyncio.gather(*(ticks.take() for _ in range(12)))
    assert sum(found) == 1
    assert len(await ticks.queued()) == 2


async def test_nothing_is_taken_that_was_due_before_what_is_taken(ticks: Ticks) -> None:
    assert await ticks.take("b")
    for tick, due_at in (("a", DUE - MINUTE), ("c", DUE)):
        assert not await ticks.take(tick, due_at=due_at)
    assert await ticks.take("a", job="prune", due_at=DUE - MINUTE)
    assert await ticks.take("d", due_at=DUE + MINUTE)
    assert (await ticks.row()).tick == "d"


async def test_a_name_is_not_used_twice_even_for_a_later_time(ticks: Ticks) -> None:
    assert await ticks.take()
    assert not await ticks.take(due_at=DUE + MINUTE)


async def test_a_tick_is_done_when_all_of_its_parts_are(ticks: Ticks) -> None:
    await ticks.take()
    docs, wiki = PartKey("content", "a", "docs"), PartKey("content", "a", "wiki")
    assert await ticks.table.began(docs)
    row = await ticks.row()
    assert row.state == "running"
    assert row.started_at is not None
    await ticks.table.ended(docs, "done", "3 added")
    assert (await ticks.row()).state == "running"
    assert await ticks.table.began(wiki)
    assert await ticks.table.began(wiki), "by another worker, when the first one died"
    await ticks.table.ended(wiki, "done", "")
    row = await ticks.row()
    assert row.state == "done"
    assert row.finished_at is not None
    assert row.progress.parts["docs"].said == "3 added"


async def test_parts_may_end_at_one_time(ticks: Ticks) -> None:
    sources = [f"s{n}" for n in range(8)]
    parts = [PartKey("content", "a", source) for source in sources]
    await ticks.take("a", *sources)
    await asyncio.gather(*(ticks.table.began(part) for part in parts))
    await asyncio.gather(*(ticks.table.ended(part, "done", part.source) for part in parts))
    row = await ticks.row()
    assert row.state == "done"
    assert {source: part.said for source, part in row.progress.parts.items()} == {each: each for each in sources}


async def test_a_tick_with_a_failed_part_has_failed(ticks: Ticks) -> None:
    await ticks.take()
    await ticks.table.ended(PartKey("content", "a", "wiki"), "failed", "odd \0 words \ud83d")
    assert (await ticks.row()).state == "running"
    await ticks.table.ended(PartKey("content", "a", "docs"), "done", "")
    assert (await ticks.row()).state == "failed"


async def test_what_has_ended_is_not_done_again(ticks: Ticks) -> None:
    await ticks.take()
    docs = PartKey("content", "a", "docs")
    await ticks.table.ended(docs, "done", "first")
    assert not await ticks.table.began(docs)
    await ticks.table.ended(docs, "failed", "second")
    part = (await ticks.row()).progress.parts["docs"]
    assert (part.state, part.said) == ("done", "first")


@pytest.mark.parametrize("part", [("content", "b", "docs"), ("prune", "a", "docs"), ("content", "a", "other")])
async def test_what_there_is_no_tick_for_is_not_done(ticks: Ticks, part: tuple[str, str, str]) -> None:
    await ticks.take()
    assert not await ticks.table.began(PartKey(*part))
    await ticks.table.ended(PartKey(*part), "done", "")
    assert (await ticks.row()).state == "queued"


async def test_a_tick_of_no_source_is_done(ticks: Ticks) -> None:
    assert await ticks.table.take("content", "a", DUE, (), queue="index")
    row = await ticks.row()
    assert row.state == "done"
    assert row.finished_at is not None


async def test_while_an_earlier_tick_waits_a_later_one_adds_no_work(ticks: Ticks) -> None:
    await ticks.take("a", "docs")
    await ticks.take("b", "docs", "wiki", due_at=DUE + MINUTE)
    assert await ticks.queued() == [PartKey("content", "a", "docs"), PartKey("content", "b", "wiki")]
    assert (await ticks.row()).progress.parts["docs"].state == "done"
    await ticks.take("a", "docs", job="prune")
    assert PartKey("prune", "a", "docs") in await ticks.queued()


async def test_who_takes_a_tick_without_a_queue_does_its_work(ticks: Ticks) -> None:
    assert await ticks.take(queue="")
    assert await ticks.queued() == []
    await ticks.pass_time(2 * MINUTE)
    assert await ticks.table.repair(MINUTE) == []
    assert (await ticks.row()).state == "queued"


async def test_workers_do_the_work_one_at_a_time_a_source(ticks: Ticks) -> None:
    doing, begun = Doing("docs"), []
    await ticks.take("a", "docs", "wiki")

    async def do(arguments: object) -> None:
        assert isinstance(arguments, dict)
        begun.append(PartKey(**arguments))
        await doing({"name": begun[-1].source if begun[-1].job == "content" else begun[-1].job})

    async with working(ticks.jobs, {"scheduled": do}, options("index")):
        await doing.until_ended("wiki")
        await ticks.take("a", "docs", job="prune")
        assert doing.began == ["docs", "wiki"]
        doing.let_go("docs")
        await doing.until_ended("prune")
    assert begun[-1] == PartKey("prune", "a", "docs")


async def test_work_that_vanished_is_queued_again_after_a_while(ticks: Ticks) -> None:
    await ticks.take()
    await ticks.table.ended(PartKey("content", "a", "wiki"), "done", "")
    await ticks.table.began(PartKey("content", "a", "docs"))
    await ticks.lose()
    assert await ticks.table.repair(MINUTE) == []
    await ticks.pass_time(2 * MINUTE)
    assert await ticks.table.repair(MINUTE) == [PartKey("content", "a", "docs")]
    assert await ticks.queued() == [PartKey("content", "a", "docs")]
    assert await ticks.table.repair(MINUTE) == []
    assert (await ticks.row()).progress.parts["docs"].state == "waits"


async def test_of_many_at_once_one_repairs(ticks: Ticks) -> None:
    await ticks.take()
    await ticks.lose()
    await ticks.pass_time(2 * MINUTE)
    found = await asyncio.gather(*(ticks.table.repair(MINUTE) for _ in range(6)))
    assert sorted(part.source for each in found for part in each) == ["docs", "wiki"]
    assert len(await ticks.queued()) == 2


@pytest.mark.parametrize("queue", ["index", ""])
async def test_what_vanished_long_ago_has_failed(ticks: Ticks, queue: str) -> None:
    await ticks.take(queue=queue)
    await ticks.lose()
    await ticks.pass_time(LOST_AFTER + MINUTE)
    assert await ticks.table.repair(MINUTE) == []
    row = await ticks.row()
    assert (row.state, row.progress.parts["docs"].state) == ("failed", "failed")
    assert await ticks.queued() == []


async def test_what_waits_for_long_has_not_failed(ticks: Ticks) -> None:
    await ticks.take()
    await ticks.pass_time(LOST_AFTER + MINUTE)
    assert await ticks.table.repair(MINUTE) == []
    assert (await ticks.row()).state == "queued"


async def test_a_schedule_begins_once(ticks: Ticks) -> None:
    assert await ticks.table.latest("content") is None
    for minutes in (0, 1):
        await ticks.table.begin("content", DUE + minutes * MINUTE)
        row = await ticks.row()
        assert (row.tick, row.due_at, row.state) == (BEGUN, DUE, "done")
    assert await ticks.table.history(9) == []
    assert not await ticks.take(due_at=DUE), "what was due before"
    assert await ticks.take(due_at=DUE + MINUTE)
    await ticks.table.begin("content", DUE + 2 * MINUTE)
    assert [row.tick for row in await ticks.table.history(9)] == ["a"]


async def test_many_begin_at_once(ticks: Ticks) -> None:
    await asyncio.gather(*(ticks.table.begin("content", DUE) for _ in range(8)))
    assert (await ticks.row()).tick == BEGUN


async def test_the_history_shows_the_newest_first(ticks: Ticks) -> None:
    for number, tick in enumerate("abc"):
        await ticks.take(tick, due_at=DUE + number * MINUTE)
        await ticks.pass_time(MINUTE)
    await ticks.take("x", job="prune")
    assert [(row.job, row.tick) for row in await ticks.table.history(3)] == [
        ("prune", "x"),
        ("content", "c"),
        ("content", "b"),
    ]


async def test_old_ticks_go_except_the_last_one_of_a_job(ticks: Ticks) -> None:
    await ticks.table.begin("content", DUE - MINUTE)
    await ticks.take("a")
    await ticks.take("b", due_at=DUE + MINUTE)
    await ticks.take("a", job="prune")
    await ticks.pass_time(timedelta(days=91))
    assert await ticks.table.prune(before=await ticks.table.now() - timedelta(days=90)) == 2
    assert {(row.job, row.tick) for row in await ticks.table.history(9)} == {("content", "b"), ("prune", "a")}
    await ticks.take("c", due_at=DUE + 2 * MINUTE)
    assert await ticks.table.prune(before=await ticks.table.now() - timedelta(days=90)) == 1


async def test_time_goes_on(ticks: Ticks) -> None:
    moments = [await ticks.table.now() for _ in range(3)]
    assert all(before <= after and before.utcoffset() == timedelta() for before, after in pairwise(moments))
