"""A question's words become ranked passages."""

import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from agent import fusion
from domain.access import Scope
from domain.errors import Transient
from domain.ports import Embedder, KnowledgeSearch
from domain.search import Filters, Hit, Hits, Method, Passage, Retrieval, SearchRequest
from domain.text.tokens import Stemming


@dataclass(frozen=True, slots=True)
class RetrievalOptions:
    """How rankings are made and fused. lexical_weight: 0 to 1, dense has the rest. rrf_k: the k of reciprocal rank
    fusion. candidates: hits taken from each ranking. diversity: of maximal marginal relevance, 0 for none."""

    fusion: Literal["normalised", "rrf"] = "normalised"
    lexical_weight: float = 0.5
    rrf_k: int = 60
    candidates: int = 100
    diversity: float = 0.0


@dataclass(frozen=True, slots=True)
class Ranked:
    """A chunk in the final order. score: fused, or the one retrieval's own. ranks: its place in each ranking that
    has it, from 1. cosine: with the question, when dense retrieval saw it."""

    chunk_id: str
    document_id: str
    score: float
    ranks: Mapping[Retrieval, int]
    cosine: float | None = None


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What retrieval found.

    ranked: best first. term_idf, stemming: weight of each of the question's terms, and how they were made.
    vector: the question's own; None when it was not embedded. degraded: why a ranking is missing, empty when none is.
    """

    ranked: tuple[Ranked, ...]
    term_idf: Mapping[str, float] = field(default_factory=dict)
    stemming: Stemming = "english"
    vector: NDArray[np.float32] | None = None
    degraded: str = ""


FRESH = 10.0
"""Seconds for which weights of terms are taken as they were: they change with the index, and slowly."""

REMEMBERED = 512
"""Vectors of texts that were asked for lately."""


class Retriever:
    """Finds passages for a question.

    search: the index. embedder: for dense retrieval; while it is away, lexical retrieval answers alone.
    """

    def __init__(self, search: KnowledgeSearch, embedder: Embedder, options: RetrievalOptions) -> None:
        self._search = search
        self._embedder = embedder
        self._options = options
        self._vectors: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._weights: OrderedDict[str, tuple[float, Hits]] = OrderedDict()

    async def embed(self, text: str) -> NDArray[np.float32]:
        """The vector of a text, shape (dimensions,); the last few hundred are remembered.

        Raises:
            Transient: the embedder is away.
        """
        if text in self._vectors:
            self._vectors.move_to_end(text)
            return self._vectors[text]
        vector: NDArray[np.float32] = (await self._embedder.embed([text]))[0]
        self._vectors[text] = vector
        while len(self._vectors) > REMEMBERED:
            self._vectors.popitem(last=False)
        return vector

    async def measure(self, text: str, scope: Scope) -> Retrieved:
        """Weights of a text's terms in this index and its vector, without any ranking."""
        vector, degraded = await self._embed(text, required=False)
        known = self._weights.get(text)
        if known and time.monotonic() - known[0] < FRESH:
            return Retrieved((), known[1].term_idf, known[1].stemming, vector, degraded)
        request = SearchRequest(text=text, embedder=self._embedder.identity.name, retrievals=("lexical",), limit=1)
        hits = await self._search.search(request, scope)
        self._weighed(text, hits)
        return Retrieved((), hits.term_idf, hits.stemming, vector, degraded)

    def _weighed(self, text: str, hits: Hits) -> None:
        """Remembers the weights of a text's terms for a moment: what was searched for is judged right after."""
        self._weights[text] = (time.monotonic(), Hits({}, {}, hits.term_idf, hits.stemming))
        self._weights.move_to_end(text)
        while len(self._weights) > REMEMBERED:
            self._weights.popitem(last=False)

    async def embed_all(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """The vectors of texts, those not remembered in one batch. Raises Transient: the embedder is away."""
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        fresh = dict(zip(new, await self._embedder.embed(new), strict=True)) if new else {}
        return [fresh[text] if text in fresh else self._vectors[text] for text in texts]

    async def rank(
        self, text: str, scope: Scope, *, method: Method = "hybrid", limit: int = 10, filters: Filters | None = None
    ) -> Retrieved:
        """The best `limit` chunks for `text` that `scope` may see.

        Raises:
            Misconfigured, Transient: see domain.ports.KnowledgeSearch; Transient too when dense retrieval alone is
                asked for and the embedder is away.
        """
        retrievals: tuple[Retrieval, ...] = ("lexical", "dense") if method == "hybrid" else (method,)
        vector, degraded = None, ""
        if "dense" in retrievals:
            vector, degraded = await self._embed(text, required=method == "dense")
        request = SearchRequest(
            text=text,
            vector=vector,
            embedder=self._embedder.identity.name,
            retrievals=retrievals,
            limit=max(limit, self._options.candidates),
            filters=filters or Filters(),
        )
        hits = await self._search.search(request, scope)
        if "lexical" in retrievals:
            self._weighed(text, hits)
        ranked = _ranked(hits, self._fuse(hits))
        if self._options.diversity > 0 and vector is not None:
            ranked = await self._diversify(ranked, scope, limit)
        return Retrieved(ranked[:limit], hits.term_idf, hits.stemming, vector, degraded)

    async def passages(self, ranked: Sequence[Ranked], scope: Scope, *, neighbours: int = 0) -> list[Passage]:
        """The texts of ranked chunks, in their order; those gone meanwhile are left out."""
        return await self._search.passages([item.chunk_id for item in ranked], scope, neighbours=neighbours)

    async def _embed(self, text: str, *, required: bool) -> tuple[NDArray[np.float32] | None, str]:
        try:
            return await self.embed(text), ""
        except Transient as error:
            if required:
                raise
            return None, f"Searched by words alone: {error.what[0].lower()}{error.what[1:]}."

    def _fuse(self, hits: Hits) -> dict[str, float]:
        rankings = hits.rankings
        if len(rankings) == 1:
            return {hit.chunk_id: hit.score for ranking in rankings.values() for hit in ranking}
        weights: fusion.Weights = {
            "lexical": self._options.lexical_weight,
            "dense": 1 - self._options.lexical_weight,
        }
        if self._options.fusion == "rrf":
            return fusion.reciprocal_rank(rankings, weights, self._options.rrf_k)
        return fusion.normalised(hits.scores, weights)

    async def _diversify(self, ranked: tuple[Ranked, ...], scope: Scope, limit: int) -> tuple[Ranked, ...]:
        pool = ranked[: 5 * limit]
        passages = {p.chunk_id: p for p in await self.passages(pool, scope)}
        pool = tuple(item for item in pool if item.chunk_id in passages)
        if not pool:
            return pool
        vectors = np.array([passages[item.chunk_id].vector for item in pool])
        order = fusion.diverse([item.score for item in pool], vectors, self._options.diversity, limit)
        return tuple(pool[i] for i in order)


def _ranked(hits: Hits, fused: Mapping[str, float]) -> tuple[Ranked, ...]:
    first: dict[str, Hit] = {}
    ranks: dict[str, dict[Retrieval, int]] = {}
    for retrieval, ranking in hits.rankings.items():
        for rank, hit in enumerate(ranking, start=1):
            first.setdefault(hit.chunk_id, hit)
            ranks.setdefault(hit.chunk_id, {})[retrieval] = rank
    cosines = hits.scores.get("dense", {})
    return tuple(
        Ranked(chunk_id, first[chunk_id].document_id, score, ranks[chunk_id], cosines.get(chunk_id))
        for chunk_id, score in fused.items()
    )


def one_a_document(ranked: Sequence[Ranked]) -> list[Ranked]:
    """The best chunk of each document, in order: a ranking of documents."""
    best: dict[str, Ranked] = {}
    for item in ranked:
        best.setdefault(item.document_id, item)
    return list(best.values())
