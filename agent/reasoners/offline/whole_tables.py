"""Tables that a passage holds as a whole, and how they are quoted. Pure."""

from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import accumulate

from agent.reasoners.offline.quotable_units import MAX_UNIT, QuotableUnit
from domain.search import Passage
from domain.text.tables import with_columns

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
