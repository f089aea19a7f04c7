"""A worker whose database goes away, for a moment or for longer, or that others take for dead."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from domain.errors import Misconfigured, Transient
from storage.open import Storage
from storage.server.embedded import EmbeddedServer
from tests.fakes.worker import PATIENCE, POLL, WOKEN, Doing, options, working
from tests.unit.storage.rows import change, rows

pytestmark = pytest.mark.faults

TERMINATE = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{0}' AND pid <> pg_backend_pid()"
OPEN = 'ALTER DATABASE "{0}" ALLOW_CONNECTIONS {1}'

Server = Callable[[str], None]


@pytest.fixture
def server(data_dir: Path, database: str) -> Iterator[Server]:
    """Runs a statement beside the test's database, whose name it may hold as {0}."""
    with psycopg.connect(host=str(EmbeddedServer(data_dir).cluster), user="postgres", autocommit=True) as connection:

        def run(statement: str) -> None:
            connection.execute(statement.format(database).encode())

        yield run
        run(OPEN.format("{0}", True))


async def put(storage: Storage, name: str, lock_key: str = "") -> None:
    assert await storage.job_queue().put(
        "do", {"name": name}, queue="slack", lock_key=lock_key or name, unique_key=name
    )


async def test_a_worker_goes_on_when_all_its_connections_are_lost(storage: Storage, server: Server) -> None:
    doing = Doing("held")
    async with working(storage.job_queue(), {"do": doing}, options()) as worker:
        await put(storage, "held", lock_key="lane")
        await put(storage, "next", lock_key="lane")
        await doing.until_began("held")
        for name in ("a", "b", "c"):
            server(TERMINATE)
            await put(storage, name)
            await doing.until_ended(name)
        server(TERMINATE)
        doing.let_go("held")
        await doing.until_ended("next")
        await put(storage, "last")
        await doing.until_ended("last")
        assert not worker.done()
    assert doing.began == ["held", "a", "b", "c", "next", "last"]
    assert await rows(storage, "SELECT FROM procrastinate_jobs") == []


async def test_it_is_woken_again_after_it_lost_the_connection_it_listens_on(storage: Storage, server: Server) -> None:
    doing = Doing()
    async with working(storage.job_queue(), {"do": doing}, options(poll=POLL)):
        await put(storage, "first")
        await doing.until_ended("first")
        server(TERMINATE)
        await until_listening(storage)
        await put(storage, "second")
        await doing.until_ended("second", within=WOKEN)


async def until_listening(storage: Storage) -> None:
    """Returns when a worker listens."""
    query = "SELECT FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()"
    async with asyncio.timeout(PATIENCE):
        while not await rows(storage, query):
            await change(storage, "SELECT pg_sleep(0.02)")


@pytest.mark.everyday
async def test_a_short_absence_is_sat_out(storage: Storage, server: Server) -> None:
    doing = Doing("held")
    async with working(storage.job_queue(), {"do": doing}, options(lost=30)) as worker:
        await put(storage, "held", lock_key="lane")
        await put(storage, "next", lock_key="lane")
        await doing.until_began("held")
        server(OPEN.format("{0}", False))
        server(TERMINATE)
        doing.let_go("held")
        await doing.until_ended("held")
        await asyncio.wait({worker}, timeout=0.5)
        assert not worker.done()
        server(OPEN.format("{0}", True))
        await doing.until_ended("next")
    assert doing.began == ["held", "next"]
    assert await rows(storage, "SELECT FROM procrastinate_jobs") == []


async def test_a_long_one_ends_the_worker_and_it_may_start_again(storage: Storage, server: Server) -> None:
    doing, other = Doing("held"), Doing()
    await put(storage, "held")
    async with working(storage.job_queue(), {"do": doing}, options(lost=0.5, grace=0.1)) as worker:
        await doing.until_began("held")
        server(OPEN.format("{0}", False))
        server(TERMINATE)
        await asyncio.wait({worker}, timeout=PATIENCE)
        with pytest.raises(Transient):
            worker.result()
    assert doing.ended == []
    with pytest.raises(Transient):
        await asyncio.wait_for(storage.job_queue().run_worker({"do": other}, options()), PATIENCE)
    server(OPEN.format("{0}", True))
    async with working(storage.job_queue(), {"do": other}, options(lost=0.5)):
        await other.until_ended("held")


async def test_one_that_is_stopped_while_the_database_is_away_ends(storage: Storage, server: Server) -> None:
    doing = Doing("held")
    await put(storage, "held")
    async with working(storage.job_queue(), {"do": doing}, options(lost=1, grace=0.1)) as worker:
        await doing.until_began("held")
        server(OPEN.format("{0}", False))
        server(TERMINATE)
        worker.cancel()
        await asyncio.wait({worker}, timeout=PATIENCE)
        assert worker.cancelled()
    server(OPEN.format("{0}", True))


@pytest.mark.everyday
async def test_one_that_was_taken_for_dead_ends_and_leaves_the_job_to_others(storage: Storage) -> None:
    doing, other = Doing("held"), Doing("held")
    await put(storage, "held")
    async with working(storage.job_queue(), {"do": doing}, options()) as worker:
        await doing.until_began("held")
        await change(storage, "DELETE FROM procrastinate_workers")
        async with working(storage.job_queue(), {"do": other}, options()):
            await other.until_began("held")
            doing.let_go("held")
            await asyncio.wait({worker}, timeout=PATIENCE)
            with pytest.raises(Transient, match="taken for dead"):
                worker.result()
            running = await rows(storage, "SELECT FROM procrastinate_jobs WHERE status = 'doing'")
            assert len(running) == 1, "what the first one says of a job that is not its own any more has no effect"
            other.let_go("held")
            await other.until_ended("held")


async def test_a_job_that_was_got_without_the_answer_arriving_is_done(storage: Storage) -> None:
    doing = Doing()
    async with working(storage.job_queue(), {"do": doing}, options()):
        await put(storage, "first")
        await doing.until_ended("first")
        got = """
        INSERT INTO procrastinate_jobs (queue_name, task_name, lock, queueing_lock, args, status, worker_id)
        SELECT 'slack', 'do', 'a', 'a', '{"name": "a"}', 'doing', id FROM procrastinate_workers
        """
        await change(storage, got.replace(":", "\\:"))
        await doing.until_ended("a")


async def test_signs_of_life_go_on_while_the_last_jobs_are_waited_for(storage: Storage) -> None:
    doing, other = Doing("held"), Doing()
    await put(storage, "held")
    async with working(storage.job_queue(), {"do": doing}, options(lost=0.5)) as worker:
        await doing.until_began("held")
        async with working(storage.job_queue(), {"do": other}, options(lost=0.5)):
            worker.cancel()
            await asyncio.wait({worker}, timeout=1.5)
            assert not worker.done()
            assert other.began == []
            doing.let_go("held")
            await asyncio.wait({worker}, timeout=PATIENCE)
            assert worker.cancelled()
        assert other.began == []


@pytest.mark.everyday
async def test_a_schema_that_does_not_fit_is_said_so(storage: Storage) -> None:
    await change(storage, "DROP TABLE procrastinate_workers CASCADE")
    with pytest.raises(Misconfigured, match="schema"):
        await asyncio.wait_for(storage.job_queue().run_worker({"do": Doing()}, options()), PATIENCE)
