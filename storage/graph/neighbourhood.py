"""The part of the graph around some starts, a statement for each hop: scope on every edge and every node, hubs capped.

A node is a document; the chunk of one from which the walk starts is a node of its own, minus the document's number, to
which nothing leads. An edge goes from a document that speaks of a thing to a document that is this thing: over what the
source itself states (keys, addresses) however common the thing is, over a name only where it is rare.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg.types.numeric import Int4

from domain.entity_linking import LinkedEntity
from domain.graph_walk import WalkEdge
from domain.knowledge_graph import EntityType, MentionRole
from storage.graph.document_counts import IDENTITY_ROLES, VISIBLE_MENTION, visible_documents
from storage.index import visible
from storage.index.chunks import VISIBLE
from storage.search.snapshot import IndexSnapshot
from storage.server.pool import Connection, fetch_prepared

_MAX_CHUNKS_READ = 400
"""A document's first chunks, of which mentions are read."""
_MAX_ENTITIES = 48
"""Entities taken from one document."""
_MOST_BEARERS = 5
"""Documents that are one and the same entity, at most."""
_MAX_SECOND_HOP_DOCUMENTS = 40
"""Documents from which the second hop is made."""


@dataclass(frozen=True, slots=True)
class EdgeEntity:
    """What an edge is: the thing, as the chunk that shows it has it."""

    entity: int
    surface: str
    chunk_no: int


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Nodes to start from, and the edges around them."""

    starts: Mapping[int, float]
    """Nodes with how good they are, 0 to 1."""
    edges: Sequence[WalkEdge]
    """Their labels are places in `shown`."""
    shown: Sequence[EdgeEntity]


_RARITY = "(1 / (1 + 0.25 * ln(greatest(f.documents, 1))))"
"""The more documents speak of a thing, the less an edge over it says."""

_NEVER_BORNE = tuple(
    str(kind)
    for kind in (
        EntityType.LABEL,
        EntityType.SPACE,
        EntityType.FOLDER,
        EntityType.PERSON,
        EntityType.COMPONENT,
        EntityType.VERSION,
    )
)
"""Kinds of things that no document is: the commonest of all, and no edge leads over them."""

_OWN = f"('{MentionRole.IDENTITY}', '{MentionRole.TITLE}', '{MentionRole.GUARDED}')"
"""Roles of what a document does not speak of: what it is, and what it must not tell."""

_BEARERS = f"""
    SELECT k.document_no, max(k.confidence) AS confidence FROM {visible.MENTIONS}
    WHERE k.version_id = %(version)s AND k.entity_no = {{entity}} AND k.role IN {IDENTITY_ROLES}
      AND {VISIBLE_MENTION}
    GROUP BY k.document_no ORDER BY k.document_no LIMIT %(common)s + 1
"""
"""Visible documents that are a thing."""

_CHOSEN = """
    SELECT b.document_no, b.confidence, count(*) OVER () AS bearers FROM ({bearers}) b WHERE b.document_no <> {but}
    ORDER BY b.confidence DESC, b.document_no LIMIT %(bearers)s
"""
"""The surest ones of these, and how many there are."""

_SAID = f"""
    SELECT s.node, s.document_no, k.entity_no, e.key, e.kind, max(k.confidence) AS confidence,
           (array_agg(k.surface ORDER BY k.chunk_no))[1] AS surface, min(k.chunk_no) AS chunk_no
    FROM starts s
    CROSS JOIN LATERAL (
        SELECT c.chunk_no FROM chunks c
        WHERE c.version_id = %(version)s AND c.document_no = s.document_no
          AND (s.chunk_no IS NULL OR c.chunk_no = s.chunk_no) AND (c.acl_id IS NULL OR c.acl_id = ANY(%(acls)s))
        ORDER BY c.ordinal LIMIT %(chunks)s
    ) c
    JOIN {visible.MENTIONS} ON k.version_id = %(version)s AND k.chunk_no = c.chunk_no
    JOIN entity_counts n ON n.version_id = %(version)s AND n.entity_no = k.entity_no
    JOIN entities e ON e.entity_no = k.entity_no
    WHERE k.role NOT IN {_OWN} AND n.documents > 1 AND e.kind NOT IN {_NEVER_BORNE}
    GROUP BY s.node, s.document_no, k.entity_no, e.key, e.kind
"""
"""What the starts speak of, in their first chunks where they have very many."""

_THINGS = f"""
    SELECT t.entity_no, b.bearers, b.sure, {visible_documents("t.entity_no")} AS documents
    FROM (SELECT DISTINCT entity_no FROM said) t
    CROSS JOIN LATERAL (
        SELECT array_agg(document_no) AS bearers, array_agg(confidence) AS sure
        FROM ({_BEARERS.format(entity="t.entity_no")}) borne
    ) b
    WHERE b.bearers IS NOT NULL
"""
"""Those of these things that visible documents are, each once: most starts speak of the same."""

_HOP = f"""
    said AS MATERIALIZED ({_SAID}),
    things AS MATERIALIZED ({_THINGS}),
    hop AS (
        SELECT f.node AS source, t.document_no AS target, f.entity_no, f.surface, f.chunk_no, f.key,
               f.confidence * t.confidence * {_RARITY} / (1 + ln(t.bearers)) AS strength
        FROM (
            SELECT s.node, s.document_no, s.entity_no, s.key, s.confidence, s.surface, s.chunk_no, t.documents,
                   t.bearers, t.sure, row_number() OVER (PARTITION BY s.node ORDER BY t.documents, s.key) AS place
            FROM said s JOIN things t USING (entity_no)
            WHERE (t.documents <= %(common)s OR s.kind <> '{EntityType.NAME}')
              AND array_remove(t.bearers, s.document_no) <> '{{}}'
        ) f
        CROSS JOIN LATERAL ({
    _CHOSEN.format(
        bearers="SELECT * FROM unnest(f.bearers, f.sure) AS each (document_no, confidence)", but="f.document_no"
    )
}) t
        WHERE f.place <= %(fan)s
    )
"""
"""Edges from `starts`."""

_EDGES = """
    SELECT source, target, entity_no, surface, chunk_no, strength FROM hop
    ORDER BY strength DESC, source, target, key
"""

_FIRST = f"""
    WITH starts AS MATERIALIZED (
        SELECT t.document_no AS node, t.document_no, NULL::int4 AS chunk_no,
               a.weight * t.confidence / (1 + ln(t.bearers)) AS weight
        FROM unnest(%(entities)s::int4[], %(weights)s::float8[]) AS a (entity_no, weight)
        CROSS JOIN LATERAL ({_CHOSEN.format(bearers=_BEARERS.format(entity="a.entity_no"), but="-1")}) t
        UNION ALL
        SELECT -c.document_no, c.document_no, c.chunk_no, h.weight
        FROM unnest(%(hits)s::text[], %(hit_weights)s::float8[]) AS h (chunk_id, weight)
        JOIN {visible.CHUNKS} ON c.version_id = %(version)s AND c.chunk_id = h.chunk_id
        WHERE {VISIBLE}
    ),
    {_HOP}
    (SELECT NULL::int4, node, NULL::int4, NULL, NULL::int4, max(weight) FROM starts
     GROUP BY node ORDER BY max(weight) DESC, abs(node), node)
    UNION ALL
    ({_EDGES})
""".encode()

_SECOND = f"""
    WITH starts AS MATERIALIZED (
        SELECT node, node AS document_no, NULL::int4 AS chunk_no FROM unnest(%(front)s::int4[]) AS f (node)
    ),
    {_HOP}
    {_EDGES}
""".encode()


async def neighbourhood(
    connection: Connection,
    snapshot: IndexSnapshot,
    meant: Sequence[LinkedEntity],
    hits: Mapping[str, float],
    hops: int,
    common: int,
) -> Neighbourhood:
    """What lies within two hops of what was meant and of the chunks in `hits`, by id with a weight of 0 to 1. common:
    names that more visible documents mention are no edges."""
    weights: dict[int, float] = {}
    for each in meant:
        weights[each.known.entity] = max(weights.get(each.known.entity, 0.0), each.known.score)
    bound = {
        "version": snapshot.version.version_id,
        "acls": snapshot.acls,
        "common": common,
        "chunks": _MAX_CHUNKS_READ,
        "fan": _MAX_ENTITIES,
        "bearers": _MOST_BEARERS,
    }
    # of one width, whatever the numbers: else each width is another statement to plan
    begun = {"entities": [Int4(entity) for entity in weights], "weights": list(weights.values())}
    met = {"hits": list(hits), "hit_weights": list(hits.values())}
    rows = await fetch_prepared(connection, _FIRST, {**bound, **begun, **met})
    starts = {row[1]: float(row[5]) for row in rows if row[0] is None}
    steps = [row for row in rows if row[0] is not None] if hops > 0 else []
    if hops > 1 and (front := _front(starts, steps)):
        steps += await fetch_prepared(connection, _SECOND, {**bound, "front": [Int4(node) for node in front]})
    edges = [WalkEdge(row[0], row[1], float(row[5]), label) for label, row in enumerate(steps)]
    return Neighbourhood(starts, edges, [EdgeEntity(row[2], row[3], row[4]) for row in steps])


def _front(starts: Mapping[int, float], steps: Sequence[tuple[Any, ...]]) -> list[int]:
    """The documents to which the best first steps lead, and from which none was made yet."""
    reached: dict[int, float] = {}
    for source, target, _, _, _, strength in steps:
        if target not in starts:
            reached[target] = max(reached.get(target, 0.0), starts[source] * strength)
    return sorted(reached, key=lambda target: (-reached[target], target))[:_MAX_SECOND_HOP_DOCUMENTS]
