"""The copy of the index of a scheduled run that the golden gate did not publish: it waits for an operator, or
for the next run."""

from typing import TYPE_CHECKING

from domain.audit import AuditEntry
from storage.index import versions
from storage.index.versions import IndexVersion
from storage.privacy.audit_log import add_entry
from storage.server.engine import Engine
from storage.server.pool import ConnectionPool
from storage.server.transactions import transaction

if TYPE_CHECKING:
    from domain.conversation import Participant

_GOING = b"SELECT FROM runs WHERE state = 'running' AND kind = 'content'"


class UnpublishedCopy:
    """See above. engine, owner: see storage.server.database.Database."""

    def __init__(self, engine: Engine, owner: ConnectionPool) -> None:
        self._engine = engine
        self._owner = owner

    async def version(self) -> IndexVersion | None:
        """The copy; None where there is none, or a run may still write into it."""
        found = await versions.read(self._owner, "building")
        if found is None or await self._owner.fetch_all(_GOING):
            return None
        async with transaction(self._engine) as connection:
            return found if await versions.is_copy(connection, "building") else None

    async def check(self, number: int) -> None:
        """Raises Refused when the copy of that number is not there, or a run may still write into it."""
        found = await self.version()
        if found is None or found.version_id != number:
            raise versions.changed_meanwhile()

    async def discard(self, number: int, actor: "Participant") -> None:
        """Removes the copy of that number, on behalf of somebody, which is noted. Raises as `check` does."""
        await self.check(number)
        async with transaction(self._engine) as connection:
            await versions.lock(connection)
            building = await versions.find(connection, "building")
            if building is None or building.version_id != number:
                raise versions.changed_meanwhile()
            await versions.drop(connection, "building")
            await add_entry(connection, AuditEntry(actor, "index_discarded", str(number)))
