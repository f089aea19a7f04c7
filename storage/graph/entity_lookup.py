"""What a text names, looked up in the graph: by the very name, by another name of the same, by a similar one."""

from collections.abc import Mapping, Sequence

import numpy as np

from domain.entity_linking import (
    CLOSE,
    MAX_MEANINGS,
    KnownEntity,
    LinkedEntity,
    LinkMethod,
    MentionSpan,
    linked_entities,
    mention_spans,
    similar_names,
    unknown_names,
    whole_span,
)
from domain.knowledge_graph import SAME_AS, EntityType, MentionRole
from domain.model_ports import Embedder
from domain.search import Filters
from storage.graph.document_counts import VISIBLE_MENTION, is_rare, visible_documents
from storage.index import visible
from storage.index.chunks import VISIBLE
from storage.index.vectors import CHUNK_VECTORS, HnswEffort, nearest
from storage.search.snapshot import IndexSnapshot, chunk_condition
from storage.server.pool import Connection, fetch_prepared

_NEARBY = 150
"""Names beginning alike that are compared by their letters, before a name and after it: the nearest have most in
common."""

_PASSED = 5_000
"""Names that are looked at for these on either side: it has an end where nearly all are hidden from a reader."""

_BEGINNING = 4
"""Letters with which a name begins like another, where it has as many."""

_ANY = 1_000_000_000  # documents: no name is too common

_UNCOUNTED = 0  # documents: that somebody speaks of it is all that is asked

_ALIASES_OF_ONE = 50
"""Other names of one thing, at most."""

_MISSPELT = 4
"""Stretches that are compared by letters or by meaning, at most."""

_EXACT_MAX = 10_000
"""Up to so many chunks each vector is compared; above, HNSW is asked."""

_KNOWABLE = f"""
    EXISTS (SELECT FROM {visible.MENTIONS}
            WHERE k.version_id = %(version)s AND k.entity_no = {{entity}} AND {VISIBLE_MENTION} OFFSET 0)
"""
"""Whether a visible chunk shows an entity. OFFSET 0: looked up for each; the planner would join all that is visible."""

_ALIAS = f"""
    WITH RECURSIVE other (entity_no) AS (
        (SELECT r.{{other}} FROM relations r WHERE {{same}} ORDER BY 1 LIMIT 1)
        UNION ALL
        SELECT (SELECT r.{{other}} FROM relations r WHERE {{same}} AND r.{{other}} > other.entity_no ORDER BY 1 LIMIT 1)
        FROM other WHERE other.entity_no IS NOT NULL
    )
    SELECT other.entity_no, shown.confidence FROM other CROSS JOIN LATERAL (
        SELECT r.confidence FROM {visible.RELATIONS}
        WHERE {{same}} AND r.{{other}} = other.entity_no AND NOT r.guarded AND {VISIBLE}
        ORDER BY r.confidence DESC LIMIT 1
    ) shown
    LIMIT {_ALIASES_OF_ONE}
"""
_SAME = f"r.version_id = %(version)s AND r.{{this}} = a.entity_no AND r.predicate = '{SAME_AS}'"
_ALIASES = f"""
    ({_ALIAS.format(other="object_no", same=_SAME.format(this="subject_no"))})
    UNION ALL
    ({_ALIAS.format(other="subject_no", same=_SAME.format(this="object_no"))})
"""
"""Other names of what is asked for: each is looked up once, however many documents state it."""

_KNOWN = f"""
    WITH asked AS MATERIALIZED (
        SELECT e.entity_no, e.key, e.kind FROM entities e WHERE e.key = ANY(%(keys)s)
    ),
    meant (key, entity_no, by, score) AS (
        SELECT key, entity_no, 'exact', 1::float8 FROM asked
        UNION ALL
        SELECT a.key, o.entity_no, 'alias', o.confidence FROM asked a CROSS JOIN LATERAL ({_ALIASES}) o
    )
    SELECT m.key, m.entity_no, e.kind, {visible_documents("m.entity_no")}, m.by, max(m.score)
    FROM meant m JOIN entities e USING (entity_no)
    WHERE {_KNOWABLE.format(entity="m.entity_no")}
    GROUP BY m.key, m.entity_no, e.kind, e.key, m.by
    ORDER BY e.key, m.by
""".encode()

_ONE = "SELECT entity_no, key FROM entities WHERE {range} ORDER BY key {{order}} LIMIT 1"
_INDEXED = "(SELECT n.documents FROM entity_counts n WHERE n.version_id = %(version)s AND n.entity_no = {entity})"

_SIDE = f"""
    WITH RECURSIVE e (entity_no, key, place) AS (
        (SELECT opening.*, 1 FROM ({_ONE.format(range="key {onward} %(name)s AND {bound}")}) opening)
        UNION ALL
        SELECT next.*, e.place + 1
        FROM e CROSS JOIN LATERAL ({_ONE.format(range="key {onward} e.key AND {bound}")}) next
        WHERE e.place < {_PASSED}
    )
    SELECT e.entity_no, e.key FROM e
    WHERE {_KNOWABLE.format(entity="e.entity_no")} AND {is_rare("e.entity_no", _INDEXED.format(entity="e.entity_no"))}
    LIMIT {_NEARBY}
"""
"""Names on one side of a name, from one to the next until enough of them are such as the reader may know."""

_LIKE = f"""
    ({_SIDE.format(onward="<", bound="key >= %(first)s", order="DESC")})
    UNION ALL
    ({_SIDE.format(onward=">", bound="key < %(last)s", order="")})
    ORDER BY key
""".encode()

_TITLES = f"""
    SELECT DISTINCT m.entity_no, m.surface
    FROM chunks h JOIN chunks c ON c.version_id = h.version_id AND c.document_no = h.document_no
    JOIN mentions m ON m.version_id = c.version_id AND m.chunk_no = c.chunk_no
    JOIN entity_counts n ON n.version_id = m.version_id AND n.entity_no = m.entity_no
    JOIN documents d ON d.document_no = h.document_no
    WHERE h.version_id = %(version)s AND h.chunk_no = ANY(%(chunks)s) AND m.role = '{MentionRole.TITLE}' AND {VISIBLE}
      AND {is_rare("m.entity_no", "n.documents")}
    ORDER BY m.surface, m.entity_no
""".encode()


async def entities_in_text(
    connection: Connection,
    snapshot: IndexSnapshot,
    text: str,
    common: int,
    *,
    loose: bool,
    embedder: Embedder | None = None,
) -> list[LinkedEntity]:
    """What `text` names, as far as a visible chunk shows it; at most three things for one span of it.

    common: names that more documents speak of count for nothing. loose: whether similar names count where no very one
    does. embedder: compares them by vectors, too.
    """
    found = mention_spans(text)
    known = await _known(connection, snapshot, found, common)
    meant = linked_entities(found, known, common)
    if not loose:
        return meant
    for each in unknown_names(found, meant)[:_MISSPELT]:
        similar = await _similar(connection, snapshot, each, common)
        if not similar and embedder is not None:
            similar = await _near(connection, snapshot, each, common, embedder)
        meant += [LinkedEntity(each, one) for one in similar[:MAX_MEANINGS]]
    return meant


async def entities_named(
    connection: Connection, snapshot: IndexSnapshot, name: str, embedder: Embedder | None = None
) -> list[LinkedEntity]:
    """What `name`, as a whole, is the name of, at most three things: by the very name, else by similar ones."""
    span = whole_span(name)
    known = await _known(connection, snapshot, [span], _UNCOUNTED)
    meant = [one for key in span.keys for one in known.get(key, ())]
    if not meant:
        meant = await _similar(connection, snapshot, span, _ANY)
    if not meant and embedder is not None:
        meant = await _near(connection, snapshot, span, _ANY, embedder)
    once = {one.entity: one for one in reversed(meant)}
    return [LinkedEntity(span, one) for one in reversed(once.values())]


async def _known(
    connection: Connection, snapshot: IndexSnapshot, found: Sequence[MentionSpan], common: int
) -> Mapping[str, list[KnownEntity]]:
    keys = sorted({key for each in found for key in each.keys})
    bound = {"version": snapshot.version.version_id, "acls": snapshot.acls, "keys": keys, "common": common}
    known: dict[str, list[KnownEntity]] = {}
    for key, entity, kind, documents, by, score in await fetch_prepared(connection, _KNOWN, bound):
        of: LinkMethod = by
        known.setdefault(key, []).append(KnownEntity(entity, EntityType(kind), documents, of, float(score)))
    return known


async def _similar(
    connection: Connection, snapshot: IndexSnapshot, span: MentionSpan, common: int
) -> list[KnownEntity]:
    """By letters: names that begin alike."""
    name = next((key for key in span.keys if key.startswith(f"{EntityType.NAME}:")), "")
    plain = name.partition(":")[2]
    if len(plain) < _BEGINNING:
        return []
    first = f"{EntityType.NAME}:{plain[:_BEGINNING]}"
    last = first[:-1] + chr(ord(first[-1]) + 1)
    bound = {"version": snapshot.version.version_id, "acls": snapshot.acls, "common": common}
    bound |= {"first": first, "name": name, "last": last}
    rows = await fetch_prepared(connection, _LIKE, bound)
    places = similar_names(plain, [key.partition(":")[2] for _, key in rows])
    return [KnownEntity(rows[place][0], EntityType.NAME, by="fuzzy", score=score) for place, score in places]


async def _near(
    connection: Connection, snapshot: IndexSnapshot, span: MentionSpan, common: int, embedder: Embedder
) -> list[KnownEntity]:
    """By vectors: titles of the documents that are nearest to the span."""
    vector = (await embedder.embed([span.text], "query"))[0]
    narrowed, number = chunk_condition(Filters(), snapshot.acls), snapshot.version.version_id
    many = snapshot.version.hnsw_upto and snapshot.collection.chunks > _EXACT_MAX
    effort = HnswEffort().over(snapshot.collection.chunks) if many else None
    hits = await nearest(connection, CHUNK_VECTORS, number, vector, narrowed, 2 * MAX_MEANINGS, effort)
    bound = {"version": number, "acls": snapshot.acls, "chunks": [row[0] for row in hits], "common": common}
    rows = await fetch_prepared(connection, _TITLES, bound)
    if not rows:
        return []
    cosines = await embedder.embed([surface for _, surface in rows], "query") @ vector
    best = np.argsort(-cosines, kind="stable")[:MAX_MEANINGS]
    scored = [(rows[place][0], snapshot.version.scale.common(float(cosines[place]))) for place in best]
    return [
        KnownEntity(number, EntityType.NAME, by="semantic", score=score) for number, score in scored if score >= CLOSE
    ]
