"""Writing many rows at once, inside the transaction of a SQLAlchemy connection."""

from collections.abc import Iterable, Sequence

from psycopg import AsyncConnection as DriverConnection

from storage.server.engine import AsyncConnection


async def copy_rows(connection: AsyncConnection, name: str, rows: Iterable[Sequence[object]]) -> None:
    """COPYs `rows`, each with all columns of the table of that name in their order, in binary form."""
    from sqlalchemy.dialects import postgresql

    from storage.tables import metadata

    table, dialect = metadata.tables[name], postgresql.dialect()  # type: ignore[no-untyped-call] # SQLAlchemy's
    raw = await connection.get_raw_connection()
    driver = raw.driver_connection
    assert isinstance(driver, DriverConnection)  # noqa: S101 - the engine is made for psycopg alone
    statement = f"COPY {table.name} ({', '.join(table.columns.keys())}) FROM STDIN (FORMAT BINARY)"
    async with driver.cursor() as cursor, cursor.copy(statement.encode()) as copy:
        copy.set_types([each.type.compile(dialect).lower().split()[0] for each in table.columns])  # no collation
        for row in rows:
            await copy.write_row(row)
