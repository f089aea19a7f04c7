"""Fetching from where things live: tickets, pages, the web. Each is offered only where its source is configured."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field

from agent.checking.support import stands
from agent.tools.base import Arguments, FoundPassage, Tool, ToolContext, ToolResult, ToolSpec
from agent.tools.live_pages import PageReader, passage_of
from domain.model_ports import Embedder
from domain.tool_ports import LiveSource, WebSearch

_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]{1,15}-\d{1,9}")
_PAGE = re.compile(r"\d{1,18}|https?://[^\s<>\"]{1,1000}")
_ADDRESS = re.compile(r"https?://[^\s<>\"@]{3,2000}")
_WORD = re.compile(r"\w+")
_GOES_ON = re.compile(r"[\w/?&=%#-]|[.:]\w")


def _like(form: re.Pattern[str], wrong: str) -> AfterValidator:
    """Takes texts of a form alone, and says what is wrong with others."""

    def checked(text: str) -> str:
        if not form.fullmatch(text):
            raise ValueError(wrong)
        return text

    return AfterValidator(checked)


class TicketArguments(Arguments):
    """key: such as PROJ-123."""

    key: Annotated[str, _like(_KEY, "a ticket key looks like PROJ-123"), AfterValidator(str.upper)]


class PageArguments(Arguments):
    """page: a page's number or URL."""

    page: Annotated[str, _like(_PAGE, "a page is named by its number or its URL")]


class UrlArguments(Arguments):
    """url: of a page on an allowed host."""

    url: Annotated[str, _like(_ADDRESS, "it takes an http or https URL without credentials")]


class WebArguments(Arguments):
    """query: for the search engine."""

    query: str = Field(min_length=2, max_length=300)


LIVE_DOCUMENTS = (
    ToolSpec("jira_fetch", "one ticket whose key is known, as it is now", TicketArguments, budget=3),
    ToolSpec("confluence_fetch", "one Confluence page whose number or URL is known, as it is now", PageArguments, 3),
)
"""Tools that read one document at its source."""


class LiveFetch(Tool[Arguments]):
    """One document as it is at its source now. spec: one of LIVE_DOCUMENTS; its only argument names the document."""

    def __init__(self, spec: ToolSpec, source: LiveSource, reader: PageReader) -> None:
        self.spec = spec
        self._source = source
        self._reader = reader

    async def run(self, args: Arguments, context: ToolContext) -> ToolResult:
        """The document's passages that fit the question."""
        (name,) = args.model_dump().values()
        return await _fetch(self._source, self._reader, name, context)


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
        # addresses in injected text are not followed
        passages = [item.passage for item in context.evidence.values() if not item.passage.injection]
        seen = [context.asked, *(each.url for each in passages), *(each.text for each in passages)]
        # as a whole, not as the beginning of a longer one
        if not any(stands(args.url.rstrip("/"), text, lambda _: True, _url_ends) for text in seen):
            return ToolResult(note="the URL stands neither in the question nor in the evidence")
        return await _fetch(self._source, self._reader, args.url, context)


def _url_ends(signs: str) -> bool:
    return not _GOES_ON.match(signs.removeprefix("/"))


class WebSearchTool(Tool[WebArguments]):
    """A search engine's results. What is asked of it leaves the house: the asker's own words only."""

    spec = ToolSpec(
        "web_search", "public knowledge that company documents do not hold", WebArguments, 2, 15.0, "the web"
    )

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
        pages = [page for page in await self._engine.find(query) if page.text.strip()]
        vectors = await self._embedder.embed([page.text for page in pages])
        found = tuple(
            FoundPassage(passage_of(page, 0, 0, page.text, vector), 0.6 / rank)
            for rank, (page, vector) in enumerate(zip(pages, vectors, strict=True), start=1)
        )
        return ToolResult(found, query)


async def _fetch(source: LiveSource, reader: PageReader, name: str, context: ToolContext) -> ToolResult:
    page = await source.fetch(name, context.scope)
    if page is None:
        return ToolResult(note=f"{name} was not found")
    return await reader.read(page, name, context.question, context.top_k)
