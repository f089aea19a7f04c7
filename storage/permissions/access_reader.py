"""AccessReader over PostgreSQL: whom an ACL admits that no document needs to have."""

from domain.access import Acl, Scope
from storage.permissions import acls
from storage.server.pool import ConnectionPool


class PostgresAccessReader:
    """The domain.search_ports.AccessReader: by the same directory, and for as long, as documents are found."""

    def __init__(self, pool: ConnectionPool) -> None:
        self._pool = pool

    async def admits(self, acl: Acl, scope: Scope) -> bool:
        values = {**acls.scope_parameters(scope), "clauses": acls.clauses_as_json(acl)}
        row = await self._pool.fetch_one(acls.ADMITTED.encode(), **values)
        return bool(row and row[0])
