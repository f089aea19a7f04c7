"""Pages as they are now, over a real server and the real parser."""

import ssl
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from domain.access import Scope
from domain.documents import Block, BlockKind
from domain.errors import Refused
from domain.tool_ports import LiveSource
from indexer.parse.sandbox import SandboxedParser
from indexer.sources.web.live_page import LivePages, readable
from net.fetch import FetchPolicy, SafeFetcher
from tests.fakes.web_site import Names, WebSite, page, redirect

TLS = ssl.create_default_context()  # made once: it reads many certificates
ANYBODY = Scope.outsider()
HTML = """<html><head><title>Handbook</title><meta name="author" content="Ada"></head><body><h1>Handbook</h1>
<p>Welcome.</p><h2>Leave</h2><p>Thirty <b>days</b>.</p><ul><li>plus birthdays</li></ul>
<h3>Sick leave</h3><p>Call in.</p><h2>Pay</h2><table><tr><th>Grade</th><th>Pay</th></tr><tr><td>A</td><td>1</td></tr>
</table><script>alert(1)</script></body></html>"""


@pytest.fixture(scope="module")
async def parser() -> AsyncIterator[SandboxedParser]:
    async with SandboxedParser() as pool:
        yield pool


@pytest.fixture
async def site() -> AsyncIterator[WebSite]:
    async with WebSite() as running:
        yield running


@pytest.fixture
async def pages(site: WebSite, parser: SandboxedParser) -> AsyncIterator[LiveSource]:
    allow = (f"127.0.0.1:{site.port}", f"www.test:{site.port}", "127.0.0.0/8")
    policy = FetchPolicy(allow=allow, only=("127.0.0.1",), max_seconds=5, max_bytes=100_000)
    async with SafeFetcher(policy, resolve=Names(www_test=[["127.0.0.1"]]), tls=TLS) as fetcher:
        yield LivePages(fetcher, parser)


async def test_a_page_is_readable_text_under_its_headings(site: WebSite, pages: LiveSource) -> None:
    site.routes["/a/handbook?v=1"] = page(
        HTML, "Content-Type: text/html", "Last-Modified: Tue, 01 Jul 2025 10:00:00 GMT"
    )
    found = await pages.fetch(site.url("/a/handbook?v=1#leave"), ANYBODY)
    assert found is not None
    assert (found.title, found.author, found.media_type) == ("Handbook", "Ada", "text/html")
    assert found.url == site.url("/a/handbook?v=1")
    assert found.path == f"127.0.0.1:{site.port}/a/handbook?v=1"
    assert found.source == "127.0.0.1"
    assert found.updated_at == datetime(2025, 7, 1, 10, tzinfo=UTC)
    assert "# Leave\n\nThirty days." in found.text
    assert "## Sick leave\n\nCall in.\n\n# Pay\n\n| Grade | Pay |" in found.text
    assert "alert" not in found.text


async def test_a_redirect_is_followed_to_where_the_page_is(site: WebSite, pages: LiveSource) -> None:
    site.routes |= {"/old": redirect("/new.md"), "/new.md": page("# Title\n\nText.", "Content-Type: text/markdown")}
    found = await pages.fetch(site.url("/old"), ANYBODY)
    assert found is not None
    assert (found.url, found.title, found.text) == (site.url("/new.md"), "Title", "Text.")


async def test_the_header_tells_the_encoding(site: WebSite, pages: LiveSource) -> None:
    site.routes["/a.txt"] = page("Grüße".encode("latin-1"), "Content-Type: text/plain; charset=iso-8859-1")
    found = await pages.fetch(site.url("/a.txt"), ANYBODY)
    assert found is not None
    assert (found.title, found.text) == ("a.txt", "Grüße")


@pytest.mark.parametrize("status", [404, 410])
async def test_a_page_that_is_not_there_is_none(site: WebSite, pages: LiveSource, status: int) -> None:
    site.routes["/a"] = page("no such page", status=status)
    assert await pages.fetch(site.url("/a"), ANYBODY) is None


@pytest.mark.parametrize("status", [204, 401, 403, 451])
async def test_a_page_that_is_not_shown_is_refused(site: WebSite, pages: LiveSource, status: int) -> None:
    site.routes["/a"] = page("" if status == 204 else "log in", status=status)
    with pytest.raises(Refused, match=f"status {status}"):
        await pages.fetch(site.url("/a"), ANYBODY)


@pytest.mark.parametrize(
    "url",
    [
        *("", "handbook", "/etc/passwd", "ftp://127.0.0.1/", "file:///etc/passwd", "javascript:alert(1)"),
        *("http://user:pw@127.0.0.1/", "http://127.0.0.1/", "http://10.0.0.1/", "http://www.test/", "http://[::1]/"),
        "http://127.0.0.1\\@example.com/",
    ],
)
async def test_what_may_not_be_fetched_is_refused(site: WebSite, pages: LiveSource, url: str) -> None:
    with pytest.raises(Refused):
        await pages.fetch(url, ANYBODY)
    assert not site.requests


async def test_a_redirect_to_a_host_off_the_list_is_refused(site: WebSite, pages: LiveSource) -> None:
    site.routes |= {"/a": redirect(site.url("/b", "www.test")), "/b": page("secret")}
    with pytest.raises(Refused, match="not one of those"):
        await pages.fetch(site.url("/a"), ANYBODY)
    assert site.paths == ["/a"]


async def test_a_picture_is_refused_and_so_is_too_much(site: WebSite, pages: LiveSource) -> None:
    site.routes |= {"/a.png": page(b"\x89PNG\r\n\x1a\n\0", "Content-Type: image/png"), "/big": page(b"x" * 100_001)}
    for path in ("/a.png", "/big"):
        with pytest.raises(Refused):
            await pages.fetch(site.url(path), ANYBODY)


def test_a_heading_is_repeated_only_when_it_comes_anew() -> None:
    paths: list[tuple[str, ...]] = [(), ("A",), ("A",), ("A", "B"), ("C", "B"), ("C",), ("A",)]
    blocks = [Block(BlockKind.PROSE, str(number), path) for number, path in enumerate(paths)]
    assert readable(blocks).split("\n\n") == ["0", "# A", "1", "2", "## B", "3", "# C", "## B", "4", "5", "# A", "6"]
    assert readable([]) == ""
