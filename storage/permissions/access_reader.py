"""AccessReader over PostgreSQL: whom an ACL admits that no document needs to have."""

from domain.access import Acl, Scope
from storage.permissions import acls
from storage.server.pool import Connection, ConnectionPool


class PostgresAccessReader:
    """The domain.search_ports.AccessReader: by the same directory, and for as long, as documents are found."""

    def __init__(self, pool: ConnectionPool) -> None:
        self._pool = pool

    async def admits(self, acl: Acl, scope: Scope) -> bool:
        values = {**acls.scope_parameters(scope), "clauses": acls.clauses_as_json(acl)}

        async def ask(connection: Connection) -> bool:
            row = await (await connection.execute(acls.ADMITTED.encode(), values)).fetchone()
            return bool(row and row[0])

        return await self._pool.run(ask)
