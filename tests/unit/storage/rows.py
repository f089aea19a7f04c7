"""Looking at tables behind the stores' backs."""

from typing import Any

from sqlalchemy import text

from storage.open import Storage


async def rows(storage: Storage, query: str, **values: object) -> list[Any]:
    """What a query gives."""
    async with storage.engine.connect() as connection:
        return list((await connection.execute(text(query), values)).all())


async def count(storage: Storage, table: str) -> int:
    """Rows of a table."""
    ((number,),) = await rows(storage, f"SELECT count(*) FROM {table}")
    return int(number)


async def change(storage: Storage, statement: str, **values: object) -> None:
    """Runs a statement."""
    async with storage.engine.begin() as connection:
        await connection.execute(text(statement), values)
