"""Programs that look where a link leads do not use up the one that `kb try` prints: curl, Wget, and Chromium when it
fetches a link before somebody opens it."""

import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from tests.command import Kb, embeddings_env, own_database, wait_for, write
from tests.counterparts.conftest import system_program
from tests.counterparts.test_browser import chromium  # noqa: F401 - the fixture
from tests.fakes.embeddings_server import embeddings_server
from tests.flows.web.test_pages import addresses, trying

LOOKS = {
    "curl": ["--head", "--silent", "--output", "/dev/null", "--write-out", "%{http_code}", "--noproxy", "*"],
    "wget": ["--spider", "--tries=1", "--server-response", "--no-proxy"],
}
PAGES = {
    "a link": "<link rel=prefetch href='ADDRESS'>",
    "rules": """<script type=speculationrules>
        {"prefetch": [{"source": "list", "urls": ["ADDRESS"], "eagerness": "immediate"}]}</script>""",
    "rules to render it": """<script type=speculationrules>
        {"prerender": [{"source": "list", "urls": ["ADDRESS"], "eagerness": "immediate"}]}</script>""",
}
"""Ways in which a page has a browser fetch an address before it is opened."""


@pytest.fixture(scope="module")
def kb(data_dir: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kb]:
    """The command, with a document indexed."""
    with embeddings_server() as server, own_database(data_dir, "trial_link") as url:
        env = {"KB_AGENT_DATA_DIR": str(data_dir), "KB_AGENT_DATABASE_URL": url, **embeddings_env(server)}
        found = Kb(env, tmp_path_factory.mktemp("working"))
        done = found("index", str(write(tmp_path_factory.mktemp("docs"), ferry="# Ferry\n\nIt leaves at nine.\n")))
        assert done.code == 0, done.err
        yield found


@pytest.mark.parametrize("name", LOOKS)
def test_a_program_that_looks_where_it_leads_does_not_use_it_up(kb: Kb, name: str) -> None:
    program = str(system_program("browser", name))
    with trying(kb) as (process, address):
        done = subprocess.run([program, *LOOKS[name], address], capture_output=True, text=True, timeout=60, check=False)
        assert "503" in done.stdout + done.stderr
        assert addresses(process) == [address]
        opening = [program, "--silent", "--location", "--cookie-jar", "-", "--noproxy", "*", address]
        if name == "wget":
            opening = [program, "--quiet", "--no-proxy", "--output-document=-", address]
        opened = subprocess.run(opening, capture_output=True, text=True, timeout=60, check=False)
        assert opened.returncode == 0, opened.stderr
        assert "<title>" in opened.stdout
        wait_for(lambda: len(addresses(process)) == 2)


@pytest.mark.parametrize("way", PAGES)
def test_chromium_may_fetch_it_before_it_is_opened(kb: Kb, chromium: Any, way: str) -> None:  # noqa: F811 - the fixture
    with trying(kb) as (process, address):
        context, asked, told = chromium.new_context(), list[str](), list[int]()
        page, blank = context.new_page(), f"{address.partition('/try')[0]}/blank"
        body = f"<!doctype html><title>x</title>{PAGES[way].replace('ADDRESS', address)}"
        page.route(blank, lambda route: route.fulfill(body=body, content_type="text/html"))
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        sent, came = "Network.requestWillBeSentExtraInfo", "Network.responseReceived"
        session.on(sent, lambda each: asked.append(each["headers"].get("Sec-Purpose", "")))
        session.on(came, lambda each: told.append(each["response"]["status"]))
        page.goto(blank)
        page.wait_for_timeout(3000)
        assert [each.partition(";")[0] for each in asked] == ["prefetch"]
        assert told == [200, 503]
        assert addresses(process) == [address]
        page.goto(address)
        assert page.title()
        assert len(addresses(process)) == 2
        context.close()
