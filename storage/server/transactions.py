"""Transactions over SQLAlchemy: for what writes many rows. Searches, conversations and jobs use storage.server.pool."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from storage.server.engine import AsyncConnection, Engine
from storage.server.errors import translated


@asynccontextmanager
async def transaction(engine: Engine) -> AsyncIterator[AsyncConnection]:
    """A connection in a transaction, which is committed at the end. Errors of the database become KbErrors."""
    with translated():
        async with engine.begin() as connection:
            yield connection
