"""Lines of type on pages become headings, paragraphs and lists."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from domain.documents import BlockKind, ParsedFile, Span
from domain.patterns import LinearRegex, PatternMatch
from indexer.parse.limits import ParseLimits
from indexer.parse.outline import Outline, one_line

LARGER = 1.15
"""From so many times the size of the running text on, a line is a heading."""
LONGEST_HEADING = 150
RANKS = 4
"""Sizes of headings that are told apart."""
LONGEST_GAP_IN_CODE = 2.5
"""Lines left out in one piece of code."""
EDGE_LINES = 2
"""Lines at the top and the bottom of a page among which its running header and footer are looked for."""
FEWEST_PAGES = 3
LONGEST_RUNNING_LINE = 300
"""Characters of a line in which a page number is looked for among words."""

LINE_END_HYPHEN = "\x02"
"""What PDFium has for a hyphen at the end of a line, whose two halves it has put together."""

_ITEM = re.compile(r"(?:[•‣◦▪●○■–*-]|\d{1,3}[.)]|\(?[a-z]\))\s+\S")
_SIGN = " |/·•.:()[]~*–—-"
_SIGNS = r"[\s|/·•.:()\[\]~*–—-]*"
"""What may stand around a page number; signs of currency or percent make it an amount."""
_TOTAL = r"(?:\s*(?:of|von|/|-)\s*\d+)?"
_NAMED_NUMBER = LinearRegex(
    rf"{_SIGNS}(?:(?:page|seite|p){_SIGNS}(?:\d+|[ivxl]+)|[ivxl]+){_TOTAL}{_SIGNS}", ignore_case=True
)
"""A page number that shows by itself that it is one."""
_BARE_NUMBER = LinearRegex(rf"{_SIGNS}(\d{{1,5}}){_TOTAL}{_SIGNS}")
"""One that does not."""
_PAGE_NUMBER = LinearRegex(r"\d{1,5}", before=r"^|[\s|·•(\[~*–—]", after=r"[\s|·•)\]~*–—,;:/]|\Z")
"""What may be one in a line of words."""
_OF_ALL = LinearRegex(r"\s*(?:of|von|/)\s*\d+")
_PAGE = LinearRegex(r"(?:^|\W)(?:page|seite|p)[\s.:]*\Z", ignore_case=True)
_AT_ENDS = re.compile(r"\A\d{1,5}\b|\b\d{1,5}\Z")
_BARS = ("|", "·", "•")
FARTHEST = 999
"""How far a page number may be from the number of its page; years are farther."""
_NUMBER = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+\S")
_DOT_LEADER = re.compile(r"(?:\.\s?){4}")
"""What leads from a heading to its page number in a table of contents."""
_SPLIT_WORD = LinearRegex(rf"(\w+){LINE_END_HYPHEN}(\w*)")


@dataclass(frozen=True, slots=True)
class PdfLine:
    """A line of type, and its place in points, rightwards and upwards."""

    text: str
    size: float
    """Height of its first letter's font."""
    left: float
    top: float
    bottom: float
    right: float
    pitch: float = 0.0
    """Width of a letter where all letters have the same, as code has; else 0."""
    starts: tuple[float, ...] = field(default=(), compare=False)
    """Where each character begins, on pages with fields of a form."""


@dataclass(frozen=True, slots=True)
class PdfPage:
    """The lines of a page. is_picture: whether it shows an image and no text."""

    number: int
    lines: tuple[PdfLine, ...]
    is_picture: bool = False


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """Lines that belong together. rank: 1 for the largest headings, 0 for running text."""

    lines: tuple[PdfLine, ...]
    rank: int

    @property
    def text(self) -> str:
        """On one line; code line by line, indented as it stands on the page."""
        if not self.is_code:
            return one_line(" ".join(line.text for line in self.lines))
        left = min(line.left for line in self.lines)
        return "\n".join(" " * round((line.left - left) / line.pitch) + line.text.strip() for line in self.lines)

    @property
    def is_code(self) -> bool:
        return not self.rank and self.lines[0].pitch > 0


def outlined(
    pages: Sequence[PdfPage], title: str, properties: Mapping[str, str], limits: ParseLimits, cut: str = ""
) -> ParsedFile:
    """The structure of the text on `pages`. cut: why there are more, as of Outline.cut. Raises Unparsable when there
    is none."""
    pages = _without_hyphens(pages)
    ranks = _ranks(pages)
    repeated = _repeated(pages)
    shown: set[_Key] = set()
    out = Outline(limits, title)
    if cut:
        out.cut(cut)
    for page in pages:
        body, running = _separate(page, repeated)
        # what stands on every page is told once: it may be a version or a classification
        fresh = [line.text.strip() for line, key in running if key not in shown]
        shown.update(key for _, key in running)
        out.add(BlockKind.PROSE, "\n".join(fresh), Span(page=page.number), path=())
        _add(out, list(_paragraphs(body, ranks)), page.number)
    return out.finish(properties)


def _add(out: Outline, paragraphs: list[_Paragraph], page: int) -> None:
    span = Span(page=page)
    items: list[str] = []
    for paragraph in [*paragraphs, None]:
        if paragraph is not None and not (paragraph.rank or paragraph.is_code) and _ITEM.match(paragraph.text):
            items.append(paragraph.text)
            continue
        out.add(BlockKind.LIST, "\n".join(items), span)
        items = []
        if paragraph is None:
            return
        if paragraph.rank == 1 and page == 1:
            out.title_or_heading(1, paragraph.text, span)
        elif paragraph.rank:
            out.heading(paragraph.rank, paragraph.text, span)
        else:
            out.add(BlockKind.CODE if paragraph.is_code else BlockKind.PROSE, paragraph.text, span)


def _ranks(pages: Sequence[PdfPage]) -> dict[float, int]:
    """The rank of each size of type that is clearly larger than the most used one.

    Sizes in which numbered headings are set have the rank that their numbers tell, below the title's.
    """
    letters: Counter[float] = Counter()
    depths: defaultdict[float, Counter[int]] = defaultdict(Counter)
    for line in (line for page in pages for line in page.lines):
        letters[_rounded(line)] += len(line.text)
        numbered = _NUMBER.match(line.text.strip())
        if numbered:
            depths[_rounded(line)][numbered[1].strip(".").count(".") + 2] += 1
    if not letters:
        return {}
    running = letters.most_common(1)[0][0]
    larger = sorted((size for size in letters if size >= LARGER * running), reverse=True)
    by_size = {size: min(rank, RANKS) for rank, size in enumerate(larger, 1)}
    return {size: depths[size].most_common(1)[0][0] if depths[size] else rank for size, rank in by_size.items()}


def _rounded(line: PdfLine) -> float:
    return round(line.size * 2) / 2


class _Key(NamedTuple):
    """What a line says, with one number left out that may be that of its page."""

    before: str
    after: str
    size: float
    """The title may say the same as the running header."""
    distance: int | None = None
    """How far that number is from the page's; None when none is left out."""

    def apart(self) -> "_Key":
        """With other numbers left out, too, beside one of the page."""
        if self.distance is None:
            return self
        before, after = (re.sub(r"\d+", "#", text) for text in (self.before, self.after))
        return self._replace(before=before, after=after)


def _keys(line: PdfLine, page: int) -> Iterator[_Key]:
    """What `line` says, and with each number left out that may be that of the page: at its beginning or end, before
    `of 9`, behind `page`, between bars."""
    text, size = one_line(line.text), _rounded(line)
    yield _Key(text, "", size)
    for found in _PAGE_NUMBER.finditer(text) if len(text) <= LONGEST_RUNNING_LINE else ():
        before, after, distance = text[: found.start()], text[found.end() :], int(found[0]) - page
        total = _OF_ALL.match(after)
        is_outer = not before.strip(_SIGN) or not after[total.end() if total else 0 :].strip(_SIGN)
        has_words = any(map(str.isalpha, before + after))
        is_between = before.rstrip().endswith(_BARS) and after.lstrip().startswith(_BARS)
        is_page = is_outer or is_between or total or _PAGE.search(before)
        if abs(distance) <= FARTHEST and has_words and is_page:
            yield _Key(before, after, size, distance)


def _steps(distance: int) -> _Key:
    """For numbers at the beginning or end of lines, whatever else these say."""
    return _Key("", "", 0.0, distance)


def _repeated(pages: Sequence[PdfPage]) -> set[_Key]:
    """What stands at the top or bottom of nearly every second page or more, page numbers apart. Digits that differ make
    another text, but for those beside a page number.

    Among it is `_steps` of page numbers with which so many pages begin or end a line.
    """
    if len(pages) < FEWEST_PAGES:
        return set()
    counts: Counter[_Key] = Counter()
    for page in pages:
        lines = [page.lines[index] for index in _edges(page)]
        distances = {int(number) - page.number for line in lines for number in _at_ends(line)}
        counts.update({key.apart() for line in lines for key in _keys(line, page.number)})
        counts.update({_steps(distance) for distance in distances if abs(distance) <= FARTHEST})
    return {key for key, count in counts.items() if count >= FEWEST_PAGES and count > 0.4 * len(pages)}


def _at_ends(line: PdfLine) -> list[str]:
    """The numbers that `line` begins and ends with."""
    bare = _BARE_NUMBER.fullmatch(line.text.strip())
    return [bare[1]] if bare else _AT_ENDS.findall(line.text.strip(_SIGN))


def _separate(page: PdfPage, repeated: set[_Key]) -> tuple[list[PdfLine], list[tuple[PdfLine, _Key]]]:
    """The text of a page, and its running lines without bare page numbers, each with what it says."""
    body: list[PdfLine] = []
    running: list[tuple[PdfLine, _Key]] = []
    edges = _edges(page) if repeated else set[int]()
    for index, line in enumerate(page.lines):
        if index not in edges:
            body.append(line)
            continue
        text = one_line(line.text)
        bare = _BARE_NUMBER.fullmatch(text)
        if _NAMED_NUMBER.fullmatch(text) or (bare and _steps(int(bare[1]) - page.number) in repeated):
            continue
        key = next((key for key in _keys(line, page.number) if key.apart() in repeated), None)
        if key is None:
            body.append(line)
        else:
            running.append((line, key))
    return body, running


def _edges(page: PdfPage) -> set[int]:
    """The indexes of the highest and the lowest lines; a file may have them in any order."""
    by_height = sorted(range(len(page.lines)), key=lambda index: page.lines[index].top)
    return {*by_height[:EDGE_LINES], *by_height[-EDGE_LINES:]}


def _paragraphs(lines: list[PdfLine], ranks: Mapping[float, int]) -> Iterator[_Paragraph]:
    """Neighbouring lines put together until a gap, another size, a list item or a short last line."""
    if not lines:
        return
    usual = median([before.bottom - after.top for before, after in pairwise(lines)] or [0.0])
    right = max(line.right for line in lines)
    gathered = [lines[0]]
    for before, line in pairwise(lines):
        if _rank(before, ranks) != _rank(line, ranks) or _is_break(before, line, usual, right):
            yield _Paragraph(tuple(gathered), _rank(before, ranks))
            gathered = []
        gathered.append(line)
    yield _Paragraph(tuple(gathered), _rank(gathered[-1], ranks))


def _rank(line: PdfLine, ranks: Mapping[float, int]) -> int:
    may_be_heading = len(line.text) <= LONGEST_HEADING and not _DOT_LEADER.search(line.text)
    return ranks.get(_rounded(line), 0) if may_be_heading else 0


def _is_break(before: PdfLine, line: PdfLine, usual: float, right: float) -> bool:
    """Whether a new paragraph begins at `line`."""
    gap = before.bottom - line.top
    is_higher = line.top > before.top + line.size
    if before.pitch or line.pitch:
        return is_higher or not (before.pitch and line.pitch) or gap > LONGEST_GAP_IN_CODE * line.size
    ends_short = before.right < 0.8 * right and before.text.rstrip().endswith((".", "!", "?", ":", "。"))
    return gap > usual + 0.4 * line.size or is_higher or ends_short or _ITEM.match(line.text.strip()) is not None


def _without_hyphens(pages: Sequence[PdfPage]) -> list[PdfPage]:
    """Words put together that were split at a line end; the hyphen stays where the word has one elsewhere too."""
    text = " ".join(line.text for page in pages for line in page.lines)
    hyphenated = {word.lower() for word in re.findall(r"\w+-\w+", text)}

    def join(found: PatternMatch) -> str:
        start, rest = found.parts()
        keeps = f"{start}-{rest}".lower() in hyphenated or not rest[:1].islower()
        return f"{start}-{rest}" if keeps else start + rest

    return [
        replace(page, lines=tuple(replace(line, text=_SPLIT_WORD.sub(join, line.text)) for line in page.lines))
        for page in pages
    ]
