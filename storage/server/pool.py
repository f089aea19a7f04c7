"""The pool of the driver's own connections: for searches, for conversations, jobs and the schedule.

They are in autocommit mode; who needs a transaction opens one. A statement costs a third of what it costs through
SQLAlchemy, and a search is a few of them.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import psycopg
from psycopg.errors import LockNotAvailable
from psycopg.rows import namedtuple_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from domain.cancellation import raise_lost_cancellation
from storage.server.connections import (
    AS_APP,
    THROUGH_POOLER,
    AppConnection,
    PooledConnection,
    connect_timeout,
    keepalive,
    session_limits,
)
from storage.server.errors import translated

T = TypeVar("T")
Connection = AppConnection
Values = Mapping[str, object]
"""What the places of a statement, `%(name)s`, stand for."""


async def fetch_one(connection: psycopg.AsyncConnection[Any], statement: bytes, values: Values) -> Any:
    """The only row, its columns by name; None without any."""
    async with connection.cursor(row_factory=namedtuple_row) as cursor:
        return await (await cursor.execute(statement, values)).fetchone()


async def fetch_all(connection: Connection, statement: bytes, values: Values) -> list[Any]:
    """All rows, their columns by name."""
    async with connection.cursor(row_factory=namedtuple_row) as cursor:
        return await (await cursor.execute(statement, values)).fetchall()


async def fetch_prepared(connection: Connection, statement: bytes, values: Values) -> list[tuple[Any, ...]]:
    """All rows in binary form, of a statement that is prepared at its first use."""
    return await (await connection.execute(statement, values, binary=True, prepare=True)).fetchall()


class ConnectionPool:
    """Runs work on pooled connections that know pgvector's types; a lost connection is replaced.

    pool: an open pool of connections in autocommit mode.
    """

    def __init__(self, pool: AsyncConnectionPool[Connection]) -> None:
        self._pool = pool
        self._unfinished: set[asyncio.Task[None]] = set()  # the loop itself would forget them

    async def run(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """The result of `work`, called with a connection. If the connection was lost, as when the server was restarted,
        `work` is called once more with another one.

        Raises:
            Transient: the database does not answer, or somebody holds a lock for too long.
        """
        with translated(), raise_lost_cancellation():
            try:
                async with self._connection() as connection:
                    return await work(connection)
            except (PoolTimeout, LockNotAvailable):
                raise  # it was waited for already
            except psycopg.OperationalError:
                await self._finish(self._pool.drain())  # the other connections are lost as well, or do not answer
                async with self._connection() as connection:
                    return await work(connection)

    async def fetch_one(self, statement: bytes, **values: object) -> Any:
        """The only row of a statement, its columns by name; None without any. Raises as `run` does."""
        return await self.run(lambda connection: fetch_one(connection, statement, values))

    async def fetch_all(self, statement: bytes, **values: object) -> list[Any]:
        """All rows of a statement, their columns by name. Raises as `run` does."""
        return await self.run(lambda connection: fetch_all(connection, statement, values))

    async def execute(self, statement: bytes, **values: object) -> int:
        """How many rows a statement inserted, changed or removed. Raises as `run` does."""

        async def work(connection: Connection) -> int:
            return (await connection.execute(statement, values)).rowcount

        return await self.run(work)

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Connection]:
        """A connection that goes back to the pool even if the caller is cancelled. The pool's own context manager would
        lose it then, and after a handful of cancellations there would be none left."""
        connection = await self._pool.getconn()
        try:
            async with connection:
                yield connection
        finally:
            connection.allow(())
            connection.act_for("", "")
            await self._finish(self._pool.putconn(connection))

    async def _finish(self, work: Coroutine[Any, Any, None]) -> None:
        """Completes `work` even if the caller is cancelled."""
        task = asyncio.create_task(work)
        self._unfinished.add(task)
        task.add_done_callback(self._unfinished.discard)
        await asyncio.shield(task)


@asynccontextmanager
async def open_pool(
    conninfo: str, *, size: int, connect_seconds: float, pooled: bool = False, vectors: bool = True
) -> AsyncIterator[ConnectionPool]:
    """See `driver_pool`."""
    async with driver_pool(conninfo, size, connect_seconds, pooled=pooled, vectors=vectors) as pool:
        yield ConnectionPool(pool)


@asynccontextmanager
async def driver_pool(
    conninfo: str, size: int, connect_seconds: float, *, pooled: bool, vectors: bool = True
) -> AsyncIterator[AsyncConnectionPool[Connection]]:
    """A pool of up to `size` connections to a database that has the extension. conninfo: as libpq takes it. pooled:
    whether they lead through a pooler that lends by the transaction. vectors: whether vectors are read or written."""

    async def configure(connection: Connection) -> None:
        if not pooled:  # the limits are not part of the URL, because poolers refuse them there
            await connection.execute(session_limits(local=False))
        if vectors:
            from pgvector.psycopg import register_vector_async  # brings NumPy along

            await register_vector_async(connection)

    pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
        conninfo,
        connection_class=PooledConnection if pooled else AppConnection,
        kwargs={"autocommit": True, "connect_timeout": connect_timeout(connect_seconds), **keepalive(conninfo)}
        | (THROUGH_POOLER if pooled else AS_APP),
        min_size=0,
        max_size=size,
        timeout=connect_seconds,
        reconnect_timeout=connect_seconds,
        configure=configure,
        open=False,
    )
    async with pool:
        yield pool
