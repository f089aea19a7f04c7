"""GraphSearch over PostgreSQL.

Two statements after the one that every read begins with and the one that looks up names: the neighbourhood, then the
chunks that stand for the documents reached in it. Nothing of the graph is kept in memory between questions.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from pgvector import HalfVector

from domain.access import Scope
from domain.entity_linking import MAX_MEANINGS, LinkedEntity
from domain.graph_search import STARTS, EntityNeighbourhood, GraphRequest, GraphStep, RelatedChunk, StatedOwner
from domain.graph_walk import ReachedNode, WalkEdge, breadth_first, page_rank
from domain.knowledge_graph import Precedence
from domain.model_ports import Embedder
from domain.relation_matching import answering, best_of, fit, stated
from domain.search import Filters
from storage.graph.entity_lookup import entities_in_text, entities_named
from storage.graph.mentioning import mentioning
from storage.graph.neighbourhood import Neighbourhood, neighbourhood
from storage.graph.owners import stated_owners
from storage.graph.precedence import precedence
from storage.graph.relations import relations, things
from storage.index import visible
from storage.index.chunks import VISIBLE
from storage.index.versions import VersionState
from storage.search.snapshot import IndexSnapshot, chunk_condition, read_snapshot
from storage.server.pool import Connection, ConnectionPool, fetch_prepared

T = TypeVar("T")

MAX_STATED_RELATIONS = 200
"""Relations of one thing that are looked at for a question about them."""


@dataclass(frozen=True, slots=True)
class GraphSearchOptions:
    """How the graph is walked."""

    common: int = 20
    """Names that more visible documents mention lead nowhere. Counting stops there."""
    order: Literal["breadth_first", "page_rank"] = "breadth_first"
    """Breadth first with decay, or personalised PageRank on what was fetched."""


_NEAREST_CHUNKS = """
    SELECT t.document_no, d.document_id, b.chunk_id, b.cosine
    FROM unnest(%(reached)s::int4[]) AS t (document_no) JOIN documents d USING (document_no)
    CROSS JOIN LATERAL (
        SELECT c.chunk_id, {cosine} AS cosine FROM {chunks}
        WHERE v.version_id = %(version)s AND c.version_id = %(version)s AND c.document_no = t.document_no
          AND {condition}
        ORDER BY cosine DESC, c.ordinal LIMIT 1
    ) b
"""
_TITLES = f"""
    SELECT c.chunk_no, c.chunk_id, d.title FROM {visible.CHUNKS}
    WHERE c.version_id = %(version)s AND c.chunk_no = ANY(%(chunks)s) AND {VISIBLE}
""".encode()


class PostgresGraphSearch:
    """The domain.search_ports.GraphSearch: walks the graph of the live index version, or of the one in another state.

    embedder: compares names by meaning, where a request is loose; None leaves that out.
    """

    def __init__(
        self,
        pool: ConnectionPool,
        walking: GraphSearchOptions | None = None,
        *,
        embedder: Embedder | None = None,
        state: VersionState = "live",
    ) -> None:
        self._pool = pool
        self._walking = walking or GraphSearchOptions()
        self._embedder = embedder
        self._state: VersionState = state

    async def related_chunks(self, request: GraphRequest, scope: Scope) -> list[RelatedChunk]:
        async def work(connection: Connection, snapshot: IndexSnapshot) -> list[RelatedChunk]:
            common = self._walking.common
            meant = await entities_in_text(
                connection, snapshot, request.text, common, loose=request.loose, embedder=self._embedder
            )
            if not meant and not request.hits:
                return []
            spoken = await mentioning(connection, snapshot, meant, request) if request.loose and meant else []
            hits = {each.chunk_id: each.score for each in reversed(spoken[:STARTS])} | dict(request.hits)
            near = await neighbourhood(connection, snapshot, meant, hits, request.hops, common)
            walk = page_rank if self._walking.order == "page_rank" else breadth_first
            found = await _related_documents(
                connection, snapshot, near, walk(near.starts, near.edges, hops=request.hops), request
            )
            if request.loose and meant:
                found += [*spoken, *await _relation_chunks(connection, snapshot, meant, request)]
            return best_of(found, request.limit)

        return await self._read(scope, work)

    async def precedence(self, document_ids: Collection[str], scope: Scope) -> dict[tuple[str, str], Precedence]:
        return await self._read(scope, lambda connection, snapshot: precedence(connection, snapshot, document_ids))

    async def neighbourhoods(self, name: str, scope: Scope, *, limit: int = 50) -> list[EntityNeighbourhood]:
        async def work(connection: Connection, snapshot: IndexSnapshot) -> list[EntityNeighbourhood]:
            meant = await entities_named(connection, snapshot, name, self._embedder)
            known = (await things(connection, snapshot, [each.known.entity for each in meant]))[:MAX_MEANINGS]
            shown = await relations(connection, snapshot, [each.entity for each in known], Filters(), limit)
            return [
                EntityNeighbourhood(
                    key=each.key,
                    kind=each.kind,
                    name=each.surface,
                    documents=each.documents,
                    neighbours=tuple(shown[each.entity].neighbours),
                    complete=shown[each.entity].complete,
                )
                for each in known
            ]

        return await self._read(scope, work)

    async def stated_owners(self, name: str, scope: Scope) -> list[StatedOwner]:
        return await self._read(scope, lambda connection, snapshot: stated_owners(connection, snapshot, name))

    async def _read(self, scope: Scope, work: Callable[[Connection, IndexSnapshot], Awaitable[T]]) -> T:
        """What `work` makes of the version, its statements planned once: that takes longer than to run them."""

        async def planned(connection: Connection) -> T:
            with connection.planned_once():
                return await work(connection, await read_snapshot(connection, scope, state=self._state))

        return await self._pool.run(planned)


async def _related_documents(
    connection: Connection,
    snapshot: IndexSnapshot,
    near: Neighbourhood,
    reached: Mapping[int, ReachedNode],
    request: GraphRequest,
) -> list[RelatedChunk]:
    """The best documents, each by its chunk nearest to the question."""
    documents = {node: there for node, there in reached.items() if node > 0}
    best = sorted(documents.items(), key=lambda item: (-item[1].score, len(item[1].way), item[0]))
    # all of them are visible: only filters can leave one out
    looked_at = best if request.filters else best[: request.limit]
    chosen = await _nearest_chunks(connection, snapshot, [node for node, _ in looked_at], request)
    kept = [(node, there) for node, there in best if node in chosen][: request.limit]
    shown = await _chunk_titles(
        connection, snapshot, {near.shown[edge.label].chunk_no for _, there in kept for edge in there.way}
    )
    found = []
    for node, there in kept:
        chunk = chosen[node]
        steps = [_step(edge, near, shown) for edge in there.way]
        way = tuple(step for step in steps if step is not None)
        found.append(RelatedChunk(chunk.chunk_id, chunk.document_id, there.score, way, chunk.cosine))
    return found


@dataclass(frozen=True, slots=True)
class _Chunk:
    """A chunk that stands for its document."""

    chunk_id: str
    document_id: str
    cosine: float | None


async def _nearest_chunks(
    connection: Connection, snapshot: IndexSnapshot, documents: Sequence[int], request: GraphRequest
) -> dict[int, _Chunk]:
    """For each of those documents that meet the filters, its chunk nearest to the question, by number."""
    narrowed = chunk_condition(request.filters, snapshot.acls)
    cosine = "NULL::float8" if request.vector is None else "-(v.embedding <#> %(vector)s)"
    bound = {**narrowed.values, "version": snapshot.version.version_id, "reached": list(documents)}
    if request.vector is not None:
        bound["vector"] = HalfVector(request.vector)
    query = _NEAREST_CHUNKS.format(
        cosine=cosine, chunks=visible.vectors("vectors"), condition=narrowed.condition
    ).encode()
    rows = await (await connection.execute(query, bound, prepare=True)).fetchall()
    return {row[0]: _Chunk(row[2], row[1], row[3]) for row in rows}


async def _relation_chunks(
    connection: Connection, snapshot: IndexSnapshot, meant: Sequence[LinkedEntity], request: GraphRequest
) -> list[RelatedChunk]:
    """The chunks that show relations of what was meant, with how well these fit what is asked."""
    sure = {each.known.entity: each for each in reversed(meant)}
    shown = await relations(connection, snapshot, list(sure), request.filters, MAX_STATED_RELATIONS)
    found = []
    for entity, known in shown.items():
        neighbours = known.neighbours
        score, span = sure[entity].known.score, sure[entity].span
        answers = set(answering(request.text, span, neighbours))
        for each in neighbours:
            step = stated(span.text, each)
            states = (step,) if each in answers else ()
            better = score * fit(request.text, span, each)
            found.append(RelatedChunk(each.chunk_id, each.document_id, better, (step,), stated_relations=states))
    return found


async def _chunk_titles(
    connection: Connection, snapshot: IndexSnapshot, chunk_nos: Collection[int]
) -> dict[int, tuple[str, str]]:
    """Id and title of the chunks that show edges, by number."""
    bound = {"version": snapshot.version.version_id, "acls": snapshot.acls, "chunks": sorted(chunk_nos)}
    rows = await fetch_prepared(connection, _TITLES, bound) if chunk_nos else []
    return {row[0]: (row[1], row[2]) for row in rows}


def _step(edge: WalkEdge, near: Neighbourhood, shown: Mapping[int, tuple[str, str]]) -> GraphStep | None:
    """An edge in words; None when what shows it has gone meanwhile."""
    what = near.shown[edge.label]
    there = shown.get(what.chunk_no)
    return GraphStep(there[1], "names", what.surface, there[0]) if there else None
