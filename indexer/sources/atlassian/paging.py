"""Listings in pages: to their end, never in a circle, and with nothing lost on the way unnoticed."""

import hashlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from domain.errors import Transient
from indexer.sources.atlassian.site import AtlassianSite

Row = dict[str, Any]
Params = Mapping[str, str | int | Sequence[str]] | Sequence[tuple[str, str]]
Get = Callable[[str, Params | None], Awaitable[Any]]


def broken(site: AtlassianSite, path: str, why: str) -> Transient:
    """A listing that cannot be relied on."""
    return Transient(f"A listing of {site.name} broke off: {path}", why=why, next_step="Try again later.")


@dataclass(slots=True)
class Paging:
    """One listing. get: asks for a page."""

    site: AtlassianSite
    get: Get
    path: str
    _pages: set[bytes] = field(default_factory=set)
    _seen: set[str] = field(default_factory=set)

    async def linked(self, params: Params | None) -> AsyncIterator[Row]:
        """Rows of `results`, page after page as `_links.next` leads: cursors, whose place no change can shift."""
        path, asked, links = self.path, params, set[str]()
        while True:
            answer = await self.get(path, asked)
            if links and isinstance(answer, dict) and answer.get("results") == [] and not _next(answer):
                answer = await self.get(path, asked)  # an end that brings nothing is looked at twice
            for row in self._rows(answer, "results"):
                yield row
            link = _next(answer)
            if not link:
                return
            if link in links:
                raise broken(self.site, self.path, "A page leads to itself or to an earlier one.")
            links.add(link)
            path, asked = self._led(link)

    async def stepped(self, params: Mapping[str, str | int | Sequence[str]], limit: int) -> AsyncIterator[Row]:
        """Rows of `results` by `start` and `limit`, without a total: Confluence Data Center.

        Each page begins with the last row of the page before, so that a row that was deleted or added meanwhile is
        seen; a page that is shorter than its limit is followed from where it ended.
        """
        start, last = 0, ""
        while True:
            answer = await self.get(self.path, {**params, "start": start, "limit": limit})
            rows = self._rows(answer, "results")
            self._joined(rows, last)
            fresh = self._fresh(rows)
            for row in fresh:
                yield row
            if not _next(answer):
                return
            granted = _whole(answer.get("limit")) or limit
            full = len(rows) >= granted > 1
            last = identity(rows[-1]) if full else ""
            start = self._further(start, len(rows) - full if fresh else 0, answer)

    async def numbered(
        self, params: Mapping[str, str | int | Sequence[str]], rows_in: str, limit: int
    ) -> AsyncIterator[Row]:
        """Rows by `startAt` and `maxResults` up to `total`, or to `isLast`: Jira. Overlapping as `stepped`."""
        start, last, count = 0, "", 0
        while True:
            answer = await self.get(self.path, {**params, "startAt": start, "maxResults": limit})
            rows = self._rows(answer, rows_in)
            self._joined(rows, last)
            fresh = self._fresh(rows)
            count += len(fresh)
            for row in fresh:
                yield row
            total, end = _whole(answer.get("total")), start + len(rows)
            if answer.get("isLast") is True or (total is not None and end >= total):
                break
            if not rows or not fresh:
                break
            last, start = (identity(rows[-1]), end - 1) if len(rows) > 1 else ("", end)
        if total is not None and count < total:
            raise broken(self.site, self.path, f"The listing came back incomplete: {count} of {total}.")

    async def until_empty(self, params: Mapping[str, str | int | Sequence[str]], limit: int) -> AsyncIterator[Row]:
        """Rows of answers that are lists by `startAt` and `maxResults`, to the first empty one: Jira's users, whose
        pages may be short before the end."""
        start = 0
        while True:
            answer = await self.get(self.path, {**params, "startAt": start, "maxResults": limit})
            rows = self._rows({"rows": answer}, "rows")
            if not rows:
                return
            fresh = self._fresh(rows)
            for row in fresh:
                yield row
            if not fresh:
                raise broken(self.site, self.path, "A page repeats an earlier one.")
            start += limit

    def _rows(self, answer: Any, name: str) -> list[Row]:
        """The rows of a page. Raises Transient when it has none, or is one that came before."""
        rows = answer.get(name) if isinstance(answer, dict) else None
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise broken(self.site, self.path, "The answer is not a page of a listing.")
        if not rows and not self._pages and (_whole(answer.get("totalSize")) or 0) > 0:
            raise broken(self.site, self.path, "The listing came back empty, though it says that it is not.")
        mark = hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).digest()
        if len(rows) > 1 and mark in self._pages:
            raise broken(self.site, self.path, "A page repeats an earlier one.")
        self._pages.add(mark)
        return rows

    def _joined(self, rows: list[Row], last: str) -> None:
        """Raises Transient when a page does not begin with the last row of the page before."""
        if last and (not rows or identity(rows[0]) != last):
            raise broken(self.site, self.path, "The listing came back incomplete: it changed while it was read.")

    def _fresh(self, rows: list[Row]) -> list[Row]:
        """The rows that did not come before."""
        found = [row for row in rows if identity(row) not in self._seen]
        self._seen.update(identity(row) for row in rows)
        return found

    def _further(self, start: int, step: int, answer: Row) -> int:
        """Where the next page begins. Raises Transient when that is not further on."""
        if step > 0:
            return start + step
        told = dict(parse_qsl(urlsplit(_next(answer)).query)).get("start", "")
        if not told.isdecimal() or int(told) <= start:
            raise broken(self.site, self.path, "A page leads to itself or to an earlier one.")
        return int(told)

    def _led(self, link: str) -> tuple[str, Sequence[tuple[str, str]]]:
        """Path and parameters of a link to the next page. Raises Transient when it leads to another host."""
        parts = urlsplit(link)
        if parts.scheme and not self.site.owns(link):
            raise broken(self.site, self.path, "The next page is said to be on another host.")
        return self.site.inner(parts.path), parse_qsl(parts.query, keep_blank_values=True)


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
