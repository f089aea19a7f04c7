"""The tools: thin, each is a row over what an operation of the HTTP API does. Limits, ledger, checks of rights and
citations are the operations'; scope, times, masking and errors are checked by the same functions."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from bot.mcp.wording import (
    document_for_models,
    document_words,
    is_error,
    problem_words,
    related_for_models,
    related_words,
    reply_words,
    search_for_models,
    search_words,
)
from bot.web.asking import WebAsking
from bot.web.callers import Caller
from bot.web.models import AskBody, Body, DocumentQuery, RelatedQuery, Reply, SearchQuery
from bot.web.operations import SECONDS, check_scope, masked_json, problem_in, read
from bot.web.reading import WebReading
from bot.web.reading_models import DocumentBody, RelatedDocuments, SearchResults
from bot.web.reply_state import ReplyState
from domain.masking import Masker
from domain.web_access import TokenScope

DOCUMENT = Field(
    pattern=r"^[A-Za-z0-9_-]{1,200}$", description="The document_id of a found passage, or of a source of an answer."
)


class PartsArguments(DocumentQuery):
    """Which document, and which parts of it."""

    document_id: str = DOCUMENT


class RelatedArguments(RelatedQuery):
    """Around which document, and how many related ones."""

    document_id: str = DOCUMENT


Report = Callable[[int, str], Awaitable[None]]
"""Is told how far a call is, in percent, and in words. Each time it is further."""


@dataclass(frozen=True, slots=True)
class McpTool:
    """One tool. takes, gives: the types of its arguments and of its structured result. for_models: what of the result
    a model may read. words: what it reads as text. slow: whether the call waits for an answer, which has a deadline of
    its own."""

    name: str
    title: str
    use: str
    scope: TokenScope
    takes: type[Body]
    gives: type[Body]
    work: Callable[["McpTools", Caller, Any, Report], Awaitable[Body]]
    words: Callable[[Any], str]
    for_models: Callable[[Any], Body] = lambda found: found
    failed: Callable[[Any], bool] = lambda _: False
    slow: bool = False


@dataclass(frozen=True, slots=True)
class ToolReply:
    """What a call gives. value: the same as JSON, of the type that the tool gives; None with a problem, since clients
    hold whatever is there to that type."""

    text: str
    value: Mapping[str, Any] | None
    error: bool = False
    problem: Mapping[str, Any] | None = None


class McpTools:
    """The tools of a serving process."""

    def __init__(self, asking: WebAsking, reading: WebReading, masker: Masker) -> None:
        self._asking = asking
        self._reading = reading
        self._masker = masker

    async def call(self, tool: McpTool, caller: Caller, given: Mapping[str, object], report: Report) -> ToolReply:
        """Calls a tool; what goes wrong is a reply, too."""
        try:
            check_scope(tool.scope, caller)
            wanted = read(tool.takes, given)
            async with asyncio.timeout(None if tool.slow else SECONDS):
                found = await tool.work(self, caller, wanted, report)
        except Exception as error:  # noqa: BLE001 - what is no problem of a caller's is logged
            problem = problem_in(error, f"The tool {tool.name}").body
            return ToolReply(problem_words(problem), None, error=True, problem=problem.model_dump(mode="json"))
        shown = tool.for_models(tool.gives.model_validate(masked_json(found, self._masker.mask)))
        return ToolReply(tool.words(shown), shown.model_dump(mode="json"), tool.failed(shown))

    async def search(self, caller: Caller, wanted: SearchQuery, _: Report) -> Body:
        """See `WebReading.found`."""
        return await self._reading.found(caller, wanted)

    async def ask(self, caller: Caller, wanted: AskBody, report: Report) -> Body:
        """See `WebAsking.reply`."""
        told = -1

        async def tell(state: ReplyState) -> None:
            nonlocal told
            if state.words and state.percent > told:
                told = state.percent
                await report(told, state.words)

        return await self._asking.reply(caller, wanted, tell=tell)

    async def read(self, caller: Caller, wanted: PartsArguments, _: Report) -> Body:
        """See `WebReading.parts`."""
        return await self._reading.parts(caller, wanted.document_id, wanted)

    async def related(self, caller: Caller, wanted: RelatedArguments, _: Report) -> Body:
        """See `WebReading.around`."""
        return await self._reading.around(caller, wanted.document_id, wanted)


_SEARCH = (
    "Searches the company's documents for words (q) and gives the passages that fit best, each with its place and"
    " document_id. Use it to look something up; use ask for an answer with checked citations."
)
_ASK = (
    "Answers a question from the company's documents, with numbered sources. Only a result of 'answered' is an answer;"
    " not_found and declined say that there is none. It takes some seconds, with a language model up to minutes."
)
_READ = "Reads a document part after part, by its document_id; 'next' is the 'first' of the call that reads on."
_RELATED = (
    "Finds documents that hang together with one (links, owners, things that both name) by the knowledge graph, each"
    " with what leads there."
)

TOOLS: Mapping[str, McpTool] = {
    each.name: each
    for each in (
        McpTool(
            *("search", "Search passages", _SEARCH, "search", SearchQuery, SearchResults),
            *(McpTools.search, search_words, search_for_models),
        ),
        McpTool(
            *("ask", "Ask a question", _ASK, "ask", AskBody, Reply, McpTools.ask, reply_words),
            failed=is_error,
            slow=True,
        ),
        McpTool(
            *("read_document", "Read a document", _READ, "search", PartsArguments, DocumentBody),
            *(McpTools.read, document_words, document_for_models),
        ),
        McpTool(
            *("related", "Related documents", _RELATED, "search", RelatedArguments, RelatedDocuments),
            *(McpTools.related, related_words, related_for_models),
        ),
    )
}
"""All of them, by name."""
