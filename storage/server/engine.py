"""SQLAlchemy, for whoever changes something. It is imported when its first connection is asked for: that takes as long
as all the rest of a command that only reads, and such a command uses the driver alone (storage.server.pool)."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import TYPE_CHECKING, Any

from psycopg import AsyncConnection as DriverConnection

from storage.server.connections import server_keepalive

if TYPE_CHECKING:
    from sqlalchemy import TextClause
    from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
else:
    AsyncConnection = object  # annotations name it where the library is not imported

__all__ = ["AsyncConnection", "Engine", "pooled_engine", "sessions_engine", "text"]


class Engine:
    """Connections of SQLAlchemy to one database. make: makes the library's own engine, once."""

    def __init__(self, make: "Callable[[], AsyncEngine]") -> None:
        self._make = make
        self._made: AsyncEngine | None = None

    def connect(self) -> AsyncConnection:
        """See sqlalchemy.ext.asyncio.AsyncEngine."""
        return self._engine().connect()

    def begin(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """See sqlalchemy.ext.asyncio.AsyncEngine."""
        return self._engine().begin()

    def in_autocommit(self) -> "Engine":
        """The same connections, each statement a transaction of its own."""
        return Engine(lambda: self._engine().execution_options(isolation_level="AUTOCOMMIT"))

    async def dispose(self) -> None:
        """Closes what is open."""
        if self._made is not None:
            await self._made.dispose()

    def _engine(self) -> "AsyncEngine":
        if self._made is None:
            self._made = self._make()
        return self._made


def pooled_engine(
    conninfo: str, arguments: dict[str, Any], *, size: int, seconds: float, pooled: bool = False
) -> Engine:
    """One that keeps up to `size` connections, which know pgvector's types, and opens as many more while they are
    needed. arguments: of a connection. seconds: how long to wait for one. pooled: whether they lead through a pooler
    that lends by the transaction."""

    def make() -> "AsyncEngine":
        from pgvector.psycopg import register_vector_async
        from sqlalchemy import event

        engine = _engine(conninfo, arguments, pool_size=size, max_overflow=size, pool_timeout=seconds)

        @event.listens_for(engine.sync_engine, "connect")
        def register(connection: object, _record: object) -> None:
            connection.run_async(register_vector_async)  # type: ignore[attr-defined] # SQLAlchemy's async adapter
            if not pooled:
                connection.run_async(_find_lost_clients)  # type: ignore[attr-defined] # as above

        return engine

    return Engine(make)


def sessions_engine(conninfo: str, arguments: dict[str, Any]) -> Engine:
    """One whose connections are opened anew each, not through a pooler that lends by the transaction: they hold locks
    for a whole run. arguments: of a connection."""

    def make() -> "AsyncEngine":
        from sqlalchemy import NullPool, event

        engine = _engine(conninfo, arguments, poolclass=NullPool)

        @event.listens_for(engine.sync_engine, "connect")
        def limit(connection: object, _record: object) -> None:
            connection.run_async(_find_lost_clients)  # type: ignore[attr-defined] # SQLAlchemy's async adapter

        return engine

    return Engine(make)


async def _find_lost_clients(connection: DriverConnection[Any]) -> None:
    await connection.execute(server_keepalive())
    await connection.commit()


def _engine(conninfo: str, arguments: dict[str, Any], **pool: Any) -> "AsyncEngine":
    from sqlalchemy.ext.asyncio import create_async_engine

    way = partial(DriverConnection.connect, conninfo, **arguments)
    return create_async_engine(
        "postgresql+psycopg://", async_creator=way, pool_pre_ping=True, hide_parameters=True, **pool
    )


def text(statement: str) -> "TextClause":
    """See sqlalchemy.text."""
    from sqlalchemy import text as statement_of

    return statement_of(statement)
