"""Searching by pattern."""

from pydantic import Field

from agent.tools.base import Arguments, FoundPassage, Tool, ToolContext, ToolResult, ToolSpec
from domain.search import GrepHit, GrepRequest
from domain.search_ports import Grep, KnowledgeSearch


class GrepArguments(Arguments):
    """pattern: a regular expression in RE2's syntax that holds a whole word. ignore_case: of letters."""

    pattern: str = Field(min_length=1, max_length=512, description="RE2 regular expression holding a literal word")
    ignore_case: bool = False


class GrepSearch(Tool[GrepArguments]):
    """Lines that match a pattern, with the passages they stand in."""

    spec = ToolSpec(
        "grep_search",
        "the very words: ticket keys, error codes, identifiers, settings, quoted text",
        GrepArguments,
        place="for the very words",
    )

    def __init__(self, grep: Grep, search: KnowledgeSearch) -> None:
        self._grep = grep
        self._search = search

    async def run(self, args: GrepArguments, context: ToolContext) -> ToolResult:
        """The passages with the most matches first."""
        request = GrepRequest(args.pattern, args.ignore_case, filters=context.filters)
        result = await self._grep.grep(request, context.scope)
        lines: dict[str, list[GrepHit]] = {}
        for hit in result.hits:
            lines.setdefault(hit.chunk_id, []).append(hit)
        order = sorted(lines, key=lambda chunk_id: -len(lines[chunk_id]))[: context.top_k]
        passages = await self._search.passages(order, context.scope)
        places = ", ".join(f"{hit.path}:{hit.line}" for hit in result.hits[:5])
        more = "" if result.complete else "; there are more"
        found = tuple(FoundPassage(each, 0.6 + 0.4 / rank) for rank, each in enumerate(passages, start=1))
        return ToolResult(found, "", f"{len(result.hits)} lines: {places}{more}" if result.hits else "no line matches")
