"""Runs, and that one process at a time indexes a source."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from domain.errors import Refused, Transient
from storage.index.runs import LOST
from storage.index.sources import Source
from storage.open import Storage, open_storage
from storage.server.database import DatabaseOptions

CHILD = """
import asyncio, sys
from pathlib import Path
from domain.errors import KbError
from storage.server.database import DatabaseOptions
from storage.open import open_storage

async def main():
    async with open_storage(DatabaseOptions(None, Path(sys.argv[1]), sys.argv[2])) as storage:
        try:
            async with storage.runs.begin(sys.argv[3]):
                print("began", flush=True)
                await asyncio.to_thread(sys.stdin.read)
        except KbError as error:
            print(type(error).__name__, error.what, flush=True)

asyncio.run(main())
"""


@asynccontextmanager
async def another_process(
    data_dir: Path, database: str, source: str
) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """A process that tries to begin a run and holds it; gives what it says of that."""
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        CHILD,
        str(data_dir),
        database,
        source,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert child.stdout is not None
    try:
        yield child, (await child.stdout.readline()).decode().strip()
    finally:
        if child.returncode is None:
            child.kill()
        await child.wait()


async def test_a_run_is_recorded_with_its_report(storage: Storage) -> None:
    async with storage.runs.begin("docs") as run_id:
        (running,) = await storage.runs.latest()
        assert (running.run_id, running.source, running.state, running.finished_at) == (run_id, "docs", "running", None)
        await storage.runs.finish(run_id, "done", {"added": 3, "failed": [["a", "why"]]})
    run = await storage.runs.get(run_id)
    assert (run.state, run.report) == ("done", {"added": 3, "failed": [["a", "why"]]})
    assert run.finished_at is not None
    assert run.finished_at >= run.started_at


async def test_the_latest_runs_come_first(storage: Storage) -> None:
    ids = []
    for number in range(4):
        async with storage.runs.begin(f"source{number}") as run_id:
            ids.append(run_id)
            await storage.runs.finish(run_id, "failed", {})
    assert [run.run_id for run in await storage.runs.latest(3)] == ids[:0:-1]


async def test_there_is_no_run_of_an_unused_number(storage: Storage) -> None:
    with pytest.raises(Refused, match="no run 77"):
        await storage.runs.get(77)


async def test_one_process_may_index_a_source_again_and_again(storage: Storage) -> None:
    for _ in range(12):
        async with storage.runs.begin("docs") as run_id:
            await storage.runs.finish(run_id, "done", {})
    assert {run.state for run in await storage.runs.latest()} == {"done"}


async def test_a_run_that_fails_lets_the_next_one_begin(storage: Storage) -> None:
    for _ in range(3):
        with pytest.raises(RuntimeError, match="broken"):
            async with storage.runs.begin("docs"):
                raise RuntimeError("broken")
    async with storage.runs.begin("docs"):
        pass


async def test_a_cancelled_run_lets_the_next_one_begin(storage: Storage) -> None:
    begun = asyncio.Event()

    async def work() -> None:
        async with storage.runs.begin("docs"):
            begun.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(work())
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with storage.runs.begin("docs"):
        pass


async def test_two_runs_of_one_source_exclude_each_other_and_of_two_do_not(storage: Storage) -> None:
    async with storage.runs.begin("docs"), storage.runs.begin("wiki"):
        with pytest.raises(Transient, match="docs is being indexed"):
            async with storage.runs.begin("docs"):
                pytest.fail("two at once")


async def test_permissions_are_read_beside_all_else_by_one(storage: Storage) -> None:
    async with storage.runs.begin("docs") as content, storage.runs.begin("docs", "permissions") as rights:
        with pytest.raises(Transient, match="permissions of docs are being read"):
            async with storage.runs.begin("docs", "permissions"):
                pytest.fail("two at once")
        for kind in ("part", "hint"):
            with pytest.raises(Transient, match="docs is being indexed"):
                async with storage.runs.begin("docs", kind):
                    pytest.fail("two at once")
        assert [(await storage.runs.get(each)).state for each in (content, rights)] == ["running", "running"]
    async with storage.runs.begin("docs", "hint"):
        states = {(run.kind, run.state) for run in await storage.runs.latest()}
    assert states == {("content", "interrupted"), ("permissions", "running"), ("hint", "running")}


async def test_those_who_hold_a_source_keep_no_connection_from_the_work(
    storage: Storage, data_dir: Path, database: str
) -> None:
    async with open_storage(DatabaseOptions(None, data_dir, database, pool_size=1, connect_seconds=2.0)) as small:
        reading, begin = small.access_writer(timedelta(hours=1)).acl_read_lock, small.runs.begin
        async with begin("docs"), reading("docs"), begin("docs", "permissions"), begin("wiki") as run_id:
            assert (await small.runs.get(run_id)).state == "running"


async def test_old_runs_go_apart_from_the_last_ones(storage: Storage) -> None:
    for kind in ("content", "hint", "hint", "permissions", "hint"):
        async with storage.runs.begin("docs", kind) as run_id:
            await storage.runs.finish(run_id, "done", {})
    assert [run.kind for run in await storage.runs.latest(kinds=["content", "permissions"])] == [
        "permissions",
        "content",
    ]
    assert await storage.runs.prune(before=datetime.now(UTC) - timedelta(hours=1)) == 0
    now = datetime.now(UTC) + timedelta(hours=1)
    assert await storage.runs.prune(before=now, kinds=["content"]) == 0
    assert await storage.runs.prune(before=now) == 2
    assert [run.kind for run in await storage.runs.latest()] == ["hint", "permissions", "content"]


async def test_another_process_is_refused_while_this_one_runs(storage: Storage, data_dir: Path, database: str) -> None:
    async with storage.runs.begin("docs") as run_id:
        async with another_process(data_dir, database, "docs") as (_, said):
            assert said == "SourceBusy The source docs is being indexed by another process"
        assert (await storage.runs.get(run_id)).state == "running"


async def test_what_a_killed_process_left_is_closed_as_interrupted(
    storage: Storage, data_dir: Path, database: str
) -> None:
    async with another_process(data_dir, database, "docs") as (child, said):
        assert said == "began"
        with pytest.raises(Transient):
            async with storage.runs.begin("docs"):
                pytest.fail("two at once")
        (left,) = await storage.runs.latest()
        assert left.state == "running"
        child.kill()
        await child.wait()
        async with asyncio.timeout(20):
            while True:  # the server notices a moment later that its client is gone
                try:
                    async with storage.runs.begin("docs") as run_id:
                        break
                except Transient:
                    await asyncio.sleep(0.05)
    closed = await storage.runs.get(left.run_id)
    assert closed.state == "interrupted"
    assert closed.finished_at is not None
    assert run_id != left.run_id


async def test_a_run_of_another_source_is_not_closed(storage: Storage) -> None:
    async with storage.runs.begin("wiki") as wiki, storage.runs.begin("docs"):
        assert (await storage.runs.get(wiki)).state == "running"


async def test_runs_of_killed_processes_are_closed_and_no_others(
    storage: Storage, data_dir: Path, database: str
) -> None:
    async with (
        storage.runs.begin("wiki") as content,
        storage.runs.begin("docs", "permissions") as rights,
        another_process(data_dir, database, "docs") as (child, said),
    ):
        assert said == "began"
        assert await storage.runs.close_lost() == 0
        child.kill()
        await child.wait()
        async with asyncio.timeout(20):
            while not await storage.runs.close_lost():  # noqa: ASYNC110 - the server notices a moment later
                await asyncio.sleep(0.05)
        assert {(run.source, run.kind, run.state) for run in await storage.runs.latest()} == {
            ("wiki", "content", "running"),
            ("docs", "permissions", "running"),
            ("docs", "content", "interrupted"),
        }
        for run_id in (content, rights):
            await storage.runs.finish(run_id, "done", {})
    assert await storage.runs.close_lost() == 0
    assert {run.reason for run in await storage.runs.latest() if run.state == "interrupted"} == {LOST}


async def test_a_source_that_is_removed_leaves_no_run_open(storage: Storage) -> None:
    await storage.sources.add(Source("docs", "files", {}))
    async with storage.runs.begin("docs", "permissions"), storage.runs.begin("docs"), storage.runs.begin("wiki"):
        pass
    await storage.sources.remove("docs")
    states = {(run.source, run.kind, run.state) for run in await storage.runs.latest()}
    assert states == {
        ("docs", "content", "interrupted"),
        ("docs", "permissions", "interrupted"),
        ("wiki", "content", "running"),
    }
