"""Secrets are taken out of a document before anything is made of it: what is not there cannot be embedded, stored or
shown. Personal data stays. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from domain.documents import Block, Mentions, SourceDocument
from domain.errors import Transient
from domain.knowledge_graph import Link
from domain.masking import MaskedText, Masker
from indexer.chunking.headings import shared_headings
from indexer.graph.facts import document_facts, masked_links, masked_mentions
from indexer.run.masked_names import masked_name

MAX_LABEL = 100
"""Characters of a label. The index over labels takes 2,712 bytes; a longer text is no label."""


class Withheld(Transient):
    """The masker could not do its work on a text in time, so that nothing is known of what the text holds."""

    def __init__(self) -> None:
        super().__init__("the masker gave up on it", next_step="Run it again; the log says why the masker gave up.")


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a block's texts stand in the sequence. headings: of its path. header: None where that is part of the text,
    or empty."""

    headings: tuple[int, ...]
    header: int | None
    text: int


def masked_document(document: SourceDocument, masker: Masker) -> SourceDocument:
    """`document` without secrets in its title, headings, blocks and metadata; lines stay where they were.

    Title, headings and blocks are masked as one sequence, as a reader meets them: what "The password is:" leads to
    may stand in the next block. Its id, path and URL are masked before, see indexer.run.masked_names.

    Raises Withheld.
    """
    parts, places = _sequence(document)
    texts = [_text(each) for each in masker.secrets_in(parts)]

    def alone(text: str) -> str:
        return _text(masker.secrets(text))

    return replace(
        document,
        title=texts[0],
        blocks=tuple(_block(block, place, texts) for block, place in zip(document.blocks, places, strict=True)),
        media_type=alone(document.media_type),
        space=alone(document.space),
        labels=tuple(alone(label)[:MAX_LABEL] for label in document.labels),
        author=alone(document.author),
    )


def with_facts(document: SourceDocument, links: tuple[Link, ...], mentions: Mentions, masker: Masker) -> SourceDocument:
    """A masked document with the facts of the knowledge graph. links: as its connector states them. mentions: as its
    parser found them. Both are masked first: in a key, where case is folded, addresses are decoded and what is long is
    cut, no masker would know a secret.

    Raises Withheld.
    """

    @cache
    def text(said: str) -> str:
        return _text(masker.secrets(said))

    @cache
    def name(said: str) -> str:
        found = masked_name(said, masker)
        if found.withheld:
            raise Withheld
        return found.text

    stated, found = masked_links(links, text, name), masked_mentions(mentions, text, name)
    return replace(document, facts=document_facts(document, stated, found))


def _sequence(document: SourceDocument) -> tuple[list[str], list[_Place]]:
    """The texts of a document in the order of reading, a heading where it begins; and where those of each block are."""
    parts = [document.title]
    places: list[_Place] = []
    path: tuple[str, ...] = ()
    headings: tuple[int, ...] = ()
    for block in document.blocks:
        same = len(shared_headings(path, block.heading_path))
        path, begun = block.heading_path, len(parts)
        parts += path[same:]
        headings = (*headings[:same], *range(begun, len(parts)))
        header = None
        if block.header and _lines_of_header(block) is None:
            header = len(parts)
            parts.append(block.header)
        places.append(_Place(headings, header, len(parts)))
        parts.append(block.text)
    return parts, places


def _block(block: Block, place: _Place, texts: Sequence[str]) -> Block:
    header, lines, text = block.header, _lines_of_header(block), texts[place.text]
    if place.header is not None:
        header = texts[place.header]
    elif lines is not None:
        header = "\n".join(text.split("\n")[lines])  # the same lines, or the header would stand there twice
    return replace(block, text=text, header=header, heading_path=tuple(texts[at] for at in place.headings))


def _lines_of_header(block: Block) -> slice | None:
    """Which lines of the block's text its header is; None when it is not part of it."""
    header = block.header.strip("\n")
    at = f"\n{block.text}\n".find(f"\n{header}\n") if header else -1
    if at < 0:
        return None
    first = block.text.count("\n", 0, at)
    return slice(first, first + header.count("\n") + 1)


def _text(masked: MaskedText) -> str:
    if masked.withheld:
        raise Withheld
    return masked.text
