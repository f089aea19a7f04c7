"""Cuts blocks into pieces, the smallest parts of a block with which a chunk may begin."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from domain.documents import Block, BlockKind, Span
from domain.text.sentences import LIST_ITEM, sentences
from indexer.chunking.token_lengths import MeasuredText, whole

_GRAINS = 16
"""Pieces smaller than the room divided by this are joined: very many small pieces make no better chunks."""

_Borders = Callable[[MeasuredText, int, int], Sequence[int]]
"""Places inside text[start:end], ascending, where a piece may begin."""


@dataclass(frozen=True, slots=True)
class MeasuredBlock:
    """A block, and how long its text is."""

    block: Block
    text: MeasuredText
    breaks: list[int]
    """The places of its line breaks."""
    header: str
    """What later parts repeat; empty when there is none."""
    header_size: int
    """Tokens of the header."""
    header_place: tuple[int, int]
    """Its range in the text; (0, 0) where it stands in the block before."""
    added_lines: int
    """How many lines of the text were not in the block's: its header, where it stood outside the text."""

    def span(self, start: int, end: int) -> Span:
        """The source lines of text[start:end]; those of the whole block where its lines are not the source's."""
        span = self.block.span
        shift = self._shift()
        if not span.first_line or shift is None:
            return span
        first = bisect_left(self.breaks, start) - self.added_lines
        last = bisect_left(self.breaks, end) - self.added_lines
        return Span(span.first_line + shift(max(0, first)), span.first_line + shift(max(0, last)), span.page)

    def _shift(self) -> Callable[[int], int] | None:
        """The function from a line of the text to a line of the source, counted from 0; None where it is not known."""
        lines = len(self.breaks) + 1 - self.added_lines
        extra = self.block.span.last_line - self.block.span.first_line + 1 - lines
        if extra == 0:
            return lambda line: line
        if extra == 2 and self.block.kind is BlockKind.CODE:
            return lambda line: line + 1  # between fences
        header_lines = self.header.count("\n") + 1
        if extra == 1 and self.block.kind is BlockKind.TABLE and not self.added_lines:
            return lambda line: line + (line >= header_lines)  # the line of dashes below the header
        return None


class BlockPiece(NamedTuple):
    """text[start:end] of a block.

    size: its tokens. is_sentence: a whole sentence of prose, which a next chunk may repeat.
    header_size: tokens of the header that goes before this piece when it begins a chunk; 0 for none.
    """

    block: MeasuredBlock
    start: int
    end: int
    size: int
    is_sentence: bool = False
    header_size: int = 0

    @property
    def text(self) -> str:
        """The text it stands for."""
        return self.block.text.text[self.start : self.end]

    def cut(self) -> tuple["BlockPiece", ...]:
        """The two halves of the piece; none when it is a single visible character."""
        start = self.end - len(self.text.lstrip())
        borders = self.block.text.borders(start, self.end)
        middle = whole(self.block.text.text, borders[len(borders) // 2] if borders else (start + self.end) // 2)
        if not start < middle < self.end:
            return ()
        return (self._part(start, middle), self._part(middle, self.end))

    def _part(self, start: int, end: int) -> "BlockPiece":
        size = self.block.text.size(start, end)
        return BlockPiece(self.block, start, end, size, header_size=self.header_size)


def measured_block(block: Block, text: MeasuredText, header: MeasuredText) -> MeasuredBlock:
    """`block` ready to be split. text: see `text_of`, measured. header: what parts of it repeat, measured."""
    found = _line_of(header.text, text.text)
    return MeasuredBlock(
        block=block,
        text=text,
        breaks=[match.start() for match in re.finditer("\n", text.text)],
        header=header.text,
        header_size=header.size(),
        header_place=(found, found + len(header.text)) if found >= 0 else (0, 0),
        added_lines=text.text.count("\n") - block.text.count("\n"),
    )


def text_of(block: Block) -> str:
    """The block's text, which begins with its header when that is no line of it."""
    header = block.header.strip("\n")
    return f"{header}\n{block.text}" if header.strip() and _line_of(header, block.text) < 0 else block.text


def _line_of(header: str, text: str) -> int:
    """Where `header` stands in `text` as whole lines; -1 when it does not."""
    return f"\n{text}\n".find(f"\n{header}\n")


def header_of(block: Block) -> str:
    """The text that every part of the block repeats: its header, or the first row of a table without a header."""
    header = block.header.strip("\n")
    if header.strip() or block.kind is not BlockKind.TABLE:
        return header if header.strip() else ""
    rows = block.text.strip("\n").split("\n", 2)
    is_ruled = len(rows) > 1 and "-" in rows[1] and not rows[1].strip(" \t|:-+=")
    return "\n".join(rows[: 2 if is_ruled else 1]) if len(rows) > 1 else ""


def lead_in(block: Block) -> str:
    """The sentence at the end of a block of prose that announces what follows, as "Never do any of these:" does."""
    text = block.text.rstrip()
    if block.kind is not BlockKind.PROSE or not text.endswith((":", "：")):
        return ""
    start, end = sentences(text)[-1]
    return text[start:end]


def pieces(measured: MeasuredBlock, room: int) -> Iterator[BlockPiece]:
    """The pieces of a block, in order, each of at most `room` tokens as far as its text can be cut at all.

    Code and tables that fit are one piece; of a longer one, each piece leaves room for the header. A header that
    would take more than half the room is not repeated.
    """
    text, kind = measured.text, measured.block.kind
    end = len(text.text)
    if kind in {BlockKind.CODE, BlockKind.TABLE} and text.size() <= room:
        yield BlockPiece(measured, 0, end, text.size())
        return
    header_size = measured.header_size if measured.header_size <= room // 2 else 0
    cutter = _Cutter(text, room - header_size, measured.header_place if header_size else None)
    first_step, *further = _LADDERS[kind]
    coarse = kind is not BlockKind.PROSE  # sentences stay apart: a next chunk may repeat them
    for start, stop in cutter.parts(0, end, first_step, coarse=coarse):
        is_sentence = kind is BlockKind.PROSE and text.size(start, stop) <= cutter.room
        for first, last in cutter.fitting(start, stop, further):
            repeated = header_size if first >= measured.header_place[1] else 0
            yield BlockPiece(measured, first, last, text.size(first, last), is_sentence, repeated)


@dataclass(frozen=True, slots=True)
class _Cutter:
    """Cuts a text into parts of at most `room` tokens. header: a range that stays whole, with what follows it."""

    text: MeasuredText
    room: int
    header: tuple[int, int] | None

    def parts(self, start: int, end: int, borders: _Borders, *, coarse: bool = True) -> Iterator[tuple[int, int]]:
        """text[start:end] cut at the borders: at all of them, or, if coarse, without making very small parts."""
        found = self._allowed(borders(self.text, start, end))
        cuts = [start, *(self._coarse(start, found, end) if coarse else found), end]
        return (pair for pair in pairwise(cuts) if not self.text.text[pair[0] : pair[1]].isspace())

    def fitting(self, start: int, end: int, ladder: Sequence[_Borders]) -> Iterator[tuple[int, int]]:
        """text[start:end] whole if it fits, else cut at the borders of the first step of the ladder that will do."""
        if not ladder or self.text.size(start, end) <= self.room:
            yield start, end
            return
        for first, last in self.parts(start, end, ladder[0]):
            yield from self.fitting(first, last, ladder[1:])

    def _coarse(self, start: int, borders: Sequence[int], end: int) -> Iterator[int]:
        """The borders without those that would make parts smaller than a fraction of the room, or cut a character."""
        grain = self.room // _GRAINS
        sizes = [self.text.before(at) for at in (*borders, end)]
        begun = self.text.before(start)
        for at, size, following in zip(borders, sizes, sizes[1:], strict=False):
            if following - begun > grain:
                begun = size
                if (place := whole(self.text.text, at)) > start:
                    yield place
                    start = place

    def _allowed(self, borders: Sequence[int]) -> Sequence[int]:
        if self.header is None:
            return borders
        first, last = self.header
        return [at for at in borders if at <= first or at > last + 1]


def _matches(pattern: str) -> _Borders:
    """Borders right after every match of `pattern`."""
    compiled = re.compile(pattern)
    return lambda text, start, end: [
        match.end() for match in compiled.finditer(text.text, start, end) if match.end() < end
    ]


def _sentence_starts(text: MeasuredText, start: int, end: int) -> list[int]:
    return [start + first for first, _ in sentences(text.text[start:end])][1:]


def _item_starts(text: MeasuredText, start: int, end: int) -> list[int]:
    """The lines that begin a list item, of any depth."""
    return [at for at in _line_starts(text, start, end) if LIST_ITEM.match(text.text, at, end)]


def _outer_item_starts(text: MeasuredText, start: int, end: int) -> list[int]:
    """The lines that begin an item no more indented than the first one."""
    items = [(at, _indentation(text.text, at)) for at in _item_starts(text, start, end)]
    if LIST_ITEM.match(text.text, start, end):
        items.insert(0, (start, _indentation(text.text, start)))
    return [at for at, depth in items if at > start and depth <= items[0][1]]


def _indentation(text: str, at: int) -> int:
    match = _BLANKS.match(text, at)
    return match.end() - at if match else 0


def _stanza_starts(text: MeasuredText, start: int, end: int) -> list[int]:
    """The lines after a blank one."""
    lines = [start, *_line_starts(text, start, end), end]
    blank = [text.text[first:last].isspace() for first, last in pairwise(lines)]
    return [at for at, before, here in zip(lines[1:], blank, blank[1:], strict=False) if before and not here]


_BLANKS = re.compile(r"[ \t]*")
_line_starts = _matches(r"\n")
_clause_starts = _matches(r"[,;:)\]—–](?=\s)|[、，；：]")
_cell_starts = _matches(r"\|(?=\s)")
_word_starts = _matches(r"\s(?=\S)")
_mark_starts = _matches(r"[,;:/|&?=)}\]>、，；：]")
_LAST_STEPS: tuple[_Borders, ...] = (_word_starts, _mark_starts, MeasuredText.borders)
_LADDERS: dict[BlockKind, tuple[_Borders, ...]] = {
    BlockKind.PROSE: (_sentence_starts, _clause_starts, *_LAST_STEPS),
    BlockKind.LIST: (_outer_item_starts, _item_starts, _sentence_starts, _clause_starts, *_LAST_STEPS),
    BlockKind.TABLE: (_line_starts, _cell_starts, *_LAST_STEPS),
    BlockKind.CODE: (_stanza_starts, _line_starts, *_LAST_STEPS),
}
"""Where to cut each kind of block, the best place first."""
