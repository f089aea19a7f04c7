"""What a source says of a document and what its file says become one SourceDocument."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import PurePosixPath

from domain.access import Acl
from domain.documents import Block, ParsedFile, SourceDocument
from domain.knowledge_graph import storable
from indexer.sources.connector import FetchedDocument, ListedDocument

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


def source_document(
    source: str,
    item: ListedDocument,
    fetched: FetchedDocument,
    parsed: ParsedFile,
    acl: Acl,
    content_hash: bytes,
    version: str = "",
    acl_at: datetime | None = None,
) -> SourceDocument:
    """The document as its source has it, not masked and without facts: indexer.run.mask_document adds both.

    What the source says of it comes before what the file says of itself, except for dates.

    Args:
        acl_at: when its ACL was read.
    """
    said = parsed.metadata
    updated_at = _date(said.get("updated", "")) or stated_date(parsed.blocks) or item.modified_at
    if updated_at and not 1 < updated_at.year < 9999:
        updated_at = None  # at both ends of the calendar some time zones have no such moment
    return SourceDocument(
        source=source,
        external_id=item.external_id,
        title=storable(item.title or parsed.title or PurePosixPath(item.path).name),
        url=item.url,
        path=item.path,
        blocks=parsed.blocks,
        acl=acl,
        content_hash=content_hash,
        media_type=storable(fetched.media_type),
        space=storable(said.get("space", "")),
        labels=tuple(label.strip() for label in storable(said.get("labels", "")).split(",") if label.strip()),
        author=storable(said.get("author", "")),
        updated_at=updated_at,
        version=version,
        acl_at=acl_at,
    )


def _date(said: str) -> datetime | None:
    """A date that a file states of itself; without a zone, UTC."""
    try:
        found = datetime.fromisoformat(said.strip())
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


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
