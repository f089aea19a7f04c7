"""Numbered references: where a quoted passage stands, and how its number enters the text."""

from collections.abc import Sequence

from domain.answers import Citation
from domain.documents import Span
from domain.search import Passage


def place(span: Span) -> str:
    """Where in its document a passage stands, in words: a page, or lines; empty when neither is known."""
    if span.page is not None:
        return f"page {span.page}"
    if span.first_line and span.last_line > span.first_line:
        return f"lines {span.first_line}-{span.last_line}"
    return f"line {span.first_line}" if span.first_line else ""


def cite(n: int, passage: Passage, quotes: Sequence[str]) -> Citation:
    """The reference number `n`, to `passage`, for what was quoted of it."""
    return Citation(
        n=n,
        title=passage.title,
        url=passage.url,
        path=passage.path,
        source=passage.source,
        document_id=passage.document_id,
        section=" > ".join(passage.heading_path),
        place=place(passage.span),
        quote=" … ".join(quotes),
        updated_at=passage.updated_at,
        chunk_id=passage.chunk_id,
    )


def with_citation_markers(text: str, n: int) -> str:
    """`[n]` goes behind the first line of several: what follows is a list or code that belongs to it."""
    first, line_break, rest = text.partition("\n")
    return f"{first} [{n}]{line_break}{rest}"
