"""The relations of things, each as the chunk shows it that the reader may see."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from domain.graph_search import Neighbour
from domain.knowledge_graph import SAME_AS, EntityType, MentionRole, RelationOrigin
from domain.search import Filters
from storage.graph.document_counts import IDENTITY_ROLES, VISIBLE_MENTION
from storage.index import visible
from storage.index.chunks import VISIBLE
from storage.search.snapshot import IndexSnapshot, chunk_condition
from storage.server.pool import Connection, fetch_prepared

_MAX_SAME = 5
"""Documents that are one and the same thing, at most."""
_MAX_RELATIONS_READ = 5_000
"""Relations of one entity that are looked at in each direction, with all that the same chunk shows: a hub has more, and
nobody reads them."""

_SAME = f"""
    SELECT a.entity_no AS asked, a.entity_no FROM unnest(%(entities)s::int4[]) AS a (entity_no)
    UNION
    SELECT a.entity_no, i.entity_no
    FROM unnest(%(entities)s::int4[]) AS a (entity_no)
    CROSS JOIN LATERAL (
        SELECT DISTINCT k.document_no
        FROM mentions k JOIN chunks c USING (version_id, chunk_no) JOIN documents d ON d.document_no = k.document_no
        WHERE k.version_id = %(version)s AND k.entity_no = a.entity_no
          AND k.role IN {IDENTITY_ROLES} AND {VISIBLE}
        ORDER BY 1 LIMIT {_MAX_SAME}
    ) t
    JOIN chunks c ON c.version_id = %(version)s AND c.document_no = t.document_no
                 AND (c.acl_id IS NULL OR c.acl_id = ANY(%(acls)s))
    JOIN mentions i ON i.version_id = %(version)s AND i.chunk_no = c.chunk_no
                   AND i.role IN {IDENTITY_ROLES}
"""
"""The asked things and all that the same documents are, by the asked one."""

_KINDS_WITHOUT_NAME = f"('{EntityType.DOCUMENT}', '{EntityType.PAGE}', '{EntityType.FILE}')"
_TITLE = f"""
    SELECT d.title FROM mentions k JOIN chunks c USING (version_id, chunk_no)
    JOIN documents d ON d.document_no = k.document_no
    WHERE k.version_id = %(version)s AND k.entity_no = n.other AND k.role = '{MentionRole.IDENTITY}' AND d.title <> ''
      AND {VISIBLE}
    ORDER BY d.document_no LIMIT 1
"""
"""What a document is called of which a relation has only the id or the address: where the reader may see it."""

_END_VISIBLE = f"""
    EXISTS (SELECT FROM {visible.MENTIONS}
            WHERE k.version_id = %(version)s AND k.entity_no = {{end}} AND k.role = '{MentionRole.IDENTITY}'
              AND d.source_no = stating.source_no AND {VISIBLE_MENTION})
"""
"""Whether the reader may see a document that is one end of a relation: of the source that states it, for a key in it
may stand for something else in another one, or be taken by somebody there."""

_READABLE = f"""(NOT r.guarded OR EXISTS (
    SELECT FROM documents stating WHERE stating.document_no = r.document_no
    AND {_END_VISIBLE.format(end="r.subject_no")} AND {_END_VISIBLE.format(end="r.object_no")}))"""
"""Whether a relation is not guarded, or the reader may see a document for each of its ends."""

_EDGES = f"""
    SELECT s.asked, '{{direction}}' AS direction, r.*, count(*) OVER (PARTITION BY s.asked, s.entity_no) AS read
    FROM same s CROSS JOIN LATERAL (
        SELECT r.{{other}} AS other, r.predicate, r.pattern, r.confidence, r.chunk_no
        FROM {visible.RELATIONS}
        WHERE r.version_id = %(version)s AND c.version_id = %(version)s
          AND r.{{this}} = s.entity_no AND r.predicate <> '{SAME_AS}' AND {{condition}} AND {_READABLE}
          AND NOT EXISTS (SELECT FROM same o WHERE o.asked = s.asked AND o.entity_no = r.{{other}})
        ORDER BY r.chunk_no FETCH FIRST %(read)s ROWS WITH TIES
    ) r
"""
"""Relations in one direction, of those that the reader may see the oldest chunks', and all that a chunk shows."""

_RELATIONS = f"""
    WITH same AS MATERIALIZED ({_SAME}),
    edges AS ({{out}} UNION ALL {{into}}),
    capped AS (SELECT asked, bool_or(read >= %(read)s) AS more FROM edges GROUP BY asked),
    grouped AS (
        SELECT e.asked, e.direction, e.other, e.predicate,
               max(e.confidence) AS confidence, count(DISTINCT e.chunk_no) AS sources,
               (array_agg(e.pattern ORDER BY e.confidence DESC, e.chunk_no, e.pattern))[1] AS pattern,
               (array_agg(e.chunk_no ORDER BY e.confidence DESC, e.chunk_no))[1] AS chunk_no
        FROM edges e GROUP BY 1, 2, 3, 4
    ),
    numbered AS (
        SELECT g.*, o.key, o.kind, row_number() OVER (
            PARTITION BY g.asked
            ORDER BY (g.pattern = '{RelationOrigin.STRUCTURE}') DESC, g.confidence DESC, g.predicate, g.direction, o.key
        ) AS place
        FROM grouped g JOIN entities o ON o.entity_no = g.other
    )
    SELECT n.asked, n.key, n.predicate, n.direction, n.confidence, n.pattern,
           coalesce(CASE WHEN n.kind IN {_KINDS_WITHOUT_NAME} THEN ({_TITLE}) END,
                    (SELECT m.surface FROM mentions m WHERE m.version_id = %(version)s AND m.entity_no = n.other
                     AND m.chunk_no = n.chunk_no ORDER BY m.role LIMIT 1), '') AS surface,
           c.chunk_id, d.document_id, d.title, d.url, s.name AS source, n.sources, p.more
    FROM numbered n JOIN {visible.CHUNKS} ON c.version_id = %(version)s AND c.chunk_no = n.chunk_no
    JOIN sources s USING (source_no)
    JOIN capped p ON p.asked = n.asked
    WHERE n.place <= %(limit)s + 1
    ORDER BY n.asked, n.place
"""

# called as a title has it, or else as most chunks do
_THINGS = f"""
    WITH same AS MATERIALIZED ({_SAME})
    SELECT s.asked, e.key, array_agg(DISTINCT s.entity_no), count(DISTINCT m.document_no),
           coalesce(
               (array_agg(m.surface ORDER BY m.confidence DESC, m.chunk_no)
                FILTER (WHERE s.entity_no = s.asked AND m.role = '{MentionRole.TITLE}'))[1],
               mode() WITHIN GROUP (ORDER BY m.surface COLLATE "C") FILTER (WHERE s.entity_no = s.asked),
               mode() WITHIN GROUP (ORDER BY m.surface COLLATE "C"))
    FROM same s JOIN entities e ON e.entity_no = s.asked
    JOIN mentions m ON m.version_id = %(version)s AND m.entity_no = s.entity_no
    JOIN chunks c USING (version_id, chunk_no) JOIN documents d ON d.document_no = m.document_no
    WHERE m.role <> '{MentionRole.GUARDED}' AND {VISIBLE}
    GROUP BY s.asked, e.key
""".encode()


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing as the reader may see it."""

    entity: int
    key: str
    entities: frozenset[int]
    """Numbers of all entities that the same documents are."""
    documents: int
    """How many documents mention any of these."""
    surface: str

    @property
    def kind(self) -> EntityType:
        """What it is."""
        return EntityType(self.key.partition(":")[0])


async def things(connection: Connection, snapshot: IndexSnapshot, entities: Sequence[int]) -> list[Thing]:
    """Those of the entities that a visible chunk shows, in order; of those that the same documents are, the first."""
    bound = {"version": snapshot.version.version_id, "acls": snapshot.acls, "entities": list(entities)}
    rows = await fetch_prepared(connection, _THINGS, bound)
    known = {row[0]: Thing(row[0], row[1], frozenset(row[2]), row[3], row[4]) for row in rows}
    found: list[Thing] = []
    for entity in entities:
        if entity in known and not any(entity in each.entities for each in found):
            found.append(known[entity])
    return found


@dataclass(frozen=True, slots=True)
class Relations:
    """What a thing is related to."""

    neighbours: Sequence[Neighbour]
    complete: bool
    """Whether these are all."""


async def relations(
    connection: Connection, snapshot: IndexSnapshot, entities: Sequence[int], filters: Filters, limit: int
) -> Mapping[int, Relations]:
    """For each entity its relations that chunks show which meet the filters, surest first, at most `limit`."""
    narrowed = chunk_condition(filters, snapshot.acls)
    bound = {
        **narrowed.values,
        "version": snapshot.version.version_id,
        "acls": snapshot.acls,
        "entities": list(entities),
        "limit": limit,
        "read": _MAX_RELATIONS_READ,
    }
    out = _EDGES.format(direction="out", this="subject_no", other="object_no", condition=narrowed.condition)
    into = _EDGES.format(direction="in", this="object_no", other="subject_no", condition=narrowed.condition)
    found: dict[int, list[Neighbour]] = {entity: [] for entity in entities}
    cut = set[int]()
    query = _RELATIONS.format(out=out, into=into).encode()
    for row in await (await connection.execute(query, bound, prepare=True)).fetchall():
        asked, key, predicate, direction, confidence, pattern, surface, *shown, more = row
        kind, _, plain = key.partition(":")
        if more or len(found[asked]) == limit:
            cut.add(asked)
        about = (predicate, direction, float(confidence), RelationOrigin(pattern), *shown)
        found[asked].append(Neighbour(key, EntityType(kind), surface or plain, *about))
    return {asked: Relations(each[:limit], asked not in cut) for asked, each in found.items()}
