"""A question's words become ranked passages."""

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from agent.retrieval import fusion
from agent.retrieval.covering import covering
from agent.retrieval.day_ranking import with_days
from agent.retrieval.fusion import GraphHit
from agent.retrieval.graph_ranking import GraphRanking
from agent.retrieval.identifier_ranking import asked_identifiers, with_identifiers
from agent.retrieval.latest import Latest
from agent.retrieval.learned_fusion import MAX_WINDOWS, Candidates, graph_counts
from agent.retrieval.title_links import with_named_titles
from agent.wording import searched_by_words
from domain.access import Scope
from domain.cosine_scale import COMMON_SCALE, CosineScale
from domain.errors import Transient
from domain.graph_search import GraphRequest
from domain.model_ports import Embedder
from domain.search import Filters, Hits, Method, Passage, Ranking, Retrieval, SearchRequest
from domain.search_ports import GraphSearch, KnowledgeSearch
from domain.text.days import named_days
from domain.text.synonyms import NO_SYNONYMS, Synonyms
from domain.text.tokens import Analyzer, Stemming


@dataclass(frozen=True, slots=True)
class RetrievalOptions:
    """How rankings are made and fused."""

    fusion: Literal["learned", "normalised", "rrf"] = "learned"
    """learned: see agent.retrieval.learned_fusion. While the embedder is away, `normalised` takes its place."""
    lexical_weight: float = 0.5
    """Weight of the ranking by words, 0 to 1; the ranking by meaning has the rest. Not where weights are learned."""
    graph_share: float = 0.45
    """Weight of the knowledge graph, 0 to 1; both others share the rest. 0 leaves the graph out. Where weights are
    learned, only 0 counts."""
    similar: int = 0
    """How many chunks nearest to each of the first results count as its neighbours in the graph."""
    rrf_k: int = 60
    """The k of reciprocal rank fusion."""
    candidates: int = 100
    """Hits taken from each ranking."""
    diversity: float = 0.0
    """Diversity of maximal marginal relevance, 0 to 1; 0 for none."""
    synonyms: Synonyms = NO_SYNONYMS
    """What is searched for as well, and counts as the same."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A chunk in the final order."""

    chunk_id: str
    document_id: str
    score: float
    """Fused score, or that of the one ranking that was made."""
    ranks: Mapping[Ranking, int]
    """Its place in each ranking that has it, from 1."""
    cosine: float | None = None
    """Cosine with the question, where the ranking by meaning measured it."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What retrieval found."""

    ranked: tuple[Ranked, ...]
    """Best first."""
    term_idf: Mapping[str, float] = field(default_factory=dict)
    """Weight of each of the question's terms in this index."""
    stemming: Stemming = "english"
    """How the question's terms were made of its words."""
    vector: NDArray[np.float32] | None = None
    """The question's vector; None when it was not embedded."""
    missing: Mapping[Ranking, str] = field(default_factory=dict)
    """The rankings that could not be made, with a sentence on why."""
    synonyms: Synonyms = NO_SYNONYMS
    """What counts as the same as a term."""
    scale: CosineScale = COMMON_SCALE
    """What cosines with `vector` mean."""

    def likeness(self, vector: NDArray[np.float32]) -> float:
        """The cosine of the question and a text, on the common scale; 0 where one of them was not embedded. vector: the
        text's, zeros where it has none."""
        if self.vector is None or not vector.any():
            return 0.0
        return self.scale.common(float(vector @ self.vector))

    def widened(self, tokens: Collection[str]) -> frozenset[str]:
        """The tokens of a text, and those that mean the same."""
        return self.synonyms.widened(tokens, self.stemming)

    @property
    def degraded(self) -> str:
        """Why rankings are missing, for the asker; empty when none is."""
        return " ".join(self.missing.values())


@dataclass(frozen=True, slots=True)
class FusionCandidates:
    """The candidates of a question."""

    candidates: Candidates
    documents: Mapping[str, str]
    """The document of each chunk, by id."""
    vector: NDArray[np.float32]
    """The question's, shape (dimensions,)."""


WEIGHTS_SECONDS = 10.0
"""Seconds for which weights of terms are taken as they were: they change with the index, and slowly."""

_BOTH: tuple[Retrieval, ...] = ("lexical", "dense")
_RETRIEVALS: Mapping[Method, tuple[Retrieval, ...]] = {
    "hybrid+graph": _BOTH,
    "hybrid": _BOTH,
    "lexical": ("lexical",),
    "dense": ("dense",),
    "graph": (),
}


class Retriever:
    """Finds passages for a question.

    search: the index. embedder: for dense retrieval; while it is away, lexical retrieval answers alone. graph: the
    knowledge graph; None where there is none.
    """

    def __init__(
        self,
        search: KnowledgeSearch,
        embedder: Embedder,
        options: RetrievalOptions,
        graph: GraphSearch | None = None,
    ) -> None:
        self._graph = graph
        self._search = search
        self._embedder = embedder
        self._options = options
        self._vectors = Latest[NDArray[np.float32]]()
        self._weights = Latest[tuple[float, Hits]]()

    def weighing(self, *, lexical: float | None = None, graph: float | None = None) -> "Retriever":
        """This retriever with other weights, 0 to 1, for one request; it remembers the same vectors. A weight that is
        asked for takes the place of those that are learned: then min-max normalised scores are summed. lexical: of the
        ranking by words; that by meaning has the rest. graph: of the knowledge graph."""
        if lexical is None and graph is None:
            return self
        known = self._options
        wanted = replace(
            known,
            fusion="normalised" if known.fusion == "learned" else known.fusion,
            lexical_weight=known.lexical_weight if lexical is None else lexical,
            graph_share=known.graph_share if graph is None else graph,
        )
        return self.having(wanted)

    def having(self, options: RetrievalOptions) -> "Retriever":
        """This retriever with other options; it remembers the same vectors."""
        changed = Retriever(self._search, self._embedder, options, self._graph)
        vars(changed).update(_vectors=self._vectors, _weights=self._weights)
        return changed

    @property
    def options(self) -> RetrievalOptions:
        """How rankings are made and fused."""
        return self._options

    async def embed(self, text: str) -> NDArray[np.float32]:
        """The vector of a text, shape (dimensions,); the last few hundred are remembered.

        Raises:
            Transient: the embedder is away.
        """
        vector = self._vectors.get(text)
        if vector is None:
            vector = (await self._embedder.embed([text], "query"))[0]
        self._vectors[text] = vector
        return vector

    async def measure(self, text: str, scope: Scope) -> Retrieved:
        """Weights of a text's terms in this index and its vector, without any ranking."""
        vector, missing = await self._embed(text, required=False)
        known = self._weights.get(text)
        alike = self._options.synonyms
        if known and time.monotonic() - known[0] < WEIGHTS_SECONDS:
            return Retrieved((), known[1].term_idf, known[1].stemming, vector, missing, alike, known[1].scale)
        request = SearchRequest(text=text, embedder=self._embedder.identity.name, retrievals=("lexical",), limit=1)
        hits = await self._search.search(request, scope)
        self._remember_weights(text, hits)
        return Retrieved((), hits.term_idf, hits.stemming, vector, missing, alike, hits.scale)

    def rewritten(self, text: str) -> str:
        """Other words for a question by the synonyms that count; empty where there are none."""
        return self._options.synonyms.rewritten(text)

    def _remember_weights(self, text: str, hits: Hits) -> None:
        """Remembers the weights of a text's terms for a moment: what was searched for is judged right after."""
        self._weights[text] = (time.monotonic(), Hits({}, {}, hits.term_idf, hits.stemming, scale=hits.scale))

    async def rank(
        self,
        text: str,
        scope: Scope,
        *,
        method: Method = "hybrid+graph",
        limit: int = 10,
        filters: Filters | None = None,
    ) -> Retrieved:
        """The best `limit` chunks for `text`, and for other words for it, that `scope` may see.

        Raises:
            Misconfigured, Transient: see domain.search_ports.KnowledgeSearch; Transient too when dense retrieval alone
                is asked for and the embedder is away.
        """
        found = await self._rank(text, scope, method=method, limit=limit, filters=filters)
        if not (other := self.rewritten(text)):
            return found
        return _joined(found, await self._rank(other, scope, method=method, limit=limit, filters=filters), limit)

    async def _rank(self, text: str, scope: Scope, *, method: Method, limit: int, filters: Filters | None) -> Retrieved:
        retrievals = _RETRIEVALS[method]
        vector, missing = None, dict[Ranking, str]()
        if "dense" in retrievals or method == "graph":
            vector, missing = await self._embed(text, required=method == "dense")
        asked = GraphRequest(text, vector=vector, filters=filters or Filters())
        if method == "graph":
            return Retrieved(await self._by_graph(asked, scope, limit), vector=vector, missing=missing)
        hits = await self._hits(asked, retrievals, max(limit, self._options.candidates), scope)
        if "lexical" in retrievals:
            self._remember_weights(text, hits)
        ranked, without = await self._fuse(method, asked, hits, scope)
        missing |= without
        if self._options.diversity > 0 and vector is not None:
            ranked = await self._diversify(ranked, scope, limit)
        return Retrieved(ranked[:limit], hits.term_idf, hits.stemming, vector, missing)

    async def _by_graph(self, asked: GraphRequest, scope: Scope, limit: int) -> tuple[Ranked, ...]:
        """What the knowledge graph alone leads to."""
        if self._graph is None:
            return ()
        found = await self._graph.related_chunks(replace(asked, limit=limit, loose=True), scope)
        return tuple(
            Ranked(each.chunk_id, each.document_id, each.score, {"graph": rank}, each.cosine)
            for rank, each in enumerate(found, start=1)
        )

    async def candidates(self, text: str, scope: Scope, *, filters: Filters | None = None) -> FusionCandidates:
        """What the three rankings make of a question, before it is fused with learned weights.

        Raises:
            Misconfigured, Transient: as `rank`.
        """
        vector = await self.embed(text)
        asked = GraphRequest(text, vector=vector, filters=filters or Filters())
        hits = await self._hits(asked, _BOTH, self._options.candidates, scope)
        graph_hits, _ = await self._graph_hits(
            asked, hits, fusion.normalised(hits.scores, self._weights_of(hits)), scope
        )
        documents = {hit.chunk_id: hit.document_id for ranking in hits.rankings.values() for hit in ranking}
        documents |= {each.chunk_id: each.document_id for each in graph_hits}
        return FusionCandidates(Candidates.of(hits, graph_hits), documents, vector)

    async def _hits(self, asked: GraphRequest, retrievals: tuple[Retrieval, ...], limit: int, scope: Scope) -> Hits:
        request = SearchRequest(
            text=asked.text,
            vector=asked.vector,
            embedder=self._embedder.identity.name,
            retrievals=retrievals,
            limit=limit,
            filters=asked.filters,
        )
        return await self._search.search(request, scope)

    async def _graph_hits(
        self, asked: GraphRequest, hits: Hits, fused: Mapping[str, float], scope: Scope
    ) -> tuple[list[GraphHit], str]:
        """Where the graph leads from the best of `fused`, and why that is missing; nowhere where it is left out."""
        if self._graph is None or self._options.graph_share == 0:
            return [], ""
        third = GraphRanking(self._graph, self._search, self._embedder.identity.name, self._options.similar)
        return await third.graph_hits(asked, hits, fused, scope, self._weights_of(hits).get("dense", 0.0))

    async def _fuse(
        self, method: Method, asked: GraphRequest, hits: Hits, scope: Scope
    ) -> tuple[tuple[Ranked, ...], dict[Ranking, str]]:
        """The rankings as one, and why that of the graph is missing in it."""
        if method in _BOTH or (method == "hybrid" and len(hits.rankings) == 1):
            return _ranked(hits, {hit.chunk_id: hit.score for ranking in hits.rankings.values() for hit in ranking}), {}
        weights, options = self._weights_of(hits), self._options
        fused, graph_hits, missing = fusion.normalised(hits.scores, weights), list[GraphHit](), ""
        if method == "hybrid+graph":
            graph_hits, missing = await self._graph_hits(asked, hits, fused, scope)
        if options.fusion == "learned" and asked.vector is not None and len(hits.rankings) > 1:
            fused = await self._learned_scores(Candidates.of(hits, graph_hits), asked.vector, scope)
            passages = await self._search.passages(list(fused)[:MAX_WINDOWS], scope)
            fused = with_named_titles(fused, passages)
            if graph_counts(each.score for each in graph_hits):
                fused = covering(fused, passages, hits.term_idf, Analyzer(hits.stemming))
        elif options.fusion == "rrf":
            fused = fusion.reciprocal_rank(hits.rankings, weights, options.rrf_k)
            if graph_hits:
                fused = fusion.with_graph_ranks(fused, graph_hits, options.graph_share, options.rrf_k)
        elif graph_hits:
            fused = fusion.with_graph(fused, graph_hits, options.graph_share)
        days, identifiers = named_days(asked.text), asked_identifiers(asked.text, hits.term_idf)
        if days or identifiers:
            passages = await self._search.passages(list(fused), scope)
            fused = with_days(fused, passages, days) if days else fused
            fused = with_identifiers(fused, passages, identifiers) if identifiers else fused
        return _ranked(hits, fused, graph_hits), {"graph": missing} if missing else {}

    async def _learned_scores(
        self, candidates: Candidates, vector: NDArray[np.float32], scope: Scope
    ) -> dict[str, float]:
        """The learned sums: first without the windows, then with those of the best."""
        first = candidates.fused({}, candidates.weights)
        windows = await self._search.around(list(first)[:MAX_WINDOWS], vector, scope)
        return candidates.fused(windows, candidates.weights) if windows else first

    async def passages(self, ranked: Sequence[Ranked], scope: Scope, *, neighbours: int = 0) -> list[Passage]:
        """The texts of ranked chunks, in their order; those gone meanwhile are left out."""
        return await self._search.passages([item.chunk_id for item in ranked], scope, neighbours=neighbours)

    async def beside(self, passages: Sequence[Passage], scope: Scope) -> dict[str, Passage]:
        """Passages by the id of their chunk, with the chunks right before and after them, without those gone
        meanwhile."""
        wanted = list(dict.fromkeys(passage.chunk_id for passage in passages))
        found = await self._search.passages(wanted, scope, neighbours=1) if wanted else []
        return {passage.chunk_id: passage for passage in found}

    async def _embed(self, text: str, *, required: bool) -> tuple[NDArray[np.float32] | None, dict[Ranking, str]]:
        try:
            return await self.embed(text), {}
        except Transient as error:
            if required:
                raise
            return None, {"dense": searched_by_words(error)}

    def _weights_of(self, hits: Hits) -> fusion.Weights:
        """The weight of each retrieval that answered; one alone has all."""
        if len(hits.rankings) == 1:
            return dict.fromkeys(hits.rankings, 1.0)
        return {"lexical": self._options.lexical_weight, "dense": 1 - self._options.lexical_weight}

    async def _diversify(self, ranked: tuple[Ranked, ...], scope: Scope, limit: int) -> tuple[Ranked, ...]:
        pool = ranked[: 5 * limit]
        passages = {p.chunk_id: p for p in await self.passages(pool, scope)}
        pool = tuple(item for item in pool if item.chunk_id in passages)
        if not pool:
            return pool
        vectors = np.array([passages[item.chunk_id].vector for item in pool])
        order = fusion.diverse([item.score for item in pool], vectors, self._options.diversity, limit)
        return tuple(pool[i] for i in order)


def _ranked(hits: Hits, fused: Mapping[str, float], graph_hits: Sequence[GraphHit] = ()) -> tuple[Ranked, ...]:
    documents = {each.chunk_id: each.document_id for each in graph_hits}
    ranks: dict[str, dict[Ranking, int]] = {}
    for retrieval, ranking in hits.rankings.items():
        for rank, hit in enumerate(ranking, start=1):
            documents.setdefault(hit.chunk_id, hit.document_id)
            ranks.setdefault(hit.chunk_id, {})[retrieval] = rank
    for rank, each in enumerate(graph_hits, start=1):
        ranks.setdefault(each.chunk_id, {})["graph"] = rank
    cosines = {each.chunk_id: each.cosine for each in graph_hits} | dict(hits.scores.get("dense", {}))
    return tuple(
        Ranked(chunk_id, documents[chunk_id], score, ranks[chunk_id], cosines.get(chunk_id))
        for chunk_id, score in fused.items()
    )


def _joined(one: Retrieved, other: Retrieved, limit: int) -> Retrieved:
    """What was found with two wordings of a question, each chunk with its better score; all else is of the first."""
    best: dict[str, Ranked] = {}
    for item in (*one.ranked, *other.ranked):
        if item.chunk_id not in best or item.score > best[item.chunk_id].score:
            best[item.chunk_id] = item
    ordered = sorted(best.values(), key=lambda item: -item.score)
    return replace(one, ranked=tuple(ordered[:limit]), missing={**other.missing, **one.missing})


def one_a_document(ranked: Sequence[Ranked]) -> list[Ranked]:
    """The best chunk of each document, in order: a ranking of documents."""
    best: dict[str, Ranked] = {}
    for item in ranked:
        best.setdefault(item.document_id, item)
    return list(best.values())
