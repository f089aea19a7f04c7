"""What a source says of a document and what its file says become one SourceDocument."""

from datetime import UTC, datetime
from pathlib import PurePosixPath

from domain.access import Acl
from domain.documents import ParsedFile, SourceDocument
from domain.knowledge_graph import with_blanks_for_controls
from indexer.run.stated_date import stated_date
from indexer.sources.connector import FetchedDocument, ListedDocument


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
    by_source = None if item.stamped else item.modified_at
    updated_at = _date(said.get("updated", "")) or stated_date(parsed.blocks) or by_source
    if updated_at and not 1 < updated_at.year < 9999:
        updated_at = None  # at both ends of the calendar some time zones have no such moment
    return SourceDocument(
        source=source,
        external_id=item.external_id,
        title=with_blanks_for_controls(item.title or parsed.title or PurePosixPath(item.path).name),
        url=item.url,
        path=item.path,
        blocks=parsed.blocks,
        acl=acl,
        content_hash=content_hash,
        media_type=with_blanks_for_controls(fetched.media_type),
        space=with_blanks_for_controls(said.get("space", "")),
        labels=tuple(
            label.strip() for label in with_blanks_for_controls(said.get("labels", "")).split(",") if label.strip()
        ),
        author=with_blanks_for_controls(said.get("author", "")),
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
