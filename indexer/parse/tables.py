"""Tables become `| a | b |` rows, with the text of a cell that spans several columns or rows repeated in each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from domain.documents import BlockKind, Span
from indexer.parse.outline import NOWHERE, Outline, one_line, too_much

WIDEST = 4_000
"""Columns of a table; further ones are left out."""
LONGEST_REPEATED = 100
"""Characters; what a spanning cell says beyond a name or a number stands in its first place only."""


@dataclass(frozen=True, slots=True)
class TableCell:
    """One cell. columns, rows: how many it covers. heading: whether it is marked as a heading."""

    text: str
    columns: int = 1
    rows: int = 1
    heading: bool = False


def add_table(
    out: Outline, rows: Iterable[Sequence[TableCell]], span: Span = NOWHERE, *, header_rows: int | None = None
) -> None:
    """Add a table as a block, which repeats the rows at its top that name its columns.

    out: is told when rows or columns beyond its limits are left out.
    header_rows: how many rows at the top are the header; None counts those that consist of heading cells.
    """
    grid = _Grid(out)
    headings = 0
    for row in rows:
        if grid.is_full:
            break
        is_heading = headings == len(grid.lines) and bool(row) and all(cell.heading for cell in row)
        headings += grid.append(row) and is_heading
    top = headings if header_rows is None else header_rows
    header = "\n".join(grid.lines[:top]) if top < len(grid.lines) else ""
    out.add(BlockKind.TABLE, "\n".join(grid.lines), span, header)


class _Grid:
    """Lays cells out in rows, remembering those that reach into the rows below."""

    def __init__(self, out: Outline) -> None:
        self.lines: list[str] = []
        self.is_full = False
        self._out = out
        self._from_above: dict[int, tuple[int, str]] = {}
        self._rows = 0
        self._spent = 0

    def append(self, row: Sequence[TableCell]) -> bool:
        """Adds a row; False when nothing is in it, or it is too much. The size is checked before the text is put
        together."""
        limits = self._out.limits
        self._rows += 1
        texts = self._layout(row) if self._rows <= limits.table_rows else []
        self._spent += sum(len(text) + 3 for text in texts)
        if self._rows > limits.table_rows or self._spent > limits.output_characters:
            of_rows = f"a table of more than {limits.table_rows:,} rows"
            self._out.cut(of_rows if self._rows > limits.table_rows else too_much(limits))
            self.is_full = True
            return False
        if not any(texts):
            return False
        self.lines.append(f"| {' | '.join(texts)} |")
        return True

    def _layout(self, row: Sequence[TableCell]) -> list[str]:
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
                    self._out.cut(f"a table of more than {WIDEST:,} columns")
                    break
                texts[column] = text
                text = text if len(text) <= LONGEST_REPEATED else ""
                if cell.rows > 1:
                    below[column] = (cell.rows - 1, text)
        self._from_above = below
        return [texts.get(column, "") for column in range(max(texts, default=-1) + 1)]
