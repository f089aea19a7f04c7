"""The Markdown of an answer in the Markdown that Teams shows. Pure.

Teams shows bold, italics, code, quotes and links everywhere, and lists and strikethrough in most of its programs; it
has neither headings nor tables in texts. A heading becomes bold, a table preformatted text or lines.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from bot.markup.inline import NO_LINKS, AllowedLinks, merged
from bot.markup.markdown_reading import CELLS, read_markdown
from bot.markup.plain_text import plain
from bot.markup.text_length import head, units
from bot.markup.text_parts import TextPart, TextRun, paragraphs
from bot.markup.urls import URL, AllowedAddresses
from bot.teams.escape import ADDRESS, code, escape_line_start, fenced, inline, label
from bot.teams.limits import TEXT

RULE = "———"
EMPTY = "(no text)"

_SLICE = 1_000
"""Characters of a part that is too long for a message, in one piece."""
_MARKS = {"bold": "**", "italic": "*", "strike": "~~"}
_LINK = str.maketrans({"(": "%28", ")": "%29", "*": "%2A", "_": "%5F", "~": "%7E", "&": "&amp;", "'": "%27"})
"""What some of Teams' programs take for the end of an address, or for mark-up."""


@dataclass(frozen=True, slots=True)
class MarkdownPiece:
    """A paragraph, an item or a block of code as Teams' Markdown. before: what parts it from the piece before."""

    text: str
    before: str = "\n\n"


def pages(markdown: str, cited: Iterable[str] = (), most: int = TEXT, after: Iterable[TextPart] = ()) -> list[str]:
    """A text of standard Markdown as the texts of messages, at least one, parted between paragraphs where one is too
    long.

    cited: addresses of citations; they, and places in the same pages, may be live. All other addresses are code,
    except that a marker such as `[1]` stays one. most: UTF-16 units of a message; not less than PLAIN. after: what
    ends the text.
    """
    links = AllowedLinks(AllowedAddresses.of(cited), {})  # Teams makes the markers of citations live itself
    parts = [part for block in read_markdown(plain(markdown), links) for part in block]
    return _ended(parts, most, after)


def literal(text: str, most: int = TEXT, after: Iterable[TextPart] = ()) -> list[str]:
    """A text as it is written, as the texts of messages. most, after: see `pages`."""
    return _ended(paragraphs(plain(text)), most, after)


def _ended(parts: Iterable[TextPart], most: int, after: Iterable[TextPart]) -> list[str]:
    """Parts as texts of messages; what ends a text without words follows a word for that."""
    pieces = list(_pieces(parts, most)) or [MarkdownPiece(EMPTY)]
    return _pages([*pieces, *_pieces(after, most)], most)


def streamable(markdown: str) -> str:
    """As much of a text that is still being written as can be shown of it for good: of a longer text, this and more.

    It is also how the first of `pages` of the whole text begins, whatever it cites. So it ends before the first
    address, which may be live or not, before a paragraph that may go on, and where a message is full. It is empty where
    nothing is sure yet. Only a text so long or so odd that `pages` shows it as it is written may begin otherwise.
    """
    sure: list[TextPart] = []
    for block in read_markdown(_certain(plain(markdown)), NO_LINKS)[:-1]:
        if any(ADDRESS.search(part.text) for part in block):
            break
        sure += block
    pieces = list(_pieces(sure))
    return _pages(pieces)[0] if pieces else ""


def _certain(text: str) -> str:
    """The whole lines at the beginning of a text that are read as Markdown for sure: what follows does not change it.
    Looked at line by line, so that of a longer text they are the same and more."""
    brackets = columns = length = 0
    kept: list[str] = []
    for line in text.split("\n")[:-1]:
        brackets += line.count("[")
        columns = max(columns, line.count("|"))
        length += len(line) + 1
        deep = len(line) - len(line.lstrip(" >*+-0123456789.)")) > 24  # opens at most so many quotes and lists
        if deep or brackets > 500 or length > 6_000 or (len(kept) + 2) * columns > CELLS:
            break
        kept.append(line)
    return "".join(f"{line}\n" for line in kept)


def _pages(pieces: Iterable[MarkdownPiece], most: int = TEXT) -> list[str]:
    """The pieces as texts, each of as many as one message takes."""
    texts: list[list[str]] = []
    room = 0
    for piece in pieces:
        room -= units(piece.before + piece.text)
        if texts and room >= 0:
            texts[-1] += [piece.before, piece.text]
        else:
            texts.append([_flush(piece.text)])
            room = most - units(texts[-1][0])
    return ["".join(each) for each in texts]


def _flush(text: str) -> str:
    """A piece without the margin of its first line: at the beginning of a message it would be code."""
    margin = " " * (len(text) - len(text.lstrip(" ")))
    return "\n".join(line.removeprefix(margin) for line in text.split("\n"))


def _pieces(parts: Iterable[TextPart], most: int = TEXT) -> Iterator[MarkdownPiece]:
    """The parts as Markdown, each short enough for a message, without empty ones."""
    margins = _Margins()
    last: TextPart | None = None
    for part in parts:
        for fitting in _fitting(part, most):
            text = _rendered(fitting, margins.of(fitting, listed=last is not None and last.kind == "item"))
            if text:
                yield MarkdownPiece(text, _between(last, fitting))
                last = fitting


def _between(last: TextPart | None, part: TextPart) -> str:
    """What parts a part from the last one: items of a list and paragraphs of a quote stand together."""
    if last is None or last.quoted != part.quoted:
        return "\n\n"
    if last.kind == part.kind == "item":
        return "\n"
    return "\n>\n" if part.quoted else "\n\n"


class _Margins:
    """The blanks before items: as many as the marks of the items take in which they stand. What follows no item begins
    a list of its own."""

    def __init__(self) -> None:
        self._widths: dict[int, int] = {}
        self._outmost = 0

    def of(self, part: TextPart, *, listed: bool) -> str:
        """The blanks before a part. listed: whether it follows an item."""
        if part.kind != "item":
            return ""
        self._outmost = min(self._outmost, part.indent) if listed else part.indent
        self._widths[part.indent] = len(_mark(part))
        return " " * sum(self._widths.get(each, 2) for each in range(self._outmost, part.indent))


def _mark(part: TextPart) -> str:
    return f"{part.number}. " if part.ordered else "- "


def _rendered(part: TextPart, margin: str) -> str:
    match part.kind:
        case "rule":
            shown = RULE
        case "code":
            shown = fenced(part.text) if part.text.strip() else ""
        case "item":
            indented = "  \n" + " " * len(_mark(part))
            shown = f"{_mark(part)}{_lines(part.runs, indented)}"
            shown = "\n".join(f"{margin}{line}" for line in shown.split("\n")) if part.text.strip() else ""
        case "header":
            shown = _lines([run.bold for run in part.runs], "  \n")
        case _:
            shown = _lines(part.runs, "  \n")
    return "\n".join(f"> {line}".rstrip(" ") for line in shown.split("\n")) if part.quoted and shown else shown


def _lines(runs: Sequence[TextRun], between: str) -> str:
    """The runs as lines, without empty ones: an empty one would end the paragraph."""
    broken: list[list[TextRun]] = [[]]
    for run in merged(map(_sure, runs)):
        first, *rest = run.text.split("\n")
        broken[-1].append(replace(run, text=first))
        broken += [[replace(run, text=each)] for each in rest]
    shown = ("".join(map(_run, _trimmed(line))) for line in broken)
    return between.join(escape_line_start(line) for line in shown if line)


def _trimmed(line: Sequence[TextRun]) -> list[TextRun]:
    """The runs of a line without blanks at its ends."""
    kept = [run for run in line if run.text]
    while kept and not kept[0].text.strip():
        kept.pop(0)
    while kept and not kept[-1].text.strip():
        kept.pop()
    if kept:
        kept[0] = replace(kept[0], text=kept[0].text.lstrip())
        kept[-1] = replace(kept[-1], text=kept[-1].text.rstrip())
    return kept


def _run(run: TextRun) -> str:
    """A run in its style. Blanks at its ends stay outside the marks, which would be none otherwise."""
    inner = run.text.strip()
    if not inner:
        return run.text
    begins = run.text.index(inner)
    shown = _linked(inner, run)
    for style in run.styles:
        mark = _MARKS.get(style, "")
        shown = f"{mark}{shown}{mark}"
    return f"{run.text[:begins]}{shown}{run.text[begins + len(inner) :]}"


def _linked(text: str, run: TextRun) -> str:
    target = run.url.translate(_LINK)
    if target and len(target) <= URL:
        return f"[{code(text) if 'code' in run.styles else label(text)}]({target})"
    return code(text) if "code" in run.styles else inline(text)


def _sure(run: TextRun) -> TextRun:
    """A run whose end is in no doubt: code that holds a backtick becomes plain text."""
    ticked = "code" in run.styles and "`" in run.text
    return replace(run, styles=tuple(each for each in run.styles if each != "code")) if ticked else run


def _fitting(part: TextPart, most: int) -> list[TextPart]:
    """The part, or where its Markdown is too long for a message, parts of it that are not."""
    if part.kind == "rule" or units(_rendered(part, "")) <= most:
        return [part]
    fitting: list[TextPart] = []
    runs: list[TextRun] = []
    room = 0
    for piece in _slices(part.runs):
        takes = units(_rendered(replace(part, runs=(piece,)), "")) + 4
        if runs and takes > room:
            fitting.append(replace(part, runs=tuple(runs)))
            # what is left of an item that has begun is no item of its own
            part = replace(part, kind="text") if part.kind == "item" else part
            runs = []
        room = (room if runs else most) - takes
        runs.append(piece)
    return [*fitting, replace(part, runs=tuple(runs))]


def _slices(runs: Iterable[TextRun]) -> Iterator[TextRun]:
    """The runs in pieces that are short also when each character has to be escaped, cut at the end of a line or word
    where there is one."""
    for run in runs:
        text = run.text
        while text:
            fits = head(text, _SLICE)
            if len(fits) < len(text):
                ends = max(fits.rfind("\n"), fits.rfind(" ")) + 1
                fits = fits[:ends] if 2 * ends > len(fits) else fits
            yield replace(run, text=fits)
            text = text[len(fits) :]
