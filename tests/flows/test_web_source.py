"""`kb index URL`: pages and sitemaps of a real local web server."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from tests.command import Kb
from tests.fakes.web_site import WebSite, page, redirect

OTTER = "<!doctype html><title>Otters</title><h1>Otters</h1><p>The otter sleeps on its back, holding hands.</p>"
BADGER = "<!doctype html><title>Badgers</title><h1>Badgers</h1><p>The badger digs a sett under the oak.</p>"


@pytest.fixture
def site() -> Iterator[WebSite]:
    """A web server in a thread of its own."""
    served = WebSite()
    ready, loop = threading.Event(), asyncio.new_event_loop()
    closing = asyncio.Event()

    async def serve() -> None:
        async with served:
            ready.set()
            await closing.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    assert ready.wait(10)
    yield served
    loop.call_soon_threadsafe(closing.set)
    thread.join(10)
    loop.close()


@pytest.fixture
def web(kb: Kb, site: WebSite) -> Kb:
    """The command, allowed to fetch from that server, which is on a private address."""
    return kb.having(FETCH_ALLOW=f"127.0.0.1:{site.port},127.0.0.0/8", FETCH_DELAY="0")


def test_a_page_is_indexed_and_cited_by_its_address(web: Kb, site: WebSite) -> None:
    site.routes = {"/otters": page(OTTER, "Content-Type: text/html; charset=utf-8")}
    done = web("index", site.url("/otters"), "--json")
    assert (done.code, done.report["added"]) == (0, 1)
    answer = web("ask", "How does the otter sleep?", "--json").json
    assert answer["citations"][0]["url"] == site.url("/otters")
    assert answer["citations"][0]["title"] == "Otters"
    assert answer["citations"][0]["source"] == f"127.0.0.1-{site.port}"

    assert web("index", site.url("/otters"), "--json").report["unchanged"] == 1
    site.routes = {"/otters": page(OTTER.replace("hands", "paws"), "Content-Type: text/html")}
    assert web("index", site.url("/otters"), "--json").report["changed"] == 1


def test_a_sitemap_is_followed_as_it_changes(web: Kb, site: WebSite) -> None:
    def sitemap(*paths: str) -> str:
        places = "".join(f"<url><loc>{site.url(path)}</loc></url>" for path in paths)
        return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{places}</urlset>'

    site.routes = {
        "/sitemap.xml": page(sitemap("/otters", "/badgers", "/gone"), "Content-Type: application/xml"),
        "/otters": page(OTTER, "Content-Type: text/html"),
        "/badgers": page(BADGER, "Content-Type: text/html"),
    }
    report = web("index", site.url("/sitemap.xml"), "--json").report
    assert (report["listed"], report["added"]) == (3, 2)
    ((path, reason),) = report["skipped"]
    assert path.endswith("/gone")
    assert "404" in reason

    site.routes["/sitemap.xml"] = page(sitemap("/otters"), "Content-Type: application/xml")
    assert web("reindex", "--json").report["hidden"] == 1
    found = web("search", "badger", "--method", "lexical", "--json")
    assert (found.code, found.json["results"]) == (3, [])


def test_a_site_that_breaks_off_prunes_nothing(web: Kb, site: WebSite) -> None:
    site.routes = {"/otters": page(OTTER, "Content-Type: text/html")}
    web("index", site.url("/otters"))
    site.routes = {"/otters": page("<p>Please log in", "Content-Type: text/html", status=403)}
    done = web("reindex", "--json")
    assert done.code == 2
    assert "403" in done.json["error"]["what"]
    assert len(web("search", "otter", "--method", "lexical", "--json").json["results"]) == 1


def test_private_addresses_are_refused_with_the_way_to_allow_them(kb: Kb, site: WebSite) -> None:
    done = kb("index", site.url("/otters"), "--json")
    assert done.code == 2
    assert done.json["error"]["what"].endswith("may not be fetched")
    assert "KB_AGENT_FETCH_ALLOW" in done.json["error"]["next"]
    assert site.requests == [], "nobody was asked"
    assert kb("sources", "list", "--json").json["sources"] == [], "a refused URL leaves no source behind"


def test_a_redirect_into_a_private_network_is_refused(web: Kb, site: WebSite) -> None:
    site.routes = {"/out": redirect("http://169.254.169.254/latest/meta-data/")}
    done = web("index", site.url("/out"), "--json")
    assert done.code == 2
    assert "169.254.169.254" in done.json["error"]["what"]


@pytest.mark.parametrize(
    "address", ["ftp://example.com/a", "http://user:secret@example.com/", "https://", "http://a b/"]
)
def test_what_is_no_web_address_is_refused_before_anything_is_stored(kb: Kb, address: str) -> None:
    done = kb("index", address, "--json")
    assert done.code == 2
    assert done.json["error"]["what"] == "the URL cannot be fetched"
    assert "secret" not in done.out + done.err
    assert kb("sources", "list", "--json").json["sources"] == []
