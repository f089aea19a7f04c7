"""What a text names, looked up in the graph: by the very name, by another name of the same, by a similar one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from domain.graph import SAME_AS, Kind, Role
from domain.linking import CLOSE, MOST, By, Known, Meant, Stretch, alike, chosen, stretches, unmet, whole
from domain.ports import Embedder
from domain.search import Filters
from storage.chunks import VISIBLE
from storage.graph_counts import SHOWN, rare, speakers
from storage.live import Live, narrow
from storage.readers import Connection
from storage.vectors import Effort, nearest_exact, nearest_hnsw

_NEARBY = 150
"""Names beginning alike that are compared by their letters, before a name and after it: the nearest have most in
common."""

_BEGINNING = 4
"""Letters with which a name begins like another, where it has as many."""

_ANY = 1_000_000_000  # documents: no name is too common

_UNCOUNTED = 0  # documents: that somebody speaks of it is all that is asked

_MISSPELT = 4
"""Stretches that are compared by letters or by meaning, at most."""

_KNOWABLE = f"""
    EXISTS (SELECT FROM mentions k JOIN documents d USING (document_no)
            WHERE k.version_id = %(version)s AND k.entity_no = {{entity}} AND {SHOWN} OFFSET 0)
"""
"""Whether a visible chunk shows an entity. OFFSET 0: looked up for each; the planner would join all that is visible."""

_KNOWN = f"""
    WITH asked AS MATERIALIZED (
        SELECT e.entity_no, e.key, e.kind FROM entities e WHERE e.key = ANY(%(keys)s)
    ),
    meant (key, entity_no, by, score) AS (
        SELECT key, entity_no, 'exact', 1::float8 FROM asked
        UNION ALL
        SELECT a.key, other.entity_no, 'alias', r.confidence
        FROM asked a
        JOIN relations r ON r.version_id = %(version)s AND a.entity_no IN (r.subject_no, r.object_no)
                        AND r.predicate = '{SAME_AS}'
        JOIN chunks c USING (version_id, chunk_no)
        JOIN documents d ON d.document_no = r.document_no
        CROSS JOIN LATERAL (
            SELECT CASE WHEN r.subject_no = a.entity_no THEN r.object_no ELSE r.subject_no END AS entity_no
        ) other
        WHERE {VISIBLE}
    )
    SELECT m.key, m.entity_no, e.kind, {speakers("m.entity_no")}, m.by, max(m.score)
    FROM meant m JOIN entities e USING (entity_no)
    WHERE {_KNOWABLE.format(entity="m.entity_no")}
    GROUP BY m.key, m.entity_no, e.kind, e.key, m.by
    ORDER BY e.key, m.by
""".encode()

_SIDE = f"""
    SELECT e.entity_no, e.key
    FROM entities e JOIN entity_counts n ON n.version_id = %(version)s AND n.entity_no = e.entity_no
    WHERE {{range}} AND {_KNOWABLE.format(entity="e.entity_no")} AND {rare("e.entity_no", "n.documents")}
    ORDER BY e.key {{order}} LIMIT {_NEARBY}
"""
_LIKE = f"""
    ({_SIDE.format(range="e.key >= %(first)s AND e.key < %(name)s", order="DESC")})
    UNION ALL
    ({_SIDE.format(range="e.key > %(name)s AND e.key < %(last)s", order="")})
    ORDER BY key
""".encode()

_TITLES = f"""
    SELECT DISTINCT m.entity_no, m.surface
    FROM chunks h JOIN chunks c ON c.version_id = h.version_id AND c.document_no = h.document_no
    JOIN mentions m ON m.version_id = c.version_id AND m.chunk_no = c.chunk_no
    JOIN entity_counts n ON n.version_id = m.version_id AND n.entity_no = m.entity_no
    JOIN documents d ON d.document_no = h.document_no
    WHERE h.version_id = %(version)s AND h.chunk_no = ANY(%(chunks)s) AND m.role = '{Role.TITLE}' AND {VISIBLE}
      AND {rare("m.entity_no", "n.documents")}
    ORDER BY m.surface, m.entity_no
""".encode()


@dataclass(frozen=True, slots=True)
class Meaning:
    """How names are compared by meaning. embedder: makes their vectors. exact_max: up to so many chunks each is
    compared."""

    embedder: Embedder
    exact_max: int = 10_000


async def linked(
    connection: Connection, live: Live, text: str, common: int, *, loose: bool, meaning: Meaning | None = None
) -> list[Meant]:
    """What `text` names, as far as a visible chunk shows it; at most three things for one stretch of it.

    common: names that more documents speak of count for nothing. loose: whether similar names count where no very one
    does. meaning: compares them by vectors, too.
    """
    found = stretches(text)
    known = await _known(connection, live, found, common)
    meant = chosen(found, known, common)
    if not loose:
        return meant
    for each in unmet(found, meant)[:_MISSPELT]:
        similar = await _similar(connection, live, each, common)
        if not similar and meaning is not None:
            similar = await _near(connection, live, each, common, meaning)
        meant += [Meant(each, one) for one in similar[:MOST]]
    return meant


async def called(connection: Connection, live: Live, name: str, meaning: Meaning | None = None) -> list[Meant]:
    """What `name`, as a whole, is the name of, at most three things: by the very name, else by similar ones."""
    stretch = whole(name)
    known = await _known(connection, live, [stretch], _UNCOUNTED)
    meant = [one for key in stretch.keys for one in known.get(key, ())]
    if not meant:
        meant = await _similar(connection, live, stretch, _ANY)
    if not meant and meaning is not None:
        meant = await _near(connection, live, stretch, _ANY, meaning)
    once = {one.entity: one for one in reversed(meant)}
    return [Meant(stretch, one) for one in reversed(once.values())]


async def _known(
    connection: Connection, live: Live, found: Sequence[Stretch], common: int
) -> Mapping[str, list[Known]]:
    keys = sorted({key for each in found for key in each.keys})
    bound = {"version": live.version.version_id, "acls": live.acls, "keys": keys, "common": common}
    known: dict[str, list[Known]] = {}
    for key, entity, kind, documents, by, score in await _rows(connection, _KNOWN, bound):
        of: By = by
        known.setdefault(key, []).append(Known(entity, Kind(kind), documents, of, float(score)))
    return known


async def _similar(connection: Connection, live: Live, stretch: Stretch, common: int) -> list[Known]:
    """By letters: names that begin alike."""
    name = next((key for key in stretch.keys if key.startswith(f"{Kind.NAME}:")), "")
    plain = name.partition(":")[2]
    if len(plain) < _BEGINNING:
        return []
    first = f"{Kind.NAME}:{plain[:_BEGINNING]}"
    last = first[:-1] + chr(ord(first[-1]) + 1)
    bound = {"version": live.version.version_id, "acls": live.acls, "common": common}
    bound |= {"first": first, "name": name, "last": last}
    rows = await _rows(connection, _LIKE, bound)
    places = alike(plain, [key.partition(":")[2] for _, key in rows])
    return [Known(rows[place][0], Kind.NAME, by="fuzzy", score=score) for place, score in places]


async def _near(connection: Connection, live: Live, stretch: Stretch, common: int, meaning: Meaning) -> list[Known]:
    """By vectors: titles of the documents that are nearest to the stretch."""
    vector = (await meaning.embedder.embed([stretch.text]))[0]
    narrowed, number = narrow(Filters(), live.acls), live.version.version_id
    if live.version.hnsw_upto and live.statistics.collection.chunks > meaning.exact_max:
        hits = await nearest_hnsw(connection, number, vector, narrowed, 2 * MOST, Effort())
    else:
        hits = await nearest_exact(connection, number, vector, narrowed, 2 * MOST)
    bound = {"version": number, "acls": live.acls, "chunks": [hit.chunk_no for hit in hits], "common": common}
    rows = await _rows(connection, _TITLES, bound)
    if not rows:
        return []
    cosines = await meaning.embedder.embed([surface for _, surface in rows]) @ vector
    best = np.argsort(-cosines, kind="stable")[:MOST]
    close = [place for place in best.tolist() if cosines[place] >= CLOSE]
    return [Known(rows[place][0], Kind.NAME, by="semantic", score=float(cosines[place])) for place in close]


async def _rows(connection: Connection, query: bytes, bound: Mapping[str, object]) -> list[tuple[Any, ...]]:
    return list(await (await connection.execute(query, bound, binary=True)).fetchall())
