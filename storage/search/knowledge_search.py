"""KnowledgeSearch over PostgreSQL: scope and filters first, then the best.

A search is a few statements without a transaction around them. The first reads what must fit together (the
version, its statistics, the question's posting lists, the ACLs); what a later one no longer finds, or may no longer
see, is left out.
"""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from domain.access import Scope
from domain.documents import digest
from domain.model_ports import EmbedderIdentity
from domain.search import Filters, Hit, Hits, Passage, Retrieval, SearchRequest
from domain.search_ports import NO_PATHS
from domain.text.languages import language_of, query_tokens
from domain.text.tokens import IT, Analyzer, Stemming
from storage.index import bm25, chunks, postings, vectors
from storage.index.posting_cache import PostingCache
from storage.index.vectors import CHUNK_VECTORS, ChunkCondition, HnswEffort
from storage.index.versions import VersionState
from storage.search import existing_names as names
from storage.search.readable import readable
from storage.search.snapshot import IndexSnapshot, chunk_condition, read_permitted_acls, read_snapshot, select_chunks
from storage.search.spelling import hyphenated, spelled
from storage.search.windows import around
from storage.server.pool import Connection, ConnectionPool

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ChunkHit:
    """A chunk that was found by one retrieval."""

    chunk_no: int
    chunk_id: str
    document_id: str
    score: float


@dataclass(frozen=True, slots=True)
class _Selection:
    """The chunks that a request may see."""

    narrowed: ChunkCondition
    chunk_nos: NDArray[np.int32] | None
    """Their numbers, when they are few; None when they are many."""


@dataclass(frozen=True, slots=True)
class _LexicalScores:
    """What the question's words say."""

    scores: bm25.Scores = bm25.NO_SCORES
    """Of every chunk that shares a word with the question, whoever may see it."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """Idf of the question's terms."""


class PostgresSearch:
    """The domain.search_ports.KnowledgeSearch: searches the live index version, or the one in another state.

    embedder: the model whose vectors questions have. exact_max: up to this many permitted chunks each vector is
    compared. effort: how hard HNSW tries above that. state: of the version. primary: where rights are checked before
    something is shown, and by which views are named, where `pool` may lag; None: `pool`. kept_lists: posting lists that
    were read before; None: none.
    """

    def __init__(
        self,
        pool: ConnectionPool,
        embedder: EmbedderIdentity,
        *,
        exact_max: int = 10_000,
        effort: HnswEffort | None = None,
        state: VersionState = "live",
        primary: ConnectionPool | None = None,
        kept_lists: PostingCache | None = None,
    ) -> None:
        self._pool = pool
        self._primary = primary or pool
        self._embedder = embedder
        self._exact_max = exact_max
        self._effort = effort or HnswEffort()
        self._state: VersionState = state
        self._idf = postings.IdfCache()
        self._kept_lists = kept_lists
        self._analyzers: dict[Stemming, Analyzer] = {"english": Analyzer("english"), "none": Analyzer("none")}

    async def search(self, request: SearchRequest, scope: Scope) -> Hits:
        terms = self._terms(request.text) if "lexical" in request.retrievals else {}

        async def work(connection: Connection) -> Hits:
            found: dict[Retrieval, list[ChunkHit]] = {}
            words = _LexicalScores()
            snapshot = await self._snapshot(connection, scope, terms, request.embedder)
            selection = await self._select(connection, snapshot, request.filters)
            if terms:
                words = await self._score_lexical(connection, snapshot, terms[snapshot.version.stemming])
                found["lexical"] = await _best_lexical(connection, snapshot, selection, words.scores, request.limit)
            if "dense" in request.retrievals and request.vector is not None:
                found["dense"] = await self._dense(connection, snapshot, selection, request.vector, request.limit)
            scores = await _complete_scores(connection, snapshot, found, words, request.vector)
            rankings = {
                retrieval: tuple(Hit(near.chunk_id, near.document_id, near.score) for near in ranking)
                for retrieval, ranking in found.items()
            }
            numbers = {near.chunk_no: near.chunk_id for ranking in found.values() for near in ranking}
            covered = bm25.coverage(list(numbers), snapshot.lists, words.weights).tolist()
            shares = dict(zip(numbers.values(), covered, strict=True))
            return Hits(rankings, scores, words.weights, snapshot.version.stemming, shares, snapshot.version.scale)

        return await self._pool.run(work)

    async def passages(self, chunk_ids: Sequence[str], scope: Scope, *, neighbours: int = 0) -> list[Passage]:
        async def work(connection: Connection, snapshot: IndexSnapshot) -> list[Passage]:
            return await chunks.passages(connection, snapshot.version.version_id, chunk_ids, snapshot.acls, neighbours)

        return await self._read(scope, work)

    async def around(
        self, chunk_ids: Sequence[str], vector: NDArray[np.float32], scope: Scope
    ) -> dict[str, tuple[float, ...]]:
        return await self._read(scope, lambda connection, snapshot: around(connection, snapshot, chunk_ids, vector))

    async def readable(
        self, passages: Mapping[str, str], scope: Scope, *, paths: Mapping[str, str] = NO_PATHS
    ) -> dict[str, str]:
        return await self._primary.run(lambda connection: readable(connection, passages, scope, self._state, paths))

    async def count_documents(self, scope: Scope, filters: Filters) -> int:
        """How many documents are visible."""

        async def work(connection: Connection, snapshot: IndexSnapshot) -> int:
            narrowed = chunk_condition(filters, snapshot.acls)
            query = select_chunks(snapshot, "count(DISTINCT c.document_no)", narrowed)
            row = await (await connection.execute(query, narrowed.values)).fetchone()
            return int(row[0]) if row else 0

        return await self._read(scope, work)

    async def existing_names(self, filters: Filters, scope: Scope) -> Filters:
        return await self._read(scope, lambda connection, snapshot: names.existing_names(connection, snapshot, filters))

    async def spelled(
        self, words: Collection[str], scope: Scope, *, loosely: bool = False, strictly: bool = False
    ) -> dict[str, str]:
        async def work(connection: Connection, snapshot: IndexSnapshot) -> dict[str, str]:
            return await spelled(
                connection, snapshot, words, snapshot.version.tokens(), loosely=loosely, strictly=strictly
            )

        return await self._read(scope, work) if words else {}

    async def hyphenated(self, words: Collection[str], scope: Scope) -> dict[str, str]:
        async def work(connection: Connection, snapshot: IndexSnapshot) -> dict[str, str]:
            return await hyphenated(connection, snapshot, words, snapshot.version.tokens())

        return await self._read(scope, work) if words else {}

    async def visibility_key(self, scope: Scope) -> str:
        epoch, allowed = await self._primary.run(lambda connection: read_permitted_acls(connection, scope))
        return digest("view", str(epoch), *map(str, allowed)).hex()

    def _terms(self, question: str) -> dict[Stemming, list[str]]:
        """What a question says, in either kind of tokens: which kind the index has is not known before it is read."""
        language = language_of(question)
        return {name: query_tokens(question, analyzer, language) for name, analyzer in self._analyzers.items()}

    async def _read(self, scope: Scope, work: Callable[[Connection, IndexSnapshot], Awaitable[T]]) -> T:
        """What `work` makes of the version, as `scope` may see it."""

        async def read(connection: Connection) -> T:
            return await work(connection, await self._snapshot(connection, scope))

        return await self._pool.run(read)

    async def _snapshot(
        self,
        connection: Connection,
        scope: Scope,
        terms: Mapping[Stemming, Sequence[str]] | None = None,
        embedder: str = "",
    ) -> IndexSnapshot:
        """The version, with the lists of a question's terms.

        Raises Misconfigured when there is none, or `embedder` (by default, the one this search is for) did not make it.
        """
        snapshot = await read_snapshot(connection, scope, terms, state=self._state, cache=self._kept_lists)
        snapshot.version.check(embedder or self._embedder.name)
        return snapshot

    async def _select(self, connection: Connection, snapshot: IndexSnapshot, filters: Filters) -> _Selection:
        """Counts the permitted chunks, as far as it matters whether they are few."""
        narrowed = chunk_condition(filters, snapshot.acls)
        if snapshot.sees_everything and not filters and snapshot.collection.chunks > self._exact_max:
            return _Selection(narrowed, None)
        query = select_chunks(snapshot, "c.chunk_no", narrowed) + f" LIMIT {self._exact_max + 1}".encode()
        rows = await (await connection.execute(query, narrowed.values, binary=True)).fetchall()
        numbers = np.array([row[0] for row in rows], np.int32)
        return _Selection(narrowed, None if len(numbers) > self._exact_max else numbers)

    async def _score_lexical(
        self, connection: Connection, snapshot: IndexSnapshot, terms: Sequence[str]
    ) -> _LexicalScores:
        """BM25 of every chunk that shares a word with the question, whoever may see it."""
        if not snapshot.version.tokens().knows_it:
            terms = [term for term in terms if term != IT]
        collection, number = snapshot.collection, snapshot.version.version_id
        idf = await self._idf.of(connection, number, snapshot.index_state, snapshot.lists, collection.chunks)
        unknown = max(0.0, bm25.raw_idf(0, collection.chunks))
        scores = bm25.scores(terms, snapshot.lists, idf, collection)
        return _LexicalScores(scores, {term: idf.get(term, unknown) for term in terms})

    async def _dense(
        self,
        connection: Connection,
        snapshot: IndexSnapshot,
        selection: _Selection,
        vector: NDArray[np.float32],
        limit: int,
    ) -> list[ChunkHit]:
        # while an index of many chunks is first filled, there is no HNSW yet
        hnsw = selection.chunk_nos is None and snapshot.version.hnsw_upto
        effort = self._effort.over(snapshot.collection.chunks) if hnsw else None
        number = snapshot.version.version_id
        rows = await vectors.nearest(connection, CHUNK_VECTORS, number, vector, selection.narrowed, limit, effort)
        return sorted((ChunkHit(*row) for row in rows), key=lambda hit: (-hit.score, hit.chunk_no))


async def _best_lexical(
    connection: Connection, snapshot: IndexSnapshot, selection: _Selection, scores: bm25.Scores, limit: int
) -> list[ChunkHit]:
    """The best `limit` of the chunks that meet the selection, out of all that were scored: candidates are tested
    best first, in growing numbers, until there are enough or none are left."""
    if selection.chunk_nos is not None:
        scores = scores.among(selection.chunk_nos)
    found: list[ChunkHit] = []
    tested, window = 0, limit + limit // 4
    while len(found) < limit:
        top, scored = scores.best(tested + window)
        candidates = dict(zip(top[tested:].tolist(), scored[tested:].tolist(), strict=True))
        if not candidates:
            break
        found += await _visible(connection, snapshot, selection, candidates)
        tested, window = len(top), window * 4
    return found[:limit]


async def _visible(
    connection: Connection, snapshot: IndexSnapshot, selection: _Selection, candidates: Mapping[int, float]
) -> list[ChunkHit]:
    """Those of the candidates that meet the selection, in the order given. candidates: scores by chunk number."""
    query = select_chunks(snapshot, "c.chunk_no, c.chunk_id, d.document_id", selection.narrowed)
    bound = {**selection.narrowed.values, "numbers": list(candidates)}
    found = await connection.execute(query + b" AND c.chunk_no = ANY(%(numbers)s)", bound, binary=True)
    there = {row[0]: row for row in await found.fetchall()}
    return [ChunkHit(no, there[no][1], there[no][2], score) for no, score in candidates.items() if no in there]


async def _complete_scores(
    connection: Connection,
    snapshot: IndexSnapshot,
    found: Mapping[Retrieval, Sequence[ChunkHit]],
    words: _LexicalScores,
    vector: NDArray[np.float32] | None,
) -> dict[Retrieval, dict[str, float]]:
    """Scores by chunk id, completed by what each retrieval makes of the chunks that the other brought in."""
    scores: dict[Retrieval, dict[str, float]] = {
        retrieval: {near.chunk_id: near.score for near in ranking} for retrieval, ranking in found.items()
    }
    if vector is None or len(found) < 2:
        return scores
    by_words = _without_score(found["lexical"], scores["dense"])
    cosines = await vectors.cosines(connection, snapshot.version.version_id, vector, list(by_words))
    scores["dense"] |= {by_words[no]: cosine for no, cosine in cosines.items()}
    by_vector = _without_score(found["dense"], scores["lexical"])
    scores["lexical"] |= {by_vector[no]: score for no, score in words.scores.of(list(by_vector)).items()}
    return scores


def _without_score(ranking: Iterable[ChunkHit], scored: Mapping[str, float]) -> dict[int, str]:
    """Chunk ids by number of those in a ranking that have no score yet."""
    return {near.chunk_no: near.chunk_id for near in ranking if near.chunk_id not in scored}
