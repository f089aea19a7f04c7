"""The ACL epoch: a number that rises whenever what somebody may see can have changed, so that whatever was kept
under the number before is not shown again.

A sequence, not a row: writers do not wait for each other.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from storage.server.engine import AsyncConnection, Engine, text
from storage.server.transactions import transaction

_NEXT_EPOCH = "SELECT nextval('acl_epoch')"


@dataclass(slots=True)
class VisibilityTransaction:
    """A transaction."""

    connection: AsyncConnection
    visibility_changed: bool = False
    """To be set when it changes whom something admits, or whether it is shown."""


@asynccontextmanager
async def visibility_transaction(engine: Engine) -> AsyncIterator[VisibilityTransaction]:
    """A transaction, committed at the end, that raises the ACL epoch when it has changed who sees what.

    It is raised inside, so that no crash separates the two; and once more afterwards, because a sequence does not wait
    for the commit: who read the new number just before it may have kept what was permitted until then.
    """
    async with transaction(engine) as connection:
        change = VisibilityTransaction(connection)
        yield change
        if change.visibility_changed:
            await connection.execute(text(_NEXT_EPOCH))
    if change.visibility_changed:
        async with transaction(engine) as connection:
            await connection.execute(text(_NEXT_EPOCH))
