"""A reply that still grows, cut into units that can be checked by themselves. Pure."""

import re
from collections.abc import Iterator

from domain.text.sentences import sentences

LOOK_AHEAD = 24
"""Characters of the next sentence that must be there before a sentence counts as ended: whether a full stop ends one
depends on the word behind it (domain.text.sentences)."""

_LEADING_MARKERS = re.compile(r"(?:\s*\[\d{1,3}\])+")
_SAME_LINE = re.compile(r"[ \t]*(?:\[\d{1,3}\][ \t]*)+[^\s\[]")

FENCE = re.compile(r"(?m)^[ \t]*(?:```|~~~)")
"""The beginning of a line that opens or closes a code block."""

_DELIMITER = re.compile(r"\s*\|[ \t]*:?-[-:| \t]*\Z")
"""The line of a table below the names of its columns, with the blanks before it."""


def complete(text: str) -> int:
    """How much of a growing text consists of units that no further text can change."""
    fences = [match.start() for match in FENCE.finditer(text)]
    fence = fences[-1] if len(fences) % 2 else None  # of a code block that is not closed
    upto = text[:fence] if fence is not None else text
    found = list(sentences(upto))
    if fence is not None:
        return _with_markers(text, *found[-1]) if found else 0
    for start, end in reversed(found):
        after = _with_markers(text, start, end)
        rest = text[after:].lstrip()
        unsure = ("|-", "| -", "|:", "| :") if _leads(text, start, end) else ("[", "|-", "| -", "|:", "| :")
        if len(rest) >= LOOK_AHEAD and not rest.startswith(unsure):
            return after
    return 0


def is_row(unit: str) -> bool:
    """Whether a unit is a line of a table, or the first two."""
    return unit.lstrip().startswith("|")


def is_header(unit: str) -> bool:
    """Whether a unit names the columns of a table."""
    return is_row(unit) and bool(_DELIMITER.match(unit[unit.rfind("\n") :])) and "\n" in unit.strip()


def _with_markers(text: str, start: int, end: int) -> int:
    """Where a sentence ends, with the markers behind it; those behind one that has its own before it are the next
    one's."""
    match = None if _leads(text, start, end) else _LEADING_MARKERS.match(text, end)
    return match.end() if match else end


def _leads(text: str, start: int, end: int) -> bool:
    """Whether a sentence has its markers before it, and text behind it on its line."""
    return bool(_LEADING_MARKERS.match(text, start) and _SAME_LINE.match(text, end))


def units(text: str) -> Iterator[str]:
    """A text as sentences, list items, lines of tables and whole code blocks, each with the blanks before it; put
    together they give the text. The names of a table's columns and the line below them are one."""
    position = 0
    blocks = [match.start() for match in FENCE.finditer(text)]
    for opening, last in zip(blocks[::2], [*blocks[1::2], len(text)], strict=False):
        first = len(text[:opening].rstrip()) if text[position:opening].strip() else position
        yield from _prose(text[position:first])
        closing = text.find("\n", last)
        position = len(text) if closing < 0 else closing
        yield text[first:position]
    yield from _prose(text[position:])


def _prose(text: str) -> Iterator[str]:
    row = ""
    for unit in _sentences(text):
        if row and _DELIMITER.match(unit):
            row += unit
            continue
        if row:
            yield row
        row = unit if is_row(unit) else ""
        if not row:
            yield unit
    if row:
        yield row


def _sentences(text: str) -> Iterator[str]:
    position = 0
    for start, end in sentences(text):
        after = _with_markers(text, start, end)
        if after > position:
            yield text[position:after]
            position = after
    if position < len(text):
        yield text[position:]
