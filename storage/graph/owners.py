"""Whom the metadata of documents names as their owners."""

from domain.graph_search import StatedOwner
from domain.knowledge_graph import OWNING, EntityType, RelationOrigin
from domain.text.name_forms import normalised
from storage.index import visible
from storage.index.chunks import VISIBLE
from storage.search.snapshot import IndexSnapshot
from storage.server.pool import Connection, fetch_prepared

_OWNERS = f"""
    SELECT DISTINCT m.surface, r.chunk_id, r.document_id
    FROM entities o CROSS JOIN LATERAL (
        SELECT r.chunk_no, c.chunk_id, d.document_id FROM {visible.RELATIONS}
        WHERE r.version_id = %(version)s AND c.version_id = %(version)s AND r.object_no = o.entity_no
          AND r.pattern = '{RelationOrigin.STRUCTURE}' AND NOT r.guarded
          AND r.predicate ^@ ANY(%(owning)s) AND {VISIBLE}
    ) r
    JOIN mentions m ON m.version_id = %(version)s AND m.entity_no = o.entity_no AND m.chunk_no = r.chunk_no
    WHERE o.kind = '{EntityType.NAME}' AND strpos(' ' || o.name || ' ', %(held)s) > 0
    ORDER BY r.document_id, r.chunk_id, m.surface
""".encode()
"""No index leads from a word of a name to the name: the names are gone through, and few of them have the word."""


async def stated_owners(connection: Connection, snapshot: IndexSnapshot, name: str) -> list[StatedOwner]:
    """See domain.search_ports.GraphSearch."""
    plain = normalised(name)
    if not plain:
        return []
    bound = {"version": snapshot.version.version_id, "acls": snapshot.acls, "owning": list(OWNING)}
    rows = await fetch_prepared(connection, _OWNERS, bound | {"held": f" {plain} "})
    return [StatedOwner(*row) for row in rows]
