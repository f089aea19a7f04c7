"""Tables as text: messages of chat platforms show none that a reader could copy from. Pure."""

import re
import unicodedata
from collections.abc import Sequence
from itertools import zip_longest

from bot.markup.text_parts import TextPart, TextRun

WIDE = 76
"""Columns of a preformatted line; a chat window of usual width breaks longer ones."""

_MARKER = re.compile(r"\[\d{1,3}\]")

Row = Sequence[tuple[TextRun, ...]]


def table(rows: Sequence[Row], *, quoted: bool = False) -> list[TextPart]:
    """The rows of a table, of which the first names the columns.

    Aligned columns where they fit and nothing in them is a link, which preformatted text would hide; else one
    paragraph a row, of lines such as `Header: value`.
    """
    lines = _aligned([[_plain(cell) for cell in row] for row in rows])
    if lines and not any(_linked(run) for row in rows for cell in row for run in cell):
        return [TextPart("code", (TextRun("\n".join(lines)),), quoted)]
    named, *body = rows
    if not body:
        return [TextPart("text", _joined([cell for cell in named if cell], " | "), quoted)]
    return [TextPart("text", runs, quoted) for row in body if (runs := _row(named, row))]


def _plain(cell: Sequence[TextRun]) -> str:
    return "".join(run.text for run in cell).replace("\n", " ").strip()


def _linked(run: TextRun) -> bool:
    """Whether a run leads somewhere that is not among the sources anyway."""
    return bool(run.url) and not _MARKER.fullmatch(run.text)


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table with equally wide columns; none if they were too wide."""
    if any(width(cell) > WIDE for row in rows for cell in row):
        return []
    columns = [max(map(width, column)) for column in zip_longest(*rows, fillvalue="")]
    if sum(columns) + 3 * (len(columns) - 1) > WIDE:
        return []
    head, *body = [
        " | ".join(cell + " " * (columns[place] - width(cell)) for place, cell in enumerate(row)).rstrip()
        for row in rows
    ]
    return [head, "-+-".join("-" * each for each in columns), *body]


def width(text: str) -> int:
    """The columns that a text takes in a font of fixed width: East Asian characters two, combining ones none."""
    return sum(_columns(char) for char in text)


def _columns(char: str) -> int:
    if char.isascii():
        return 1
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _row(named: Row, row: Row) -> tuple[TextRun, ...]:
    """A row as lines, without the empty cells."""
    lines = [(*_name(name), *cell) for name, cell in zip_longest(named, row, fillvalue=()) if _plain(cell)]
    return _joined(lines, "\n")


def _name(cell: tuple[TextRun, ...]) -> tuple[TextRun, ...]:
    name = _plain(cell)
    return (TextRun(f"{name}:", ("bold",)), TextRun(" ")) if name else ()


def _joined(lines: Sequence[tuple[TextRun, ...]], between: str) -> tuple[TextRun, ...]:
    return tuple(run for place, line in enumerate(lines) for run in ((TextRun(between),) if place else ()) + line)
