"""What a web source lists and fetches: one page, or the pages of a sitemap on its host, one after the other."""

import asyncio
import gzip
import ssl
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from domain.access import ORGANISATION
from domain.errors import Refused, Transient
from indexer.sources.connector import Connector, FetchedDocument, ListedDocument, SkippedDocument
from indexer.sources.web.connector import MAX_ROBOTS_RULES, WebConnector
from net.fetch import FetchPolicy, SafeFetcher
from tests.fakes.rights import EVERYONE
from tests.fakes.web_site import Names, Route, WebSite, page, raw, redirect, reset

TLS = ssl.create_default_context()  # made once: it reads many certificates
JULY = datetime(2025, 7, 1, tzinfo=UTC)


@pytest.fixture
async def site() -> AsyncIterator[WebSite]:
    async with WebSite() as running:
        yield running


@pytest.fixture
async def fetcher(site: WebSite) -> AsyncIterator[SafeFetcher]:
    allow = (f"127.0.0.1:{site.port}", f"www.test:{site.port}", "127.0.0.0/8")
    names = Names(www_test=[["127.0.0.1"]])
    policy = FetchPolicy(allow=allow, max_seconds=5, max_bytes=200_000)
    async with SafeFetcher(policy, resolve=names, tls=TLS) as running:
        yield running


def connector(url: str, fetcher: SafeFetcher, *, max_pages: int = 5_000, delay_s: float = 0) -> WebConnector:
    return WebConnector(url, EVERYONE, fetcher, delay_s=delay_s, max_pages=max_pages)


async def listing(url: str, fetcher: SafeFetcher, max_pages: int = 5_000) -> list[ListedDocument | SkippedDocument]:
    return [found async for found in connector(url, fetcher, max_pages=max_pages).listing()]


def urls(found: list[ListedDocument | SkippedDocument]) -> list[str]:
    return [one.url for one in found if isinstance(one, ListedDocument)]


def reasons(found: list[ListedDocument | SkippedDocument]) -> dict[str, str]:
    return {one.path: one.reason for one in found if isinstance(one, SkippedDocument)}


def urlset(*locations: str) -> str:
    entries = "".join(f"<url><loc>{location}</loc></url>" for location in locations)
    return f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'


def index(*locations: str) -> str:
    return urlset(*locations).replace("url>", "sitemap>").replace("urlset", "sitemapindex")


# -- one page


async def test_a_page_is_one_document(site: WebSite, fetcher: SafeFetcher) -> None:
    site.routes["/Guide/a.html?v=1"] = page(
        "<p>Hi", "Content-Type: text/html", "Last-Modified: Tue, 01 Jul 2025 00:00:00 GMT"
    )
    source: Connector = connector(site.url("/Guide/a.html?v=1#part"), fetcher)
    found = [one async for one in source.listing()]
    url = site.url("/Guide/a.html?v=1")
    assert found == [ListedDocument(url, f"127.0.0.1:{site.port}/Guide/a.html?v=1", url, modified_at=JULY)]
    assert isinstance(found[0], ListedDocument)
    assert await source.fetch(found[0]) == FetchedDocument(b"<p>Hi", "a.html", "text/html")
    assert source.acl == EVERYONE


async def test_an_id_does_not_depend_on_the_spelling(site: WebSite, fetcher: SafeFetcher) -> None:
    site.routes["/"] = page("x")
    for spelling in (f"HTTP://WWW.Test:{site.port}", f"http://www.test:{site.port}/#part"):
        found = await listing(spelling, fetcher)
        assert [one.external_id for one in found] == [f"http://www.test:{site.port}/"]


def test_a_url_that_cannot_be_fetched_is_refused_at_once() -> None:
    with pytest.raises(Refused):
        WebConnector("ftp://example.com/", ORGANISATION, SafeFetcher())


@pytest.mark.parametrize("status", [204, 401, 403, 404, 410])
async def test_a_page_that_is_not_there_is_refused(site: WebSite, fetcher: SafeFetcher, status: int) -> None:
    site.routes["/a"] = page("" if status == 204 else "no", status=status)
    with pytest.raises(Refused, match=f"status {status}"):
        await listing(site.url("/a"), fetcher)
    with pytest.raises(Refused, match=f"status {status}"):
        await connector(site.url("/a"), fetcher).fetch(ListedDocument(site.url("/a"), "a", site.url("/a")))


async def test_a_site_in_trouble_is_transient(site: WebSite, fetcher: SafeFetcher) -> None:
    site.routes |= {"/": page(status=503), "/reset": reset}
    for path in ("/", "/reset"):
        with pytest.raises(Transient):
            await listing(site.url(path), fetcher)


async def test_a_page_that_redirects_keeps_its_listed_url(site: WebSite, fetcher: SafeFetcher) -> None:
    site.routes |= {"/old": redirect("/new/page.md"), "/new/page.md": page("# Hi", "Content-Type: text/markdown")}
    source = connector(site.url("/old"), fetcher)
    found = [one async for one in source.listing()]
    assert urls(found) == [site.url("/old")]
    assert isinstance(found[0], ListedDocument)
    assert await source.fetch(found[0]) == FetchedDocument(b"# Hi", "page.md", "text/markdown")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/", "index.html"),
        ("/dir/", "index.html"),
        ("/a%2Fb%0a.pdf", "b.pdf"),
        ("/%2e%2e", "index.html"),
        ("/x?y=/z", "x"),
    ],
)
async def test_names(site: WebSite, fetcher: SafeFetcher, path: str, name: str) -> None:
    site.routes = {path: page("x"), "/": page("x")}
    url = site.url(path)
    assert (await connector(url, fetcher).fetch(ListedDocument(url, path, url))).name == name


async def test_a_text_in_another_encoding_becomes_utf8(site: WebSite, fetcher: SafeFetcher) -> None:
    site.routes["/"] = page("Grüße".encode("cp1252"), "Content-Type: text/html; charset=ISO-8859-1")
    fetched = await connector(site.url(), fetcher).fetch(ListedDocument(site.url(), "", site.url()))
    assert fetched.raw.decode("utf-8-sig") == "Grüße"


# -- sitemaps


@pytest.mark.parametrize("packed", [False, True])
async def test_a_sitemap_lists_the_pages_of_its_host(site: WebSite, fetcher: SafeFetcher, packed: bool) -> None:
    text = urlset(site.url("/a"), site.url("/b?x=1&amp;y=2"), site.url("/a#again"), "https://other.test/c", "nonsense")
    body = text.replace("</loc>", "</loc><lastmod>2025-07-01</lastmod>").encode()
    site.routes["/map"] = page(gzip.compress(body) if packed else body, "Content-Type: application/octet-stream")
    found = await listing(site.url("/map"), fetcher)
    assert urls(found) == [site.url("/a"), site.url("/b?x=1&y=2")]
    assert {one.modified_at for one in found if isinstance(one, ListedDocument)} == {JULY}
    assert reasons(found) == {
        "other.test/c": "it is on another host than the sitemap",
        "nonsense": "it is not http://HOST/… or https://HOST/… without a user name",
    }
    assert site.paths == ["/map", "/robots.txt"]


async def test_an_entry_cannot_bring_a_password_or_a_control_character_into_a_report(
    site: WebSite, fetcher: SafeFetcher
) -> None:
    site.routes["/map"] = page(urlset("http://me:hunter2@127.0.0.1/&#x85;a"))
    assert list(reasons(await listing(site.url("/map"), fetcher))) == ["//127.0.0.1/a".join(["http:", ""])]


async def test_nested_sitemaps_are_read_two_levels_down(site: WebSite, fetcher: SafeFetcher) -> None:
    site.routes |= {
        "/0": page(index(site.url("/1"), site.url("/1"), site.url("/gone"), "http://other.test/map")),
        "/1": page(index(site.url("/2"), site.url("/0"), site.url("/deep"))),
        "/2": page(gzip.compress(urlset(site.url("/page")).encode())),
        "/deep": page(index(site.url("/3"))),
        "/3": page(urlset(site.url("/too-deep"))),
    }
    found = await listing(site.url("/0"), fetcher)
    assert urls(found) == [site.url("/page")]
    assert sorted(reasons(found)) == [f"127.0.0.1:{site.port}/3", f"127.0.0.1:{site.port}/gone", "other.test/map"]
    assert site.paths == ["/0", "/robots.txt", "/1", "/2", "/deep", "/gone"]


async def test_the_site_is_where_the_sitemap_lies_after_redirects(site: WebSite, fetcher: SafeFetcher) -> None:
    there = site.url("/map", host="www.test")
    site.routes |= {"/sitemap.xml": redirect(there), "/map": page(urlset(site.url("/a"), there + "/b"))}
    found = await listing(site.url("/sitemap.xml"), fetcher)
    assert urls(found) == [there + "/b"]
    assert site.requests[-1].headers["host"] == f"www.test:{site.port}"


@pytest.mark.parametrize(
    ("child", "why"),
    [
        (page("<p>not a sitemap"), "is none"),
        (page(urlset("x")[:-5]), "well-formed"),
        (page("no", status=403), "status 403"),
        (page(b"<urlset>" * 100_000), "larger than"),
    ],
)
async def test_a_child_that_cannot_be_read_ends_the_listing(
    site: WebSite, fetcher: SafeFetcher, child: Route, why: str
) -> None:
    site.routes |= {"/0": page(index(site.url("/1"))), "/1": child}
    with pytest.raises(Refused, match=why):
        await listing(site.url("/0"), fetcher)


@pytest.mark.parametrize("broken", ["/1", "/robots.txt"])
async def test_a_site_that_breaks_off_does_not_give_a_short_listing(
    site: WebSite, fetcher: SafeFetcher, broken: str
) -> None:
    site.routes |= {"/0": page(index(site.url("/1"))), "/1": page(urlset(site.url("/a")))}
    site.routes[broken] = page(status=500)
    with pytest.raises(Transient):
        await listing(site.url("/0"), fetcher)


async def test_the_number_of_entries_is_limited_and_the_report_says_so(site: WebSite, fetcher: SafeFetcher) -> None:
    pages = [site.url(f"/{n}") for n in range(5)]
    site.routes |= {"/map": page(urlset(*pages, pages[0]))}
    found = await listing(site.url("/map"), fetcher, max_pages=3)
    assert urls(found) == pages[:3]
    assert "KB_AGENT_FETCH_MAX_PAGES" in reasons(found)[f"127.0.0.1:{site.port}/map"]
    assert reasons(await listing(site.url("/map"), fetcher, max_pages=5)) == {}


async def test_robots_txt_is_honoured(site: WebSite, fetcher: SafeFetcher) -> None:
    site.routes |= {
        "/map": page(urlset(site.url("/a"), site.url("/private/b"), site.url("/ours"))),
        "/robots.txt": page("User-agent: *\nDisallow: /private/\n\nUser-agent: kb-agent\nDisallow: /ours\n"),
    }
    assert urls(await listing(site.url("/map"), fetcher)) == [site.url("/a"), site.url("/private/b")]
    site.routes["/robots.txt"] = page("\ufeffUser-agent: *\nDisallow: /private/")
    found = await listing(site.url("/map"), fetcher)
    assert reasons(found) == {f"127.0.0.1:{site.port}/private/b": "robots.txt disallows it"}
    for status in (404, 401, 204):
        site.routes["/robots.txt"] = page("" if status == 204 else "User-agent: *\nDisallow: /", status=status)
        assert len(urls(await listing(site.url("/map"), fetcher))) == 3


async def test_a_rule_of_robots_txt_that_is_repeated_counts_once(site: WebSite, fetcher: SafeFetcher) -> None:
    repeated = "Disallow: /private\n" * (MAX_ROBOTS_RULES + 1)
    rules = f"User-agent: other\nDisallow: /\nUser-agent: *\nAllow: /private/open\n{repeated}Disallow: /\nAllow: /a\n"
    site.routes |= {
        "/map": page(urlset(site.url("/private/open"), site.url("/private/b"), site.url("/a"))),
        "/robots.txt": page(rules),
    }
    assert urls(await listing(site.url("/map"), fetcher)) == [site.url("/private/open")]


async def test_a_robots_txt_of_too_many_rules_is_refused(site: WebSite, fetcher: SafeFetcher) -> None:
    site.routes["/map"] = page(urlset(site.url("/a")))
    site.routes["/robots.txt"] = page("User-agent: *\n" + "".join(f"Allow:/{n}\n" for n in range(MAX_ROBOTS_RULES)))
    with pytest.raises(Refused, match=r"robots\.txt has more than 10,000 different rules"):
        await listing(site.url("/map"), fetcher)
    site.routes["/robots.txt"] = page("".join(f"<p>{n}\n" for n in range(MAX_ROBOTS_RULES + 1)))
    assert urls(await listing(site.url("/map"), fetcher)) == [site.url("/a")], "a page in its place has no rules"


async def test_a_long_sitemap_lets_other_work_have_its_turn(site: WebSite, fetcher: SafeFetcher) -> None:
    site.routes["/map"] = page(urlset(*(site.url(f"/{number}") for number in range(200))))
    turns = 0

    async def other_work() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    work = asyncio.create_task(other_work())
    before = [turns async for _ in connector(site.url("/map"), fetcher).listing()]
    work.cancel()
    assert len(before) == 200
    assert before[-1] - before[0] >= 10


async def test_requests_are_one_after_the_other_with_a_pause(site: WebSite, fetcher: SafeFetcher) -> None:
    running = 0

    async def alone(writer: asyncio.StreamWriter) -> None:
        nonlocal running
        running += 1
        assert running == 1
        await asyncio.sleep(0.02)
        running -= 1
        await page("x")(writer)

    site.routes["/"] = alone
    source = connector(site.url(), fetcher, delay_s=0.1)
    began = time.monotonic()
    fetched = await asyncio.gather(*(source.fetch(ListedDocument(site.url(), "", "")) for _ in range(4)))
    assert [one.raw for one in fetched] == [b"x"] * 4
    assert time.monotonic() - began > 0.38


async def test_a_page_of_a_sitemap_can_be_gone_later(site: WebSite, fetcher: SafeFetcher) -> None:
    site.routes["/map"] = page(urlset(site.url("/a")))
    found = await listing(site.url("/map"), fetcher)
    assert isinstance(found[0], ListedDocument)
    with pytest.raises(Refused, match="it is gone"):
        await connector(site.url("/map"), fetcher).fetch(found[0])


@pytest.mark.parametrize(
    ("header", "moment"),
    [("Tue, 01 Jul 2025 00:00:00 GMT", JULY), ("soon", None), ("Fri, 31 Dec 9999 23:59:59 -1400", None)],
)
async def test_last_modified(site: WebSite, fetcher: SafeFetcher, header: str, moment: datetime | None) -> None:
    site.routes["/"] = page("x", f"Last-Modified: {header}")
    found = await listing(site.url(), fetcher)
    assert isinstance(found[0], ListedDocument)
    assert found[0].modified_at == moment


async def test_a_login_page_in_place_of_a_sitemap_is_not_a_site_of_one_page(
    site: WebSite, fetcher: SafeFetcher
) -> None:
    site.routes |= {"/sitemap.xml": page("<html>log in"), "/sitemap.xml.gz": page(b"\x1f\x8bbroken")}
    for path in ("/sitemap.xml", "/sitemap.xml.gz"):
        with pytest.raises(Refused, match="is not a sitemap"):
            await listing(site.url(path), fetcher)


async def test_a_page_that_is_not_utf8_xml_is_just_a_page(site: WebSite, fetcher: SafeFetcher) -> None:
    site.routes["/"] = raw(b"HTTP/1.0 200 OK\r\n\r\n<urlset\xff")
    assert urls(await listing(site.url(), fetcher)) == [site.url()]
