"""Passages of the live index version that are marked: they hold text addressed to machines, see domain.injection."""

from domain.access import Scope
from domain.search import Filters, Passage
from storage.index import chunks
from storage.search.snapshot import chunk_condition, read_snapshot, select_chunks
from storage.server.pool import Connection, ConnectionPool


async def marked_passages(pool: ConnectionPool, scope: Scope, *, filters: Filters, limit: int) -> list[Passage]:
    """The first `limit` of those that a reader may see, by document. Chunks that no detector of now has looked at are
    not among them."""

    async def work(connection: Connection) -> list[Passage]:
        live = await read_snapshot(connection, scope)
        narrowed = chunk_condition(filters, live.acls)
        query = select_chunks(live, "c.chunk_id", narrowed)
        query += b" AND c.injection <> '' ORDER BY c.document_no, c.ordinal LIMIT %(most)s"
        rows = await (await connection.execute(query, {**narrowed.values, "most": max(0, limit)})).fetchall()
        return await chunks.passages(connection, live.version.version_id, [row[0] for row in rows], live.acls, 0)

    return await pool.run(work)
