"""Quotable units of passages: sentences, and what a lead-in sentence leads to."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from agent.retrieval.relevance import coverage
from domain.patterns import Linear
from domain.search import Passage
from domain.text.sentences import sentences
from domain.text.tokens import Analyzer

MAX_UNIT = 700
"""Characters that one quoted unit has at most."""

_NUMBERED_RUN = Linear(r"(?m)^\s{0,3}\d{1,3}[.)] .*(?:\n(?:[ \t]*\n)*(?:[ \t]*\d{1,3}[.)] |[ \t]{2,}\S).*)*")
_NUMBERED = re.compile(r"\s*\d{1,3}[.)]\s+")
_REFERS_BACK = re.compile(r"(?:It|This|That|They|These|Those|He|She|Its|Their|Such|Otherwise|Then)\b")


@dataclass(frozen=True, slots=True)
class QuotableUnit:
    """What is quoted as a whole."""

    passage: int
    """Its position among the passages."""
    start: int
    """Where in the passage it begins, for order."""
    text: str
    terms: frozenset[str]

    @property
    def lines(self) -> int:
        """How many lines it has."""
        return self.text.count("\n") + 1


def quotable_units(passages: Sequence[Passage], analyzer: Analyzer) -> list[QuotableUnit]:
    """Every quotable unit of `passages`."""
    return [
        QuotableUnit(number, start, text, frozenset(analyzer.tokens(text)))
        for number, passage in enumerate(passages)
        for start, text in _parts(passage.text)
    ]


def _parts(text: str) -> Iterator[tuple[int, str]]:
    """Sentences, each with what it leads to; a sentence that refers back comes with the one before it. Steps of a
    numbered list come as the whole list."""
    ranges = sentences(text)
    lists = [(start, start + len(steps)) for start, steps in _numbered_lists(text)]
    for number, (start, end) in enumerate(ranges):
        if any(first <= start < last for first, last in lists):
            continue
        first = start
        if number and _REFERS_BACK.match(text, start) and _same_paragraph(text, ranges[number - 1][1], start):
            first = ranges[number - 1][0]
        last = _led_to(text, ranges, number) if text[start:end].rstrip().endswith(":") else end
        part = text[first:last].strip()
        if part and len(part) <= MAX_UNIT and _says_something(text, start, part):
            yield start, part
    yield from _numbered_lists(text)


def _says_something(text: str, start: int, part: str) -> bool:
    """Not so a question, a table's rule, and a table's first row, which names its columns."""
    if part.endswith(("?", "？")):
        return False
    if not part.startswith("|"):
        return True
    above = text[:start].rstrip("\n").rpartition("\n")[2]
    return above.startswith("|") and bool(part.strip("|-: \n"))


def _same_paragraph(text: str, end: int, start: int) -> bool:
    return text.count("\n", end, start) < 2


def _led_to(text: str, ranges: Sequence[tuple[int, int]], number: int) -> int:
    """The end of what a sentence with a colon introduces: the lines up to the next paragraph after the first."""
    start, last = ranges[number][0], ranges[number][1]
    for position, (_, end) in enumerate(ranges[number + 1 :], start=number + 1):
        if end - start > MAX_UNIT:
            break
        if position > number + 1 and not _same_paragraph(text, ranges[position - 1][1], ranges[position][0]):
            break
        last = end
    return last


def _numbered_lists(text: str) -> Iterator[tuple[int, str]]:
    """Runs of numbered steps, whole, with what is indented below them and blank lines between: a single step seldom
    answers a question about a procedure."""
    for run in _NUMBERED_RUN.finditer(text):
        found = run.group().strip()
        steps = sum(bool(_NUMBERED.match(line)) for line in found.splitlines())
        if steps > 1 and len(found) <= 2 * MAX_UNIT:
            yield run.start(), found


def likely(
    found: Sequence[QuotableUnit], passages: Sequence[Passage], idf: Mapping[str, float], characters: int
) -> list[QuotableUnit]:
    """The units most worth a closer look, `characters` in all: by the share of the question they hold, better
    passages first."""

    def promise(unit: QuotableUnit) -> float:
        return coverage(unit.terms, idf) - 0.3 * unit.passage / max(1, len(passages))

    order = sorted(found, key=lambda unit: (-promise(unit), unit.passage, unit.start))
    taken = accumulate(len(unit.text) for unit in order)
    return [unit for unit, sum_so_far in zip(order, taken, strict=True) if sum_so_far <= characters]
