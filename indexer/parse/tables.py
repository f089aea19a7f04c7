"""Tables become `| a | b |` rows, with the text of a cell that spans several columns or rows repeated in each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from indexer.parse.formats import Unparsable
from indexer.parse.limits import ParseLimits
from indexer.parse.outline import check_output, one_line

WIDEST = 4_000
"""Columns of a table."""
LONGEST_REPEATED = 100
"""Characters; what a spanning cell says beyond a name or a number stands in its first place only."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell. columns, rows: how many it covers. heading: whether it is marked as a heading."""

    text: str
    columns: int = 1
    rows: int = 1
    heading: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table as text. header: the rows at its top that name its columns, empty when it has none."""

    text: str
    header: str


def table(rows: Iterable[Sequence[Cell]], limits: ParseLimits, header_rows: int | None = None) -> Table:
    """The rows as text.

    header_rows: how many rows at the top are the header; None counts those that consist of heading cells.
    Raises Unparsable when the table is too large.
    """
    grid = _Grid(limits)
    headings = 0
    for row in rows:
        is_heading = headings == len(grid.lines) and bool(row) and all(cell.heading for cell in row)
        headings += grid.append(row) and is_heading
    top = headings if header_rows is None else header_rows
    header = "\n".join(grid.lines[:top]) if top < len(grid.lines) else ""
    return Table("\n".join(grid.lines), header)


class _Grid:
    """Lays cells out in rows, remembering those that reach into the rows below."""

    def __init__(self, limits: ParseLimits) -> None:
        self.lines: list[str] = []
        self._limits = limits
        self._from_above: dict[int, tuple[int, str]] = {}
        self._rows = 0
        self._spent = 0

    def append(self, row: Sequence[Cell]) -> bool:
        """Adds a row; False when nothing is in it. The size is checked before the text is put together."""
        self._rows += 1
        if self._rows > self._limits.table_rows:
            raise Unparsable(f"a table of more than {self._limits.table_rows:,} rows")
        texts = self._layout(row)
        self._spent += sum(len(text) + 3 for text in texts)
        check_output(self._spent, self._limits)
        if not any(texts):
            return False
        self.lines.append(f"| {' | '.join(texts)} |")
        return True

    def _layout(self, row: Sequence[Cell]) -> list[str]:
        texts: dict[int, str] = {}
        below: dict[int, tuple[int, str]] = {}
        for column, (rows, text) in self._from_above.items():
            texts[column] = text
            if rows > 1:
                below[column] = (rows - 1, text)
        column = 0
        for cell in row:
            text = one_line(cell.text).replace("|", "\\|")
            for _ in range(max(1, cell.columns)):
                while column in texts:
                    column += 1
                if column >= WIDEST:
                    raise Unparsable(f"a table of more than {WIDEST:,} columns")
                texts[column] = text
                text = text if len(text) <= LONGEST_REPEATED else ""
                if cell.rows > 1:
                    below[column] = (cell.rows - 1, text)
        self._from_above = below
        return [texts.get(column, "") for column in range(max(texts, default=-1) + 1)]
