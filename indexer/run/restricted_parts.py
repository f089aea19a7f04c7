"""What a text holds that its readers may be barred from by themselves, as the comments on an issue. Pure.

Which of it a text in the index holds stands behind its version, so that a listing is enough to tell that something of
it is not for all of its readers any more.
"""

from domain.documents import digest
from domain.index_ports import IndexedDocument
from indexer.sources.connector import ListedDocument

_BETWEEN = " "


def stored_version(revision: bytes, item: ListedDocument) -> str:
    """Which form of a document `item` is, as its source says, and of what is made of it by `revision`; empty where the
    source does not say."""
    if not item.version:
        return ""
    return version_with_parts(digest(revision, item.version, item.title).hex(), item)


def version_with_parts(version: str, item: ListedDocument) -> str:
    """A version as it is stored, of a text that holds what `item` was listed with."""
    return _BETWEEN.join([version, *sorted(item.parts or ())])


def holds_withdrawn_part(item: ListedDocument, state: IndexedDocument) -> bool:
    """Whether the index holds more in a document's text than it is listed with now, also in the version that is shown
    or is about to be. What is not known to be held is taken to be: a text without a version may hold anything."""
    if item.parts is None:
        return False
    written = None if state.content_hash is None else state.version
    held = [each.split(_BETWEEN) for each in (written, state.shown_version, state.copy_version) if each is not None]
    return any(not version or not item.parts.issuperset(parts) for version, *parts in held)
