"""What was read of pages and files becomes what the pipeline is shown of them."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from indexer.parse.formats import is_readable
from indexer.sources.atlassian.site import AtlassianSite
from indexer.sources.confluence.options import ConfluenceOptions
from indexer.sources.confluence.permissions import ConfluencePermissions
from indexer.sources.confluence.records import PageAttachment, PageComment, PageEntry, fingerprint, named
from indexer.sources.connector import ListedDocument, SkippedDocument

_On = TypeVar("_On", PageComment, PageAttachment)


class PageCatalogue:
    """Makes the entries of listings."""

    def __init__(self, site: AtlassianSite, rights: ConfluencePermissions, options: ConfluenceOptions) -> None:
        self.files: dict[str, PageAttachment] = {}
        """The attachments that were shown, by their ids in the index."""
        self.comments: dict[str, frozenset[str]] = {}
        """See `comment_versions`, by the page's id."""
        self.parents: dict[str, str] = {}
        """What each page lies right below, by its id."""
        self._site = site
        self._rights = rights
        self._options = options

    def items(
        self,
        entries: Iterable[PageEntry],
        comments: Iterable[PageComment],
        files: Iterable[PageAttachment],
        *,
        comments_listed: bool = True,
    ) -> Iterator[ListedDocument | SkippedDocument]:
        """Pages with their files behind them, each once. comments_listed: whether comments could be listed; without
        them it cannot be told whether a page changed, and what is held of it stays, for its readers of now."""
        said, attached = _by_page(comments), _by_page(files)
        for entry in entries:
            page = self.page(entry, said.get(entry.id, {}).values())
            if comments_listed:
                yield page
            else:
                yield SkippedDocument(page.external_id, page.path, "its comments cannot be listed", acl=page.acl)
            for each in attached.get(entry.id, {}).values():
                yield self.file(each, page)

    def page(self, entry: PageEntry, comments: Iterable[PageComment]) -> ListedDocument:
        """A page with all comments on it. Its version differs when one of them does, and its name, place or labels."""
        ordered = sorted(comments, key=lambda each: each.id)
        self.comments[entry.id] = comment_versions(entry, ordered)
        self.parents[entry.id] = entry.above[-1] if entry.above else ""
        state = fingerprint(entry.title, entry.path, *(entry.labels or ("?",)), "", *map(_mark, ordered))
        return ListedDocument(
            entry.external_id,
            entry.path,
            self._site.link(entry.link),
            entry.title,
            max((entry.at, *(each.at for each in ordered))),
            self._rights.acl(entry),
            f"{entry.number}-{state}",
        )

    def file(self, file: PageAttachment, page: ListedDocument) -> ListedDocument | SkippedDocument:
        """A file on a page, which admits whom its page admits."""
        path = f"{page.path}/{named(file.name)}"
        reason = "" if is_readable(file.name, file.media_type) else "not a format that is read"
        if not reason and file.size > self._options.max_bytes:
            reason = f"larger than {self._options.max_bytes / 1e6:g} MB"
        if reason:
            return SkippedDocument(file.external_id, path, reason, acl=page.acl)
        self.files[file.external_id] = file
        version = f"{file.number}-{fingerprint(file.name, path)}"
        url = self._site.link(file.link)
        return ListedDocument(file.external_id, path, url, file.name, file.at, page.acl, version, attached=True)


def unlisted_files() -> SkippedDocument:
    """All files, where they cannot be listed: what is held of them stays, for nobody."""
    return SkippedDocument("attachment:", "attachments", "they cannot be listed", below=True)


def comment_versions(entry: PageEntry, comments: Iterable[PageComment]) -> frozenset[str]:
    """Which form of a page it is, and of which comments."""
    return frozenset({str(entry.number), *map(_mark, comments)})


def _mark(comment: PageComment) -> str:
    return f"{comment.id}.{comment.number}"


def _by_page(rows: Iterable[_On]) -> dict[str, dict[str, _On]]:
    """Comments or files by the page they are on, each once."""
    found: dict[str, dict[str, _On]] = {}
    for each in rows:
        found.setdefault(each.page, {})[each.id] = each
    return found
