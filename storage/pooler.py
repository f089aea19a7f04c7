"""A pooler between us and PostgreSQL, such as PgBouncer, that lends a connection to the server for one transaction.

What a session keeps is lost there: prepared statements, LISTEN, advisory locks of a session, what SET says. Whoever
comes through such a pooler does without them (storage.readers.PooledConnection), or goes to the server directly.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import psycopg
from psycopg import AsyncConnection
from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import AsyncConnection as EngineConnection

from domain.errors import Misconfigured
from storage.faults import DATABASE_URL, DIRECT_URL, translated

ROUNDS = 3
"""How often two clients are asked in turn which server process serves them."""

_PROCESS = b"SELECT pg_backend_pid()"


async def through_pooler(connection: EngineConnection) -> bool:
    """Whether anything between us and the server speaks for it: its greeting named another process than the one that
    serves us."""
    raw = await connection.get_raw_connection()
    greeted: int = raw.driver_connection.info.backend_pid  # type: ignore[union-attr] # psycopg's
    return bool(greeted != (await connection.execute(text(_PROCESS.decode()))).scalar_one())


async def lends_by_transaction(url: URL, connect_seconds: float) -> bool:
    """Whether two clients that come by this address, both connected, are served by the same process, or one of them by
    several: nobody else would do that. Asks twice in a row, so that also poolers which go around are found out; nothing
    is held meanwhile, so that one with a single connection to the server does not make us wait."""
    async with _connection(url, connect_seconds) as one, _connection(url, connect_seconds) as other:
        first = await _process(one)
        for _ in range(ROUNDS):
            if await _process(one) != first or await _process(other) == first:
                return True
    return False


async def refuse_by_transaction(connection: EngineConnection, url: URL, connect_seconds: float, setting: str) -> None:
    """Raises Misconfigured when a connection that must keep its session comes through such a pooler. url: where it
    leads to; setting: which one names that."""
    if not (await through_pooler(connection) and await lends_by_transaction(url, connect_seconds)):
        return
    if setting == DIRECT_URL:
        step = "Name the PostgreSQL server itself in it, or a pool in session mode."
    else:
        step = f"Set {DIRECT_URL} to the same database without the pooler, and keep {setting}: both are used then."
    raise Misconfigured(
        f"{setting} leads through a pooler that lends connections by the transaction",
        why="LISTEN, locks of a session and prepared statements would not outlast their transaction there.",
        next_step=f"{step} docs/deployment.md says more, under PgBouncer.",
    )


async def require_same_database(pooled: EngineConnection, direct: EngineConnection) -> None:
    """Raises Misconfigured when the two are not connected to one database: a lock that one takes has to be in the
    other's way."""
    key = (await direct.execute(text("SELECT (random() * 9007199254740991)::bigint"))).scalar_one()
    await direct.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": key})
    if (await pooled.execute(text("SELECT pg_try_advisory_xact_lock(:key)"), {"key": key})).scalar_one():
        raise Misconfigured(
            f"{DIRECT_URL} leads to another database than {DATABASE_URL}",
            why="A lock that is taken by the one way is not seen by the other.",
            next_step="Name the same database in both: once through the pooler, once at the server itself.",
        )


@asynccontextmanager
async def _connection(url: URL, connect_seconds: float) -> AsyncIterator[AsyncConnection[Any]]:
    """A connection of the driver's own, which prepares nothing."""
    conninfo = url.set(drivername="postgresql").render_as_string(hide_password=False)
    timeout = max(2, round(connect_seconds))
    with translated():
        async with await psycopg.AsyncConnection.connect(
            conninfo, autocommit=True, prepare_threshold=None, connect_timeout=timeout
        ) as connection:
            yield connection


async def _process(connection: AsyncConnection[Any]) -> int:
    row = await (await connection.execute(_PROCESS)).fetchone()
    assert row is not None  # noqa: S101 - the statement gives one row
    number: int = row[0]
    return number
