"""Under which names documents are stored. A file name or a URL can hold a secret: the connector needs it as it is, the
index must not have it. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from urllib.parse import unquote

from domain.knowledge_graph import with_blanks_for_controls
from domain.masking import Masker
from indexer.sources.connector import ListedDocument, SkippedDocument

MAX_ID = 2_000
"""Bytes of a document's id in its source: the index over ids in PostgreSQL takes rows of 2,704 bytes."""


@dataclass(frozen=True, slots=True)
class NamedDocument:
    """A listed document under its real and its stored name."""

    item: ListedDocument
    """As its source has it, to fetch it by."""
    stored: ListedDocument
    """The same with id, path and URL as they are stored and shown, masked; its title is still the source's."""


@dataclass(frozen=True, slots=True)
class MaskedListing:
    """What a listing showed, in its order, under names that may be stored."""

    listed: list[NamedDocument]
    skipped: list[SkippedDocument]
    withheld: int
    """How many documents are left out because the masker gave up on their names."""


def masked_listing(found: Sequence[ListedDocument | SkippedDocument], masker: Masker) -> MaskedListing:
    """A complete listing under the names that are stored.

    An id without a secret stays as it is. Where several ids are the same once they are masked, all but the first in
    the order of the ids themselves get a number: `notes-[masked: github token].txt (2)`. Nothing that is stored can be
    calculated from what was masked.
    """
    ids = {item.external_id: masked_name(item.external_id, masker) for item in found}
    stored = _told_apart({real: masked.text for real, masked in ids.items() if not masked.withheld})
    names = MaskedListing([], [], sum(masked.withheld for masked in ids.values()))
    for item in found:
        if item.external_id not in stored:
            continue
        if isinstance(item, ListedDocument):
            item = replace(item, title=with_blanks_for_controls(item.title))  # noqa: PLW2901 - from here on it has no other
        if isinstance(item, SkippedDocument):
            names.skipped.append(_passed(item, stored[item.external_id], masker))
            continue
        shown = _stored(item, stored[item.external_id], masker)
        if len(shown.external_id.encode()) > MAX_ID:
            names.skipped.append(
                SkippedDocument(
                    shown.external_id, shown.path[:200] + "…", f"its path is longer than {MAX_ID:,} bytes", acl=item.acl
                )
            )
        else:
            names.listed.append(NamedDocument(item, shown))
    return names


@dataclass(frozen=True, slots=True)
class MaskedName:
    """A name without its secrets. withheld: whether the masker gave up on it."""

    text: str
    withheld: bool = False


def masked_name(name: str, masker: Masker) -> MaskedName:
    """An id, a path or a URL without what no store takes and without its secrets, also those that are spelled with `%`,
    and those that only a folder or a file name by itself shows."""
    whole = masker.secrets(with_blanks_for_controls(name))
    plain = unquote(whole.text)
    parts = masker.secrets_in(plain.split("/"))
    if whole.withheld or any(part.withheld for part in parts):
        return MaskedName(whole.text, withheld=True)
    shown = "/".join(part.text for part in parts)
    return MaskedName(whole.text if shown == plain else shown)


def _told_apart(masked: dict[str, str]) -> dict[str, str]:
    """Real ids with their stored ones, each of which stands for one document."""
    stored = {real: shown for real, shown in masked.items() if real == shown}
    taken = set(stored)
    seen: Counter[str] = Counter()
    for real in sorted(masked.keys() - stored.keys()):
        name = ""
        while not name or name in taken:  # `name`, `name (2)`, `name (3)` and so on
            seen[masked[real]] += 1
            number = seen[masked[real]]
            name = masked[real] if number == 1 else f"{masked[real]} ({number})"
        stored[real] = name
        taken.add(name)
    return stored


def _stored(item: ListedDocument, external_id: str, masker: Masker) -> ListedDocument:
    path = external_id if item.path == item.external_id else masked_name(item.path, masker).text
    url = item.url if item.url == item.external_id == external_id else masked_name(item.url, masker).text
    return replace(item, external_id=external_id, path=path, url=url)


def _passed(item: SkippedDocument, external_id: str, masker: Masker) -> SkippedDocument:
    if item.below:  # what lies below may be masked otherwise: what stands before the first mask is certain
        both = takewhile(lambda pair: pair[0] == pair[1], zip(item.external_id, external_id, strict=False))
        external_id = "".join(letter for letter, _ in both)
    path, reason = masked_name(item.path, masker).text, masker.secrets(with_blanks_for_controls(item.reason)).text
    return replace(item, external_id=external_id, path=path, reason=reason)
