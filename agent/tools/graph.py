"""Searching through the knowledge graph."""

from pydantic import Field

from agent.tools.base import Arguments, Found, Tool, ToolContext, ToolResult, ToolSpec
from agent.tools.search import Query
from domain.ports import GraphSearch, KnowledgeSearch


class GraphArguments(Arguments):
    """query: names the things whose surroundings are wanted. hops: how far."""

    query: Query
    hops: int = Field(2, ge=1, le=3)


class GraphRelated(Tool[GraphArguments]):
    """Passages around the things that a question names."""

    spec = ToolSpec("graph_related", "how named things hang together: owners, dependencies, links", GraphArguments)

    def __init__(self, graph: GraphSearch, search: KnowledgeSearch) -> None:
        self._graph = graph
        self._search = search

    async def run(self, args: GraphArguments, context: ToolContext) -> ToolResult:
        """The passages that the graph leads to, best first."""
        related = await self._graph.related(
            args.query, context.scope, filters=context.filters, hops=args.hops, limit=context.top_k
        )
        by_id = {each.chunk_id: each for each in related}
        passages = await self._search.passages(list(by_id), context.scope)
        found = tuple(Found(each, by_id[each.chunk_id].score) for each in passages)
        ways = "; ".join(dict.fromkeys(by_id[each.chunk_id].how for each in passages[:3]))
        return ToolResult(found, args.query, ways)
