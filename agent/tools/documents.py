"""Documents as such: part after part, by name, as files."""

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from agent.retrieval.retriever import Retriever
from agent.tools.base import Arguments, FoundPassage, Tool, ToolContext, ToolResult, ToolSpec
from agent.tools.live_pages import PageReader
from agent.tools.search import LONGEST_QUERY, QueryText, ranked
from domain.search import Filters, Passage
from domain.search_ports import DocumentCatalog
from domain.tool_ports import LiveSource

LONGEST_NAME = 500
"""Characters of what names a document."""

DocumentName = Annotated[
    str, Field(min_length=1, max_length=LONGEST_NAME, description="id, path, file name, title or URL")
]


class LookupArguments(Arguments):
    """document: which. first: the part to begin with, from 0. count: how many parts."""

    document: DocumentName
    first: int = Field(0, ge=0)
    count: int = Field(8, ge=1, le=20)


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
        parts = await self._library.chunks(known[0].document_id, context.scope, first=args.first, limit=args.count)
        return ToolResult(in_order(parts), args.document, f"parts of {known[0].title}", name=args.document)


SURE = 1.0
"""Score of a name that is the very id, path, file name, title or URL of a document; a likely one will not do here."""


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
        # they were found within the filters
        among = replace(context, filters=Filters(documents=tuple(each.document_id for each in named)))
        result = await ranked(self._retriever, question, among)
        fit = {each.document_id: each.score for each in named}
        found = tuple(
            FoundPassage(item.passage, (item.score + fit[item.passage.document_id]) / 2) for item in result.found
        )
        return ToolResult(found, question, "named: " + ", ".join(each.path for each in named))


class ReadArguments(Arguments):
    """path: of an indexed document, or of a file in an allowed folder. question: what to find in it."""

    path: DocumentName
    question: QueryText | None = None


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
            parts = await self._library.chunks(known[0].document_id, context.scope, limit=20)
            return ToolResult(in_order(parts), args.path, f"indexed as {known[0].path}", name=args.path)
        if self._files is None or context.filters.sources:  # a folder is no source
            return ToolResult(note=f"there is no indexed document {args.path}")
        page = await self._files.fetch(args.path, context.scope)
        if page is None:
            return ToolResult(note=f"there is no file {args.path}")
        return await self._reader.read(page, args.path, args.question or context.question, context.top_k)
