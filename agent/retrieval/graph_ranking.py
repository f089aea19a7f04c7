"""The knowledge graph as a third list beside the rankings of words and of meaning.

The walk starts from what the question names and from the first results: the second document of a question in two hops
shares few of its words, and the first one names it.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from agent.retrieval import fusion
from agent.retrieval.fusion import GraphHit
from agent.wording import searched_without_graph
from domain.access import Scope
from domain.errors import KbError
from domain.graph_search import GraphRequest, GraphStep, RelatedChunk
from domain.graph_walk import DECAY
from domain.search import Filters, Hits, SearchRequest
from domain.search_ports import GraphSearch, KnowledgeSearch

log = logging.getLogger(__name__)

STARTS = 5
"""Documents among the first results that the walk starts from."""

REACHED = 40
"""Documents taken from where it leads."""


@dataclass(frozen=True, slots=True)
class GraphRanking:
    """Makes the ranking by the knowledge graph."""

    graph: GraphSearch
    search: KnowledgeSearch
    embedder: str
    """Name of the model that made the vectors."""
    similar: int = 0
    """See agent.retrieval.retriever.RetrievalOptions."""

    async def graph_hits(
        self, asked: GraphRequest, hits: Hits, fused: Mapping[str, float], scope: Scope, dense_weight: float
    ) -> tuple[list[GraphHit], str]:
        """Where the graph leads from the question and from the best of `fused`, best first, and why that is missing: a
        search never fails for it.

        asked: the question, without chunks to start from. fused: scores of 0 to 1 by chunk id, best first.
        dense_weight: of the cosine in them.
        """
        documents = {hit.chunk_id: hit.document_id for ranking in hits.rankings.values() for hit in ranking}
        best = _best_of_each(fused, documents)
        starts = {chunk_id: fused[chunk_id] for chunk_id in list(best.values())[:STARTS]}
        try:
            found = await self.graph.related_chunks(replace(asked, hits=starts, limit=REACHED), scope)
            if self.similar:
                found = _best_of_both(found, await self._alike(starts, asked.filters, scope))
        except KbError as error:
            log.warning("The knowledge graph could not be searched: %s", type(error).__name__)
            return [], searched_without_graph(error)
        cosines = list(hits.scores.get("dense", {}).values())
        return [_graph_hit(each, best, dense_weight, cosines) for each in found], ""

    async def _alike(self, starts: Mapping[str, float], filters: Filters, scope: Scope) -> list[RelatedChunk]:
        """The chunks nearest to the starts, as if an edge led to them that is as strong as their cosine."""
        passages = await self.search.passages(list(starts), scope)
        requests = [
            SearchRequest("", each.vector, self.embedder, ("dense",), self.similar + 1, filters) for each in passages
        ]
        found = await asyncio.gather(*(self.search.search(request, scope) for request in requests))
        return [
            RelatedChunk(
                hit.chunk_id,
                hit.document_id,
                starts[passage.chunk_id] * DECAY * max(0.0, hit.score),
                (GraphStep(passage.title, "is like", "", passage.chunk_id),),
            )
            for passage, hits in zip(passages, found, strict=True)
            for hit in hits.rankings["dense"]
            if hit.document_id != passage.document_id
        ]


def _best_of_each(fused: Mapping[str, float], documents: Mapping[str, str]) -> dict[str, str]:
    """The first chunk of each document, by document id, in order."""
    best: dict[str, str] = {}
    for chunk_id in fused:
        best.setdefault(documents[chunk_id], chunk_id)
    return best


def _best_of_both(one: Sequence[RelatedChunk], other: Sequence[RelatedChunk]) -> list[RelatedChunk]:
    """Each document once, by the higher score, best first."""
    best: dict[str, RelatedChunk] = {}
    for each in sorted([*one, *other], key=lambda related: (-related.score, related.chunk_id)):
        best.setdefault(each.document_id, each)
    return list(best.values())


def _graph_hit(each: RelatedChunk, best: Mapping[str, str], dense_weight: float, cosines: Sequence[float]) -> GraphHit:
    """What counts is the document: where retrieval has found a chunk of it, that one stands for it."""
    known = best.get(each.document_id)
    if known is not None:
        return GraphHit(known, each.document_id, each.score)
    besides = dense_weight * fusion.spread(each.cosine, cosines)
    return GraphHit(each.chunk_id, each.document_id, each.score, besides, each.cosine)
