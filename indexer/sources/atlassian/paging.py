"""Listings in pages: to their end, never in a circle, and with nothing lost on the way unnoticed."""

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from domain.errors import Transient
from indexer.sources.atlassian.offsets import Offsets
from indexer.sources.atlassian.site import AtlassianSite

MAX_PASSES = 4
"""Over a listing by offset whose rows change their places while it is read."""
MAX_IDLE = 200
"""Pages in a row without a new row: the account may not see what is on some."""
Row = dict[str, Any]
Query = Mapping[str, str | int | Sequence[str]]
Params = Query | Sequence[tuple[str, str]]


def broken(site: AtlassianSite, path: str, why: str) -> Transient:
    """A listing that cannot be relied on."""
    return Transient(f"A listing of {site.name} broke off: {path}", why=why, next_step="Try again later.")


class Paging(ABC):
    """Reads listings of one site: each method gives the rows of one listing, and raises Transient when it cannot be
    relied on."""

    def __init__(self, site: AtlassianSite) -> None:
        self.site = site

    @abstractmethod
    async def get(self, path: str, params: Params | None = None) -> Any:
        """The JSON at a path after the site's base."""

    async def pages(self, path: str, params: Params | None = None) -> AsyncIterator[Row]:
        """Rows of `results`, page after page as `_links.next` leads: Confluence Cloud, and searches. These are cursors,
        whose place no change can shift."""
        listing, asked, links, idle = _Listing(self.site, path), params, set[str](), 0
        while True:
            answer = await self.get(path, asked)
            if links and isinstance(answer, dict) and answer.get("results") == [] and not _next(answer):
                answer = await self.get(path, asked)  # an end that brings nothing is looked at twice
            rows = listing.rows(answer, "results")
            idle = 0 if listing.fresh(rows) else idle + 1
            for row in rows:
                yield row
            link = _next(answer)
            if not link:
                return
            if idle > MAX_IDLE:
                raise listing.broken(f"{idle} pages in a row brought nothing new.")
            if link in links:
                raise listing.broken("A page leads to itself or to an earlier one.")
            links.add(link)
            parts = urlsplit(link)
            if parts.scheme and not self.site.owns(link):
                raise listing.broken("The next page is said to be on another host.")
            path, asked = self.site.inner(parts.path), parse_qsl(parts.query, keep_blank_values=True)

    async def stepped(self, path: str, params: Query | None = None, *, limit: int = 200) -> AsyncIterator[Row]:
        """Rows of `results` by `start` and `limit`, without a total: Confluence's v1.

        Each page is to begin with the last row of the page before; where rows were deleted meanwhile, pages are read
        again. Where a page began with another row, one may have moved to a page that had been read, and the whole
        listing is read again for it. A page that is shorter than its limit, as where the account may not see some of
        its rows, is followed as if it were whole: the next one may then begin with earlier rows, and the last one has
        to be among them.
        """
        given = _Listing(self.site, path)
        for _ in range(MAX_PASSES):
            listing = _Listing(self.site, path)
            async for rows in self._steps(listing, path, params or {}, limit):
                for row in given.fresh(rows):
                    yield row
            if not listing.shifted:
                return
        raise given.broken("It changed each time that it was read.")

    async def _steps(self, listing: "_Listing", path: str, params: Query, limit: int) -> AsyncIterator[list[Row]]:
        """The new rows of each page of `stepped`, once to the end."""
        overlap, whole, last = False, True, ""
        offsets = Offsets(MAX_IDLE, listing.broken)
        while True:
            start = offsets.start
            answer = await self.get(path, {**params, "start": start, "limit": limit})
            rows = listing.rows(answer, "results", again=True)
            granted = _whole(answer.get("limit")) or limit
            if overlap and not listing.joins(rows, last, start, whole=whole):
                offsets.back(granted)
                continue
            fresh = listing.fresh(rows)
            yield fresh
            if not _next(answer):
                return
            overlap, whole = len(rows) > 1, len(rows) >= granted
            step = len(rows) - overlap if fresh or (overlap and offsets.again) else 0
            overlap = overlap and (whole or step > 0)  # what follows rows that are all hidden joins on nothing
            last = identity(rows[-1]) if overlap else ""
            offsets.on(listing.further(start, step, answer), fresh=bool(fresh))

    async def numbered(
        self, path: str, params: Query | None = None, *, rows: str = "values", limit: int = 100
    ) -> AsyncIterator[Row]:
        """Rows by `startAt` and `maxResults` up to `total`, or to `isLast`: Jira. Each page begins with the last row of
        the page before. rows: the field that holds them."""
        listing, start, last, count = _Listing(self.site, path), 0, "", 0
        while True:
            answer = await self.get(path, {**(params or {}), "startAt": start, "maxResults": limit})
            found = listing.rows(answer, rows, last)
            fresh = listing.fresh(found)
            count += len(fresh)
            for row in fresh:
                yield row
            total, end = _whole(answer.get("total")), start + len(found)
            if answer.get("isLast") is True or (total is not None and end >= total) or not fresh:
                break
            last, start = (identity(found[-1]), end - 1) if len(found) > 1 else ("", end)
        if total is not None and count < total:
            raise listing.broken(f"The listing came back incomplete: {count} of {total}.")

    async def until_empty(self, path: str, params: Query | None = None, *, limit: int = 100) -> AsyncIterator[Row]:
        """Rows of answers that are bare lists by `startAt` and `maxResults`, to the first empty one: Jira's searches
        for users, whose pages may be short before the end."""
        listing, start = _Listing(self.site, path), 0
        while True:
            answer = await self.get(path, {**(params or {}), "startAt": start, "maxResults": limit})
            rows = listing.rows({"rows": answer}, "rows")
            if not rows:
                return
            fresh = listing.fresh(rows)
            for row in fresh:
                yield row
            if not fresh:
                raise listing.broken("A page repeats an earlier one.")
            start += limit


class _Listing:
    """What came of one listing so far."""

    def __init__(self, site: AtlassianSite, path: str) -> None:
        self._site = site
        self._path = path
        self._pages: set[bytes] = set()
        self._seen: set[str] = set()
        self.shifted = False
        """Whether a page did not begin with the last row of the page before."""

    def broken(self, why: str) -> Transient:
        return broken(self._site, self._path, why)

    def rows(self, answer: Any, name: str, last: str = "", *, again: bool = False) -> list[Row]:
        """The rows of a page. Raises Transient when it has none, is one that came before, unless it may come `again`,
        or does not begin with `last`, the last row of the page before."""
        rows = answer.get(name) if isinstance(answer, dict) else None
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise self.broken("The answer is not a page of a listing.")
        if not rows and not self._pages and (_whole(answer.get("totalSize")) or 0) > 0:
            raise self.broken("The listing came back empty, though it says that it is not.")
        mark = hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).digest()
        if len(rows) > 1 and mark in self._pages and not again:
            raise self.broken("A page repeats an earlier one.")
        self._pages.add(mark)
        if last and (not rows or identity(rows[0]) != last):
            raise self.broken("The listing came back incomplete: it changed while it was read.")
        return rows

    def joins(self, rows: list[Row], last: str, start: int, *, whole: bool) -> bool:
        """Whether a page can follow on those before: its first row came before, or it is the first page. last: the last
        row of the page before, which was `whole` or short; a page that does not begin with it, or after a short one
        does not have it, is noted in `shifted`."""
        first = identity(rows[0]) if rows else ""
        self.shifted = self.shifted or last not in ([first] if whole else map(identity, rows))
        return bool(rows) and (start == 0 or first in self._seen)

    def fresh(self, rows: list[Row]) -> list[Row]:
        """The rows that did not come before."""
        found = [row for row in rows if identity(row) not in self._seen]
        self._seen.update(identity(row) for row in rows)
        return found

    def further(self, start: int, step: int, answer: Row) -> int:
        """Where the next page begins. Raises Transient when that is not further on."""
        if step > 0:
            return start + step
        told = dict(parse_qsl(urlsplit(_next(answer)).query)).get("start", "")
        if not told.isdecimal() or int(told) <= start:
            raise self.broken("A page leads to itself or to an earlier one.")
        return int(told)


def identity(row: Row) -> str:
    """What tells a row from others."""
    for name in ("id", "accountId", "userKey", "groupId", "key", "name"):
        if row.get(name):
            return f"{name}={row[name]}"
    return json.dumps(row, sort_keys=True)


def _next(answer: Any) -> str:
    links = answer.get("_links") if isinstance(answer, dict) else None
    link = links.get("next") if isinstance(links, dict) else None
    return link if isinstance(link, str) else ""


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) else None
