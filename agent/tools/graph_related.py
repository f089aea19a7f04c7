"""Searching through the knowledge graph."""

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from agent.retrieval.retriever import Retriever
from agent.retrieval.selection import best_first, kept
from agent.tools.base import Arguments, FoundPassage, Tool, ToolContext, ToolResult, ToolSpec
from agent.tools.search import QueryText
from domain.errors import Transient
from domain.graph_search import GraphRequest
from domain.search_ports import GraphSearch, KnowledgeSearch

STARTS = 3
"""Passages of the evidence that the walk starts from, beside what the query names."""

WAYS = 3
"""Ways that are told of."""


class GraphArguments(Arguments):
    """query: names the things whose surroundings are wanted. hops: how far."""

    query: QueryText
    hops: int = Field(2, ge=1, le=2)


class GraphRelated(Tool[GraphArguments]):
    """Passages around the things that a question names, and around the best of what is known already."""

    spec = ToolSpec(
        "graph_related",
        "how named things hang together: owners, dependencies, links",
        GraphArguments,
        place="the knowledge graph",
    )

    def __init__(self, graph: GraphSearch, search: KnowledgeSearch, retriever: Retriever) -> None:
        self._graph = graph
        self._search = search
        self._retriever = retriever

    async def run(self, args: GraphArguments, context: ToolContext) -> ToolResult:
        """The passages that the graph leads to, best first."""
        known = best_first(kept(list(context.evidence.values())))[:STARTS]
        related = await self._graph.related_chunks(
            GraphRequest(
                args.query,
                {item.key: item.score for item in known},
                await self._vector(args.query),
                context.filters,
                hops=args.hops,
                limit=context.top_k,
                loose=True,
            ),
            context.scope,
        )
        by_id = {each.chunk_id: each for each in related}
        passages = await self._search.passages(list(by_id), context.scope)
        found = [
            FoundPassage(
                each, by_id[each.chunk_id].score, tuple(step.sentence for step in by_id[each.chunk_id].stated_relations)
            )
            for each in passages
        ]
        ways = dict.fromkeys(by_id[each.chunk_id].how for each in passages)
        return ToolResult(tuple(found), args.query, "; ".join([way for way in ways if way][:WAYS]))

    async def _vector(self, query: str) -> NDArray[np.float32] | None:
        try:
            return await self._retriever.embed(query)
        except Transient:  # without a vector, the first part of each document is taken
            return None
