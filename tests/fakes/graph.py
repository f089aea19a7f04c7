"""The knowledge graph as sets, to be compared: as the database has it, and as the parts of documents make it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from sqlalchemy import text

from domain.knowledge_graph import DocumentGraph
from storage.server.engine import Engine

_VERSION = "(SELECT version_id FROM index_versions WHERE state = :state)"
_MENTIONS = f"""
    SELECT d.document_id, e.key, c.ordinal, m.role, round(m.confidence::numeric, 4)::float8, m.surface FROM mentions m
    JOIN entities e USING (entity_no) JOIN documents d USING (document_no)
    LEFT JOIN chunks c USING (version_id, chunk_no) WHERE m.version_id = {_VERSION}
"""
_RELATIONS = f"""
    SELECT d.document_id, s.key, r.predicate, o.key, c.ordinal, r.pattern, round(r.confidence::numeric, 4)::float8,
           r.guarded
    FROM relations r JOIN entities s ON s.entity_no = r.subject_no JOIN entities o ON o.entity_no = r.object_no
    JOIN documents d USING (document_no) LEFT JOIN chunks c USING (version_id, chunk_no)
    WHERE r.version_id = {_VERSION}
"""
_COUNTS = f"SELECT key, documents FROM entity_counts JOIN entities USING (entity_no) WHERE version_id = {_VERSION}"


@dataclass
class Graph:
    """Everything that the graph of one index version holds. counts: documents by key. unused: keys of entities that
    nothing mentions in any version."""

    mentions: Counter[tuple[object, ...]] = field(default_factory=Counter)
    relations: Counter[tuple[object, ...]] = field(default_factory=Counter)
    counts: dict[str, int] = field(default_factory=dict)
    unused: set[str] = field(default_factory=set)


def union(parts: Mapping[str, DocumentGraph]) -> Graph:
    """What the parts of documents, by their ids, make together."""
    found = Graph()
    for document, part in parts.items():
        for each in part.mentions:
            place = (document, each.key, each.chunk, each.role.value, round(each.confidence, 4), each.surface)
            found.mentions[place] += 1
        for one in part.relations:
            ends = (document, one.subject, one.predicate, one.object, one.chunk, one.pattern.value)
            found.relations[(*ends, round(one.confidence, 4), one.guarded)] += 1
        for key in part.keys:
            found.counts[key] = found.counts.get(key, 0) + 1
    return found


async def stored(engine: Engine, state: Literal["live", "building", "previous"] = "live") -> Graph:
    """What the database has."""
    values = {"state": state}
    async with engine.connect() as connection:
        mentions = Counter(tuple(row) for row in await connection.execute(text(_MENTIONS), values))
        relations = Counter(tuple(row) for row in await connection.execute(text(_RELATIONS), values))
        counts = {row.key: row.documents for row in await connection.execute(text(_COUNTS), values)}
        used = "SELECT key FROM entities WHERE entity_no NOT IN (SELECT entity_no FROM entity_counts)"
        unused = set((await connection.execute(text(used))).scalars())
    return Graph(mentions, relations, counts, unused)
