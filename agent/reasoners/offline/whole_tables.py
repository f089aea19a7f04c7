"""Tables that a passage holds as a whole, and how they are quoted. Pure."""

from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import accumulate

from agent.questions.expected import Expected
from agent.reasoners.offline.quotable_units import MAX_UNIT, QuotableUnit
from agent.retrieval.retriever import Retrieved
from domain.search import Passage
from domain.text.tables import cells_of, is_empty, with_columns
from domain.text.tokens import Analyzer

WIDE = 4
"""Columns from which a row is quoted without those that are not asked for."""

_UNITS = frozenset({"currency", "unit", "units", "währung", "einheit"})
"""Names of columns that say what the others are in."""

MAX_ROWS = 12
"""Rows that a quoted table has at most."""


@dataclass(frozen=True, slots=True)
class WholeTable:
    """A table that a passage holds from its first row to its last."""

    columns: str
    """The row with their names."""
    rows: tuple[str, ...]
    start: int
    """Where in the passage the rows begin, and where they end."""
    end: int


def table_of(unit: QuotableUnit, passage: Passage, beside: Passage | None = None) -> WholeTable | None:
    """The table that a row is one of; None where the passage may hold a part of it alone, or two in one. It holds
    all of it where other text stands before and behind: where a table was cut, a passage begins or ends.

    beside: the passage with those before and after it, where they are known: they may hold more of a table that
    begins or ends a passage.
    """
    lines = passage.text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    place = bisect_right(starts, unit.start) - 1
    first = last = place
    while first and lines[first - 1].startswith("|"):
        first -= 1
    while last + 1 < len(lines) and lines[last + 1].startswith("|"):
        last += 1
    rules = [number for number in range(first, last + 1) if not lines[number].strip("|-: \r")]
    before, after = passage.text[: starts[first]].strip(), passage.text[starts[last + 1] :].strip()
    if rules not in ([], [first + 1]):
        return None
    if beside is None and not (before and after):
        return None
    if beside is not None and _goes_on_beside(beside, begins=not before, ends=not after):
        return None
    body = first + 1 + len(rules)
    rows = lines[body : last + 1]
    return WholeTable(lines[first], tuple(rows), starts[body], starts[last + 1] - 1) if body <= place else None


def _goes_on_beside(passage: Passage, *, begins: bool, ends: bool) -> bool:
    """Whether a table that begins or ends a passage may go on in the one before or behind it."""
    before, after = "\n".join(passage.before).rstrip(), "\n".join(passage.after).lstrip()
    return (begins and before.rpartition("\n")[2].startswith("|")) or (ends and after.startswith("|"))


def whole_table(unit: QuotableUnit, passage: Passage, table: WholeTable) -> QuotableUnit | None:
    """The table of a row, each row with the names of the columns; None where it is too long to quote."""
    shown = "\n".join(f"- {with_columns(table.columns, row)}" for row in table.rows)
    if len(table.rows) > MAX_ROWS or len(shown) > 2 * MAX_UNIT:
        return None
    return replace(unit, start=table.start, text=passage.text[table.start : table.end], shown=shown, form="list")


def row_as_asked(row: QuotableUnit, wanted: Expected, retrieved: Retrieved) -> str:
    """A row of a wide table with those columns alone whose names the question speaks of, none of which another one
    holds more words of it than; as it is where it speaks of none, asks for a person, or for a value in another one."""
    names, cells = cells_of(row.columns), cells_of(row.text)
    if len(names) != len(cells) or len(names) < WIDE or wanted.kind == "person":
        return row.words
    analyzer, asked = Analyzer(retrieved.stemming), retrieved.term_idf.keys()
    subject = frozenset(analyzer.tokens(f"{names[0]} {cells[0]}"))
    named = [frozenset(analyzer.tokens(name)).intersection(asked) - subject for name in names[1:]]
    best = [bool(each) and not any(each < other for other in named) for each in named]
    if not any(best):
        return row.words
    told = [
        f"{name}: {cell}"
        for name, cell, kept in zip(names[1:], cells[1:], best, strict=True)
        if (kept or name.casefold() in _UNITS) and not is_empty(cell)
    ]
    narrow = f"{cells[0]} – {'; '.join(told)}"
    return narrow if told and (wanted.holds_value(narrow) or not wanted.holds_value(row.words)) else row.words
