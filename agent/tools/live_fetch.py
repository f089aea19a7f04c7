"""Fetching from where things live: tickets, pages, the web. Each is offered only where its source is configured."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field

from agent.checking.support import stands
from agent.tools.base import Arguments, FoundPassage, Tool, ToolContext, ToolResult, ToolSpec
from agent.tools.live_pages import PageReader, excerpts, passage_of
from domain.ports import Embedder, LiveSource, WebSearch

_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]{1,15}-\d{1,9}")
_PAGE = re.compile(r"\d{1,18}|https?://[^\s<>\"]{1,1000}")
_ADDRESS = re.compile(r"https?://[^\s<>\"@]{3,2000}")
_WORD = re.compile(r"\w+")
_GOES_ON = re.compile(r"[\w/?&=%#-]|[.:]\w")


def _key(text: str) -> str:
    if not _KEY.fullmatch(text):
        raise ValueError("a ticket key looks like PROJ-123")
    return text.upper()


def _page(text: str) -> str:
    if not _PAGE.fullmatch(text):
        raise ValueError("a page is named by its number or its URL")
    return text


def _url(text: str) -> str:
    if not _ADDRESS.fullmatch(text):
        raise ValueError("it takes an http or https URL without credentials")
    return text


class TicketArguments(Arguments):
    """key: such as PROJ-123."""

    key: Annotated[str, AfterValidator(_key)]


class PageArguments(Arguments):
    """page: a page's number or URL."""

    page: Annotated[str, AfterValidator(_page)]


class UrlArguments(Arguments):
    """url: of a page on an allowed host."""

    url: Annotated[str, AfterValidator(_url)]


class WebArguments(Arguments):
    """query: for the search engine."""

    query: str = Field(min_length=2, max_length=300)


class JiraFetch(Tool[TicketArguments]):
    """One ticket as it is now."""

    spec = ToolSpec("jira_fetch", "one ticket whose key is known, as it is now", TicketArguments, budget=3)

    def __init__(self, source: LiveSource, reader: PageReader) -> None:
        self._source = source
        self._reader = reader

    async def run(self, args: TicketArguments, context: ToolContext) -> ToolResult:
        """The ticket's passages that fit the question."""
        return await _fetched(self._source, self._reader, args.key, context)


class ConfluenceFetch(Tool[PageArguments]):
    """One Confluence page as it is now."""

    spec = ToolSpec(
        "confluence_fetch", "one Confluence page whose number or URL is known, as it is now", PageArguments, 3
    )

    def __init__(self, source: LiveSource, reader: PageReader) -> None:
        self._source = source
        self._reader = reader

    async def run(self, args: PageArguments, context: ToolContext) -> ToolResult:
        """The page's passages that fit the question."""
        return await _fetched(self._source, self._reader, args.page, context)


class WebFetch(Tool[UrlArguments]):
    """One web page on a host that the operator allows.

    A URL must come from the question or from what was found: one that a model makes up could carry retrieved text
    out of the house.
    """

    spec = ToolSpec(
        "web_fetch", "one web page whose URL stands in the question or in the evidence", UrlArguments, 3, 20.0
    )

    def __init__(self, source: LiveSource, reader: PageReader) -> None:
        self._source = source
        self._reader = reader

    async def run(self, args: UrlArguments, context: ToolContext) -> ToolResult:
        """The page's passages that fit the question."""
        seen = [context.asked, *(item.passage.url for item in context.evidence.values())]
        seen += [item.passage.text for item in context.evidence.values()]
        if not any(_stands_in(args.url, text) for text in seen):
            return ToolResult(note="the URL stands neither in the question nor in the evidence")
        return await _fetched(self._source, self._reader, args.url, context)


def _stands_in(url: str, text: str) -> bool:
    """Whether the URL stands in the text as a whole, not as the beginning of a longer one."""
    return stands(url.rstrip("/"), text, lambda _: True, _url_ends)


def _url_ends(signs: str) -> bool:
    signs = signs.removeprefix("/")
    return not _GOES_ON.match(signs)


class WebSearchTool(Tool[WebArguments]):
    """A search engine's results. What is asked of it leaves the house: the asker's own words only."""

    spec = ToolSpec("web_search", "public knowledge that company documents do not hold", WebArguments, 2, 15.0)

    def __init__(self, engine: WebSearch, embedder: Embedder) -> None:
        self._engine = engine
        self._embedder = embedder

    async def run(self, args: WebArguments, context: ToolContext) -> ToolResult:
        """Results as passages of one excerpt each. Words that are not the question's are left out of the query, so
        that nothing retrieved is sent to the engine."""
        asked = {word.casefold() for word in _WORD.findall(context.asked)}
        query = " ".join(word for word in args.query.split() if set(_WORD.findall(word.casefold())) <= asked)
        if not query.strip():
            return ToolResult(note="no word of the query stands in the question")
        pages = excerpts(await self._engine.find(query))
        vectors = await self._embedder.embed([text for _, text in pages])
        found = tuple(
            FoundPassage(passage_of(page, 0, 0, text, vector), 0.6 / rank)
            for rank, ((page, text), vector) in enumerate(zip(pages, vectors, strict=True), start=1)
        )
        return ToolResult(found, query)


async def _fetched(source: LiveSource, reader: PageReader, name: str, context: ToolContext) -> ToolResult:
    page = await source.fetch(name, context.scope)
    if page is None:
        return ToolResult(note=f"{name} was not found")
    return await reader.read(page, context.question, context.top_k)
