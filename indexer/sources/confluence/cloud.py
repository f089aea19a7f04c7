"""Confluence Cloud: its v2, and of v1 what v2 has not."""

import logging
from collections.abc import AsyncIterator, Sequence

from domain.errors import Refused, Transient
from indexer.sources.atlassian.client import AtlassianClient
from indexer.sources.atlassian.display_names import accounts_in
from indexer.sources.atlassian.paging import Params
from indexer.sources.confluence import v1_rows as v1
from indexer.sources.confluence import v2_rows as v2
from indexer.sources.confluence.records import (
    ConfluenceAccount,
    ConfluenceApi,
    ConfluenceGroup,
    ConfluenceHolder,
    ConfluenceScope,
    ConfluenceSpace,
    Kind,
    PageAttachment,
    PageBody,
    PageComment,
    PageEntry,
    Row,
)
from indexer.sources.connector import NotThere

log = logging.getLogger(__name__)

_PAGE_SIZE = 250
_PEOPLE_AT_ONCE = 100
_STATES: dict[Kind, Sequence[str]] = {"page": ["current", "archived"], "blogpost": ["current"]}
"""That are listed: archived pages for what lies below them. Blog posts have no such state, and nothing below them."""
_PATHS: dict[Kind, str] = {"page": "/api/v2/pages", "blogpost": "/api/v2/blogposts"}


class ConfluenceCloud(ConfluenceApi):
    """See ConfluenceApi."""

    mention_kind = "accountid"

    def __init__(self, client: AtlassianClient) -> None:
        super().__init__(client)
        self._keys: dict[str, str] = {}
        self._answered: set[str] | None = None
        self._chains: dict[str, tuple[str, ...] | None] = {}

    def listings(self) -> dict[str, tuple[str, Params]]:
        paths = {"pages": _PATHS["page"], "blog posts": _PATHS["blogpost"], "comments": "/api/v2/footer-comments"}
        paths |= {"comments in the text": "/api/v2/inline-comments", "attachments": "/api/v2/attachments"}
        return {name: (path, {"limit": 1}) for name, path in paths.items()}

    async def spaces(self) -> list[ConfluenceSpace]:
        rows = [row async for row in self.client.pages("/api/v2/spaces", {"limit": _PAGE_SIZE})]
        found = [
            ConfluenceSpace(v2.id_of(row), row["key"], row.get("name") or "", row.get("status") == "archived")
            for row in rows
        ]
        self._keys = {each.id: each.key for each in found}
        return found

    async def entries(self, scope: ConfluenceScope) -> AsyncIterator[PageEntry]:
        """The tree is in what each page says of its parent; only parents that are no pages are asked for."""
        self._chains.clear()
        rows = {v2.id_of(row): row async for row in self._all("page", scope)}
        for row in rows.values():
            yield v2.entry_of(row, "page", self._key(row), *await self._above(row, rows))
        async for row in self._all("blogpost", scope):
            yield v2.entry_of(row, "blogpost", self._key(row), (), ())

    async def _all(self, kind: Kind, scope: ConfluenceScope) -> AsyncIterator[Row]:
        params: dict[str, str | int | Sequence[str]] = {"limit": _PAGE_SIZE, "status": _STATES[kind]}
        wanted = {each.id for each in scope.spaces}
        if not scope.everywhere:
            params["space-id"] = sorted(wanted)
        async for row in self.client.pages(_PATHS[kind], params):
            if str(row.get("spaceId")) in wanted:
                yield row

    def _key(self, row: Row) -> str:
        return self._keys.get(str(row.get("spaceId")), "")

    async def _above(self, row: Row, rows: dict[str, Row]) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
        """Ids of what lies above a page, and titles of the pages among it, the highest first."""
        ids: list[str] = []
        titles: list[str] = []
        at = row
        while parent := at.get("parentId"):
            parent = str(parent)
            if parent in ids or parent == row["id"]:
                return None, tuple(reversed(titles))  # moved about while it was listed
            if parent not in rows:
                chain = await self._chain(at, parent)
                return (None if chain is None else (*chain, *reversed(ids))), tuple(reversed(titles))
            ids.append(parent)
            at = rows[parent]
            titles.append(at["title"])
        return tuple(reversed(ids)), tuple(reversed(titles))

    async def _chain(self, row: Row, parent: str) -> tuple[str, ...] | None:
        """What lies above a page whose parent is a folder, a whiteboard or hidden; None when it cannot be told."""
        if parent not in self._chains:
            try:
                chain = await self._ancestors(v2.id_of(row), "page")
            except Refused:
                chain = ()
            self._chains[parent] = chain if parent in chain else None
        return self._chains[parent]

    async def _ancestors(self, page: str, kind: Kind) -> tuple[str, ...]:
        path = f"{_PATHS[kind]}/{page}/ancestors"
        return tuple([v2.id_of(row) async for row in self.client.pages(path, {"limit": _PAGE_SIZE})])

    async def restrictions(self, scope: ConfluenceScope) -> AsyncIterator[Row]:
        """By the search, 250 pages a request; v2 knows no restrictions. What its index lacks is asked for page by page
        later, and so is everything when the token may not search."""
        cql = f"type in (page, blogpost){v1.within(scope)} {v1.OLDEST_FIRST}"
        try:
            async for row in v1.search(self.client, cql, f"metadata.labels,{v1.RESTRICTIONS}", archived=scope.archived):
                yield row
        except (Refused, Transient) as error:
            log.warning("Restrictions are read page by page: %s", error.what)

    async def comments(self, scope: ConfluenceScope) -> AsyncIterator[PageComment]:  # noqa: ARG002 - there is no listing of a space's comments
        answered = set[str]()
        for place in ("footer", "inline"):
            async for row in self.client.pages(f"/api/v2/{place}-comments", {"limit": _PAGE_SIZE}):
                answered.add(str(row.get("parentCommentId") or ""))
                yield v2.comment_of(row)
        self._answered = answered

    async def attachments(self, scope: ConfluenceScope) -> AsyncIterator[PageAttachment]:  # noqa: ARG002 - as of comments
        async for row in self.client.pages("/api/v2/attachments", {"limit": _PAGE_SIZE}):
            if row.get("status") == "current":
                yield v2.attachment_of(row)

    async def entry(self, page: str, kind: Kind | None = None) -> PageEntry | None:
        for each in [kind] if kind else list(_PATHS):
            try:
                row = await self.client.get(f"{_PATHS[each]}/{page}", {"include-labels": "true"})
            except NotThere:
                continue
            if row.get("status") != "current":
                return None
            if self._key(row) == "":
                await self.spaces()
            above = await self._ancestors(page, each) if row.get("parentId") else ()
            params: Params = {"id": above, "status": ["current", "archived"], "limit": _PAGE_SIZE}
            rows = self.client.pages(_PATHS["page"], params) if above else None
            named = {v2.id_of(row): row["title"] async for row in rows} if rows else {}
            titles = tuple(named[each] for each in above if each in named)
            return v2.entry_of(row, each, self._key(row), above, titles, v1.labels(row, "labels"))
        return None

    async def body(self, page: str, kind: Kind) -> PageBody:
        form, value, row = "storage", None, {}
        for form in ("storage", "atlas_doc_format"):
            row = await self.client.get(f"{_PATHS[kind]}/{page}", {"body-format": form, "include-labels": "true"})
            value = v1.part(row, "body", form, "value")
            if value:
                break
        if row.get("status") != "current":
            raise NotThere("the page is in the archive or in the trash by now")
        if self._key(row) == "":
            await self.spaces()
        entry = v2.entry_of(row, kind, self._key(row), (), (), v1.labels(row, "labels"))
        return PageBody(entry, str(row.get("authorId") or ""), form if value else "", str(value or ""))

    async def comments_on(self, page: str, kind: Kind, *, fresh: bool) -> list[PageComment]:
        found: list[PageComment] = []
        params: Params = {"limit": _PAGE_SIZE, "body-format": "storage"}
        for place in ("footer", "inline"):
            waiting = [f"{_PATHS[kind]}/{page}/{place}-comments"]
            while waiting:
                rows = [v2.comment_of(row, page) async for row in self.client.pages(waiting.pop(), params)]
                found += rows
                every = fresh or self._answered is None
                answered = [each.id for each in rows if every or each.id in (self._answered or ())]
                waiting += [f"/api/v2/{place}-comments/{each}/children" for each in answered]
        return found

    async def attachment(self, number: str) -> PageAttachment | None:
        try:
            row = await self.client.get(f"/api/v2/attachments/{number}")
        except NotThere:
            return None
        return v2.attachment_of(row) if row.get("status") == "current" else None

    async def viewers(self, space: ConfluenceSpace) -> list[ConfluenceHolder]:
        """Anonymous access is not told."""
        rows = self.client.pages(f"/api/v2/spaces/{space.id}/permissions", {"limit": _PAGE_SIZE})
        return [each async for row in rows for each in v2.viewers_of(row)]

    async def groups(self) -> list[ConfluenceGroup]:
        rows = self.client.stepped("/rest/api/group")
        return [
            ConfluenceGroup(str(row["id"]), str(row["name"])) async for row in rows if row.get("id") and row.get("name")
        ]

    async def members(self, group: ConfluenceGroup) -> list[ConfluenceAccount]:
        rows = self.client.stepped(f"/rest/api/group/{group.id}/membersByGroupId")
        return [v2.person_of(row) async for row in rows if row.get("accountId")]

    async def people(self, known: Sequence[ConfluenceAccount]) -> tuple[list[ConfluenceAccount], list[tuple[str, str]]]:
        """v1 does not tell whether an account is closed; v2 does."""
        found: list[ConfluenceAccount] = []
        for at in range(0, len(known), _PEOPLE_AT_ONCE):
            some = {each.id: each for each in known[at : at + _PEOPLE_AT_ONCE]}
            states = await self._accounts(sorted(some))
            found += [v2.updated_person(each, states.get(each.id, {})) for each in some.values()]
        self.names.learn({self.person(each.id): each.name for each in found})
        return found, []

    async def _accounts(self, ids: Sequence[str]) -> dict[str, Row]:
        answer = await self.client.post("/api/v2/users-bulk", {"accountIds": list(ids)})
        rows = v1.part(answer, "results")
        if not isinstance(rows, list):
            raise v1.incomplete()
        return {str(row.get("accountId")): row for row in rows if isinstance(row, dict)}

    async def look_up(self, people: Sequence[str]) -> dict[str, str]:
        wanted, found = list(accounts_in(people)), dict[str, str]()
        for at in range(0, len(wanted), _PEOPLE_AT_ONCE):
            rows = await self._accounts(wanted[at : at + _PEOPLE_AT_ONCE])
            found |= {
                self.person(each): str(row.get("displayName") or row.get("publicName") or "")
                for each, row in rows.items()
            }
        return found
