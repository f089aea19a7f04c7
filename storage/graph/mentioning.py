"""The passages that speak of what a question names, within a scope: where a search by the graph alone begins."""

from collections.abc import Sequence

from pgvector import HalfVector
from psycopg.types.numeric import Int4

from domain.entity_linking import LinkedEntity
from domain.graph_search import MENTIONED, GraphRequest, GraphStep, RelatedChunk
from domain.knowledge_graph import MentionRole
from storage.graph.document_counts import VISIBLE_MENTION
from storage.index import visible
from storage.search.snapshot import IndexSnapshot, chunk_condition
from storage.server.pool import Connection

_MENTIONING = f"""
    SELECT c.chunk_id, d.document_id, d.title, m.surface, m.entity_no, m.confidence, {{cosine}} AS cosine
    FROM (
        SELECT k.entity_no, k.chunk_no, max(k.confidence) AS confidence, min(k.surface) AS surface
        FROM {visible.MENTIONS}
        WHERE k.version_id = %(version)s AND k.entity_no = ANY(%(entities)s::int4[]) AND k.role IN {{roles}}
          AND {VISIBLE_MENTION}
        GROUP BY k.entity_no, k.chunk_no
    ) m
    JOIN {{chunks}} ON v.version_id = %(version)s AND c.version_id = %(version)s AND c.chunk_no = m.chunk_no
    WHERE {{condition}}
    ORDER BY m.confidence DESC, cosine DESC NULLS LAST, c.chunk_id, array_position(%(entities)s::int4[], m.entity_no)
    LIMIT %(limit)s
"""
_ROLES = f"('{MentionRole.MENTION}', '{MentionRole.HEADING}', '{MentionRole.TITLE}')"


async def mentioning(
    connection: Connection, snapshot: IndexSnapshot, meant: Sequence[LinkedEntity], request: GraphRequest
) -> list[RelatedChunk]:
    """The visible chunks that speak of what was meant and meet the request's filters, the surest mentions first, and
    of equally sure ones those nearest to the question."""
    sure: dict[int, float] = {}
    for each in meant:
        sure[each.known.entity] = max(sure.get(each.known.entity, 0.0), each.known.score)
    narrowed = chunk_condition(request.filters, snapshot.acls)
    cosine = "NULL::float8" if request.vector is None else "-(v.embedding <#> %(vector)s)"
    bound = {**narrowed.values, "version": snapshot.version.version_id, "acls": snapshot.acls, "limit": request.limit}
    bound["entities"] = [Int4(entity) for entity in sure]
    if request.vector is not None:
        bound["vector"] = HalfVector(request.vector)
    query = _MENTIONING.format(
        cosine=cosine, chunks=visible.vectors("vectors"), condition=narrowed.condition, roles=_ROLES
    ).encode()
    rows = await (await connection.execute(query, bound, prepare=True)).fetchall()
    return [
        RelatedChunk(
            chunk_id,
            document_id,
            MENTIONED * sure[entity] * float(confidence),
            (GraphStep(title, "names", surface, chunk_id),),
            cosine,
        )
        for chunk_id, document_id, title, surface, entity, confidence, cosine in rows
    ]
