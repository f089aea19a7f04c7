"""Rows of tables as they stand in texts: `| a | b |`. Pure."""

_EMPTY = frozenset(("", "-", "–", "—"))


def cells_of(line: str) -> list[str]:
    """The cells of a row, without the blanks around them."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def is_empty(cell: str) -> bool:
    """Whether a cell says nothing: it has no text, or a dash."""
    return cell in _EMPTY


def with_columns(columns: str, row: str) -> str:
    """A row as words: its first cell, and the others behind the names of their columns. columns: the first row of its
    table."""
    names, cells = cells_of(columns), cells_of(row)
    if len(names) != len(cells):
        return "; ".join(cell for cell in cells if cell not in _EMPTY)
    (_, subject), *rest = zip(names, cells, strict=True)
    told = [(name, cell) for name, cell in rest if cell not in _EMPTY]
    if len(names) == 2 and told:
        return f"{subject}: {told[0][1]}"
    pairs = "; ".join(f"{name}: {cell}" if name else cell for name, cell in told)
    return f"{subject} – {pairs}" if pairs else subject


def with_units(columns: str, row: str) -> str:
    """The numbers of a row, each before the words of its column's name, as units stand there: `| Kept (days) |` above
    `| 90 |` gives `90 Kept, 90 days`. columns: see `with_columns`."""
    names, cells = cells_of(columns), cells_of(row)
    if len(names) != len(cells):
        return ""
    numbers = ((name, cell) for name, cell in zip(names, cells, strict=True) if cell[:1].isdigit() and len(cell) <= 12)
    return ", ".join(f"{cell} {word.strip('():,.')}" for name, cell in numbers for word in name.split())
