"""Grep and Library over documents in memory: every line is matched, every document compared."""

from datetime import UTC, datetime
from typing import Any

import re2
from rapidfuzz import fuzz
from rapidfuzz.utils import default_process

from domain.access import Scope
from domain.documents import Chunk, SourceDocument
from domain.errors import Refused
from domain.search import MAX_PATTERN, DocumentInfo, Filters, GrepHit, GrepRequest, GrepResult, Passage
from domain.search_ports import DocumentCatalog, Grep
from tests.fakes.knowledge import MemoryKnowledge

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


class MemoryGrep(Grep):
    """Matches each line of every chunk that is permitted. small: how many chunks that may be at most."""

    def __init__(self, knowledge: MemoryKnowledge, *, small: int = 2_000) -> None:
        self._knowledge = knowledge
        self._small = small

    async def grep(self, request: GrepRequest, scope: Scope) -> GrepResult:
        options = re2.Options()
        options.case_sensitive = not request.ignore_case
        options.log_errors = False
        if not 1 <= len(request.pattern) <= MAX_PATTERN:
            raise Refused("The pattern is empty or too long")
        try:
            regex = re2.compile(request.pattern, options)
        except (re2.error, UnicodeEncodeError) as error:
            raise Refused("The pattern is not RE2", why=str(error)) from error
        documents = self._knowledge.visible(scope, request.filters)
        read = sum(len(chunks) for _, chunks in documents)
        if read > self._small:
            raise Refused("Too much to read", next_step="Add a word that every match contains.")
        hits: list[GrepHit] = []
        for document, chunks in sorted(documents, key=lambda pair: (pair[0].path, pair[0].document_id)):
            hits += sorted(_lines(regex, document, chunks), key=lambda hit: hit.line)
        return GrepResult(tuple(hits[: request.limit]), read, len(hits) <= request.limit)


def _lines(regex: Any, document: SourceDocument, chunks: list[Chunk]) -> list[GrepHit]:
    """The matching lines of one document, none twice."""
    hits: list[GrepHit] = []
    numbers: set[int] = set()
    matched: dict[int, set[int]] = {}  # lines by the chunk's ordinal
    texts = {chunk.ordinal: chunk for chunk in chunks}
    for chunk in chunks:
        for index, line in enumerate(chunk.text.split("\n")):
            match = regex.search(line)
            if match is None:
                continue
            matched.setdefault(chunk.ordinal, set()).add(index)
            number = chunk.span.first_line + (index if _numbered(chunk) else 0)
            before = texts.get(chunk.ordinal - 1)
            if _numbered(chunk):
                known = number in numbers
                numbers.add(number)
            else:
                known = False
            if before is not None and not (_numbered(chunk) and _numbered(before)):
                known = known or _shown_before(before, chunk, index, match.end(), matched)
            if not known:
                ids = (chunk.chunk_id, chunk.document_id, document.path)
                hits.append(GrepHit(*ids, number, line, match.start(), match.end()))
    return hits


def _numbered(chunk: Chunk) -> bool:
    span = chunk.span
    return span.first_line > 0 and span.last_line - span.first_line + 1 == len(chunk.text.split("\n"))


def _shown_before(before: Chunk, chunk: Chunk, index: int, end: int, matched: dict[int, set[int]]) -> bool:
    """Whether a match ends within the text that both chunks share, and its line matched in the one before."""
    sizes = range(1, min(len(before.text), len(chunk.text)))
    shared = max((size for size in sizes if before.text[-size:] == chunk.text[:size]), default=0)
    start = sum(len(line) + 1 for line in chunk.text.split("\n")[:index])
    line = before.text[: len(before.text) - shared + start].count("\n")
    return start + end <= shared and line in matched.get(before.ordinal, set())


class MemoryLibrary(DocumentCatalog):
    """Compares each permitted document's title and path with a name."""

    def __init__(self, knowledge: MemoryKnowledge) -> None:
        self._knowledge = knowledge

    async def find(self, name: str, scope: Scope, *, filters: Filters, limit: int = 10) -> list[DocumentInfo]:
        asked = name.strip()
        documents = sorted(
            self._knowledge.visible(scope, filters), key=lambda pair: (pair[0].path, pair[0].document_id)
        )
        if not asked:
            documents.sort(key=lambda pair: pair[0].updated_at or _LONG_AGO, reverse=True)
            return [_info(document, len(chunks), 1.0) for document, chunks in documents[:limit]]
        found = [_info(document, len(chunks), _score(asked, document)) for document, chunks in documents]
        return sorted((info for info in found if info.score >= 0.5), key=lambda info: -info.score)[:limit]

    async def chunks(self, document_id: str, scope: Scope, *, first: int = 0, limit: int = 50) -> list[Passage]:
        documents = self._knowledge.visible(scope, Filters(documents=(document_id,)))
        ids = [chunk.chunk_id for _, chunks in documents for chunk in chunks]
        return await self._knowledge.passages(ids[first : first + limit], scope)


def _score(name: str, document: SourceDocument) -> float:
    file_name = document.path.split("/")[-1]
    if name in {document.document_id, document.title, document.path, file_name, document.url}:
        return 1.0
    places = (document.title, document.path, file_name)
    return min(0.99, max(fuzz.WRatio(name, place, processor=default_process) for place in places) / 100)


def _info(document: SourceDocument, chunks: int, score: float) -> DocumentInfo:
    return DocumentInfo(
        document_id=document.document_id,
        title=document.title,
        url=document.url,
        path=document.path,
        source=document.source,
        author=document.author,
        updated_at=document.updated_at,
        chunks=chunks,
        score=score,
    )
