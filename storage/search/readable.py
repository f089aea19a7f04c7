"""Which passages somebody may still read: the last question before a reply is shown."""

from collections.abc import Mapping

from domain.access import Scope
from storage.index.chunks import VISIBLE
from storage.index.versions import VersionState
from storage.search.snapshot import read_permitted_acls
from storage.server.pool import Connection

# a chunk that is there no more is of an earlier text of its document: who may read all of that document may see it.
# All are counted, for below the policy of `chunks` one that is not seen is not there
_READABLE = f"""
    WITH asked (chunk_id, document_id, path) AS (
        SELECT * FROM unnest(%(chunk_ids)s::text[], %(document_ids)s::text[], %(paths)s::text[])
    ),
    version AS (SELECT version_id FROM index_versions WHERE state = %(state)s)
    SELECT a.chunk_id, d.external_id FROM asked a JOIN documents d USING (document_id) CROSS JOIN version v
    WHERE coalesce(a.path, d.path) = d.path AND (EXISTS (
        SELECT FROM chunks c
        WHERE c.version_id = v.version_id AND c.chunk_id = a.chunk_id AND c.document_no = d.document_no AND {VISIBLE}
    ) OR (
        d.hidden_at IS NULL AND d.acl_id = ANY(%(acls)s)
        AND (
            SELECT nullif(count(*), 0) FROM chunks c
            WHERE c.version_id = v.version_id AND c.document_no = d.document_no AND c.acl_id IS NULL
        ) = (
            SELECT i.chunks FROM indexed_documents i
            WHERE i.version_id = v.version_id AND i.document_no = d.document_no
        )
    ))
""".encode()


async def readable(
    connection: Connection, passages: Mapping[str, str], scope: Scope, state: VersionState, paths: Mapping[str, str]
) -> dict[str, str]:
    """See domain.search_ports.KnowledgeSearch."""
    _, allowed = await read_permitted_acls(connection, scope)
    documents = list(passages.values())
    values: dict[str, object] = {
        "chunk_ids": list(passages),
        "document_ids": documents,
        "state": state,
        "acls": allowed,
    }
    values["paths"] = [paths.get(chunk_id) for chunk_id in passages]
    rows = await (await connection.execute(_READABLE, values)).fetchall()
    return {str(chunk_id): str(external_id) for chunk_id, external_id in rows}
