"""The locks without which no partition is made or dropped."""

import asyncio

from psycopg.errors import LockNotAvailable

from storage.server.engine import AsyncConnection, text

_LIMIT = "SELECT set_config('lock_timeout', :limit, true)"
_PATIENCE = "300ms"
"""Less than the second after which a server looks for deadlocks."""

_PAUSE = 0.1
"""Seconds in which those go on who waited."""

_TRIES = 150
"""About a minute: searches take a fraction of a second."""


async def hold_partitioned(connection: AsyncConnection) -> None:
    """Nobody else reads or writes the tables with partitions until the transaction ends. Searches lock them in more
    than one order, and hold one while they wait for another: so none is held while another is waited for longer. Raises
    DBAPIError after about a minute in which somebody else always had one."""
    from sqlalchemy.exc import DBAPIError

    from storage.tables import PARTITIONED

    tables = ", ".join(f"ONLY {table}" for table in PARTITIONED)
    before = (await connection.execute(text("SELECT current_setting('lock_timeout')"))).scalar_one()
    for left in reversed(range(_TRIES)):
        try:
            async with connection.begin_nested():
                await connection.execute(text(_LIMIT), {"limit": _PATIENCE})
                await connection.execute(text(f"LOCK TABLE {tables}"))
                await connection.execute(text(_LIMIT), {"limit": before})
            return
        except DBAPIError as error:
            if not left or not isinstance(error.orig, LockNotAvailable):
                raise
        await asyncio.sleep(_PAUSE)
