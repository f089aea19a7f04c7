"""Locks: advisory ones of a session, which go with the process that holds them, however it ends; and a source's row."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

LOCK_SOURCE = text("SELECT source_no FROM sources WHERE name = :source FOR NO KEY UPDATE")
"""Held to the end of a transaction that changes many documents of a source: two of these would else wait for each
other's rows."""

_LOCK = text("SELECT pg_try_advisory_lock(hashtextextended('kb-agent/' || :name, 0))")
_UNLOCK = text("SELECT pg_advisory_unlock(hashtextextended('kb-agent/' || :name, 0))")


@asynccontextmanager
async def lock_session(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """A connection to hold locks with: none of its transactions stays open meanwhile. engine: `sessions` of
    storage.server.database.Database."""
    async with engine.connect() as connection:
        await connection.execution_options(isolation_level="AUTOCOMMIT")
        yield connection


async def try_lock(connection: AsyncConnection, name: str) -> bool:
    """Takes the lock of that name for the connection's session; False when another one has it."""
    return bool((await connection.execute(_LOCK, {"name": name})).scalar_one())


async def unlock(connection: AsyncConnection, name: str) -> None:
    """Gives it back. A connection that broke has lost it already."""
    with suppress(SQLAlchemyError):
        await connection.execute(_UNLOCK, {"name": name})
