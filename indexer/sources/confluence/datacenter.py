"""Confluence Data Center: its v1."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from urllib.parse import quote

from domain.errors import Refused
from indexer.sources.atlassian.client import AtlassianClient
from indexer.sources.atlassian.display_names import one_by_one
from indexer.sources.atlassian.paging import Params
from indexer.sources.confluence import v1_rows as v1
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

_REMARK = "body.storage,version,history,extensions.inlineProperties,extensions.resolution"


class ConfluenceDataCenter(ConfluenceApi):
    """See ConfluenceApi."""

    mention_kind = "user"

    def __init__(self, client: AtlassianClient) -> None:
        super().__init__(client)
        self._rows: list[Row] = []
        self._people: dict[str, ConfluenceAccount] = {}

    def listings(self) -> dict[str, tuple[str, Params]]:
        found: dict[str, tuple[str, Params]] = {"pages": ("/rest/api/content", {"type": "page", "limit": 1})}
        for kind in ("comment", "attachment"):
            found[f"{kind}s"] = (v1.SEARCH, {"cql": f"type = {kind}", "limit": 1})
        return found

    async def spaces(self) -> list[ConfluenceSpace]:
        rows = self.client.stepped("/rest/api/space")
        return [
            ConfluenceSpace(
                str(row["id"]), row["key"], row.get("name") or "", str(row.get("status")).lower() == "archived"
            )
            async for row in rows
        ]

    async def entries(self, scope: ConfluenceScope) -> AsyncIterator[PageEntry]:
        """The restrictions come with the pages; they are kept until `restrictions` hands them out."""
        wanted = {each.key for each in scope.spaces}
        self._rows = []
        for kind in ("page", "blogpost"):
            for key in [""] if scope.everywhere else sorted(wanted):
                params: dict[str, str | int | Sequence[str]] = {"type": kind, "status": "current", "expand": v1.ENTRY}
                async for row in self.client.stepped("/rest/api/content", params | ({"spaceKey": key} if key else {})):
                    entry = v1.entry_of(row)
                    if entry.space in wanted:
                        self._rows.append(row)
                        yield entry

    async def restrictions(self, scope: ConfluenceScope) -> AsyncIterator[Row]:  # noqa: ARG002 - of the last `entries`
        """What came with the listing."""
        rows, self._rows = self._rows, []
        for row in rows:
            yield row

    async def comments(self, scope: ConfluenceScope) -> AsyncIterator[PageComment]:
        """There is no other listing of comments than the search."""
        async for row in self._contained("comment", scope):
            yield v1.comment_of(row)

    async def attachments(self, scope: ConfluenceScope) -> AsyncIterator[PageAttachment]:
        async for row in self._contained("attachment", scope):
            yield v1.attachment_of(row)

    def _contained(self, kind: str, scope: ConfluenceScope) -> AsyncIterator[Row]:
        cql = f"type = {kind}{v1.within(scope)} {v1.OLDEST_FIRST}"
        return v1.search(self.client, cql, "version,container", archived=scope.archived)

    async def entry(self, page: str, kind: Kind | None = None) -> PageEntry | None:
        try:
            row = await self.client.get(f"/rest/api/content/{page}", {"expand": v1.ENTRY})
        except NotThere:
            return None
        usable = row.get("type") == kind if kind else row.get("type") in {"page", "blogpost"}
        return v1.entry_of(row) if usable and row.get("status") == "current" else None

    async def body(self, page: str, kind: Kind) -> PageBody:
        del kind
        row = await self.client.get(f"/rest/api/content/{page}", {"expand": f"body.storage,history,{v1.ENTRY}"})
        entry = v1.entry_of(row)
        if not entry.current:
            raise NotThere("the page is in the archive or in the trash by now")
        author = v1.part(row, "history", "createdBy") or {}
        self._meet(author)
        return PageBody(
            entry, str(author.get("userKey") or ""), "storage", str(v1.part(row, "body", "storage", "value") or "")
        )

    async def comments_on(self, page: str, kind: Kind, *, fresh: bool) -> list[PageComment]:
        del kind, fresh
        found: list[PageComment] = []
        params = {"depth": "all", "expand": _REMARK}
        async for row in self.client.stepped(f"/rest/api/content/{page}/child/comment", params, limit=100):
            self._meet(v1.part(row, "history", "createdBy") or {})
            found.append(v1.comment_of(row, page))
        return found

    async def attachment(self, number: str) -> PageAttachment | None:
        try:
            row = await self.client.get(f"/rest/api/content/{number}", {"expand": "version,container"})
        except NotThere:
            return None
        return v1.attachment_of(row) if row.get("type") == "attachment" else None

    async def viewers(self, space: ConfluenceSpace) -> list[ConfluenceHolder]:
        rows = await self.client.get(f"/rest/api/space/{quote(space.key)}/permissions")
        if not isinstance(rows, list):
            raise v1.incomplete()
        operations = [
            (v1.part(row, "operation", "operationKey"), v1.part(row, "operation", "targetType")) for row in rows
        ]
        return [_viewer(row) for row, each in zip(rows, operations, strict=True) if each == ("read", "space")]

    async def groups(self) -> list[ConfluenceGroup]:
        rows = self.client.stepped("/rest/api/group")
        return [ConfluenceGroup(str(row["name"]), str(row["name"])) async for row in rows if row.get("name")]

    async def members(self, group: ConfluenceGroup) -> list[ConfluenceAccount]:
        rows = self.client.stepped(f"/rest/api/group/{quote(group.id, safe='')}/member", {"expand": "status"})
        return [_person(row) async for row in rows if row.get("userKey")]

    async def people(self, known: Sequence[ConfluenceAccount]) -> tuple[list[ConfluenceAccount], list[tuple[str, str]]]:
        """E-mails are in the profiles for mobile clients only, one request each; those of active people are asked for
        once."""
        unread: list[tuple[str, str]] = []
        found = {each.id: each for each in [*await self._everyone(unread), *known]}
        self.names.learn(
            {who: each.name for each in found.values() for who in (self.person(each.id), each.login) if who}
        )
        asked = [each for each in found.values() if each.active and each.id not in self._people]
        for person, email in zip(asked, await asyncio.gather(*map(self._email, asked)), strict=True):
            if isinstance(email, Refused):
                unread.append((f"the profile of {person.name}", email.what))
                continue
            self._people[person.id] = ConfluenceAccount(person.id, person.name, email, login=person.login)
        return [self._people.get(each.id, each) if each.active else each for each in found.values()], unread

    async def _everyone(self, unread: list[tuple[str, str]]) -> list[ConfluenceAccount]:
        """Older versions do not list users; those of the groups are known without it."""
        try:
            rows = self.client.stepped("/rest/api/user/list", {"expand": "status"})
            return [_person(row) async for row in rows if row.get("userKey")]
        except NotThere:
            return []
        except Refused as error:
            unread.append(("the list of users", error.what))
            return []

    async def _email(self, person: ConfluenceAccount) -> str | Refused:
        """An address, empty where there is none; or why it cannot be read."""
        try:
            row = await self.client.get(f"/rest/mobile/1.0/profile/{quote(person.login, safe='')}")
        except NotThere:
            return ""
        except Refused as error:
            return error
        return str(v1.part(row, "email") or "")

    def _meet(self, row: Row) -> None:
        if row.get("userKey"):
            person = _person(row)
            self.names.learn({self.person(person.id): person.name})

    async def look_up(self, people: Sequence[str]) -> dict[str, str]:
        return await one_by_one(self.client, "/rest/api/user", people)


def _viewer(row: Row) -> ConfluenceHolder:
    """Whom a permission is for: without a subject, for people who are not logged in."""
    subject = row.get("subject")
    if not isinstance(subject, dict):
        return ConfluenceHolder("anonymous")
    if subject.get("type") == "group":
        return ConfluenceHolder("group", str(subject.get("name") or ""), str(subject.get("name") or ""))
    return ConfluenceHolder("user", str(subject.get("userKey") or ""), str(subject.get("displayName") or ""))


def _person(row: Row) -> ConfluenceAccount:
    """An account. One whose status is not told is taken as active: older versions tell none."""
    active = row.get("status", "current") in {"current", "active"}
    return ConfluenceAccount(
        str(row["userKey"]), str(row.get("displayName") or ""), active=active, login=str(row.get("username") or "")
    )
