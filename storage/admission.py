"""AccessReader over PostgreSQL: whom an ACL admits that no document needs to have."""

from domain.access import Acl, Scope
from storage import acl as acls
from storage.readers import Connection, Readers


class PostgresAdmission:
    """By the same directory, and for as long, as documents are found."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers

    async def admits(self, acl: Acl, scope: Scope) -> bool:
        """See domain.ports.AccessReader."""
        values = {**acls.readers(scope), "clauses": acls.named(acl)}

        async def ask(connection: Connection) -> bool:
            row = await (await connection.execute(acls.ADMITTED.encode(), values)).fetchone()
            return bool(row and row[0])

        return await self._readers.read(ask)
