"""The part of the graph around some starts, fetched in one statement: scope on every edge and every node, hubs capped.

A node is a document; the chunk of one from which the walk starts is a node of its own, minus the document's number, to
which nothing leads. An edge goes from a document that speaks of a thing to a document that is this thing: over what the
source itself states (keys, addresses) however common the thing is, over a name only where it is rare.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from domain.graph import Kind
from domain.linking import Meant
from domain.walk import Edge
from storage.chunks import VISIBLE
from storage.graph_counts import BEARS, speakers
from storage.live import Live
from storage.readers import Connection


@dataclass(frozen=True, slots=True)
class Reach:
    """How far the statement looks. common: names that more visible documents speak of are no edges, and nothing counts
    as more common than just too common. fan: things taken from one document. bearers: documents that are one and the
    same thing, at most. front: documents from which the second hop is made. read: relations of one thing that are
    looked at, in each direction: a hub has more, and nobody reads them."""

    common: int = 20
    fan: int = 48
    bearers: int = 5
    front: int = 40
    read: int = 5_000


@dataclass(frozen=True, slots=True)
class Shown:
    """What an edge is: the thing, as the chunk that shows it has it."""

    entity: int
    surface: str
    chunk_no: int


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """starts: nodes with how good they are, 0 to 1. edges: their labels are places in `shown`."""

    starts: Mapping[int, float]
    edges: Sequence[Edge]
    shown: Sequence[Shown]


_RARITY = "(1 / (1 + 0.25 * ln(greatest(b.documents, 1))))"
"""The more documents speak of a thing, the less an edge over it says."""

_NEVER_BORNE = tuple(
    str(kind) for kind in (Kind.LABEL, Kind.SPACE, Kind.FOLDER, Kind.PERSON, Kind.COMPONENT, Kind.VERSION)
)
"""Kinds of things that no document is: the commonest of all, and no edge leads over them."""

_OTHERS = f"""
    SELECT k.document_no, max(k.confidence) AS confidence, count(*) OVER () AS bearers
    FROM mentions k JOIN chunks c USING (version_id, chunk_no) JOIN documents d ON d.document_no = k.document_no
    WHERE k.version_id = %(version)s AND k.entity_no = {{entity}} AND k.role IN {BEARS}
      AND k.document_no <> {{but}} AND {VISIBLE}
    GROUP BY k.document_no ORDER BY confidence DESC, k.document_no LIMIT %(bearers)s
"""
"""Visible documents that are a thing, and how many they are."""

_BORNE = f"""
    EXISTS (SELECT FROM mentions k JOIN chunks c USING (version_id, chunk_no)
            JOIN documents d ON d.document_no = k.document_no
            WHERE k.version_id = %(version)s AND k.entity_no = m.entity_no AND k.role IN {BEARS}
              AND k.document_no <> s.document_no AND {VISIBLE})
"""
"""Whether another visible document is a thing; what none is takes no place among the edges."""

_HOP = f"""
    SELECT s.node AS source, t.document_no AS target, m.entity_no, m.surface, m.chunk_no, m.key,
           m.confidence * t.confidence * m.rarity / (1 + ln(t.bearers)) AS strength, s.weight
    FROM {{starts}} s
    CROSS JOIN LATERAL (
        SELECT b.*, {_RARITY} AS rarity FROM (
        SELECT m.entity_no, e.key, e.kind, {speakers("m.entity_no")} AS documents, max(m.confidence) AS confidence,
               (array_agg(m.surface ORDER BY m.chunk_no))[1] AS surface, min(m.chunk_no) AS chunk_no
        FROM chunks c
        JOIN mentions m USING (version_id, chunk_no)
        JOIN entity_counts n USING (version_id, entity_no)
        JOIN entities e USING (entity_no)
        WHERE c.version_id = %(version)s AND c.document_no = s.document_no
          AND (s.chunk_no IS NULL OR c.chunk_no = s.chunk_no) AND (c.acl_id IS NULL OR c.acl_id = ANY(%(acls)s))
          AND m.role NOT IN {BEARS} AND n.documents > 1 AND e.kind NOT IN {_NEVER_BORNE} AND {_BORNE}
        GROUP BY m.entity_no, e.key, e.kind
        ) b
        WHERE b.documents <= %(common)s OR b.kind <> '{Kind.NAME}'
        ORDER BY b.documents, b.key LIMIT %(fan)s
    ) m
    CROSS JOIN LATERAL ({_OTHERS.format(entity="m.entity_no", but="s.document_no")}) t
"""

_AROUND = f"""
    WITH at_hits AS MATERIALIZED (
        SELECT -c.document_no AS node, c.document_no, c.chunk_no, h.weight
        FROM unnest(%(hits)s::text[], %(hit_weights)s::float8[]) AS h (chunk_id, weight)
        JOIN chunks c ON c.version_id = %(version)s AND c.chunk_id = h.chunk_id
        JOIN documents d USING (document_no)
        WHERE {VISIBLE}
    ),
    named AS MATERIALIZED (
        SELECT t.document_no AS node, t.document_no, NULL::int4 AS chunk_no,
               a.weight * t.confidence / (1 + ln(t.bearers)) AS weight
        FROM unnest(%(entities)s::int4[], %(weights)s::float8[]) AS a (entity_no, weight)
        CROSS JOIN LATERAL ({_OTHERS.format(entity="a.entity_no", but="-1")}) t
    ),
    starts AS (SELECT * FROM named UNION ALL SELECT * FROM at_hits),
    first AS MATERIALIZED ({_HOP.format(starts="starts")}),
    front AS (
        SELECT target AS node, target AS document_no, NULL::int4 AS chunk_no, max(weight * strength) AS weight
        FROM first
        WHERE %(hops)s > 1 AND target NOT IN (SELECT document_no FROM named)
        GROUP BY target ORDER BY 4 DESC, 1 LIMIT %(front)s
    ),
    second AS ({_HOP.format(starts="front")})
    (SELECT NULL::int4, node, NULL::int4, NULL, NULL::int4, max(weight) FROM starts
     GROUP BY node ORDER BY max(weight) DESC, abs(node), node)
    UNION ALL
    (SELECT source, target, entity_no, surface, chunk_no, strength FROM first WHERE %(hops)s > 0
     ORDER BY strength DESC, source, target, key)
    UNION ALL
    (SELECT source, target, entity_no, surface, chunk_no, strength FROM second
     ORDER BY strength DESC, source, target, key)
""".encode()


async def neighbourhood(
    connection: Connection, live: Live, meant: Sequence[Meant], hits: Mapping[str, float], hops: int, reach: Reach
) -> Neighbourhood:
    """What lies within two hops of what was meant and of the chunks in `hits`, by id with a weight of 0 to 1."""
    weights: dict[int, float] = {}
    for each in meant:
        weights[each.known.entity] = max(weights.get(each.known.entity, 0.0), each.known.score)
    bound = {
        "version": live.version.version_id,
        "acls": live.acls,
        "entities": list(weights),
        "weights": list(weights.values()),
        "hits": list(hits),
        "hit_weights": list(hits.values()),
        "hops": hops,
        "common": reach.common,
        "fan": reach.fan,
        "bearers": reach.bearers,
        "front": reach.front,
    }
    rows = await (await connection.execute(_AROUND, bound, binary=True)).fetchall()
    starts = {row[1]: float(row[5]) for row in rows if row[0] is None}
    steps = [row for row in rows if row[0] is not None]
    edges = [Edge(row[0], row[1], float(row[5]), label) for label, row in enumerate(steps)]
    return Neighbourhood(starts, edges, [Shown(row[2], row[3], row[4]) for row in steps])
