"""Connections of the driver psycopg: their time limits, and what is different through a pooler."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Self

from psycopg import AsyncConnection, AsyncCursor, AsyncTransaction
from psycopg.abc import Params
from psycopg.conninfo import make_conninfo
from psycopg.pq import TransactionStatus
from psycopg.rows import Row
from sqlalchemy import URL
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

STUCK = 5
"""The server ends a session that is idle in a transaction for so many seconds, and nobody waits longer for a lock: one
process that hangs must not stop all others."""

UNPREPARED = {"prepare_threshold": None}
"""Arguments of a connection that never prepares a statement."""


def conninfo(url: URL) -> str:
    """A URL for the driver itself. SQLAlchemy writes a space within its query as a plus, which libpq takes for one."""
    dialect = PGDialect_psycopg()  # type: ignore[no-untyped-call] # SQLAlchemy's
    _, given = dialect.create_connect_args(url)  # type: ignore[no-untyped-call]
    return make_conninfo(**given)


def session_limits(*, local: bool) -> bytes:
    """The statement that sets the time limits. local: for the transaction; else for the session."""
    names = ("idle_in_transaction_session_timeout", "lock_timeout")
    settings = [f"set_config('{name}', '{STUCK}s', {str(local).lower()})" for name in names]
    return f"SELECT {', '.join(settings)}".encode()


class PooledCursor(AsyncCursor[Row]):
    """Sends the time limits along with every statement outside of a transaction; the two are one transaction."""

    async def execute(
        self, query: Any, params: Params | None = None, *, prepare: bool | None = None, binary: bool | None = None
    ) -> Self:
        """See psycopg.AsyncCursor."""
        pgconn = self.connection.pgconn
        if pgconn.transaction_status != TransactionStatus.IDLE or pgconn.pipeline_status:
            return await super().execute(query, params, prepare=prepare, binary=binary)
        async with self.connection.pipeline():
            await AsyncCursor(self.connection).execute(session_limits(local=True))
            return await super().execute(query, params, prepare=prepare, binary=binary)


class PooledConnection(AsyncConnection[Any]):
    """A connection through a pooler that lends server connections by the transaction. It sets the time limits in every
    transaction: settings of a session would reach other clients. Opened with THROUGH_POOLER."""

    @asynccontextmanager
    async def transaction(
        self, savepoint_name: str | None = None, force_rollback: bool = False
    ) -> AsyncIterator[AsyncTransaction]:
        """See psycopg.AsyncConnection."""
        outermost = self.pgconn.transaction_status == TransactionStatus.IDLE
        async with super().transaction(savepoint_name, force_rollback) as transaction:
            if outermost:
                await AsyncCursor(self).execute(session_limits(local=True))
            yield transaction


THROUGH_POOLER = {**UNPREPARED, "cursor_factory": PooledCursor}
"""Arguments of a PooledConnection."""
