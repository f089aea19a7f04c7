"""Documents as such: part after part, by name, as files."""

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from agent.retrieval.retriever import Retriever
from agent.tools.base import Arguments, FoundPassage, Tool, ToolContext, ToolResult, ToolSpec
from agent.tools.live_pages import PageReader
from agent.tools.search import LONGEST_QUERY, QueryText, ranked
from domain.access import Scope
from domain.search import DocumentInfo, Filters, Passage
from domain.search_ports import DocumentCatalog
from domain.tool_ports import LiveSource

LONGEST_NAME = 500
"""Characters of what names a document."""

DocumentName = Annotated[
    str, Field(min_length=1, max_length=LONGEST_NAME, description="id, path, file name, title or URL")
]


PAGED = frozenset(("document_lookup", "read_file"))
"""Tools that give some parts of a document and say how many there are."""

PAGE = 20
"""Parts of a document that one call gives, at most."""

FirstPart = Annotated[int, Field(ge=0, le=1_000_000, description="the part to begin with, from 0")]


class LookupArguments(Arguments):
    """document: which. first: the part to begin with, from 0. count: how many parts."""

    document: DocumentName
    first: FirstPart = 0
    count: int = Field(8, ge=1, le=PAGE)


class DocumentLookup(Tool[LookupArguments]):
    """The parts of one document, in order."""

    spec = ToolSpec("document_lookup", "to read a known document from some part on, in its order", LookupArguments)

    def __init__(self, library: DocumentCatalog) -> None:
        self._library = library

    async def run(self, args: LookupArguments, context: ToolContext) -> ToolResult:
        """Its parts, or nothing when no document is surely meant."""
        known = await self._library.find(args.document, context.scope, filters=context.filters, limit=1)
        if not known or known[0].score < SURE:
            return ToolResult(note=f"no document is called {args.document}")
        return await _page(self._library, known[0], args.document, context.scope, args.first, args.count)


SURE = 1.0
"""Score of a name that is the very id, path, file name, title or URL of a document; a likely one will not do here."""


async def _page(
    library: DocumentCatalog, known: DocumentInfo, name: str, scope: Scope, first: int, count: int
) -> ToolResult:
    """Some parts of a document, and which of how many they are. name: what it was asked for by."""
    parts = await library.chunks(known.document_id, scope, first=first, limit=count)
    return ToolResult(in_order(parts), name, which_parts(name, first, len(parts), known.chunks), name=name)


def which_parts(name: str, first: int, given: int, known: int) -> str:
    """Which of a document's parts were read, and what reads on. known: how many parts it has for the reader."""
    if not given:
        return f"{name} has {known} parts, none from {first} on"
    last = first + given
    more = f"; first={last} reads on" if last < known else ""
    return f"parts {first + 1} to {last} of {max(last, known)} of {name}{more}"


def in_order(parts: list[Passage]) -> tuple[FoundPassage, ...]:
    """Parts of one document, each a little less than the one before, so that their order stays."""
    return tuple(FoundPassage(part, 0.8 - 0.2 * place / max(1, len(parts))) for place, part in enumerate(parts))


class FileArguments(Arguments):
    """name: of the files looked for. question: what to find in them; empty for their beginnings."""

    name: DocumentName
    question: str = Field("", max_length=LONGEST_QUERY)


class LocalFileQA(Tool[FileArguments]):
    """Finds documents by name and by content, and the passages in them that fit the question."""

    spec = ToolSpec(
        "local_file_qa", "which document or file it is, or a question about files with a known name", FileArguments
    )

    def __init__(self, library: DocumentCatalog, retriever: Retriever) -> None:
        self._library = library
        self._retriever = retriever

    async def run(self, args: FileArguments, context: ToolContext) -> ToolResult:
        """Passages of the documents whose name fits, best first."""
        named = await self._library.find(args.name, context.scope, filters=context.filters, limit=5)
        if not named:
            return ToolResult(note=f"no file name fits {args.name}")
        question = args.question or args.name
        # found with the filters, which need not be applied again
        among = replace(context, filters=Filters(documents=tuple(each.document_id for each in named)))
        result = await ranked(self._retriever, question, among)
        fit = {each.document_id: each.score for each in named}
        found = tuple(
            FoundPassage(item.passage, (item.score + fit[item.passage.document_id]) / 2) for item in result.found
        )
        return ToolResult(found, question, "named: " + ", ".join(each.path for each in named))


class ReadArguments(Arguments):
    """path: of an indexed document, or of a file in an allowed folder. question: what to find in a file. first: the
    part of a document to begin with, from 0."""

    path: DocumentName
    question: QueryText | None = None
    first: FirstPart = 0


class ReadFile(Tool[ReadArguments]):
    """Reads an indexed document, else a file in an allowed folder. files: the folders; None where none is allowed."""

    spec = ToolSpec("read_file", "to read a file whose path is known", ReadArguments)

    def __init__(self, library: DocumentCatalog, files: LiveSource | None, reader: PageReader) -> None:
        self._library = library
        self._files = files
        self._reader = reader

    async def run(self, args: ReadArguments, context: ToolContext) -> ToolResult:
        """The document's parts, or the file's that fit the question."""
        known = await self._library.find(args.path, context.scope, filters=context.filters, limit=1)
        if known and known[0].score >= SURE:
            return await _page(self._library, known[0], args.path, context.scope, args.first, PAGE)
        if self._files is None or context.filters.sources:  # files of folders belong to no source
            return ToolResult(note=f"there is no indexed document {args.path}")
        page = await self._files.fetch(args.path, context.scope)
        if page is None:
            return ToolResult(note=f"there is no file {args.path}")
        return await self._reader.read(page, args.path, args.question or context.question, context.top_k)
