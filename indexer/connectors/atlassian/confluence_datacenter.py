"""Confluence Data Center: its v1."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from urllib.parse import quote

from domain.errors import Refused
from indexer.connectors.atlassian.called import Names, one_by_one
from indexer.connectors.atlassian.client import AtlassianClient, NotThere
from indexer.connectors.atlassian.confluence_records import (
    Body,
    Entry,
    File,
    Group,
    Holder,
    Kind,
    Person,
    Remark,
    Row,
    Space,
)
from indexer.connectors.atlassian.confluence_v1 import (
    BY_AGE,
    ENTRY,
    SEARCH,
    entry_of,
    file_of,
    incomplete,
    part,
    remark_of,
    search,
    within,
)
from indexer.connectors.atlassian.paging import Params

_REMARK = "body.storage,version,history,extensions.inlineProperties,extensions.resolution"


class DataCenterWiki:
    """See indexer.connectors.atlassian.confluence_records.Wiki."""

    def __init__(self, client: AtlassianClient) -> None:
        self.client = client
        self._rows: list[Row] = []
        self._people: dict[str, Person] = {}
        self.names = Names(self._look_up)

    def listings(self) -> dict[str, tuple[str, Params]]:
        """See Wiki."""
        found: dict[str, tuple[str, Params]] = {"pages": ("/rest/api/content", {"type": "page", "limit": 1})}
        for kind in ("comment", "attachment"):
            found[f"{kind}s"] = (SEARCH, {"cql": f"type = {kind}", "limit": 1})
        return found

    async def spaces(self) -> list[Space]:
        """See Wiki."""
        rows = self.client.stepped("/rest/api/space")
        return [
            Space(str(row["id"]), row["key"], row.get("name") or "", str(row.get("status")).lower() == "archived")
            async for row in rows
        ]

    async def entries(self, spaces: Sequence[Space], *, everywhere: bool) -> AsyncIterator[Entry]:
        """The restrictions come with the pages; they are kept until `walls` hands them out."""
        wanted = {each.key for each in spaces}
        self._rows = []
        for kind in ("page", "blogpost"):
            for key in [""] if everywhere else sorted(wanted):
                params: dict[str, str | int | Sequence[str]] = {"type": kind, "status": "current", "expand": ENTRY}
                async for row in self.client.stepped("/rest/api/content", params | ({"spaceKey": key} if key else {})):
                    entry = entry_of(row)
                    if entry.space in wanted:
                        self._rows.append(row)
                        yield entry

    async def walls(self, spaces: Sequence[Space], *, everywhere: bool) -> AsyncIterator[Row]:
        """What came with the listing."""
        del spaces, everywhere
        rows, self._rows = self._rows, []
        for row in rows:
            yield row

    async def remarks(self, spaces: Sequence[Space], *, everywhere: bool) -> AsyncIterator[Remark]:
        """There is no other listing of comments than the search."""
        archived = any(each.archived for each in spaces)
        cql = f"type = comment{within(spaces, everywhere=everywhere)} {BY_AGE}"
        async for row in search(self.client, cql, "version,container", archived=archived):
            yield remark_of(row)

    async def files(self, spaces: Sequence[Space], *, everywhere: bool) -> AsyncIterator[File]:
        """See Wiki."""
        archived = any(each.archived for each in spaces)
        cql = f"type = attachment{within(spaces, everywhere=everywhere)} {BY_AGE}"
        async for row in search(self.client, cql, "version,container", archived=archived):
            yield file_of(row)

    async def entry(self, page: str, kind: Kind | None = None) -> Entry | None:
        """See Wiki."""
        try:
            row = await self.client.get(f"/rest/api/content/{page}", {"expand": ENTRY})
        except NotThere:
            return None
        usable = row.get("type") == kind if kind else row.get("type") in {"page", "blogpost"}
        return entry_of(row) if usable and row.get("status") == "current" else None

    async def body(self, page: str, kind: Kind) -> Body:
        """See Wiki."""
        del kind
        row = await self.client.get(f"/rest/api/content/{page}", {"expand": f"body.storage,history,{ENTRY}"})
        entry = entry_of(row)
        if not entry.current:
            raise NotThere("the page is in the archive or in the trash by now")
        author = part(row, "history", "createdBy") or {}
        self._meet(author)
        return Body(
            entry, str(author.get("userKey") or ""), "storage", str(part(row, "body", "storage", "value") or "")
        )

    async def remarks_on(self, page: str, kind: Kind, *, fresh: bool) -> list[Remark]:
        """See Wiki."""
        del kind, fresh
        found: list[Remark] = []
        params = {"depth": "all", "expand": _REMARK}
        async for row in self.client.stepped(f"/rest/api/content/{page}/child/comment", params, limit=100):
            self._meet(part(row, "history", "createdBy") or {})
            found.append(remark_of(row, page))
        return found

    async def file(self, attachment: str) -> File | None:
        """See Wiki."""
        try:
            row = await self.client.get(f"/rest/api/content/{attachment}", {"expand": "version,container"})
        except NotThere:
            return None
        return file_of(row) if row.get("type") == "attachment" else None

    async def viewers(self, space: Space) -> list[Holder]:
        """See Wiki."""
        rows = await self.client.get(f"/rest/api/space/{quote(space.key)}/permissions")
        if not isinstance(rows, list):
            raise incomplete()
        return [_viewer(row) for row in rows if _views(row)]

    async def groups(self) -> list[Group]:
        """See Wiki."""
        rows = self.client.stepped("/rest/api/group")
        return [Group(str(row["name"]), str(row["name"])) async for row in rows if row.get("name")]

    async def members(self, group: Group) -> list[Person]:
        """See Wiki."""
        rows = self.client.stepped(f"/rest/api/group/{quote(group.id, safe='')}/member", {"expand": "status"})
        return [_person(row) async for row in rows if row.get("userKey")]

    async def people(self, known: Sequence[Person]) -> tuple[list[Person], list[tuple[str, str]]]:
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
            self._people[person.id] = Person(person.id, person.name, email, login=person.login)
        return [self._people.get(each.id, each) if each.active else each for each in found.values()], unread

    async def _everyone(self, unread: list[tuple[str, str]]) -> list[Person]:
        """Older versions do not list users; those of the groups are known without it."""
        try:
            rows = self.client.stepped("/rest/api/user/list", {"expand": "status"})
            return [_person(row) async for row in rows if row.get("userKey")]
        except NotThere:
            return []
        except Refused as error:
            unread.append(("the list of users", error.what))
            return []

    async def _email(self, person: Person) -> str | Refused:
        """An address, empty where there is none; or why it cannot be read."""
        try:
            row = await self.client.get(f"/rest/mobile/1.0/profile/{quote(person.login, safe='')}")
        except NotThere:
            return ""
        except Refused as error:
            return error
        return str(part(row, "email") or "")

    def _meet(self, row: Row) -> None:
        person = _person(row) if row.get("userKey") else None
        if person:
            self.names.learn({self.person(person.id): person.name})

    def person(self, account: str) -> str:
        """See Wiki."""
        return f"user:{account}" if account else ""

    async def _look_up(self, people: Sequence[str]) -> dict[str, str]:
        async def name(params: Mapping[str, str]) -> str:
            return str(part(await self.client.get("/rest/api/user", dict(params)), "displayName") or "")

        return await one_by_one(people, name)


def _views(row: Row) -> bool:
    operation = row.get("operation")
    return isinstance(operation, dict) and (operation.get("operationKey"), operation.get("targetType")) == (
        "read",
        "space",
    )


def _viewer(row: Row) -> Holder:
    """Whom a permission is for: without a subject, for people who are not logged in."""
    subject = row.get("subject")
    if not isinstance(subject, dict):
        return Holder("anonymous")
    if subject.get("type") == "group":
        return Holder("group", str(subject.get("name") or ""), str(subject.get("name") or ""))
    return Holder("user", str(subject.get("userKey") or ""), str(subject.get("displayName") or ""))


def _person(row: Row) -> Person:
    """An account. One whose status is not told is taken as active: older versions tell none."""
    active = row.get("status", "current") in {"current", "active"}
    return Person(
        str(row["userKey"]), str(row.get("displayName") or ""), active=active, login=str(row.get("username") or "")
    )
