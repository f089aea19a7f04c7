"""Collects the blocks of a document in reading order, each under the headings above it."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

from domain.documents import Block, BlockKind, Mentions, ParsedFile, Span
from indexer.parse.formats import EMPTY, Unparsable
from indexer.parse.limits import ParseLimits
from indexer.parse.superscripts import with_carets

NOWHERE = Span()
"""The span of text whose place is not known."""
NOTHING_MENTIONED = Mentions()
LONGEST_HEADING = 300
"""Characters; a longer heading is a paragraph that was dressed as one."""
CUT = "This document goes on, but only a part of it was read: it has {}."
COST_OF_A_BLOCK = 20
"""Characters that a block counts for beside its text, so that very many tiny blocks are bounded too."""

# no store and no reader wants these: controls (NUL cannot be stored at all), halves of surrogate pairs,
# invisible characters that would split a word for the search
_UNWANTED = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u200b\u2060\ufeff\ud800-\udfff]")
_ODD_BREAKS = re.compile("[\r\x0b\x0c\x85\u2028\u2029]")


@dataclass(slots=True)
class _Open:
    """A heading that blocks now stand under; `used` once something does."""

    level: int
    text: str
    span: Span
    used: bool = False


class Outline:
    """Collects blocks and keeps to the limits.

    title: the document's title as far as it is known; it is not part of any heading path. cuts: why something was left
    out, shared with the outlines of parts.

    What is more text than the limits allow is left out from there on, and the end says so. Methods raise Unparsable
    when it is nested too deeply.
    """

    def __init__(
        self, limits: ParseLimits, title: str = "", *, depth: int = 0, cuts: dict[str, None] | None = None
    ) -> None:
        self._cuts = {} if cuts is None else cuts
        self._full = False
        self.title = one_line(title)[:LONGEST_HEADING]
        self.limits = limits
        self._depth = depth
        self._open: list[_Open] = []
        self._outside = 0
        self._blocks: list[Block] = []
        self._spent = 0

    @property
    def is_nested(self) -> bool:
        """Whether this collects what stands inside a list item or a table cell."""
        return self._depth > 0

    def nested(self) -> "Outline":
        """An outline for what stands inside a list item or a cell: its headings are plain text."""
        if self._depth >= self.limits.nesting:
            raise Unparsable(f"nested more than {self.limits.nesting} levels deep")
        return Outline(self.limits, depth=self._depth + 1, cuts=self._cuts)

    def part(self) -> "Outline":
        """An outline for what stands in a panel or a fold, whose headings end with it; `adopt` takes it in."""
        return Outline(self.limits, depth=self._depth, cuts=self._cuts)

    @contextmanager
    def enclosed(self) -> Iterator[None]:
        """Headings that come in this context end with it, and end none of those before it; but where it ends with a
        heading, that is one of what follows."""
        outside, self._outside = self._outside, len(self._open)
        yield
        inner = self._open[self._outside :]
        if inner and not inner[-1].used:
            del self._open[self._outside :]
            self._outside = outside
            self._close(inner[0].level)
            self._open += inner
        else:
            self._close(0)
            self._outside = outside

    def cut(self, why: str) -> None:
        """Something of the document was left out. why: what it has too much of, such as `more than 9 pages`."""
        self._cuts[why] = None

    def title_or_heading(self, level: int, text: str, span: Span = NOWHERE) -> None:
        """A heading that becomes the title when there is none yet, and vanishes when it repeats the title."""
        text = one_line(text)
        is_title = not self.title or text.casefold() == self.title.casefold()
        if self.is_nested or not is_title or len(text) > LONGEST_HEADING:
            self.heading(level, text, span)
            return
        self._close(level)
        self.title = self.title or text

    def heading(self, level: int, text: str, span: Span = NOWHERE) -> None:
        """Blocks added from here on stand under `text`, until a heading of the same or a higher rank."""
        text = one_line(text)
        if not text:
            return
        if self.is_nested or len(text) > LONGEST_HEADING:
            self.add(BlockKind.PROSE, text, span)
            return
        self._close(level)
        self._open.append(_Open(level, text, span))

    def add(
        self,
        kind: BlockKind,
        text: str,
        span: Span = NOWHERE,
        header: str = "",
        path: tuple[str, ...] | None = None,
    ) -> None:
        """One block under the open headings, or under `path`. Text without a visible character is left out."""
        text = tidy(text)
        if not text:
            return
        block = Block(kind, text, self._path() if path is None else path, span, tidy(header))
        if not self._full and (kept := self._fit_to_limit(block)):
            self._blocks.append(kept)
        for heading in self._open:
            heading.used = True

    def adopt(self, part: "Outline", heading: str = "", label: str = "") -> None:
        """Add what `part` collected.

        heading: what it stands under, below the open headings. label: what is said first, `Warning` for example.
        """
        heading, blocks = one_line(heading), part.taken()
        path = () if self.is_nested or len(heading) > LONGEST_HEADING or not blocks else (heading,) * bool(heading)
        if heading and not path:
            self.add(BlockKind.PROSE, heading)
        if label and blocks and blocks[0].kind is BlockKind.PROSE and not blocks[0].heading_path:
            blocks = (replace(blocks[0], text=f"{label}: {blocks[0].text}"), *blocks[1:])
        elif label:
            self.add(BlockKind.PROSE, label, path=(*self._path(), *path))
        for block in blocks:
            under = (*self._path(), *path, *block.heading_path)
            self.add(block.kind, block.text, block.span, block.header, under)

    def taken(self) -> tuple[Block, ...]:
        """All blocks, for an outline that adopts them; every heading is ended."""
        self._close(0)
        return tuple(self._blocks)

    def lines(self) -> list[str]:
        """The lines of all blocks, for what stands inside a list item or a cell."""
        return [line for block in self._blocks for line in block.text.split("\n")]

    def finish(
        self,
        metadata: Mapping[str, str] | None = None,
        *,
        lone_heading_is_title: bool = True,
        mentions: Mentions = NOTHING_MENTIONED,
    ) -> ParsedFile:
        """The parsed file.

        lone_heading_is_title: without a title, the one heading that stands above everything becomes the title.
        Raises Unparsable when there is neither a title nor a block.
        """
        self._close(0)
        outermost = {block.heading_path[:1] for block in self._blocks}
        is_lone = lone_heading_is_title and not self.title and len(outermost) == 1 and outermost != {()}
        lone = next(iter(outermost))[0] if is_lone else ""
        blocks = [replace(block, heading_path=block.heading_path[1:]) if lone else block for block in self._blocks]
        if not blocks and not self.title:
            raise Unparsable(f"{EMPTY}: no text in it")
        said = dict(metadata or {})
        if self._cuts:
            said["cut"] = ", ".join(self._cuts)
            blocks.append(Block(BlockKind.PROSE, CUT.format(said["cut"])))
        return ParsedFile(self.title or lone, tuple(blocks), said, mentions)

    def _path(self) -> tuple[str, ...]:
        return tuple(heading.text for heading in self._open)

    def _close(self, level: int) -> None:
        """End the sections of `level` and below; the heading of an empty one becomes a block, or it would be lost."""
        while len(self._open) > self._outside and self._open[-1].level >= level:
            heading = self._open.pop()
            if not heading.used:
                self.add(BlockKind.PROSE, heading.text, heading.span)

    def _fit_to_limit(self, block: Block) -> Block | None:
        """As much of a block as the limit leaves room for, to the end of a line or a word."""
        beside = COST_OF_A_BLOCK + len(block.header) + sum(map(len, block.heading_path))
        room = self.limits.output_characters - self._spent - beside
        self._spent += beside + len(block.text)
        if len(block.text) <= room:
            return block
        self._full = True
        self.cut(too_much(self.limits))
        text = block.text[: max(0, room)]
        text = text[: max(text.rfind("\n"), text.rfind(" "), 0)] or text
        return replace(block, text=text) if text.strip() else None


def too_much(limits: ParseLimits) -> str:
    """What a document has that is cut for its length."""
    return f"more than {limits.output_characters:,} characters of text"


def one_line(text: str) -> str:
    """`text` with every run of white space as one space."""
    return " ".join(tidy(text).split())


def tidy(text: str) -> str:
    """`text` with superscripts settled, without invisible characters, blank lines around it, blanks at line ends."""
    text = _ODD_BREAKS.sub("\n", _UNWANTED.sub("", with_carets(text)))
    return "\n".join(map(str.rstrip, text.split("\n"))).strip("\n")


def reflow(text: str) -> str:
    """`text` with each of its lines trimmed and single-spaced, empty lines left out."""
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def bullet(marker: str, lines: list[str]) -> list[str]:
    """The lines of one list item: the first behind `marker`, the rest indented below it."""
    if not lines:
        return []
    return [f"{marker} {lines[0]}", *(f"  {line}" if line else "" for line in lines[1:])]
