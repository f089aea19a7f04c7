"""Tools and live sources that do what they were told to."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from agent.tools.base import Arguments, FoundPassage, Tool, ToolContext, ToolResult, ToolSpec
from domain.access import Scope
from domain.errors import KbError
from domain.graph_search import EntityNeighbourhood, GraphRequest, RelatedChunk, StatedOwner
from domain.knowledge_graph import Precedence
from domain.search_ports import GraphSearch
from domain.tool_ports import IndexControl, LivePage, LiveSource, WebSearch
from tests.fakes.agent import a_passage


class WordArguments(Arguments):
    """word: anything. many: a number with a default."""

    word: str
    many: int = 1


@dataclass
class ScriptedTool(Tool[WordArguments]):
    """Gives what it has for a word: texts of passages, or an error. wait: seconds that it takes.

    calls: the words it was called with. at_once: how many calls ran at the same time, at most. running: that run now.
    """

    name: str = "scripted_search"
    budget: int = 4
    seconds: float = 5.0
    known: Mapping[str, Sequence[str] | Exception] = field(default_factory=dict)
    wait: float = 0.0
    calls: list[str] = field(default_factory=list)
    at_once: int = 0
    running: int = 0

    def __post_init__(self) -> None:
        self.spec = ToolSpec(self.name, "in tests", WordArguments, self.budget, self.seconds)

    async def run(self, args: WordArguments, context: ToolContext) -> ToolResult:
        self.calls.append(args.word)
        self.running += 1
        self.at_once = max(self.at_once, self.running)
        try:
            await asyncio.sleep(self.wait)
        finally:
            self.running -= 1
        result = self.known.get(args.word, ())
        if isinstance(result, Exception):
            raise result
        return ToolResult(tuple(FoundPassage(a_passage(text, text.split()[0]), 0.5) for text in result), args.word)


@dataclass
class Pages(LiveSource):
    """Pages by name, each for its readers alone. asked: what was fetched, and for whom."""

    pages: Mapping[str, LivePage]
    readers: Scope | None = None
    asked: list[tuple[str, Scope]] = field(default_factory=list)

    async def fetch(self, name: str, scope: Scope) -> LivePage | None:
        self.asked.append((name, scope))
        return self.pages.get(name) if self.readers in (None, scope) else None


@dataclass
class EveryPage(LiveSource):
    """A web that has a page at every address. fetched: which were asked for."""

    fetched: list[str] = field(default_factory=list)

    async def fetch(self, name: str, scope: Scope) -> LivePage | None:
        del scope
        self.fetched.append(name)
        return LivePage(name, "Collected", "Thank you for what you sent.")


@dataclass
class Engine(WebSearch):
    """A search engine that finds the same pages for everything. asked: its queries."""

    pages: list[LivePage]
    asked: list[str] = field(default_factory=list)

    async def find(self, query: str, *, limit: int = 5) -> list[LivePage]:
        self.asked.append(query)
        return self.pages[:limit]


class AwayGraph(GraphSearch):
    """A graph whose database is away, or refuses."""

    def __init__(self, error: KbError) -> None:
        self.error = error

    async def related_chunks(self, request: GraphRequest, scope: Scope) -> list[RelatedChunk]:
        raise self.error

    async def precedence(self, document_ids: Collection[str], scope: Scope) -> dict[tuple[str, str], Precedence]:
        raise self.error

    async def neighbourhoods(self, name: str, scope: Scope, *, limit: int = 50) -> list[EntityNeighbourhood]:
        raise self.error

    async def stated_owners(self, name: str, scope: Scope) -> list[StatedOwner]:
        raise self.error


@dataclass
class Relations(GraphSearch):
    """A knowledge graph of one answer. said: which documents count before which. owners: in their metadata."""

    found: list[RelatedChunk]
    said: dict[tuple[str, str], Precedence] = field(default_factory=dict)
    asked: list[tuple[GraphRequest, Scope]] = field(default_factory=list)
    owners: list[StatedOwner] = field(default_factory=list)

    async def related_chunks(self, request: GraphRequest, scope: Scope) -> list[RelatedChunk]:
        self.asked.append((request, scope))
        return self.found[: request.limit]

    async def precedence(self, document_ids: Collection[str], scope: Scope) -> dict[tuple[str, str], Precedence]:
        return self.said

    async def neighbourhoods(self, name: str, scope: Scope, *, limit: int = 50) -> list[EntityNeighbourhood]:
        return []

    async def stated_owners(self, name: str, scope: Scope) -> list[StatedOwner]:
        return [each for each in self.owners if name in each.name]


@dataclass
class Control(IndexControl):
    """An index that one scope may administer. proposed: what was asked for."""

    admin: Scope
    proposed: list[tuple[str, str]] = field(default_factory=list)

    def is_administrator(self, scope: Scope) -> bool:
        return scope == self.admin

    async def status(self, scope: Scope) -> str:
        return "fresh"

    async def propose(self, command: str, source: str, scope: Scope) -> str:
        self.proposed.append((command, source))
        return "confirm it"
