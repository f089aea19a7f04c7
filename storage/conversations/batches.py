"""What is too old is removed in batches, each in a transaction of its own. A statement has to end within the time that
a connection may be silent, and a transaction within its limit: all of a large backlog at one time does not."""

from collections.abc import Sequence

from domain.errors import KbError
from storage.server.pool import ConnectionPool

BATCH = 5_000
"""Rows of one table in one transaction."""


async def run_in_batches(
    pool: ConnectionPool, statements: Sequence[bytes], values: dict[str, object], batch: int
) -> list[int]:
    """Repeats each statement until it finds no row any more; gives how many rows each of them changed in all. One that
    fails does not hold those after it.

    statements: each changes or removes at most %(batch)s rows, and never one twice.

    Raises:
        KbError: of the first that failed, when all were tried.
    """
    counts, failed = [], None
    for statement in statements:
        total = 0
        try:
            while changed := await pool.execute(statement, **values, batch=batch):
                total += changed
        except KbError as error:
            failed = failed or error
        counts.append(total)
    if failed is not None:
        raise failed
    return counts
