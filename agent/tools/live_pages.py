"""Pages that are not in the index, read as passages: cut, ranked, and cited like any other."""

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Plus

from agent.retrieval.selection import live_document_id
from agent.tools.base import FoundPassage, ToolResult
from domain.documents import BlockKind, Span, digest
from domain.masking import Masker
from domain.model_ports import Embedder
from domain.search import Passage
from domain.text.sentences import sentences
from domain.text.tokens import Analyzer
from domain.tool_ports import LivePage

PART = 900
"""Characters of a passage of a page."""

PARTS = 60
"""Passages of one page that are looked at."""


class PageReader:
    """Makes passages of pages that were fetched now. embedder: for their vectors. masker: their secrets go before
    anything is made of them."""

    def __init__(self, embedder: Embedder, masker: Masker) -> None:
        self._embedder = embedder
        self._masker = masker
        self._analyzer = Analyzer()

    async def read(self, page: LivePage, name: str, question: str, limit: int) -> ToolResult:
        """The passages of a page that fit the question best, by words and meaning, in equal parts. name: what the page
        was asked for by."""
        parts = cut(self._masker.secrets(page.text).text)[
            :PARTS
        ]  # masked before it is cut: a cut may go through a secret
        if not parts:
            return ToolResult(query=question, note=f"{page.url} has no text")
        texts = [text for _, text in parts]
        (asked,), vectors = await self._embedder.embed([question], "query"), await self._embedder.embed(texts)
        lexical = BM25Plus([self._analyzer.tokens(text) or [""] for text in texts]).get_scores(
            self._analyzer.tokens(question)
        )
        spread = float(lexical.max() - lexical.min()) or 1.0
        scores = [
            0.5 * float(word - lexical.min()) / spread + 0.5 * max(0.0, float(vector @ asked))
            for word, vector in zip(lexical, vectors, strict=True)
        ]
        found = [
            FoundPassage(passage_of(page, place, line, text, vectors[place]), scores[place])
            for place, (line, text) in enumerate(parts)
        ]
        best = sorted(found, key=lambda each: each.score, reverse=True)[:limit]
        return ToolResult(tuple(best), question, f"read {page.url}", name=name)


def cut(text: str) -> list[tuple[int, str]]:
    """Passages of about PART characters at sentence borders, each with the line it begins in, from 1."""
    parts: list[tuple[int, str]] = []
    start = end = 0
    for first, last in sentences(text):
        if end > start and last - start > PART:
            parts.append((text.count("\n", 0, start) + 1, text[start:end].strip()))
            start = first
        elif end == 0:
            start = first
        end = last
    if end > start:
        parts.append((text.count("\n", 0, start) + 1, text[start:end].strip()))
    return [(line, piece[: 4 * PART]) for line, piece in parts if piece]


def passage_of(page: LivePage, place: int, line: int, text: str, vector: NDArray[np.float32]) -> Passage:
    """A part of a page as a passage; its ids follow from the URL and the text."""
    return Passage(
        chunk_id=digest("live", page.url, str(place), text).hex(),
        document_id=live_document_id(page.url),
        ordinal=place,
        title=page.title or page.url,
        url=page.url,
        path=page.path or page.url,
        source=page.source or "web",
        heading_path=(),
        text=text,
        kind=BlockKind.PROSE,
        span=Span(line, line + text.count("\n")),
        updated_at=page.updated_at,
        vector=np.asarray(vector, np.float32),
        author=page.author,
    )
