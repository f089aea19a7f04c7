"""Writing many rows at once, inside the transaction of a SQLAlchemy connection."""

from collections.abc import Iterable, Sequence

from psycopg import AsyncConnection as DriverConnection
from sqlalchemy.ext.asyncio import AsyncConnection


async def copy_rows(
    connection: AsyncConnection,
    table: str,
    columns: Sequence[str],
    types: Sequence[str],
    rows: Iterable[Sequence[object]],
) -> None:
    """COPYs `rows` into `table` in binary form; `types` are the columns' PostgreSQL types."""
    raw = await connection.get_raw_connection()
    driver = raw.driver_connection
    assert isinstance(driver, DriverConnection)  # noqa: S101 - the engine is made for psycopg alone
    statement = f"COPY {table} ({', '.join(columns)}) FROM STDIN (FORMAT BINARY)"
    async with driver.cursor() as cursor, cursor.copy(statement.encode()) as copy:
        copy.set_types(types)
        for row in rows:
            await copy.write_row(row)
