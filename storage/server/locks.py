"""Locks: advisory ones of a session, which go with the process that holds them, however it ends; and a source's row."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from storage.server.engine import Engine, text
from storage.server.errors import translated

LOCK_SOURCE = "SELECT source_no FROM sources WHERE name = :source FOR NO KEY UPDATE"
"""Held to the end of a transaction that changes many documents of a source: two of these would else wait for each
other's rows."""

_LOCK = "SELECT pg_try_advisory_lock(hashtextextended('kb-agent/' || :name, 0))"
HELD = """EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (classid::bigint << 32 | objid::bigint) = hashtextextended('kb-agent/' || {}, 0))"""
"""Whether anybody holds the lock whose name that SQL expression gives; looked at while the statement runs."""

_UNLOCK = "SELECT pg_advisory_unlock(hashtextextended('kb-agent/' || :name, 0))"


RETRY_SECONDS = 0.2
"""Between two attempts to get a lock that another process has."""


@asynccontextmanager
async def session_lock(engine: Engine, name: str, *, wait: bool = False) -> AsyncIterator[bool]:
    """Holds the lock of that name, in a session without an open transaction. Gives False when another process has it;
    with `wait`, waits until it is free. engine: `sessions` of storage.server.database.Database."""
    from sqlalchemy.exc import SQLAlchemyError

    with translated():
        async with engine.connect() as connection:
            await connection.execution_options(isolation_level="AUTOCOMMIT")
            lock = (text(_LOCK), {"name": name})
            while not (locked := (await connection.execute(*lock)).scalar_one()) and wait:  # noqa: ASYNC110 - of another process
                await asyncio.sleep(RETRY_SECONDS)
            try:
                yield locked
            finally:
                if locked:
                    with suppress(SQLAlchemyError):  # a connection that broke has lost it already
                        await connection.execute(text(_UNLOCK), {"name": name})
