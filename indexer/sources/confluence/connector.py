"""Confluence, Cloud or Data Center: pages, blog posts and attachments, each with whom it admits."""

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from domain.access import SourceDirectory
from domain.errors import Refused
from indexer.sources.atlassian.client import AtlassianClient
from indexer.sources.atlassian.connector import AtlassianConnector, other_readers
from indexer.sources.confluence import v1_rows as v1
from indexer.sources.confluence.bundle import PAGE, bundle
from indexer.sources.confluence.catalogue import PageCatalogue, comment_versions, unlisted_files
from indexer.sources.confluence.check import findings
from indexer.sources.confluence.cloud import ConfluenceCloud
from indexer.sources.confluence.datacenter import ConfluenceDataCenter
from indexer.sources.confluence.links import file_links, page_links
from indexer.sources.confluence.options import ConfluenceOptions, scope_of
from indexer.sources.confluence.page_names import PageName, page_name_of
from indexer.sources.confluence.permissions import ConfluencePermissions
from indexer.sources.confluence.records import (
    ConfluenceApi,
    ConfluenceScope,
    Kind,
    PageAttachment,
    PageComment,
    PageEntry,
    Row,
)
from indexer.sources.connector import CheckFinding, FetchedDocument, ListedDocument, SkippedDocument

OVERLAP = timedelta(hours=24)
"""How much earlier changes are asked for. CQL takes minutes without a zone and reads them in that of the site or of the
account, up to 12 hours behind UTC, and its index lags; what did not change costs no more than its row."""


_Of = TypeVar("_Of", PageComment, PageAttachment)


class ConfluenceConnector(AtlassianConnector):
    """One Confluence: Connector, PermissionSource, ReadersSource, ChangeSource, SingleSource, RemoteSource and
    CheckableSource of indexer.sources.connector.

    source: its name in the index. client: open; its site is a Confluence.

    A listing costs one request for every 200 to 250 pages, and as many for restrictions on Cloud, one for as many
    comments and as many files, and one for each archived page that others lie below. Permissions cost one request for
    each group and each space, and on Data Center one more for each account that was not met before.
    """

    def __init__(self, source: str, client: AtlassianClient, options: ConfluenceOptions | None = None) -> None:
        super().__init__(client)
        self._options = options or ConfluenceOptions()
        self._wiki: ConfluenceApi = (
            ConfluenceCloud(client) if client.site.flavour == "cloud" else ConfluenceDataCenter(client)
        )
        self._rights = ConfluencePermissions(self._wiki, source, self._options)
        self._scope: ConfluenceScope | None = None
        self._without_comments: set[str] = set()
        self._looked_at_since: set[str] = set()
        self._catalogue = PageCatalogue(client.site, self._rights, self._options)

    @property
    def unreadable(self) -> Sequence[tuple[str, str]]:
        return tuple(dict.fromkeys(self._rights.unreadable))

    async def check(self) -> list[CheckFinding]:
        return await findings(self._wiki, self._options)

    async def permissions(self) -> SourceDirectory:
        scope = scope_of(await self._wiki.spaces(), self._options)
        directory = await self._rights.read(scope.spaces)
        self._scope = scope
        return directory

    async def orient(self) -> None:
        """See indexer.sources.connector.SingleSource. Reads the spaces and, where some stand for the organisation,
        the groups."""
        scope = scope_of(await self._wiki.spaces(), self._options)
        await self._rights.orient()
        self._scope = scope

    async def _ensure_scope(self) -> ConfluenceScope:
        if self._scope is None:
            await self.permissions()
        if self._scope is None:
            raise AssertionError("permissions() found no scope")
        return self._scope

    async def listing(self) -> AsyncIterator[ListedDocument | SkippedDocument]:
        """See Connector. Archived pages, drafts and the trash are not in it. Where comments may
        not be listed, pages are passed over: it cannot be told whether they changed; where files may not be, these."""
        async for item in self._listed(with_comments=True):
            yield item

    async def readers(self) -> AsyncIterator[ListedDocument | SkippedDocument]:
        """See indexer.sources.connector.ReadersSource. Comments are not listed: they have their page's readers. So the
        version of a page does not cover them; that of a file covers all of it."""
        async for item in self._listed(with_comments=False):
            if isinstance(item, ListedDocument) and not item.attached:
                yield replace(item, version_of_all=False)
            else:
                yield item

    async def _listed(self, *, with_comments: bool) -> AsyncIterator[ListedDocument | SkippedDocument]:
        scope = await self._ensure_scope()
        self._rights.forget()
        if not scope.spaces:
            return
        every = [each async for each in self._wiki.entries(scope)]
        entries = {each.id: each for each in every if each.current}
        async for row in self._wiki.restrictions(scope):
            self._note(row)
            if str(row["id"]) in entries:
                entries[str(row["id"])] = replace(entries[str(row["id"])], labels=v1.labels(row, "metadata", "labels"))
        await self._rights.need(entries.values())
        comments, files = list[PageComment](), list[PageAttachment]()
        comments_listed = not with_comments or await self._fill(comments, "comments", self._wiki.comments(scope))
        if self._options.attachments and not await self._fill(files, "attachments", self._wiki.attachments(scope)):
            yield unlisted_files()
        self._without_comments = (
            set(entries) - {each.page for each in comments} if with_comments and comments_listed else set()
        )
        self._looked_at_since.clear()
        for item in self._catalogue.items(entries.values(), comments, files, comments_listed=comments_listed):
            yield item

    async def _fill(self, found: list[_Of], what: str, rows: AsyncIterator[_Of]) -> bool:
        """Adds rows; whether the account may list them. What it may not is among the unreadable."""
        try:
            found += [each async for each in rows]
        except Refused as error:
            self._rights.unreadable.append((what, error.what))
            return False
        return True

    def _note(self, row: Row) -> None:
        self._rights.note(str(row["id"]), v1.part(row, "restrictions", "read"))

    async def fetch(self, item: ListedDocument) -> FetchedDocument:
        """See Connector. Of a page, its storage format and all that was said about it; never
        what it shows, into which other pages' text may be drawn.

        Raises Transient as well when a page and its rights changed since it was listed: its ACL may be too wide.
        """
        kind, _, number = item.external_id.partition(":")
        if kind == "attachment":
            return await self._fetch_file(item)
        page: Kind = "blogpost" if kind == "blog" else "page"
        body = await self._wiki.body(number, page)
        # what was looked at after the last listing: that does not tell of its comments any more
        fresh = number in self._looked_at_since
        comments = [] if number in self._without_comments else await self._wiki.comments_on(number, page, fresh=fresh)
        if self._catalogue.comments.get(number) != comment_versions(body.entry, comments):
            # looked at again after its text was read
            now = await self.one(item.external_id)
            if now is None or now.acl != item.acl:
                raise other_readers(item.path)
        links = await page_links(self._wiki, body, item.url, self._catalogue.parents.get(number, ""))
        return FetchedDocument(await bundle(self._wiki, body, comments), f"{number}.json", PAGE, links)

    async def _fetch_file(self, item: ListedDocument) -> FetchedDocument:
        """Of the version that was listed, with the readers that its page had then."""
        file = self._catalogue.files.get(item.external_id)
        if file is None:
            raise Refused("the attachment was not listed before it was read")
        raw = await self._client.attached(file.download, self._options.max_bytes)
        a_page = self._client.site.link(f"/pages/viewpage.action?pageId={file.page}")
        return FetchedDocument(raw, file.name, file.media_type, file_links(a_page, file.page))

    async def changes(self, since: datetime) -> AsyncIterator[ListedDocument | SkippedDocument]:
        """See indexer.sources.connector.ChangeSource. A changed comment or file brings its page with it."""
        scope = await self._ensure_scope()
        self._rights.forget()
        if not scope.spaces:
            return
        pages = await self._changed(scope, since)
        for ids in v1.batches(pages):
            found = await self._entries(f"id in ({ids})", scope)
            self._look_again(found)
            comments = [v1.comment_of(row) async for row in self._on("comment", ids, scope)]
            files = list[PageAttachment]()
            if self._options.attachments:
                files = [v1.attachment_of(row) async for row in self._on("attachment", ids, scope)]
            ordered = [found[each] for each in ids.split(", ") if each in found]
            for item in self._catalogue.items(ordered, comments, files):
                yield item

    def _on(self, kind: str, pages: str, scope: ConfluenceScope) -> AsyncIterator[Row]:
        """What of a kind is on pages."""
        cql = f"type = {kind} and container in ({pages}) {v1.OLDEST_FIRST}"
        return v1.search(self._client, cql, "version,container", archived=scope.archived)

    async def _changed(self, scope: ConfluenceScope, since: datetime) -> list[str]:
        """Ids of pages that changed, or on which something did; the oldest change first."""
        at = (since.astimezone(UTC) - OVERLAP).strftime("%Y-%m-%d %H:%M")
        cql = f'type in (page, blogpost, comment, attachment) and lastmodified >= "{at}"{v1.within(scope)}'
        pages: dict[str, None] = {}
        rows = v1.search(self._client, f"{cql} order by lastmodified asc", "version,container", archived=scope.archived)
        async for row in rows:
            page = str(row["id"] if row["type"] in {"page", "blogpost"} else v1.part(row, "container", "id") or "")
            pages.pop(page, None)
            pages[page] = None
        return list(pages)

    async def _entries(self, cql: str, scope: ConfluenceScope) -> dict[str, PageEntry]:
        """Pages that a query finds, with their restrictions and those of the pages above them."""
        keys = {each.key for each in scope.spaces}
        found: dict[str, PageEntry] = {}
        async for row in v1.search(
            self._client, f"type in (page, blogpost) and {cql}", v1.ENTRY, archived=scope.archived
        ):
            entry = v1.entry_of(row)
            if entry.current and entry.space in keys:
                found[entry.id] = entry
                self._note(row)
        above = {page for each in found.values() for page in each.above or ()} - set(found)
        for ids in v1.batches(above):
            async for row in v1.search(self._client, f"id in ({ids})", v1.RESTRICTIONS, archived=True):
                self._note(row)
        await self._rights.need(found.values())
        return found

    async def one(self, name: str) -> ListedDocument | None:
        """See indexer.sources.connector.SingleSource. name: a page's id, an external id, or a URL of this site."""
        named_by = page_name_of(name, self._client.site)
        if named_by is None:
            return None
        if named_by.kind != "attachment":
            entry = await self._named_entry(named_by)
            return await self._one(entry) if entry else None
        file = await self._wiki.attachment(named_by.id)
        entry = await self._wiki.entry(file.page) if file and self._options.attachments else None
        page = await self._one(entry) if entry else None
        found = self._catalogue.file(file, page) if file and page else None
        return found if isinstance(found, ListedDocument) else None

    async def _named_entry(self, name: PageName) -> PageEntry | None:
        if name.kind != "title":
            kind: Kind | None = name.kind if name.kind == "page" or name.kind == "blogpost" else None  # noqa: PLR1714 - as mypy narrows it
            return await self._wiki.entry(name.id, kind)
        cql = f"type = page and space = {v1.quoted(name.id)} and title = {v1.quoted(name.title)}"
        ids = [str(row["id"]) async for row in v1.search(self._client, cql, "version")]
        return await self._wiki.entry(ids[0], "page") if ids else None

    async def _one(self, entry: PageEntry) -> ListedDocument | None:
        scope = await self._ensure_scope()
        home = next((each for each in scope.spaces if each.key == entry.space), None)
        if home is None:
            return None
        self._rights.forget((entry.id, *(entry.above or ())))
        await self._rights.read_space(home)
        await self._rights.need([entry])
        self._look_again([entry.id])
        return self._catalogue.page(entry, await self._wiki.comments_on(entry.id, entry.kind, fresh=True))

    def _look_again(self, pages: Iterable[str]) -> None:
        """What the last listing told of comments on these pages does not count any more."""
        self._looked_at_since.update(pages)
        self._without_comments.difference_update(pages)
