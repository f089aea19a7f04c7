"""A pooler between us and PostgreSQL, such as PgBouncer, that lends a connection to the server for one transaction.

What a session keeps is lost there: prepared statements, LISTEN, advisory locks of a session, what SET says. Whoever
comes through such a pooler does without them (storage.server.connections.PooledConnection), or goes to the server
directly.
"""

from typing import Any, LiteralString

from psycopg import AsyncConnection

from domain.errors import Misconfigured
from storage.server.connections import session
from storage.server.engine import Engine, text
from storage.server.errors import DATABASE_URL, DIRECT_URL, OWNER_URL
from storage.server.pool import ConnectionPool

_SHARES = b"SELECT current_user AS role, pg_has_role(%(direct)s::name, 'USAGE') AS shares"

ROUNDS = 3
"""How often two clients are asked in turn which server process serves them."""


async def through_pooler(connection: AsyncConnection[Any]) -> bool:
    """Whether anything between us and the server speaks for it: its greeting named another process than the one that
    serves us."""
    return connection.info.backend_pid != await _process(connection)


async def lends_by_transaction(connection: AsyncConnection[Any], conninfo: str, connect_seconds: float) -> bool:
    """Whether this and another client that comes the same way, both connected, are served by one process, or this one
    by several: nobody else would do that. Asks twice in a row, so that poolers which go around are found out as well;
    holds nothing meanwhile, so that one with a single connection to the server does not make us wait."""
    first = await _process(connection)
    async with session(conninfo, connect_seconds) as other:
        for _ in range(ROUNDS):
            if await _process(connection) != first or await _process(other) == first:
                return True
    return False


async def refuse_by_transaction(
    connection: AsyncConnection[Any], conninfo: str, connect_seconds: float, setting: str
) -> None:
    """Raises Misconfigured when a connection that must keep its session comes through such a pooler. conninfo, setting:
    where it leads to, and which setting names that."""
    if not (await through_pooler(connection) and await lends_by_transaction(connection, conninfo, connect_seconds)):
        return
    if setting in {DIRECT_URL, OWNER_URL}:
        step = "Name the PostgreSQL server itself in it, or a pool in session mode."
    else:
        step = f"Set {DIRECT_URL} to the same database without the pooler, and keep {setting}: both are used then."
    raise Misconfigured(
        f"{setting} leads through a pooler that lends connections by the transaction",
        why="LISTEN, locks of a session and prepared statements would not outlast their transaction there.",
        next_step=f"{step} docs/deployment.md says more, under PgBouncer.",
    )


async def require_same_database(pooled: AsyncConnection[Any], direct: AsyncConnection[Any], setting: str) -> None:
    """Raises Misconfigured when the two are not connected to one database: a lock that one takes has to be in the
    other's way. setting: which one names where `direct` leads to."""
    key = await _number(direct, "SELECT (random() * 9007199254740991)::bigint")
    async with direct.transaction(), pooled.transaction():  # a pooler in statement mode refuses the second
        await direct.execute("SELECT pg_advisory_xact_lock(%s::bigint)", [key])
        taken = await _number(pooled, "SELECT pg_try_advisory_xact_lock(%s::bigint)::int", key)
    if taken:
        raise Misconfigured(
            f"{setting} leads to another database than {DATABASE_URL}",
            why="A lock that is taken by the one way is not seen by the other.",
            next_step="Name the same database in both.",
        )


async def direct_role_problem(pool: ConnectionPool, sessions: Engine) -> str:
    """Why what the direct connection makes is not the application's, where it comes as another role; empty where it
    is. pool: of the application. sessions: gives direct connections."""
    async with sessions.connect() as connection:
        direct = str((await connection.execute(text("SELECT current_user"))).scalar_one())
    found = await pool.fetch_one(_SHARES, direct=direct)
    if found.shares:
        return ""
    return f"{DIRECT_URL} leads to the database user {direct}, {DATABASE_URL} to {found.role}"


async def _process(connection: AsyncConnection[Any]) -> int:
    """The server's process that served a transaction of its own."""
    return await _number(connection, "SELECT pg_backend_pid()")


async def _number(connection: AsyncConnection[Any], query: LiteralString, *values: object) -> int:
    row = await (await connection.execute(query, values)).fetchone()
    return int(row[0]) if row else 0
