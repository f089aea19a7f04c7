"""Which names of labels, spaces, sources and documents there are for a reader, in one statement."""

from collections.abc import Mapping

from domain.search import Filters, NameField
from storage import chunks
from storage.live import Live
from storage.readers import Connection

_BORNE = """
    SELECT '{field}', asked.name FROM unnest(%({field})s::text[]) AS asked(name)
    WHERE EXISTS (
        SELECT FROM documents d WHERE {bears} AND EXISTS (
            SELECT FROM chunks c
            WHERE c.version_id = {version} AND c.document_no = d.document_no AND {visible}))
"""

_BEARS: Mapping[NameField, str] = {
    "sources": "d.source_no IN (SELECT source_no FROM sources WHERE name = asked.name)",
    "labels": "d.labels && ARRAY[asked.name]",
    "spaces": "d.space = asked.name",
    "documents": "d.document_id = asked.name",
    "titles": "strpos(lower(d.title || ' ' || d.path), lower(asked.name)) > 0",
}


async def borne(connection: Connection, live: Live, filters: Filters) -> Filters:
    """Those names in `filters` that a document bears of which the reader may see a part."""
    wanted = {field: list(names) for field, names in filters.names.items() if names}
    if not wanted:
        return Filters()
    version = live.version.version_id
    query = " UNION ALL ".join(
        _BORNE.format(field=field, bears=_BEARS[field], version=version, visible=chunks.VISIBLE) for field in wanted
    )
    bound: dict[str, object] = {str(field): names for field, names in wanted.items()}
    rows = await (await connection.execute(query.encode(), bound | {"acls": live.acls})).fetchall()
    there = {(field, name) for field, name in rows}
    return Filters.naming({field: [n for n in names if (field, n) in there] for field, names in wanted.items()})
