"""Which names of labels, spaces, sources and documents there are for a reader, in one statement.

For spaces and titles, which have no index, the documents are gone through, once for all titles; their chunks never are.
"""

from collections.abc import Mapping, Sequence

from domain.search import Filters, NameField
from storage.index import chunks
from storage.search.snapshot import IndexSnapshot
from storage.server.pool import Connection

# a value and no EXISTS: that would become a join, which goes through all chunks
_VISIBLE_CHUNK = """
    (SELECT true FROM chunks c WHERE c.version_id = {version} AND c.document_no = d.document_no AND {visible} LIMIT 1)
"""

_EXISTING = """
    SELECT '{field}', asked.name FROM unnest(%({field})s::text[]) AS asked(name){among}
    CROSS JOIN LATERAL (SELECT FROM {documents} d WHERE {bears} AND {seen} LIMIT 1) AS borne
"""

_TITLED = """
    WITH titled AS MATERIALIZED (
        SELECT d.* FROM (
            SELECT document_no, acl_id, hidden_at, lower(title || ' ' || path) AS words FROM documents
            WHERE hidden_at IS NULL AND acl_id = ANY(%(acls)s) OFFSET 0
        ) d WHERE {any_root})
"""

_DOCUMENT_HAS: Mapping[NameField, str] = {
    "sources": "d.source_no = s.source_no",
    "labels": "d.labels && ARRAY[asked.name]",
    "spaces": "d.space = asked.name",
    "documents": "d.document_id = asked.name",
    "titles": "strpos(d.words, lower(asked.name)) > 0",
}


async def existing_names(connection: Connection, snapshot: IndexSnapshot, filters: Filters) -> Filters:
    """Those names in `filters` that a document bears of which the reader may see a part."""
    wanted = {field: list(names) for field, names in filters.names.items() if names}
    if not wanted or not snapshot.acls:
        return Filters()
    seen = _VISIBLE_CHUNK.format(version=snapshot.version.version_id, visible=chunks.VISIBLE)
    query = " UNION ALL ".join(_of_field(field, seen) for field in wanted)
    bound: dict[str, object] = {str(field): names for field, names in wanted.items()} | {"acls": snapshot.acls}
    if "titles" in wanted:
        roots = {f"root{number}": name for number, name in enumerate(_roots(wanted["titles"]))}
        query = _TITLED.format(any_root=" OR ".join(f"strpos(words, lower(%({key})s)) > 0" for key in roots)) + query
        bound |= roots
    rows = await (await connection.execute(query.encode(), bound)).fetchall()
    there = {(field, name) for field, name in rows}
    return Filters.naming({field: [n for n in names if (field, n) in there] for field, names in wanted.items()})


def _of_field(field: NameField, seen: str) -> str:
    documents = "titled" if field == "titles" else "documents"
    among = " JOIN sources s ON s.name = asked.name" if field == "sources" else ""
    return _EXISTING.format(field=field, among=among, documents=documents, bears=_DOCUMENT_HAS[field], seen=seen)


def _roots(names: Sequence[str]) -> list[str]:
    """The names that hold no other one: what bears any of the names bears one of these."""
    each_once = list(dict.fromkeys(names))
    return [name for name in each_once if not any(other != name and other in name for other in each_once)]
