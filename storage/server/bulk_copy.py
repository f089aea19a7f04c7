"""Writing many rows at once, inside the transaction of a SQLAlchemy connection."""

from collections.abc import Iterable, Sequence

from psycopg import AsyncConnection as DriverConnection
from sqlalchemy import Table
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection

_DIALECT = postgresql.dialect()  # type: ignore[no-untyped-call] # SQLAlchemy's


async def copy_rows(connection: AsyncConnection, table: Table, rows: Iterable[Sequence[object]]) -> None:
    """COPYs `rows`, each with all columns of `table` in their order, in binary form."""
    raw = await connection.get_raw_connection()
    driver = raw.driver_connection
    assert isinstance(driver, DriverConnection)  # noqa: S101 - the engine is made for psycopg alone
    statement = f"COPY {table.name} ({', '.join(table.columns.keys())}) FROM STDIN (FORMAT BINARY)"
    async with driver.cursor() as cursor, cursor.copy(statement.encode()) as copy:
        copy.set_types([each.type.compile(_DIALECT).lower().split()[0] for each in table.columns])  # no collation
        for row in rows:
            await copy.write_row(row)
