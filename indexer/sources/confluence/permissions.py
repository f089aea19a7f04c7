"""Whom a page of Confluence admits.

Those who may view the space, of these whom the page's own restriction names, and of these whom the restriction of every
page above it names. The API shows restrictions only where they were set, so that the pages above are asked as well.
What cannot be read admits nobody.
"""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

from domain.access import NOBODY, ORG, PUBLIC, Acl, Clause, Principal, SourceDirectory, account, group
from domain.errors import Refused, Transient
from indexer.sources.atlassian.paging import Params, broken
from indexer.sources.confluence.options import ConfluenceOptions
from indexer.sources.confluence.people import EVERY_ACCOUNT, ConfluencePeople, read_people
from indexer.sources.confluence.records import ConfluenceApi, ConfluenceHolder, ConfluenceSpace, PageEntry
from indexer.sources.confluence.v1_rows import holder_of, holders, incomplete, part

_HOLDERS_AT_ONCE = 100
_HOLDERS = "restrictions.user,restrictions.group"


class ConfluencePermissions:
    """What is known of rights.

    people: what the last call of `read` found; None before. unreadable: path and reason of what admits nobody.
    """

    def __init__(self, wiki: ConfluenceApi, source: str, options: ConfluenceOptions) -> None:
        self.people: ConfluencePeople | None = None
        self.unreadable: list[tuple[str, str]] = []
        self._wiki = wiki
        self._source = source
        self._options = options
        self._organisation: frozenset[str] = frozenset()
        self._spaces: dict[str, Clause | str] = {}
        self._restrictions: dict[str, Clause | None] = {}
        self._failed: dict[str, str] = {}

    async def read(self, spaces: Sequence[ConfluenceSpace]) -> SourceDirectory:
        """Reads people, groups and the permissions of spaces anew. Raises Misconfigured and Transient."""
        self.unreadable.clear()
        self._spaces.clear()
        self.forget()
        self.people = await read_people(self._wiki)
        self.unreadable += self.people.unread
        self._organisation = self.people.ids(self._options.organisation_groups)
        await asyncio.gather(*map(self.read_space, spaces))
        return self.people.directory(self._source, self._options.access_groups)

    async def orient(self) -> None:
        """Reads by which ids the groups go that stand for the organisation, and no people. Raises Transient."""
        self.unreadable.clear()
        self._spaces.clear()
        self.forget()
        self._organisation = frozenset()
        names = self._options.organisation_groups
        if names:
            try:
                groups = await self._wiki.groups()
            except Refused as error:
                self.unreadable.append(("the groups", error.what))
                return
            self._organisation = frozenset(each.id for each in groups if each.name in names)

    async def read_space(self, space: ConfluenceSpace) -> None:
        """Reads who may view a space."""
        try:
            self._spaces[space.key] = self._clause(await self._wiki.viewers(space))
        except (Refused, Transient) as error:
            self._spaces[space.key] = f"who may view its space could not be read: {error.what}"
            self.unreadable.append((f"{space.key}/", error.what))

    def forget(self, pages: Iterable[str] | None = None) -> None:
        """Lets go of the restrictions of pages, of all by default."""
        for page in list({*self._restrictions, *self._failed} if pages is None else pages):
            self._restrictions.pop(page, None)
            self._failed.pop(page, None)

    def note(self, page: str, restriction: Any) -> None:
        """Takes a page's own read restriction as v1 shows it; nothing when it is not told in full."""
        found = holders(restriction)
        if found is not None:
            self._restrictions[page] = self._clause(found) if found else None
            self._failed.pop(page, None)

    async def need(self, entries: Iterable[PageEntry]) -> None:
        """Reads the restrictions that are not known yet of pages and of all above them."""
        wanted = {page for each in entries for page in (*(each.above or ()), each.id)}
        missing = sorted(wanted - set(self._restrictions) - set(self._failed))
        await asyncio.gather(*map(self._read_restriction, missing))

    def acl(self, entry: PageEntry) -> Acl:
        """Whom a page admits; its restrictions and those above it must have been asked for. What is not known admits
        nobody, and is in `unreadable` then."""
        lineage = (*(entry.above or ()), entry.id)
        space = self._spaces.get(entry.space, "its space is not known")
        reasons = [space] if isinstance(space, str) else []
        reasons += ["what it lies below could not be told"] if entry.above is None else []
        reasons += [self._failed.get(each, "not asked for") for each in lineage if each not in self._restrictions]
        if reasons or isinstance(space, str):
            self.unreadable.append((entry.path, reasons[0]))
            return NOBODY
        restrictions = (self._restrictions[each] for each in lineage)
        return Acl(frozenset({space, *(each for each in restrictions if each is not None)}))

    def _clause(self, who: Iterable[ConfluenceHolder]) -> Clause:
        return frozenset(each for holder in who for each in self._principals(holder))

    def _principals(self, holder: ConfluenceHolder) -> set[Principal]:
        """Those who a holder stands for. Anonymous access counts only where the site as a whole is open."""
        if holder.kind == "anonymous":
            return {group(self._source, EVERY_ACCOUNT), PUBLIC, ORG} if self._options.open_to_all else set()
        if not holder.id:
            return set()
        if holder.kind == "user":
            return {account(self._source, holder.id)}
        organisation = holder.id in self._organisation or holder.name in self._options.organisation_groups
        return {group(self._source, holder.id)} | ({ORG} if organisation else set())

    async def _read_restriction(self, page: str) -> None:
        try:
            found = await self._holders(page)
        except (Refused, Transient) as error:
            self._failed[page] = f"restrictions could not be read: {error.what}"
        else:
            self._restrictions[page] = self._clause(found) if found else None

    async def _holders(self, page: str) -> list[ConfluenceHolder]:
        """All whom a page's own read restriction names."""
        path = f"/rest/api/content/{page}/restriction/byOperation/read"
        found: list[ConfluenceHolder] = []
        start, more = 0, True
        while more:
            window: Params = {"expand": _HOLDERS, "start": start, "limit": _HOLDERS_AT_ONCE}
            answer = await self._wiki.client.get(path, window)
            before, more = len(found), False
            for kind in ("user", "group"):
                lists = part(answer, "restrictions", kind)
                rows = part(lists, "results")
                if not isinstance(rows, list):
                    raise incomplete()
                fresh = [each for each in (holder_of(kind, row) for row in rows) if each not in found or not each.id]
                found += fresh
                more = more or len(rows) >= (part(lists, "limit") or _HOLDERS_AT_ONCE)
            if more and len(found) == before:
                raise broken(self._wiki.client.site, path, "A page repeats an earlier one.")
            start += _HOLDERS_AT_ONCE
        return found
