"""What the driver's own connections keep in a session: nothing where they lead through a pooler."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from domain.errors import Bug, KbError
from storage.server.database import service_conninfo
from storage.server.pool import Connection, ConnectionPool, fetch_prepared, open_pool
from tests.command import database_url

_LIMITS = (
    b"SELECT current_setting('lock_timeout'), current_setting('idle_in_transaction_session_timeout'),"
    b" current_setting('transaction_timeout')"
)
_PREPARED = b"SELECT count(*) FROM pg_prepared_statements"
_PLANS = b"SHOW plan_cache_mode"


@pytest.fixture
def url(data_dir: Path, database: str) -> str:
    return database_url(data_dir, database)


@pytest.fixture
async def pooled(url: str) -> AsyncIterator[ConnectionPool]:
    """Opened as for a pooler, over a server that shows what its session keeps."""
    async with open_pool(url, size=1, connect_seconds=5, pooled=True) as pool:
        yield pool


@pytest.fixture
async def direct(url: str) -> AsyncIterator[ConnectionPool]:
    async with open_pool(url, size=1, connect_seconds=5) as pool:
        yield pool


async def value(connection: Connection, statement: bytes, *, binary: bool = False) -> Any:
    row = await (await connection.execute(statement, binary=binary)).fetchone()
    return row if row is None or len(row) > 1 else row[0]


async def asked_often(connection: Connection) -> Any:
    """How many statements are prepared after one was run many times."""
    for _ in range(10):
        await connection.execute("SELECT %s::int", [1])
        await connection.execute("SELECT %s::text", ["a"], prepare=True)
    return await value(connection, _PREPARED)


async def test_nothing_is_prepared_through_a_pooler(pooled: ConnectionPool, direct: ConnectionPool) -> None:
    assert await pooled.run(asked_often) == 0
    assert await direct.run(asked_often) >= 2


async def test_a_statement_that_is_planned_once_leaves_the_session_as_it_was(
    pooled: ConnectionPool, direct: ConnectionPool
) -> None:
    statement, plans = b"SELECT %(a)s::int + 1", b"SELECT generic_plans FROM pg_prepared_statements"
    plans += b" WHERE statement LIKE '%% + 1'"

    async def work(connection: Connection) -> list[object]:
        connection.allow([1])
        with connection.planned_once():
            with connection.planned_once():
                pass
            found: list[object] = [(await fetch_prepared(connection, statement, {"a": a}))[0][0] for a in range(3)]
            within = await value(connection, _PLANS)
        rows = await (await connection.execute(plans, {})).fetchall()
        return [*found, rows, within, await value(connection, _PLANS)]

    assert await direct.run(work) == [1, 2, 3, [(3,)], "force_generic_plan", "auto"]
    assert await pooled.run(work) == [1, 2, 3, [], "auto", "auto"]


async def test_every_statement_has_limits_and_leaves_none(
    pooled: ConnectionPool, direct: ConnectionPool, url: str
) -> None:
    async def within(connection: Connection) -> list[object]:
        found = [await value(connection, _LIMITS)]
        async with connection.transaction():
            found.append(await value(connection, _LIMITS))
            async with connection.transaction():
                found.append(await value(connection, _LIMITS))
            found.append(await value(connection, _LIMITS))
        async with connection.pipeline(), connection.transaction():
            found.append(await value(connection, _LIMITS))
        return found

    async def left(connection: Connection) -> object:
        async with psycopg.AsyncConnection.transaction(connection):  # as it is, without limits of ours
            cursor = await psycopg.AsyncCursor(connection).execute(_LIMITS)
            return await cursor.fetchone()

    for pool in (pooled, direct):
        assert await pool.run(within) == [("5s", "5s", "1min")] * 5
    assert await pooled.run(left) == ("0", "0", "0")


async def test_a_client_that_is_gone_in_the_middle_of_a_pipeline_keeps_no_locks(
    pooled: ConnectionPool, direct: ConnectionPool
) -> None:
    """Its session is active, not idle: it waits for the end of the pipeline."""
    lock = b"SELECT pg_advisory_xact_lock(4711)"

    async def hang(connection: Connection) -> None:
        await connection.execute(b"SET transaction_timeout = '300ms'")
        raw = connection.pgconn
        raw.enter_pipeline_mode()
        raw.send_query_params(lock, [])
        raw.send_flush_request()
        raw.flush()
        await pooled.run(lambda other: other.execute(lock))
        raw.exit_pipeline_mode()

    async with asyncio.timeout(30):
        with pytest.raises(KbError):
            await direct.run(hang)


async def test_where_all_connections_were_lost_the_second_try_gets_a_new_one(url: str) -> None:
    together = asyncio.Barrier(3)

    async def work(connection: Connection) -> Any:
        pid = await value(connection, b"SELECT pg_backend_pid()")
        if not lost:
            await together.wait()  # so that each has a connection of its own
        return pid

    lost: list[Any] = []
    async with open_pool(url, size=3, connect_seconds=5) as pool:
        lost += await asyncio.gather(*(pool.run(work) for _ in range(3)))
        async with await psycopg.AsyncConnection.connect(url, autocommit=True) as other:
            for pid in lost:
                await other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
        assert await pool.run(work) not in lost


async def test_what_a_statement_says_is_the_same(pooled: ConnectionPool) -> None:
    """Rows, counts and errors, alone and within a transaction; the connection goes on after an error."""

    async def work(connection: Connection) -> None:
        await connection.execute("CREATE TABLE t (n int PRIMARY KEY)")
        assert (await connection.execute("INSERT INTO t SELECT generate_series(1, %s)", [3])).rowcount == 3
        with pytest.raises(psycopg.errors.UniqueViolation):
            await connection.execute("INSERT INTO t VALUES (%s)", [2])
        with pytest.raises(psycopg.errors.UndefinedTable):
            await connection.execute("SELECT * FROM nowhere")
        async with connection.cursor(row_factory=psycopg.rows.namedtuple_row) as cursor:
            await cursor.execute("SELECT n AS number FROM t ORDER BY n")
            found: list[Any] = await cursor.fetchall()
            assert [row.number for row in found] == [1, 2, 3]
        with pytest.raises(psycopg.errors.UniqueViolation):
            await _removed_and_added(connection)
        assert await value(connection, b"SELECT count(*) FROM t", binary=True) == 3

    await pooled.run(work)


async def _removed_and_added(connection: Connection) -> None:
    async with connection.transaction():
        await connection.execute("DELETE FROM t WHERE n = 1")
        await connection.execute("INSERT INTO t VALUES (2)")


async def test_one_that_is_cancelled_leaves_its_connection_of_use(pooled: ConnectionPool) -> None:
    async def long(connection: Connection) -> None:
        await connection.execute("SELECT pg_sleep(60)")

    task = asyncio.create_task(pooled.run(long))
    await asyncio.sleep(0.2)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await pooled.run(lambda connection: value(connection, b"SELECT 7")) == 7


async def test_a_wrong_statement_is_our_fault_as_ever(pooled: ConnectionPool) -> None:
    with pytest.raises(Bug):
        await pooled.run(lambda connection: value(connection, b"SELEC 1"))


@pytest.mark.parametrize(
    "given",
    [
        "postgresql+psycopg://kb:p%40%2F%20w@db.example:6432/kb?sslmode=require&options=-c%20geqo%3Doff",
        "postgresql://postgres@/kb?host=/run/a%20folder",
        "postgres://kb:p%40%2F%20w@db.example:6432/kb?sslmode=require",
    ],
)
def test_a_url_says_the_same_to_the_driver(given: str) -> None:
    plain = given.replace("+psycopg", "")
    assert conninfo_to_dict(service_conninfo(given, "SETTING")) == conninfo_to_dict(plain)
