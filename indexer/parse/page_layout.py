"""Lines of type on pages become headings, paragraphs and lists."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

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
MOST_FIELDS = 500
"""Fields on a page whose place is looked for."""

LINE_END_HYPHEN = "\x02"
"""What PDFium has for a hyphen at the end of a line, whose two halves it has put together."""

_ITEM = re.compile(r"(?:[•‣◦▪●○■–*-]|\d{1,3}[.)]|\(?[a-z]\))\s+\S")
_SIGN = " |/·•.:()[]~*–—-"
_SIGNS = r"[\s|/·•.:()\[\]~*–—-]*"
"""What may stand around a page number; signs of currency or percent make it an amount."""
_TOTAL = r"(?:\s*(?:of|von|/|-)\s*\d+)?"
_NAMED_NUMBER = LinearRegex(
    rf"{_SIGNS}(?:(?:page|seite|p){_SIGNS}(?:#?-?\d+|[ivxl]+)|[ivxl]+){_TOTAL}{_SIGNS}", ignore_case=True
)
"""A page number that shows by itself that it is one."""
_BARE_NUMBER = LinearRegex(rf"{_SIGNS}(#-?\d+){_TOTAL}{_SIGNS}")
"""One that does not, as `_key` has it."""
_AT_ENDS = re.compile(r"\A\d{1,3}\b|\b\d{1,3}\Z")
_WITH_NUMBER = LinearRegex(
    rf"({_SIGNS}|.*[|·•]\s*|(?:.*\W)?(?:page|seite|p)[\s.:]*)(\d{{1,3}})({_TOTAL}{_SIGNS}|{_TOTAL}\s*[|·•].*)",
    ignore_case=True,
)
"""A line with a page number at its beginning or end, set apart from the rest of it. `Week 3` and years are none."""
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


def with_fields(lines: tuple[PdfLine, ...], printed: tuple[PdfLine, ...]) -> tuple[PdfLine, ...]:
    """The lines of a page, which end with what was filled into its form: that is put behind the text on its left.

    printed: those that stand there before.
    """
    if lines[: len(printed)] != printed:
        return lines
    own = list(printed)
    for field in lines[len(printed) :][:MOST_FIELDS]:
        middle = (field.top + field.bottom) / 2
        beside = [at for at, line in enumerate(own) if line.bottom < middle < line.top and line.left < field.left]
        if beside:
            at = max(beside, key=lambda at: own[at].left)
            own[at] = replace(own[at], text=f"{own[at].text} {field.text}", right=max(own[at].right, field.right))
        else:
            own.append(field)
    return (*own, *lines[len(printed) + MOST_FIELDS :])


def outlined(
    pages: Sequence[PdfPage], title: str, properties: Mapping[str, str], limits: ParseLimits, cut: str = ""
) -> ParsedFile:
    """The structure of the text on `pages`. cut: why there are more, as of Outline.cut. Raises Unparsable when there
    is none."""
    pages = _without_hyphens(pages)
    ranks = _ranks(pages)
    repeated = _repeated(pages)
    shown: set[tuple[str, float]] = set()
    out = Outline(limits, title)
    if cut:
        out.cut(cut)
    for page in pages:
        body, running = _separate(page, repeated)
        # what stands on every page is told once: it may be a version or a classification
        fresh = [line.text.strip() for line in running if _key(line, page.number) not in shown]
        shown.update(_key(line, page.number) for line in running)
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


def _key(line: PdfLine, page: int) -> tuple[str, float]:
    """What a line says, and its size: the title may say the same as the running header. A page number in it is `#` and
    how far it is from `page`."""
    text = one_line(line.text)
    found = _WITH_NUMBER.fullmatch(text)
    if found:
        before, number, after = found.parts()
        text = f"{before}#{int(number) - page}{after}"
    return text, _rounded(line)


def _repeated(pages: Sequence[PdfPage]) -> set[tuple[str, float]]:
    """What stands at the top or bottom of nearly every second page or more, page numbers apart. Other digits that
    differ make another text.

    Among it is `#` and how far numbers are from `page` with which so many pages begin or end a line, without a size.
    """
    if len(pages) < FEWEST_PAGES:
        return set()
    counts: Counter[tuple[str, float]] = Counter()
    for page in pages:
        lines = [page.lines[index] for index in _edges(page)]
        numbers = {number for line in lines for number in _AT_ENDS.findall(line.text.strip(_SIGN))}
        counts.update({_key(line, page.number) for line in lines})
        counts.update({(f"#{int(number) - page.number}", 0.0) for number in numbers})
    return {key for key, count in counts.items() if count >= FEWEST_PAGES and count > 0.4 * len(pages)}


def _separate(page: PdfPage, repeated: set[tuple[str, float]]) -> tuple[list[PdfLine], list[PdfLine]]:
    """The text of a page, and its running lines without bare page numbers."""
    body: list[PdfLine] = []
    running: list[PdfLine] = []
    edges = _edges(page) if repeated else set[int]()
    for index, line in enumerate(page.lines):
        if index not in edges:
            body.append(line)
            continue
        key = _key(line, page.number)
        bare = _BARE_NUMBER.fullmatch(key[0])
        is_number = _NAMED_NUMBER.fullmatch(key[0]) or (bare and (bare[1], 0.0) in repeated)
        if not is_number:
            (running if key in repeated else body).append(line)
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
