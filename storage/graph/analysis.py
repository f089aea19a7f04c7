"""The knowledge graph as a whole, for its operator: what it holds, how it hangs together, and a file of it. It is read
completely, so nothing here is for answering questions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.errors import Misconfigured
from domain.knowledge_graph import EntityType, shown_key, split_key
from storage.index import versions
from storage.server.engine import Engine
from storage.server.transactions import transaction

if TYPE_CHECKING:
    import networkx as nx

_KINDS = text(
    "SELECT kind, count(*) AS held FROM entity_counts JOIN entities USING (entity_no)"
    " WHERE version_id = :version GROUP BY kind ORDER BY kind"
)
_MENTIONS = text("SELECT role, count(*) AS held FROM mentions WHERE version_id = :version GROUP BY role ORDER BY role")
_PATTERNS = text(
    "SELECT pattern, count(*) AS held FROM relations WHERE version_id = :version GROUP BY pattern ORDER BY pattern"
)
_SAID = (
    "coalesce((SELECT m.surface FROM mentions m WHERE m.version_id = :version AND m.entity_no = entities.entity_no"
    " ORDER BY m.surface ~ '[@+]' DESC, m.surface LIMIT 1), name) AS said"
)
"""What a chunk calls an entity, an address or a telephone number first: a name is stored without its signs."""

_HUBS = text(
    f"SELECT key, {_SAID}, documents FROM entity_counts JOIN entities USING (entity_no) WHERE version_id = :version"
    " ORDER BY documents DESC, key LIMIT :limit"
)
_DOCUMENTS = text(
    "SELECT d.document_no, d.document_id, d.title, d.path, i.graph FROM indexed_documents i"
    " JOIN documents d USING (document_no) WHERE i.version_id = :version ORDER BY d.path"
)
_IDENTITIES = text("SELECT entity_no, document_no FROM mentions WHERE version_id = :version AND role = 'identity'")
_EDGES = text(
    """
    SELECT s.key AS subject, r.predicate, o.key AS object, r.pattern, r.confidence, r.document_no, c.chunk_id,
           r.subject_no, r.object_no
    FROM relations r JOIN entities s ON s.entity_no = r.subject_no JOIN entities o ON o.entity_no = r.object_no
    JOIN chunks c ON c.version_id = r.version_id AND c.chunk_no = r.chunk_no
    WHERE r.version_id = :version ORDER BY s.key, r.predicate, o.key, c.chunk_id, r.pattern
    """
)
_ENTITIES = text(
    f"SELECT key, kind, name, {_SAID}, documents FROM entity_counts JOIN entities USING (entity_no)"
    " WHERE version_id = :version ORDER BY key"
)


_WHOLE = frozenset({EntityType.ISSUE, EntityType.PAGE, EntityType.DOCUMENT, EntityType.FILE})


@dataclass(frozen=True, slots=True)
class GraphStatistics:
    """What the live version's graph holds."""

    entities: Mapping[str, int]
    """Counts by kind."""
    mentions: Mapping[str, int]
    """Counts by role."""
    relations: Mapping[str, int]
    """Counts by pattern."""
    documents: int
    """Indexed ones."""
    read: int
    """Of the documents, how many have a part in the graph."""
    components: int
    """Groups of documents that are joined: one leads to another, or both lead to the same one."""
    largest: int
    """Documents in the largest component."""
    hubs: tuple[tuple[str, str, int], ...]
    """Keys that most documents mention, with what a chunk calls it, and how many do."""
    orphans: tuple[str, ...]
    """Paths of documents that nothing joins to another."""


HUBS = 10
"""Keys that are told, at most, of those that most documents mention."""


class GraphAnalysis:
    """The graph of the live version."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def statistics(self) -> GraphStatistics:
        """Counts, components, hubs and orphans. Raises Misconfigured when nothing is indexed yet."""
        import networkx as nx

        async with transaction(self._engine) as connection:
            values = {"version": await _live_version(connection)}
            entities, mentions, relations = [
                {str(row[0]): int(row.held) for row in await connection.execute(query, values)}
                for query in (_KINDS, _MENTIONS, _PATTERNS)
            ]
            found = (await connection.execute(_HUBS, {**values, "limit": HUBS})).all()
            documents = (await connection.execute(_DOCUMENTS, values)).all()
            joined = await _joined(connection, values)
        paths = {row.document_no: row.path for row in documents}
        joined.add_nodes_from(("document", number) for number in paths)
        groups = [
            sorted(node[1] for node in group if node[0] == "document") for group in nx.connected_components(joined)
        ]
        return GraphStatistics(
            entities,
            mentions,
            relations,
            documents=len(documents),
            read=sum(bool(row.graph) for row in documents),
            components=sum(map(bool, groups)),
            largest=max(map(len, groups), default=0),
            hubs=tuple((row.key, row.said, row.documents) for row in found),
            orphans=tuple(sorted(paths[group[0]] for group in groups if len(group) == 1)),
        )

    async def export(self, file: Path, shown: Callable[[str], str]) -> tuple[int, int]:
        """Writes the graph as GraphML: entities with their kind, name and number of documents; relations with
        predicate, pattern, confidence, and the document and chunk that show them. Returns how many of both.
        shown: a text without what must not be shown; keys that it makes the same are numbered.

        Raises:
            Misconfigured: nothing is indexed yet.
            OSError: the file cannot be written.
        """
        import networkx as nx

        async with transaction(self._engine) as connection:
            graph = await _whole(connection, {"version": await _live_version(connection)}, shown)
        nx.write_graphml(graph, file)
        return graph.number_of_nodes(), graph.number_of_edges()


async def _live_version(connection: AsyncConnection) -> int:
    version = await versions.find(connection, "live")
    if version is None:
        raise Misconfigured("Nothing is indexed yet", next_step="Index something first: kb index PATH_OR_URL")
    return version.version_id


async def _joined(connection: AsyncConnection, values: Mapping[str, int]) -> "nx.Graph[Any]":
    """Documents and what they state relations to, as far as that is, or could be, a document: not what many share, such
    as a label, a space or an author."""
    import networkx as nx

    graph: nx.Graph[Any] = nx.Graph()
    known: dict[int, list[int]] = {}
    for row in await connection.execute(_IDENTITIES, values):
        known.setdefault(row.entity_no, []).append(row.document_no)
    for row in await connection.execute(_EDGES, values):
        if row.pattern in {"structure", "reference"}:
            for key, end in ((row.subject, row.subject_no), (row.object, row.object_no)):
                if split_key(key)[0] in _WHOLE:
                    graph.add_edge(("document", row.document_no), ("entity", end))
                    graph.add_edges_from((("document", other), ("entity", end)) for other in known.get(end, ()))
    return graph


async def _whole(
    connection: AsyncConnection, values: Mapping[str, int], shown: Callable[[str], str]
) -> "nx.MultiDiGraph[Any]":
    import networkx as nx

    graph: nx.MultiDiGraph[Any] = nx.MultiDiGraph()
    nodes: dict[str, str] = {}
    for row in await connection.execute(_ENTITIES, values):
        key = shown_key(row.key, row.said, shown)
        name = shown(row.name if key == row.key else row.said)
        nodes[row.key] = _xml(f"{key} ({len(nodes)})" if _xml(key) in graph else key)
        graph.add_node(nodes[row.key], kind=row.kind, name=_xml(name), documents=row.documents)
    documents = {row.document_no: row.document_id for row in await connection.execute(_DOCUMENTS, values)}
    for row in await connection.execute(_EDGES, values):
        facts = {
            "predicate": _xml(shown(row.predicate)),
            "pattern": row.pattern,
            "confidence": round(row.confidence, 4),
        }
        place = {"document": documents.get(row.document_no, ""), "chunk": row.chunk_id}
        graph.add_edge(nodes[row.subject], nodes[row.object], **facts, **place)
    return graph


def _xml(name: str) -> str:
    """A text without characters that XML has no form for."""
    return "".join(letter if letter >= " " and letter not in "\ufffe\uffff" else " " for letter in name)
