"""The date that a document states of itself in its text."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from domain.documents import Block

HEAD = 5
TAIL = 2
"""Blocks at the beginning and the end where people write when a page was last touched."""

_MONTHS = "january february march april may june july august september october november december".split()  # noqa: SIM905 - a list of words
_STATES = re.compile(
    r"(?:\b(?:last[ -](?:updated|reviewed|modified|changed|edited)|updated|reviewed|as of|effective(?: from)?"
    r"|valid from|in force (?:since|from)|date|status|stand|gültig ab)\b"
    r"|最終更新日?|更新日|施行日)(?:\s+on)?[^\d\n]{0,20}?"
    r"(?:(?P<iso>\d{4}-\d{2}-\d{2})|(?P<day>\d{1,2})\.? (?P<month>[A-Za-z]{3,9})\.? (?P<year>\d{4}))",
    re.IGNORECASE,
)


def stated_date(blocks: Sequence[Block]) -> datetime | None:
    """The first such date near the beginning or the end, at midnight UTC; None when there is none."""
    for block in [*blocks[:HEAD], *blocks[HEAD:][-TAIL:]]:
        for found in _STATES.finditer(block.text[:2_000]):
            moment = _moment(found)
            if moment:
                return moment
    return None


def _moment(found: re.Match[str]) -> datetime | None:
    try:
        if found["iso"]:
            return datetime.fromisoformat(found["iso"]).replace(tzinfo=UTC)
        month = next(n for n, name in enumerate(_MONTHS, start=1) if name.startswith(found["month"].lower()))
        return datetime(int(found["year"]), month, int(found["day"]), tzinfo=UTC)
    except (ValueError, StopIteration):
        return None
