"""What holds for the driver's own connections: the limits of each, and what is different through a pooler."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Self

from psycopg import AsyncConnection, AsyncCursor, AsyncTransaction
from psycopg.abc import Params
from psycopg.conninfo import make_conninfo
from psycopg.rows import Row
from sqlalchemy import URL
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

STUCK = 5
"""Seconds after which a session that does nothing within a transaction is ended by the server, and after which a lock
is not waited for any longer: one process that hangs must not make all others wait."""

UNPREPARED = {"prepare_threshold": None}
"""How a driver's connection is opened that prepares no statement, also none that asks for it."""


def conninfo(url: URL) -> str:
    """A URL for the driver itself. SQLAlchemy writes a space within its query as a plus, which libpq takes for one."""
    _, given = PGDialect_psycopg().create_connect_args(url)
    return make_conninfo(**given)


def limits(*, local: bool) -> bytes:
    """The statement that sets the limits: for a transaction, or for the session."""
    names = ("idle_in_transaction_session_timeout", "lock_timeout")
    settings = [f"set_config('{name}', '{STUCK}s', {str(local).lower()})" for name in names]
    return f"SELECT {', '.join(settings)}".encode()


class PooledConnection(AsyncConnection[Any]):
    """A connection through a pooler that lends one to the server for each transaction. It limits
    every transaction by itself: what a session is told would reach others. To be opened UNPREPARED."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.cursor_factory = _PooledCursor
        self.limited = False

    @asynccontextmanager
    async def transaction(
        self, savepoint_name: str | None = None, force_rollback: bool = False
    ) -> AsyncIterator[AsyncTransaction]:
        """See psycopg.AsyncConnection."""
        async with super().transaction(savepoint_name, force_rollback) as transaction:
            if self.limited:
                yield transaction
                return
            self.limited = True
            try:
                await self.execute(limits(local=True))
                yield transaction
            finally:
                self.limited = False


class _PooledCursor(AsyncCursor[Row]):
    """Makes a transaction of a statement that is none's part; in one round trip, as it were one statement."""

    async def execute(
        self, query: Any, params: Params | None = None, *, prepare: bool | None = None, binary: bool | None = None
    ) -> Self:
        """See psycopg.AsyncCursor."""
        connection = self.connection
        assert isinstance(connection, PooledConnection)  # noqa: S101 - which alone makes such cursors
        if connection.limited or connection.pgconn.pipeline_status:
            return await super().execute(query, params, prepare=prepare, binary=binary)
        async with connection.pipeline(), connection.transaction():
            return await super().execute(query, params, prepare=prepare, binary=binary)
