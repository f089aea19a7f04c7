"""Web pages: one URL, or every page that a sitemap lists on its own host."""

import asyncio
import codecs
import re
import time
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import unquote
from urllib.robotparser import RobotFileParser

from domain.access import Acl
from domain.errors import Refused
from indexer.parse.encoding import CODECS
from indexer.sources.connector import FetchedDocument, ListedDocument, SkippedDocument
from indexer.sources.web.sitemaps import Sitemap, SitemapEntry, read_sitemap
from net.fetch import FetchedPage, SafeFetcher
from net.targets import Target, target_of

MAX_DEPTH = 2
"""Levels of sitemaps below the first. The protocol has one (an index lists no index); some sites have two."""

MAX_SITEMAPS = 1_000
"""Sitemaps read in one listing: at the protocol's 50,000 URLs each, far above any useful `max_pages`."""

MAX_ROBOTS_BYTES = 500 * 1024
"""What is read of a robots.txt. RFC 9309, section 2.5: at least 500 KiB."""

MAX_ROBOTS_RULES = 10_000
"""Different rules of a robots.txt, and names of robots: each URL is compared with all of them, in the order in which
they stand there. Measured: a millisecond for so many."""

_RULES = frozenset({"user-agent", "allow", "disallow"})
_ENTRIES_IN_A_ROW = 16
"""Entries of a sitemap that are looked at before other work gets its turn."""

_CONTENT = frozenset({200, 203})  # RFC 9110, section 15.3: the page, or a proxy's version of it
GONE = frozenset({404, 410})
"""Statuses of a page that is not there: RFC 9110, sections 15.5.5 and 15.5.11."""
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(slots=True)
class _Crawl:
    """One listing of a sitemap.

    site: where the sitemap lies after redirects. robots: the site's rules. paths: of the entries met so far.
    sitemaps: URLs of those read.
    """

    site: Target
    robots: RobotFileParser
    paths: set[str] = field(default_factory=set)
    sitemaps: set[str] = field(default_factory=set)


class WebConnector:
    """A page, or the pages of a sitemap, as documents. Requests go one after the other.

    url: of the page or sitemap. acl: whom the pages admit. fetcher: entered by the caller.
    delay_s: pause between two requests. max_pages: entries taken from sitemaps, refused ones included.

    Raises:
        Refused: `url` is not a URL that can be fetched.
    """

    def __init__(
        self, url: str, acl: Acl, fetcher: SafeFetcher, *, delay_s: float = 0.2, max_pages: int = 5_000
    ) -> None:
        self._target = target_of(url)
        self._acl = acl
        self._fetcher = fetcher
        self._delay_s = delay_s
        self._max_pages = max_pages
        self._turn = asyncio.Lock()
        self._free_at = 0.0

    @property
    def acl(self) -> Acl:
        """Whom the pages admit."""
        return self._acl

    async def listing(self) -> AsyncIterator[ListedDocument | SkippedDocument]:
        """The page itself, or what the sitemap lists: pages of its host that robots.txt allows.

        Past `max_pages` entries the listing ends with one Passed that says so.

        Raises:
            Refused: nothing is there, we are not admitted, a sitemap cannot be read, or robots.txt has too many rules.
            Transient: the site broke off; nothing follows from what was not listed.
        """
        page = await self._get(str(self._target.url))
        require_content(page)
        sitemap = await self._sitemap_in(page)
        if sitemap is None:
            _require_no_sitemap(self._target)
            yield _listed(self._target, http_date(page.last_modified))
            return
        site = target_of(page.url)
        rules = await self._get(str(site.url.copy_with(raw_path=b"/robots.txt")))
        robots = await asyncio.to_thread(_robots, rules)
        crawl = _Crawl(site, robots, sitemaps={str(self._target.url), page.url})
        looked_at = 0
        async for entry in self._entries(sitemap, 0, crawl):
            looked_at += 1
            if looked_at % _ENTRIES_IN_A_ROW == 0:
                await asyncio.sleep(0)
            found = self._page_of(entry, crawl) if isinstance(entry, SitemapEntry) else entry
            if found.path in crawl.paths:
                continue
            if len(crawl.paths) >= self._max_pages:
                limit = f"more than {self._max_pages:,} entries; KB_AGENT_FETCH_MAX_PAGES raises the limit"
                yield _passed(self._target, limit)
                return
            crawl.paths.add(found.path)
            yield found

    async def fetch(self, item: ListedDocument) -> FetchedDocument:
        """The content of one page.

        Raises:
            Refused: it is gone (404, 410), not for us, or not acceptable to the fetcher.
            Transient: it could not be read now.
        """
        page = await self._get(item.external_id)
        require_content(page)
        return FetchedDocument(as_utf8(page.raw, page.media_type, page.charset), file_name(page.url), page.media_type)

    async def _get(self, url: str) -> FetchedPage:
        """Fetches `url` when it is our turn."""
        async with self._turn:
            await asyncio.sleep(max(0.0, self._free_at - time.monotonic()))
            try:
                return await self._fetcher.get(url)
            finally:
                self._free_at = time.monotonic() + self._delay_s

    async def _sitemap_in(self, page: FetchedPage) -> Sitemap | None:
        return await asyncio.to_thread(read_sitemap, page.raw, self._fetcher.policy.max_bytes)

    async def _entries(
        self, sitemap: Sitemap, depth: int, crawl: _Crawl
    ) -> AsyncIterator[SitemapEntry | SkippedDocument]:
        """The pages that `sitemap` and the sitemaps below it list, and the sitemaps that were passed over."""
        for entry in sitemap.entries:
            if not sitemap.nested:
                yield entry
                continue
            below = await self._below(entry, depth + 1, crawl)
            if isinstance(below, SkippedDocument):
                yield below
            elif below:
                async for found in self._entries(below, depth + 1, crawl):
                    yield found

    async def _below(self, entry: SitemapEntry, depth: int, crawl: _Crawl) -> Sitemap | SkippedDocument | None:
        """The sitemap that an index names; None when it was read before.

        A sitemap that is there but unreadable ends the listing: its pages must not count as gone.
        """
        target = _same_host(entry, crawl.site)
        if isinstance(target, SkippedDocument) or str(target.url) in crawl.sitemaps:
            return target if isinstance(target, SkippedDocument) else None
        if depth > MAX_DEPTH or len(crawl.sitemaps) >= MAX_SITEMAPS:
            return _passed(target, f"more than {MAX_DEPTH} levels or {MAX_SITEMAPS:,} sitemaps")
        crawl.sitemaps.add(str(target.url))
        page = await self._get(str(target.url))
        if page.status in GONE:
            return _passed(target, f"the sitemap is gone (status {page.status})")
        require_content(page)
        sitemap = await self._sitemap_in(page)
        if sitemap is None:
            raise Refused(f"{target.shown} is listed as a sitemap and is none", next_step="correct the sitemap index")
        return sitemap

    def _page_of(self, entry: SitemapEntry, crawl: _Crawl) -> ListedDocument | SkippedDocument:
        """The page that a sitemap names."""
        target = _same_host(entry, crawl.site)
        if isinstance(target, SkippedDocument):
            return target
        known = _path(target) in crawl.paths
        if not known and not crawl.robots.can_fetch(self._fetcher.policy.user_agent, str(target.url)):
            return _passed(target, "robots.txt disallows it")
        return _listed(target, entry.modified_at)


def _robots(page: FetchedPage) -> RobotFileParser:
    """The rules of a robots.txt; none when there is no such file: RFC 9309, section 2.3.1.3. Raises Refused when there
    are too many."""
    lines = list(_distinct(page.raw[:MAX_ROBOTS_BYTES].decode("utf-8-sig", errors="replace").splitlines()))
    rules = sum(line.partition(":")[0].strip().lower() in _RULES for line in lines)
    if rules > MAX_ROBOTS_RULES:
        raise Refused(
            f"{target_of(page.url).shown} has more than {MAX_ROBOTS_RULES:,} different rules",
            why="each page would have to be compared with all of them",
            next_step="ask whoever runs the site for a shorter one, or index single pages by their URLs",
        )
    robots = RobotFileParser()
    robots.parse(lines)
    return robots


def _distinct(lines: Iterable[str]) -> Iterator[str]:
    """The lines of a robots.txt without those that stand in their group already: the first one that fits counts."""
    group = set[str]()
    for line in lines:
        if not line or "user-agent" in line.lower():  # perhaps another group
            group.clear()
        elif line in group:
            continue
        group.add(line)
        yield line


def _same_host(entry: SitemapEntry, site: Target) -> Target | SkippedDocument:
    """What the entry names, if it is on the host of `site`; http and https count as one."""
    try:
        target = target_of(entry.url)
    except Refused as error:
        return SkippedDocument(_readable(entry.url), _readable(entry.url), error.why)
    if (target.host, target.url.port) != (site.host, site.url.port):
        return _passed(target, "it is on another host than the sitemap")
    return target


def _listed(target: Target, modified_at: datetime | None) -> ListedDocument:
    return ListedDocument(str(target.url), _path(target), str(target.url), modified_at=modified_at)


def _passed(target: Target, reason: str) -> SkippedDocument:
    return SkippedDocument(str(target.url), _path(target), reason)


def _path(target: Target) -> str:
    """`host/path?query`: where the page lies."""
    return str(target.url).partition("://")[2]


def _readable(text: str) -> str:
    """A would-be URL for a report: without a user name and password, and without what moves a cursor."""
    shown = "".join(char for char in text[:200] if char.isprintable())
    return re.sub(r"//.*@", "//", shown)


def _require_no_sitemap(target: Target) -> None:
    """Raises Refused when the name of `target` promises a sitemap.

    A broken sitemap, or a login page in its place, must not stand for a site of one page.
    """
    if target.url.path.lower().endswith((".xml", ".xml.gz")):
        raise Refused(
            f"{target.shown} is not a sitemap",
            why="what the server sent is neither a urlset nor a sitemapindex",
            next_step="open it in a private browser window and look at what is shown",
        )


def require_content(page: FetchedPage) -> None:
    """Raises Refused unless `page` is what was asked for."""
    if page.status in _CONTENT:
        return
    raise Refused(
        f"{target_of(page.url).shown} answered with status {page.status}",
        why="it is gone" if page.status in GONE else "the server does not show it",
        next_step="open it in a private browser window: only what is shown there without login can be indexed",
    )


def file_name(url: str) -> str:
    """The last part of the path; `index.html` where the path has none."""
    path = unquote(target_of(url).url.raw_path.partition(b"?")[0].decode("ascii"))
    name = "".join(char for char in path.rpartition("/")[2] if char.isprintable())
    return name if name.strip(".") else "index.html"


def http_date(text: str) -> datetime | None:
    """The moment that a header such as Last-Modified gives; None when it gives none."""
    try:
        moment = parsedate_to_datetime(text)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def as_utf8(raw: bytes, media_type: str, charset: str) -> bytes:
    """`raw`, as UTF-8 with a byte order mark when it is a text in another encoding that `charset` names.

    The mark outranks what the text says of itself, as the header did; one that is there already outranks the
    header: https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
    """
    codec = CODECS.get(charset)
    is_text = media_type.startswith("text/") and media_type != "text/xml"
    if not codec or not is_text or raw.startswith(_MARKS):
        return raw
    return raw.decode(codec, errors="replace").encode("utf-8-sig")
