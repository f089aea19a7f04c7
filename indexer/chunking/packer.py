"""Packs pieces into chunks: up to a target size, within a section, with a small overlap in prose."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, takewhile

from domain.documents import BlockKind, Span
from indexer.chunking.headings import ChunkHeading, shared_headings
from indexer.chunking.pieces import BlockPiece, MeasuredBlock

_LEAD_IN = 40  # tokens of a sentence such as "Run this:" that stays with what it announces


@dataclass(frozen=True, slots=True)
class ChunkLimits:
    """Sizes of chunks, in the embedding model's tokens without special ones."""

    max_tokens: int = 254
    """The most tokens of title, headings and text together; for MiniLM its 256 less two special tokens."""
    target_tokens: int = 200
    """The size at which a chunk is full."""
    overlap_tokens: int = 24
    """The most tokens that a chunk of prose repeats from the chunk before, in whole sentences."""

    def __post_init__(self) -> None:
        if self.max_tokens < 8:
            raise ValueError(f"chunks of {self.max_tokens} tokens hold no text; give at least 8")

    @property
    def tiny(self) -> int:
        """A chunk with fewer tokens is joined with what follows, where possible."""
        return min(self.target_tokens, self.max_tokens) // 5


@dataclass(frozen=True, slots=True)
class BlockSection:
    """Consecutive blocks with the same heading path, in pieces."""

    path: tuple[str, ...]
    pieces: tuple[BlockPiece, ...]
    size: int


_Run = tuple[MeasuredBlock, int, int]
"""A block and a range of its text: pieces that follow each other."""


@dataclass(slots=True)
class ChunkDraft:
    """A chunk that is not complete yet. size: tokens of its text, a repeated header included."""

    head: ChunkHeading
    pieces: list[BlockPiece] = field(default_factory=list)
    size: int = 0
    _runs: list[_Run] = field(default_factory=list)

    def add(self, piece: BlockPiece) -> None:
        """Append `piece`; the first one brings the header that it repeats."""
        self.size += piece.size + (0 if self.pieces else piece.header_size)
        self.pieces.append(piece)
        start = piece.start
        if self._runs and self._runs[-1][0] is piece.block and self._runs[-1][2] <= start:
            start = self._runs.pop()[1]
        self._runs.append((piece.block, start, piece.end))

    @property
    def text(self) -> str:
        """The text of the pieces; a blank line separates blocks."""
        header = self.pieces[0].block.header + "\n" if self.pieces[0].header_size else ""
        return header + "\n\n".join(block.text.text[slice(*_bare(block, *run))] for block, *run in self._runs)

    @property
    def span(self) -> Span:
        """The lines of the pieces; the first page where there are several. A repeated header does not count."""
        spans = [block.span(*_bare(block, *run)) for block, *run in self._runs]
        numbered = [span for span in spans if span.first_line]
        return Span(
            min((span.first_line for span in numbered), default=0),
            max((span.last_line for span in numbered), default=0),
            next((span.page for span in spans if span.page is not None), None),
        )

    @property
    def kind(self) -> BlockKind:
        """The kind of most of the text."""
        sizes: Counter[BlockKind] = Counter()
        for piece in self.pieces:
            sizes[piece.block.block.kind] += piece.size
        return sizes.most_common(1)[0][0]

    def halves(self) -> tuple["ChunkDraft", ...]:
        """The draft cut in two, without a half that is blank. Where its text cannot be cut: one draft with less above
        the text, or none."""
        piece, *others = self.pieces
        if others:  # about half of them by size: at least one, and not all
            sizes = list(accumulate(each.size for each in self.pieces))
            middle = min(max(1, bisect_left(sizes, sizes[-1] / 2)), len(others))
            return _not_blank(self.head, self.pieces[:middle], self.pieces[middle:])
        if cut := piece.cut():
            return _not_blank(self.head, *([half] for half in cut))
        if piece.header_size:
            return (_draft(self.head, [piece._replace(header_size=0)]),)
        if self.head.path or self.head.title:
            title = self.head.title if self.head.path else ""
            return (_draft(ChunkHeading(title, (), 0), [piece]),)
        return ()


def _not_blank(head: ChunkHeading, *drafts: Sequence[BlockPiece]) -> tuple[ChunkDraft, ...]:
    return tuple(_draft(head, pieces) for pieces in drafts if any(piece.text.strip() for piece in pieces))


def _draft(head: ChunkHeading, pieces: Sequence[BlockPiece]) -> ChunkDraft:
    draft = ChunkDraft(head)
    for piece in pieces:
        draft.add(piece)
    return draft


def _bare(block: MeasuredBlock, start: int, end: int) -> tuple[int, int]:
    """The range without blanks at both ends. Except in prose, a complete first line keeps its indentation."""
    text = block.text.text[start:end].rstrip()
    first = start + len(text) - len(text.lstrip())
    if block.block.kind is not BlockKind.PROSE:
        line = block.text.text.rfind("\n", max(0, start - 1), first) + 1
        first = line if line >= start else first
    return first, start + len(text)


class ChunkPacker:
    """Puts sections into drafts.

    limits: the sizes to keep to.
    head: the head for a heading path.
    heading: a line of the text that shows these headings, for the few chunks that hold more than one section.
    """

    def __init__(
        self,
        limits: ChunkLimits,
        head: Callable[[tuple[str, ...]], ChunkHeading],
        heading: Callable[[tuple[str, ...]], MeasuredBlock],
    ) -> None:
        self._limits = limits
        self._head = head
        self._heading = heading
        self._done: list[ChunkDraft] = []
        self._draft: ChunkDraft | None = None
        self._path: tuple[str, ...] = ()

    def pack(self, sections: Iterable[BlockSection]) -> list[ChunkDraft]:
        """The drafts for `sections`, in order."""
        for section in sections:
            self._section(section)
        self._close()
        return self._done

    def _section(self, section: BlockSection) -> None:
        draft = self._begin(section)
        left = section.size
        for number, piece in enumerate(section.pieces):
            if number and not self._takes(draft, piece, left):
                draft = self._next(draft, section, piece)
            draft.add(piece)
            left -= piece.size

    def _begin(self, section: BlockSection) -> ChunkDraft:
        """The draft for the first piece of a section: a new one, or the last section's when that is tiny."""
        joined = self._join_last(section)
        if joined is None:
            self._close()
            joined = ChunkDraft(self._head(section.path))
            self._path = section.path
        self._draft = joined
        return joined

    def _join_last(self, section: BlockSection) -> ChunkDraft | None:
        """The last section's draft under the headings that both share; None where they should stay apart.

        A tiny draft takes in what stands below its heading, and a neighbour under the same parent if that fits.
        """
        draft, path = self._draft, self._path
        if draft is None or draft.size >= self._limits.tiny:
            return None
        shared = shared_headings(path, section.path)
        if len(shared) < len(path) - 1 or (len(path) == 1 and not shared):
            return None
        head = self._head(shared)
        added = [self._line(section.path[len(shared) :])]
        before = [self._line(path[len(shared) :])] if shared != path else []
        size = draft.size + sum(line.size for line in (*before, *added))
        wanted = section.size if before else section.pieces[0].size
        if head.path != shared or size + wanted > self._limits.target_tokens - head.size:
            return None
        self._path = shared
        return _draft(head, (*before, *draft.pieces, *added))

    def _line(self, headings: tuple[str, ...]) -> BlockPiece:
        block = self._heading(headings)
        return BlockPiece(block, 0, len(block.text.text), block.text.size())

    def _takes(self, draft: ChunkDraft, piece: BlockPiece, left: int) -> bool:
        """Whether `piece`, the first of `left` tokens of its section, goes into `draft`."""
        room = self._limits.max_tokens - draft.head.size
        if draft.size + left <= room:
            return True  # all the rest fits: no tiny last chunk
        if draft.size < self._limits.tiny:
            return draft.size + piece.size <= room
        target = max(self._limits.target_tokens - draft.head.size, room // 2)
        whole_block = piece.block.text.size()
        is_nearly_full = draft.size >= target * 3 // 4
        keeps_whole = piece.start == 0 and is_nearly_full and whole_block <= target
        return draft.size + (whole_block if keeps_whole else piece.size) <= target

    def _next(self, draft: ChunkDraft, section: BlockSection, piece: BlockPiece) -> ChunkDraft:
        """A new draft of the section, with what it takes over from `draft` or repeats of it."""
        head = self._head(section.path)
        room = self._limits.max_tokens - head.size - piece.size - piece.header_size
        own = [part for part in draft.pieces if part.block.block.heading_path == section.path]
        begun = _lead_in(own, piece, min(room, draft.size - self._limits.tiny))
        if begun:
            self._draft = _draft(draft.head, draft.pieces[:-1])
        else:
            begun = _overlap(own, piece, min(room, self._limits.overlap_tokens))
        self._close()
        self._draft, self._path = _draft(head, begun), section.path
        return self._draft

    def _close(self) -> None:
        if self._draft is not None and self._draft.pieces:
            self._done.append(self._draft)
        self._draft = None


def _lead_in(own: Sequence[BlockPiece], following: BlockPiece, room: int) -> list[BlockPiece]:
    """The sentence that announces the block which begins with `following`, as "Run this:" does."""
    last = own[-1] if len(own) > 1 else None
    if last is None or not last.is_sentence or following.block is last.block or last.size > min(_LEAD_IN, room):
        return []
    return [last] if last.text.rstrip().endswith((":", "：")) else []


def _overlap(own: Sequence[BlockPiece], following: BlockPiece, room: int) -> list[BlockPiece]:
    """The last sentences of `own` that `following` may repeat before it, if that is prose: never all of them."""
    if following.block.block.kind is not BlockKind.PROSE or not own:
        return []
    sizes = accumulate(piece.size for piece in reversed(own))
    fitting = len(list(takewhile(lambda size: size <= room, sizes)))
    sentences = len(list(takewhile(lambda piece: piece.is_sentence, reversed(own))))
    repeated = min(fitting, sentences, len(own) - 1)
    return list(own[len(own) - repeated :])
