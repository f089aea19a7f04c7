"""What statements give on a connection of the pool: one row, all rows, or how many rows they changed."""

from collections.abc import Mapping
from typing import Any

from psycopg.rows import namedtuple_row

from storage.server.pool import Connection

Values = Mapping[str, object]
"""What the places of a statement, `%(name)s`, stand for."""


async def fetch_one(connection: Connection, statement: bytes, values: Values) -> Any:
    """The only row, its columns by name; None without any."""
    async with connection.cursor(row_factory=namedtuple_row) as cursor:
        return await (await cursor.execute(statement, values)).fetchone()


async def fetch_all(connection: Connection, statement: bytes, values: Values) -> list[Any]:
    """All rows, their columns by name."""
    async with connection.cursor(row_factory=namedtuple_row) as cursor:
        return await (await cursor.execute(statement, values)).fetchall()


async def row_count(connection: Connection, statement: bytes, values: Values) -> int:
    """How many rows a statement inserted, changed or removed."""
    return (await connection.execute(statement, values)).rowcount
