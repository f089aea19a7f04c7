"""Searching passages: by words and meaning together, by either alone, by a hypothetical answer, by single sentences."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Annotated

from pydantic import Field

from agent.retrieval.retriever import Retriever
from agent.tools.base import Arguments, FoundPassage, Tool, ToolContext, ToolResult, ToolSpec
from domain.search import Method
from domain.search_ports import KnowledgeSearch, PropositionSearch

LONGEST_QUERY = 10_000
"""Characters of a query: a question at its longest together with the one it leans on."""

HYDE_SEARCH = "hyde_search"

LINKED = 5
"""Places in the graph's own list that count as where it leads first of all."""

QueryText = Annotated[str, Field(min_length=1, max_length=LONGEST_QUERY, description="what to search for, in words")]


class SearchArguments(Arguments):
    """One search."""

    query: QueryText


class PassageTool(Tool[SearchArguments]):
    """A search by one method of retrieval."""

    def __init__(self, retriever: Retriever, name: str, use: str, method: Method, place: str = "") -> None:
        self.spec = ToolSpec(name, use, SearchArguments, budget=8, place=place)
        self._retriever = retriever
        self._method = method

    async def run(self, args: SearchArguments, context: ToolContext) -> ToolResult:
        """The best passages by this method."""
        return await ranked(self._retriever, args.query, context, self._method)


class HydeSearch(Tool[SearchArguments]):
    """Dense search by a hypothetical answer (Gao, Ma, Lin and Callan 2022). hypothesise: makes one of a question."""

    spec = ToolSpec(
        HYDE_SEARCH,
        "a vague or general question whose words the documents may not use; never for one fact",
        SearchArguments,
        budget=2,
        place="by meaning",
        seconds=None,  # the model has its own time, and what is searched then is one statement
    )

    def __init__(self, retriever: Retriever, hypothesise: Callable[[str], Awaitable[str]]) -> None:
        self._retriever = retriever
        self._hypothesise = hypothesise

    async def run(self, args: SearchArguments, context: ToolContext) -> ToolResult:
        """The passages nearest to the hypothetical answer; without one, to the question."""
        text = await self._hypothesise(args.query) or args.query
        return replace(await ranked(self._retriever, text, context, "dense"), query=args.query)


class PropositionTool(Tool[SearchArguments]):
    """Dense search over single sentences; each hit gives the passage around it."""

    spec = ToolSpec(
        *("proposition_search", "one precise statement that may stand in a single sentence", SearchArguments),
        place="single sentences",
    )

    def __init__(self, retriever: Retriever, search: KnowledgeSearch, propositions: PropositionSearch) -> None:
        self._retriever = retriever
        self._search = search
        self._propositions = propositions

    async def run(self, args: SearchArguments, context: ToolContext) -> ToolResult:
        """The passages of the nearest sentences."""
        vector = await self._retriever.embed(args.query)
        hits = await self._propositions.nearest(vector, context.scope, filters=context.filters, limit=3 * context.top_k)
        best: dict[str, float] = {}
        for hit in hits:
            best[hit.chunk_id] = max(best.get(hit.chunk_id, 0.0), hit.score)
        chunk_ids = sorted(best, key=lambda each: (-best[each], each))[: context.top_k]
        passages = await self._search.passages(chunk_ids, context.scope)
        return ToolResult(tuple(FoundPassage(each, best[each.chunk_id]) for each in passages), args.query)


async def ranked(retriever: Retriever, query: str, context: ToolContext, method: Method = "hybrid+graph") -> ToolResult:
    """The best passages for the asker, within the filters, with their scores on a scale of 0 to 1: what every tool that
    ranks calls."""
    retrieved = await retriever.rank(query, context.scope, method=method, limit=context.top_k, filters=context.filters)
    passages = await retriever.passages(retrieved.ranked, context.scope)
    highest = max((item.score for item in retrieved.ranked), default=1.0) or 1.0
    scores = {item.chunk_id: item.score / max(1.0, highest) for item in retrieved.ranked}
    linked = {item.chunk_id for item in retrieved.ranked if 0 < item.ranks.get("graph", 0) <= LINKED}
    found = tuple(
        FoundPassage(each, max(0.0, scores[each.chunk_id]), linked=each.chunk_id in linked) for each in passages
    )
    return ToolResult(found, query, retrieved.degraded, missing=frozenset(retrieved.missing))
