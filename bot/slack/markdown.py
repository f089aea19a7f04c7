"""Standard Markdown as blocks of rich_text, cut and packed so that Slack takes them. Pure.

Slack's rich_text is flat: sections, lists with an indentation, quotes and preformatted text follow one another, and
all of them hold runs of text or links. Texts in it are literal: nothing in them can call or link by itself. Slack
refuses empty texts, sections and lists.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from bot.markup.inline import NO_LINKS, AllowedLinks
from bot.markup.markdown_reading import read_markdown
from bot.markup.plain_text import plain
from bot.markup.text_length import head, units
from bot.markup.text_parts import TextPart, TextRun, paragraphs
from bot.slack.limits import BLOCK_COST, BLOCK_TEXT, HEADER, INDENT, SlackBlock
from bot.slack.mrkdwn import plain_text

_RUN_COST = 80
"""What the JSON of a run takes besides its text and address."""
_PART_COST = 130
"""What the JSON of a part takes besides its runs."""
_SHORT = 200
"""A part is begun in a block with less room than this only if all of it fits."""


def markdown_blocks(markdown: str, cited: Mapping[int, str] | None = None) -> list[SlackBlock]:
    """Blocks that show a text of standard Markdown: header, divider and rich_text blocks that Slack takes.

    CommonMark with tables, strikethrough and task lists. cited: the addresses of citations by number; they, and places
    within the same pages, may be live. Raw HTML, emoji codes, definitions of links and all other addresses are literal;
    images are their alternative text and address. What is too long or nested too deeply is shown as it is written.
    Nothing is lost but blanks between words, the language of code, and the label of a link that pretends to be
    another.
    """
    links = AllowedLinks.of(cited) if cited else NO_LINKS
    return packed_blocks(
        _header(part.runs, within=part.quoted or part.indent > 0, quoted=part.quoted) if part.kind == "header" else part
        for block in read_markdown(plain(markdown), links)
        for part in block
    )


def literal_blocks(text: str) -> list[SlackBlock]:
    """Blocks that show a text as it is written."""
    return packed_blocks(paragraphs(plain(text)))


def _header(runs: Sequence[TextRun], *, within: bool = False, quoted: bool = False) -> TextPart:
    """A heading. Where a header block cannot hold it, or not literally, it is bold text.

    A header takes 150 characters, no links, and stands by itself, not within a quote or a list. It is no rich_text, so
    `<` and `&` do not go into it.
    """
    text = "".join(run.text for run in runs).replace("\n", " ").strip()
    if within or units(text) > HEADER or not text.isprintable() or set("<&") & set(text) or any(r.url for r in runs):
        return TextPart("text", tuple(run.bold for run in runs), quoted)
    return TextPart("header", (TextRun(text),))


def packed_blocks(parts: Iterable[TextPart]) -> list[SlackBlock]:
    """The parts as header, divider and rich_text blocks, each of which Slack takes."""
    packed: list[SlackBlock] = []
    for group in _packed(parts):
        match group[0].kind:
            case "header":
                packed.append({"type": "header", "text": plain_text(group[0].text, HEADER)})
            case "rule":
                packed.append({"type": "divider"})
            case _:
                packed.append({"type": "rich_text", "elements": _elements(group)})
    return packed


def _packed(parts: Iterable[TextPart]) -> Iterator[list[TextPart]]:
    """The parts of each block: as many as fit; a part that fits in no block is cut."""
    group: list[TextPart] = []
    room = _Room()
    for given in parts:
        part = given
        if part.kind in ("header", "rule"):
            if group:
                yield group
            if part.kind == "rule" or part.text.strip():
                yield [part]
            group, room = [], _Room()
            continue
        left = deque(part.runs)
        while left:
            piece = room.take(part, left)
            group += [piece] if piece.text.strip() else []
            if left:
                if group:
                    yield group
                group, room = [], _Room()
                # what is left of an item that has begun is no item of its own
                part = replace(part, kind="text") if piece.runs and part.kind == "item" else part
    if group:
        yield group


class _Room:
    def __init__(self) -> None:
        self._text = BLOCK_TEXT
        self._cost = BLOCK_COST
        self._empty = True

    def take(self, part: TextPart, left: deque[TextRun]) -> TextPart:
        """As much of a part as fits. left: its runs; what is taken is removed from them."""
        empty, self._empty = self._empty, False
        # line breaks part it from the one before
        self._spend(2, _PART_COST)
        taken: list[TextRun] = []
        if not empty and self._text < _SHORT and sum(units(run.text) for run in left) > self._text:
            return replace(part, runs=())
        while left:
            run = left.popleft()
            fits = self._fitting(run, literal=part.kind == "code", force=empty and not taken)
            begun, rest = run.text[:fits], run.text[fits:]
            if begun:
                taken.append(replace(run, text=begun))
                self._spend(units(begun), _RUN_COST + len(run.url) + units(begun))
            if rest:
                left.appendleft(replace(run, text=rest))
                break
        return replace(part, runs=tuple(taken))

    def _spend(self, text: int, cost: int) -> None:
        self._text -= text
        self._cost -= cost

    def _fitting(self, run: TextRun, *, literal: bool, force: bool) -> int:
        """How many characters of the run fit: up to the end of a line or else of a word, unless `force` is set."""
        room = min(self._text, self._cost - _RUN_COST - len(run.url))
        fits = head(run.text, room) if room > 0 else ""
        if len(fits) == len(run.text):
            return len(fits)
        line = fits.rfind("\n") + 1
        word = max(line, fits.rfind(" ") + 1)
        ends = (line, 0 if literal else word)
        return next((end for end in ends if 2 * end > len(fits)), next(filter(None, ends), len(fits) if force else 0))


def _elements(parts: Sequence[TextPart]) -> list[SlackBlock]:
    """The elements of a rich_text block: items of one list, and paragraphs of one quote, stand together."""
    elements: list[SlackBlock] = []
    before: TextPart | None = None
    for part in parts:
        runs = [_run(run, plain=part.kind == "code") for run in part.runs if run.text]
        together = before is not None and _together(before, part)
        if part.kind == "item" and together:
            elements[-1]["elements"].append(_section(runs))
        elif part.kind == "text" and part.quoted and together:
            elements[-1]["elements"] += [_text("\n\n"), *runs]
        else:
            if part.kind == "text" and together:
                # without it, Slack shows no space between two paragraphs
                elements[-1]["elements"].append(_text("\n"))
            elements.append(_element(part, runs))
        before = part
    return elements


def _together(before: TextPart, part: TextPart) -> bool:
    """Whether a part belongs to the one before: the next item of its list, the next paragraph of its text."""
    if part.kind == "item":
        return before == replace(part, runs=before.runs, number=before.number) and (
            not part.ordered or part.number == before.number + 1
        )
    return part.kind == before.kind == "text" and part.quoted == before.quoted


def _element(part: TextPart, runs: list[SlackBlock]) -> SlackBlock:
    border = {"border": 1} if part.quoted else {}
    match part.kind:
        case "item":
            offset = {"offset": part.number - 1} if part.ordered and part.number > 1 else {}
            style = "ordered" if part.ordered else "bullet"
            indent = min(part.indent, INDENT)
            return {
                "type": "rich_text_list",
                "style": style,
                "indent": indent,
                **offset,
                **border,
                "elements": [_section(runs)],
            }
        case "code":
            return {"type": "rich_text_preformatted", **border, "elements": runs}
        case _:
            return {"type": "rich_text_quote", "elements": runs} if part.quoted else _section(runs)


def _section(runs: list[SlackBlock]) -> SlackBlock:
    return {"type": "rich_text_section", "elements": runs}


def _text(text: str) -> SlackBlock:
    return {"type": "text", "text": text}


def _run(run: TextRun, *, plain: bool) -> SlackBlock:
    style = {} if plain or not run.styles else {"style": dict.fromkeys(run.styles, True)}
    if run.url:
        return {"type": "link", "url": run.url, "text": run.text, **style}
    return {**_text(run.text), **style}
