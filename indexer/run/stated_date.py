"""The date that a document states of itself in its text."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from domain.documents import Block
from domain.text.days import placed_days

HEAD = 5
TAIL = 2
"""Blocks at the beginning and the end where people write when a page was last touched."""

FAR, LONGEST = 23, 30
"""Characters at most between such words and their date, and of a date."""

_STATES = re.compile(
    r"\b(?:last[ -](?:updated|reviewed|modified|changed|edited)|updated|reviewed|as of|effective(?: from)?"
    r"|valid from|in force (?:since|from)|status|stand|gültig ab|aktualisiert|zuletzt geändert|mise? à jour"
    r"|en vigueur|actualizad[oa]|actualización)\b"
    r"|最終更新日?|更新日|施行日",
    re.IGNORECASE,
)
_LABEL = r"(?:date|datum|fecha|released|veröffentlicht|publiée?|publicad[oa])"
_LABELS = re.compile(rf"^(?:[^\w\n]|_){{0,9}}{_LABEL}\b|\b{_LABEL}(?=[ *_]{{0,4}}[:：])", re.IGNORECASE | re.MULTILINE)
"""What is such a word at the beginning of a line or before a colon alone: sentences speak of other dates."""


def stated_date(blocks: Sequence[Block]) -> datetime | None:
    """The first such date near the beginning or the end, at midnight UTC; None when there is none."""
    for block in [*blocks[:HEAD], *blocks[HEAD:][-TAIL:]]:
        text = block.text[:2_000]
        for end in sorted(found.end() for words in (_STATES, _LABELS) for found in words.finditer(text)):
            moment = _moment(text[end : end + FAR + LONGEST].partition("\n")[0])
            if moment:
                return moment
    return None


def _moment(behind: str) -> datetime | None:
    """The first day within a text, where that is near its beginning, without other digits before it, and complete."""
    start, day = next(iter(placed_days(behind)), (len(behind), None))
    if day is None or start > FAR or any(map(str.isdigit, behind[:start])):
        return None
    try:
        return datetime(day.year, day.month, day.day, tzinfo=UTC)
    except ValueError:
        return None
