"""Which passages somebody may still read, in one statement: the last question before a reply is shown."""

from collections.abc import Mapping

from domain.access import Scope
from storage.index.chunks import VISIBLE
from storage.index.versions import VersionState
from storage.permissions import acls
from storage.server.pool import Connection

_VISIBLE = VISIBLE.replace("%(acls)s", "(SELECT numbers FROM permitted)::int[]")

# a chunk that is there no more is of an earlier text of its document: who may read all of that document may see it
_READABLE = f"""
    WITH permitted AS (SELECT array_agg(acl_id) AS numbers FROM ({acls.PERMITTED}) admitting),
    asked (chunk_id, document_id) AS (SELECT * FROM unnest(%(chunk_ids)s::text[], %(document_ids)s::text[])),
    version AS (SELECT version_id FROM index_versions WHERE state = %(state)s)
    SELECT a.chunk_id, d.external_id FROM asked a JOIN documents d USING (document_id) CROSS JOIN version v
    WHERE EXISTS (
        SELECT FROM chunks c
        WHERE c.version_id = v.version_id AND c.chunk_id = a.chunk_id AND c.document_no = d.document_no AND {_VISIBLE}
    ) OR (
        d.hidden_at IS NULL AND d.acl_id = ANY((SELECT numbers FROM permitted)::int[])
        AND NOT EXISTS (SELECT FROM chunks c WHERE c.version_id = v.version_id AND c.chunk_id = a.chunk_id)
        AND (
            SELECT bool_and(c.acl_id IS NULL) FROM chunks c
            WHERE c.version_id = v.version_id AND c.document_no = d.document_no
        )
    )
""".encode()


async def readable(
    connection: Connection, passages: Mapping[str, str], scope: Scope, state: VersionState
) -> dict[str, str]:
    """See domain.search_ports.KnowledgeSearch."""
    values = {
        "chunk_ids": list(passages),
        "document_ids": list(passages.values()),
        "state": state,
        **acls.scope_parameters(scope),
    }
    rows = await (await connection.execute(_READABLE, values)).fetchall()
    return {str(chunk_id): str(external_id) for chunk_id, external_id in rows}
