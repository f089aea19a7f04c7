"""Quotable units of passages: sentences, what a lead-in leads to, whole lists, rows of tables with their columns."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import Literal

from agent.retrieval.relevance import coverage
from agent.retrieval.retriever import Retrieved
from domain.patterns import LinearRegex
from domain.search import Passage
from domain.text.months import with_months
from domain.text.sentences import LIST_ITEM, sentences
from domain.text.tables import cells_of, with_columns
from domain.text.tokens import Analyzer

MAX_UNIT = 700
"""Characters that one quoted unit has at most."""

_UNSPACED = 0x2E80
"""From here on, letters of scripts that part no words by blanks."""
_NO_NAMES = frozenset(
    """
    yes no ja nein hi hello hallo dear thanks danke dr mr mrs ms prof st
    """.split()  # noqa: SIM905 - a list of words reads best as one
)
NAMING, SHORT = 2, 350
"""Words of a first sentence up to which it is taken to name what its paragraph says, and characters of such a paragraph
up to which it is quoted as a whole."""

COLONS = (":", "：")
"""What ends a lead-in; the second is that of Chinese and Japanese."""

QUESTIONS = ("?", "？")
"""What ends a question."""

LONGEST_HEADING, LONGEST_QUESTION = 80, 160
"""Characters of a line that stands alone and is taken for a heading, and of one that asks."""

_NUMBERED_RUN = LinearRegex(r"(?m)^\s{0,3}\d{1,3}[.)] .*(?:\n(?:[ \t]*\n)*(?:[ \t]*\d{1,3}[.)] |[ \t]{2,}\S).*)*")
_BULLETED_RUN = LinearRegex(r"(?m)^[ \t]{0,3}[-*•] .*(?:\n(?:[ \t]*[-*•] |[ \t]{2,}\S).*)+")
_HANGING = LinearRegex(r"(?m)^[^\s|#\-*•>][^\n]*[^\s:](?:\n[ \t]{2,}[^\s\-*•|+].*)+")
"""A line with what is indented below it."""
_NUMBERED = re.compile(r"\s*\d{1,3}[.)]\s+")
_COMMANDS = LinearRegex(r"(?:\$ )?[a-z][^\n.!?]*\n[ \t]*(?:\$ )?[a-z]")
"""At its start, lines that begin with small letters."""
_OF_PAGE = LinearRegex(
    r"[*_]{0,2}(?:owne[rd]|maintain|kept by|author|written by|updated|last|edited|version|eigentümer|stand)",
    ignore_case=True,
)
"""What a line begins with that says something of its page, and nothing of the table below it."""
_STEP = LinearRegex(r"(?m)^[ \t]*\d{1,3}[.)] |:\s*\n[ \t]*(?:\$ )?[a-z]")
"""A numbered line, or a command below a lead-in."""
_REFERS_BACK = re.compile(
    r"(?:It|This|That|They|These|Those|He|She|Its|Their|Such|Otherwise|Then"
    r"|(?:In|During|For|By|At|On|Until|Within|After|Before|From) (?:this|that|these|those|such)"
    r"|(?:In|Während|Bis|Nach|Vor|Ab) (?:dies|jen)(?:er|em|en|es)|Danach|Davor|Dann)\b"
)
_BOX = LinearRegex(r"(?m)^([ \t]{0,20}[-*+] |[ \t]{0,20}\d{1,3}[.)] )\[([ xX])\] ")
_LABEL = re.compile(r"[^:]{1,60}: {1,2}\S")
"""A line such as "Budget code: 7731-B"."""
_ASKS = re.compile(r"(?:Q|F|Question|Frage) ?: {0,2}")
_REPLIES = re.compile(r"(?:(?:A|Answer|Antwort) ?)?: {1,2}")
"""What stands before a question, and before its answer, in a list of both."""

Form = Literal["sentence", "list", "row"]


@dataclass(frozen=True, slots=True)
class QuotableUnit:
    """What is quoted as a whole."""

    passage: int
    """Its position among the passages."""
    start: int
    """Where in the passage it begins, for order."""
    text: str
    """The passage's own words."""
    terms: frozenset[str]
    """Of what is shown, and of the name of a row's first column."""
    shown: str = ""
    """How it reads by itself, where that is not `text`: a row with the names of its columns."""
    heading: str = ""
    """The nearest heading above it."""
    form: Form = "sentence"
    columns: str = ""
    """Of a row, the first row of its table, which names the columns."""

    @property
    def words(self) -> str:
        """What a reader sees."""
        return self.shown or self.text

    @property
    def tells_steps(self) -> bool:
        """Whether it is numbered, or lines of commands."""
        return bool(_STEP.search(self.words) or _COMMANDS.match(self.words))

    @property
    def lines(self) -> int:
        """How many lines it has."""
        return self.words.count("\n") + 1


def quotable_units(passages: Sequence[Passage], measure: Retrieved) -> list[QuotableUnit]:
    """Every quotable unit of `passages`. measure: of the question, for how terms are made and widened."""
    analyzer = Analyzer(measure.stemming)
    return [
        QuotableUnit(
            number,
            each.start,
            each.text,
            measure.widened(analyzer.tokens(with_months(f"{cells_of(each.columns)[0]} {each.shown}"))),
            each.shown,
            each.heading,
            each.form,
            each.columns,
        )
        for number, passage in enumerate(passages)
        for each in _PassageUnits(passage).all()
    ]


@dataclass(frozen=True, slots=True)
class _Piece:
    start: int
    text: str
    shown: str
    heading: str
    form: Form = "sentence"
    columns: str = ""
    """See QuotableUnit; the first of the names is not shown."""


class _PassageUnits:
    """The units of one passage."""

    def __init__(self, passage: Passage) -> None:
        self._text = passage.text
        self._ranges = sentences(passage.text)
        self._numbered = [(start, start + len(found)) for start, found in _numbered_lists(passage.text)]
        self._above = passage.heading_path[-1] if passage.heading_path else ""
        self._headings = [(start, end) for start, end in self._ranges if self._is_heading(start, end)]
        self._reach = [self._reached(start, end) for start, end in self._headings]
        long = [number if reach > len(self._text) else -1 for number, reach in enumerate(self._reach)]
        self._section = list(accumulate(long, max))
        """For each heading the nearest one, itself or before it, that stands above all that follows; -1 for none."""
        self._whole = dict(self._short_paragraphs()) | dict(self._hanging_paragraphs())

    def all(self) -> Iterator[_Piece]:
        """Sentences, each with what it leads to; a sentence that refers back comes with the one before it. Steps of a
        numbered list come as the whole list, items of another one also."""
        for number, (start, end) in enumerate(self._ranges):
            if any(first <= start < last for first, last in self._numbered) or (start, end) in self._headings:
                continue
            if start in self._whole:
                if self._whole[start]:
                    yield self._piece(start, self._text[start : self._whole[start]])
                continue
            if self._text.startswith("|", start):
                yield from self._row(start, end)
            else:
                yield from self._sentence(number, start, end)
        for first, last in self._numbered:
            yield self._piece(first, self._text[first:last].strip(), "list")
        for run in _BULLETED_RUN.finditer(self._text):
            if len(run.group()) <= 2 * MAX_UNIT and not self._leads(run.start()):
                yield self._piece(run.start(), run.group().strip(), "list")

    def _piece(self, start: int, text: str, form: Form = "sentence") -> _Piece:
        return _Piece(start, text, with_boxes(text), self._heading(start), form)

    def _sentence(self, number: int, start: int, end: int) -> Iterator[_Piece]:
        if self._heading(start).endswith(QUESTIONS):
            yield from self._reply(number, start)
            return
        first = start
        before = self._ranges[number - 1] if number else None
        if (
            before
            and before not in self._headings
            and _REFERS_BACK.match(self._text, start)
            and _same_paragraph(self._text, before[1], start)
        ):
            first = before[0]
        leads = self._text[start:end].rstrip().endswith(COLONS)
        last = self._led_to(number) if leads else end
        part = self._text[first:last].strip()
        if not (leads or _OF_PAGE.match(part)) and (table := self._table_below(end)):
            rows = "\n".join(f"- {each}" for each in table)
            if len(rows) <= 2 * MAX_UNIT:
                yield _Piece(start, self._text[start:end].strip(), f"{part}\n{rows}", self._heading(start), "list")
        if part and len(part) <= MAX_UNIT and not part.endswith(QUESTIONS):
            yield self._piece(start, part, "list" if leads or _COMMANDS.match(part) else "sentence")

    def _reply(self, number: int, start: int) -> Iterator[_Piece]:
        """The paragraph below a heading that asks, as one; nothing for its further sentences."""
        before = self._ranges[number - 1] if number else None
        goes_on = before and before not in self._headings and _same_paragraph(self._text, before[1], start)
        part = "" if goes_on else _paragraph(self._text, self._ranges, number)
        if part:
            begins = replies.end() if (replies := _REPLIES.match(part)) else 0
            yield self._piece(start + begins, part[begins:])

    def _row(self, start: int, end: int) -> Iterator[_Piece]:
        """A row of a table, with the names of its columns; nothing for the first one, which has those."""
        table = self._text[:start].rpartition("\n\n")[2]
        columns = table.lstrip("\n").partition("\n")[0]
        row = self._text[start:end].strip()
        if not columns.startswith("|") or not row.strip("|-: \n") or len(row) > MAX_UNIT:
            return
        yield _Piece(start, row, with_columns(columns, row), self._heading(start), "row", columns)

    def _table_below(self, end: int) -> list[str]:
        """The rows of a table that begins right below a sentence, with the names of their columns."""
        below = self._text[end:]
        if not below.startswith(("\n\n|", "\n|")):
            return []
        columns, *lines = below.strip().partition("\n\n")[0].splitlines()
        return [with_columns(columns, line) for line in lines if line.startswith("|") and line.strip("|-: ")]

    def _short_paragraphs(self) -> Iterator[tuple[int, int]]:
        """The places of sentences in short paragraphs that begin with some words alone, each with where its paragraph
        ends for the first one, and 0 for the others. Such words name what the rest says: "Lost pass. A new one costs
        8 euros." """
        number = 0
        while number < len(self._ranges):
            start, end = self._ranges[number]
            last = number
            while last + 1 < len(self._ranges) and self._goes_on(last):
                last += 1
            short = _names_paragraph(self._text[start:end])
            stop = self._ranges[last][1]
            if last > number and short and stop - start <= SHORT and (start, end) not in self._headings:
                yield start, stop
                yield from ((self._ranges[each][0], 0) for each in range(number + 1, last + 1))
            number = last + 1

    def _hanging_paragraphs(self) -> Iterator[tuple[int, int]]:
        """The same of a line and of what is indented below it, which says more of it, as in a list of error codes."""
        for run in _HANGING.finditer(self._text):
            first, last = run.span()
            places = bisect_left(self._ranges, (first, 0)), bisect_left(self._ranges, (last, 0))
            within = [start for start, _ in self._ranges[slice(*places)]]
            if len(within) > 1 and within[0] == first and last - first <= SHORT and not LIST_ITEM.match(run[0]):
                yield first, last
                yield from ((start, 0) for start in within[1:])

    def _goes_on(self, number: int) -> bool:
        """Whether the next sentence stands in the same paragraph, and not in another item of a list."""
        (_, end), (start, _) = self._ranges[number], self._ranges[number + 1]
        if (self._ranges[number + 1] in self._headings) or self._text[start : start + 1] == "|":
            return False
        return "\n" not in self._text[end:start] and not self._text[:end].endswith(COLONS)

    def _is_heading(self, start: int, end: int) -> bool:
        """Whether a sentence is a short line that stands alone above others."""
        line = self._text[start:end]
        if "\n" in line or line.startswith("|") or LIST_ITEM.match(line):
            return False
        bare = line.strip("*_ ")
        if bare.endswith(QUESTIONS):
            return self._is_question(start, end)
        if len(line) > LONGEST_HEADING or (_LABEL.match(bare) and not line.startswith(("#", "*", "_"))):
            return False
        alone = self._text[:start].endswith("\n\n") or not self._text[:start].strip()
        above = self._text.startswith("\n\n", end)
        return line.startswith("#") or (alone and above and line.rstrip("*_ ")[-1:] not in set(".!?:;…。！？：；"))

    def _is_question(self, start: int, end: int) -> bool:
        """Whether a sentence that asks begins a paragraph, with its answer behind it or in the next one."""
        begins = self._text[:start].rstrip("*_ ").endswith("\n\n") or not self._text[:start].strip("*_ \n")
        return begins and end - start <= LONGEST_QUESTION and bool(self._text[end:].strip("*_ \n"))

    def _heading(self, start: int) -> str:
        """The nearest one above a place; a question with its answer behind it heads that paragraph alone."""
        place = bisect_right(self._headings, (start, 0)) - 1
        if place >= 0 and start >= self._reach[place]:
            place = self._section[place]
        if place < 0:
            return self._above
        first, last = self._headings[place]
        heading = self._text[first:last].strip("#*_ ")
        return _ASKS.sub("", heading, count=1) if heading.endswith(QUESTIONS) else heading

    def _reached(self, start: int, end: int) -> int:
        """Where what a heading stands above ends: a question with its answer in the same paragraph, with that."""
        below = self._text.find("\n\n", end)
        paragraph = below if below >= 0 else len(self._text)
        asks = self._text[start:end].rstrip("*_ ").endswith(QUESTIONS)
        return paragraph if asks and self._text[end:paragraph].strip("*_ \n") else len(self._text) + 1

    def _leads(self, start: int) -> bool:
        return self._text[:start].rstrip().endswith(COLONS)

    def _led_to(self, number: int) -> int:
        """The end of what a sentence with a colon introduces: the lines up to the next paragraph after the first; of an
        item of a list, those that are indented deeper."""
        start, last = self._ranges[number][0], self._ranges[number][1]
        item, depth = LIST_ITEM.match(self._text, start), self._depth(start)
        for position, (first, end) in enumerate(self._ranges[number + 1 :], start=number + 1):
            if end - start > MAX_UNIT or (first, end) in self._headings:
                break
            if position > number + 1 and not _same_paragraph(self._text, self._ranges[position - 1][1], first):
                break
            if item and self._text.rfind("\n", last, first) >= 0 and self._depth(first) <= depth:
                break
            last = end
        return last

    def _depth(self, start: int) -> int:
        """How far the line of a place is indented."""
        line = self._text[self._text.rfind("\n", 0, start) + 1 :].partition("\n")[0]
        return len(line) - len(line.lstrip())


def paragraph_from(text: str, start: int) -> str:
    """The sentences of a text from one place to the end of the paragraph, as many as a unit may have."""
    ranges = sentences(text)
    number = bisect_left(ranges, (start, 0))
    return _paragraph(text, ranges, number) if number < len(ranges) else ""


def _paragraph(text: str, ranges: Sequence[tuple[int, int]], number: int) -> str:
    """The same from a sentence on, by its number."""
    start = last = ranges[number][0]
    for first, end in islice(ranges, number, None):
        if end - start > MAX_UNIT or (last > start and not _same_paragraph(text, last, first)):
            break
        last = end
    return text[start:last].strip()


def item_around(text: str, start: int) -> str:
    """What the line of a list says that a place of a text is in; empty where that is no list."""
    line = text[text.rfind("\n", 0, start) + 1 :].partition("\n")[0].strip()
    mark = LIST_ITEM.match(line)
    return with_boxes(line)[mark.end() :] if mark else ""


def with_boxes(text: str) -> str:
    """A text with boxes in place of `[ ]` and `[x]` at the start of items of lists."""
    return _BOX.sub(lambda found: f"{found[1]}{'☐' if found[2] == ' ' else '☑'} ", text)


def paragraph_around(text: str, start: int) -> str:
    """The whole paragraph that a place of a text is in, as many of its sentences as a unit may have."""
    return paragraph_from(text, text.rfind("\n\n", 0, start) + 2 if "\n\n" in text[:start] else 0)


def _names_paragraph(sentence: str) -> bool:
    """Whether a first sentence is so short that it names what its paragraph says: no yes or no, and no abbreviation."""
    words = sentence.split()
    spaced = all(ord(letter) < _UNSPACED for letter in sentence)
    names = spaced and 0 < len(words) <= NAMING and words[0].strip("*_.,!:").casefold() not in _NO_NAMES
    return names and sentence[:1] not in {"|", "#"}


def _same_paragraph(text: str, end: int, start: int) -> bool:
    return text.count("\n", end, start) < 2


def _numbered_lists(text: str) -> Iterator[tuple[int, str]]:
    """Runs of numbered steps, whole, with what is indented below them and blank lines between: a single step seldom
    answers a question about a procedure."""
    for run in _NUMBERED_RUN.finditer(text):
        found = run.group().strip()
        blanks = len(run.group()) - len(run.group().lstrip())
        steps = sum(bool(_NUMBERED.match(line)) for line in found.splitlines())
        if steps > 1 and len(found) <= 2 * MAX_UNIT:
            yield run.start() + blanks, found


def likely(
    found: Sequence[QuotableUnit],
    passages: Sequence[Passage],
    idf: Mapping[str, float],
    characters: int,
    sought: Callable[[QuotableUnit], bool] = lambda _: False,
) -> list[QuotableUnit]:
    """The units most worth a closer look, `characters` in all: by the share of the question they hold, better
    passages first. sought: whether a unit is worth one although it need not hold any word of the question."""

    def promise(unit: QuotableUnit) -> float:
        own = max(coverage(unit.terms, idf), 0.5 * sought(unit))
        return own - 0.3 * unit.passage / max(1, len(passages))

    order = sorted(found, key=lambda unit: (-promise(unit), unit.passage, unit.start))
    taken = accumulate(len(unit.text) for unit in order)
    return [unit for unit, sum_so_far in zip(order, taken, strict=True) if sum_so_far <= characters]
