"""The pages to operate: administrators see and do there what commands do, and nobody else gets in."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path

import httpx
import pytest

from tests.command import Kb, connected, rows, wait_for, write
from tests.fakes.masking import github_token
from tests.fakes.openid_issuer import SECRET, OpenIdIssuer, openid_issuer, sign_in_env
from tests.fakes.page_limits import wrong_on_page
from tests.flows.web.conftest import SERVING, client, serving
from tests.flows.web.test_pages import asked, csrf

PAGES = ("", "/use", "/gaps", "/rights", "/graph", "/settings", "/confirm/roll-back?version=1", "/runs/1")
ACTIONS = {
    "read": {"source": "open"},
    "prune": {"source": "open"},
    "job": {"job": "content"},
    "put-to-use": {"version": "3"},
    "discard": {"version": "3"},
    "roll-back": {"version": "1"},
    "rights": {"document": "ferry.md", "person": "ada@example.com"},
}
FERRY = "# Ferry\n\nHarbour Line depends on Pier Seven. See [the timetable](timetable.md).\n"
TIMETABLE = "# Timetable\n\nThe ferry leaves at nine. See [the ferry](ferry.md).\n"
MERGER = "# Merger of the walrus\n\nWalrus Group runs Harbour Line. The walrus merger is planned for May.\n"


@pytest.fixture(scope="module")
def company(shared: Kb, tmp_path_factory: pytest.TempPathFactory) -> tuple[Kb, Path]:
    """A source that all may read, one that Ada alone may, an index of before, and a run that is held back."""
    place = tmp_path_factory.mktemp("places")
    folder = write(place / "open", ferry=FERRY, timetable=TIMETABLE)
    closed = write(place / "closed", merger=MERGER)
    (place / "golden.yaml").write_text('- {"question": "When does the ferry leave?", "facts": ["leaves at nine"]}\n')
    kb = shared.having(GOLDEN=str(place / "golden.yaml"), GOLDEN_GATE="hold", LLM_API_KEY=github_token(), **SERVING)
    kb = kb.having(ADMINS="Root@example.com, ada@example.com")
    for words in (
        ("index", str(folder)),
        ("index", str(closed), "--audience", "ada@example.com"),
        ("reindex", "--full"),
    ):
        done = kb(*words)
        assert done.code == 0, done.err
    return kb, folder


@pytest.fixture(scope="module")
def issuer() -> Iterator[OpenIdIssuer]:
    with openid_issuer() as found:
        yield found


@pytest.fixture(scope="module")
def base(company: tuple[Kb, Path], issuer: OpenIdIssuer) -> Iterator[str]:
    with serving(company[0].having(**sign_in_env(issuer.url))) as (_, api):
        yield api.removesuffix("/api/v1")


def signed_in(base: str, issuer: OpenIdIssuer, email: str) -> httpx.Client:
    issuer.email = email
    found = client(base)
    assert f"signed in as {email}" in found.get("/").text
    return found


@pytest.fixture(scope="module")
def root(base: str, issuer: OpenIdIssuer) -> httpx.Client:
    """An administrator, who may read what is open to all."""
    return signed_in(base, issuer, "root@example.com")


def words(page: httpx.Response) -> str:
    assert page.status_code == 200, page.text
    assert wrong_on_page(page.text, []) == []
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page.text)).split())


def sent(browser: httpx.Client, action: str, **fields: str) -> httpx.Response:
    return browser.post(f"/operate/{action}", data={**fields, "csrf": csrf(browser.get("/").text)})


def twice_at_once(browser: httpx.Client, action: str, version: str) -> list[httpx.Response]:
    """What a double press of a button gets."""
    with ThreadPoolExecutor(2) as presses:
        return list(presses.map(lambda _: sent(browser, action, version=version), range(2)))


def acts(kb: Kb) -> list[tuple[str, str, str]]:
    """Who did what to what, oldest first; not what was done by command."""
    entries = kb("audit", "--json").json["entries"][::-1]
    found = [(each["actor"], each["action"], each["subject"]) for each in entries]
    return [each for each in found if not each[0].startswith("terminal:")]


def test_administrators_alone_get_in(
    base: str, issuer: OpenIdIssuer, root: httpx.Client, company: tuple[Kb, Path]
) -> None:
    before, eve = acts(company[0]), signed_in(base, issuer, "eve@example.com")
    assert 'href="/operate"' in root.get("/").text
    assert 'href="/operate"' not in eve.get("/").text
    for path in PAGES:
        assert wrong_on_page(root.get(f"/operate{path}").text, []) == []
        refused = eve.get(f"/operate{path}")
        assert (refused.status_code, "Only an administrator" in refused.text) == (403, True), path
        assert client(base).get(f"/operate{path}", follow_redirects=False).headers["Location"] == "/sign-in"
    for action, fields in ACTIONS.items():
        assert sent(eve, action, **fields).status_code == 403, action
        forged = root.post(f"/operate/{action}", data={**fields, "csrf": "0" * 64})
        assert (forged.status_code, "did not come from a page" in forged.text) == (403, True), action
        assert client(base).post(f"/operate/{action}", data=fields, follow_redirects=False).status_code == 303
        assert root.get(f"/operate/{action}").status_code == (200 if action == "rights" else 404), "by a link alone"
    assert acts(company[0]) == before, "nothing was done"


def test_sources_are_read_and_that_is_noted(root: httpx.Client, company: tuple[Kb, Path]) -> None:
    kb, _ = company
    page = words(root.get("/operate"))
    assert "2 documents, 2 chunks" in page
    assert "closed" in page, "names of sources and counts are an operator's"
    assert "Merger" not in page
    runs = len(kb("runs", "--json").json["runs"])
    assert "It waits for a process" in words(sent(root, "read", source="closed"))
    with connected(kb.env["KB_AGENT_DATABASE_URL"]) as connection:
        connection.execute("INSERT INTO runs (source, kind, state) VALUES ('open', 'content', 'running')")
        busy = sent(root, "prune", source="open")
        assert (busy.status_code, "The source is being read" in busy.text) == (409, True)
        connection.execute("DELETE FROM runs WHERE state = 'running' AND source = 'open'")
    assert "It waits for a process" in words(sent(root, "prune", source="open"))
    assert sent(root, "read", source="nope").status_code == 404
    assert sent(root, "prune", source="*").status_code == 422
    assert acts(kb)[-3:] == [
        ("web:root@example.com", "reindex", "closed"),
        ("web:root@example.com", "reindex", "open"),
        ("web:root@example.com", "prune_confirmed", "open"),
    ]

    def ended() -> bool:
        found = kb("runs", "--json").json["runs"]
        return len(found) >= runs + 2 and all(each["state"] != "running" for each in found)

    wait_for(ended)


def test_a_run_that_is_held_back_is_discarded_or_put_to_use(root: httpx.Client, company: tuple[Kb, Path]) -> None:
    kb, folder = company
    for action, said in (("discard", "The copy is gone"), ("put-to-use", "The copy answers from now on")):
        write(folder, timetable=TIMETABLE.replace("at nine", f"at ten, and {action}"))
        assert kb("schedule", "run", "content").code == 1, "held back"
        page = root.get("/operate").text
        (way,) = re.findall(rf'href="(/operate/confirm/{action}\?version=\d+)"', page)
        version = way.rpartition("=")[2]
        assert f"version {version}" in words(root.get(way)).lower()
        for press in twice_at_once(root, action, version):
            assert said in words(press), "sent twice, it is done once"
    stale = sent(root, "discard", version=version)
    assert (stale.status_code, "Nothing was changed" in stale.text) == (422, True), "it is in use"
    assert "try again" not in stale.text.lower()
    assert 'href="/operate"' in stale.text, "the page is an administrator's"
    live = kb("status", "--json").json["index"]
    assert live["version"] == int(version)
    before = str(live["previous_version"])
    for press in (*twice_at_once(root, "roll-back", before), sent(root, "roll-back", version=before)):
        assert "The index before answers again" in words(press)
    for action in ("put-to-use", "roll-back"):
        assert sent(root, action, version="999").status_code == 422, action
    assert kb("status", "--json").json["index"]["version"] == int(before)
    assert [each[1] for each in acts(kb)][-3:] == ["index_discarded", "index_switched", "index_rolled_back"]


def test_gaps_graph_and_rights_name_what_the_administrator_may_read(
    base: str, issuer: OpenIdIssuer, root: httpx.Client
) -> None:
    ada = signed_in(base, issuer, "ada@example.com")
    asked(ada, "Who decided about the colour of the walrus merger in Paris?")
    texts = {}
    for name, browser in (("root", root), ("ada", ada)):
        texts[name] = [
            words(browser.get("/operate/gaps")),
            words(browser.get("/operate/graph?name=Harbour+Line")),
            words(browser.get("/operate/graph?name=Merger+of+the+walrus")),
            words(sent(browser, "rights", document="Merger of the walrus", person="ada@example.com")),
        ]
    for page in texts["root"]:
        assert "Merger of the walrus" not in page
        assert "Walrus Group" not in page
    gaps, harbour, merger, rights = texts["ada"]
    assert "Merger of the walrus" in gaps
    assert "run Walrus Group" in harbour
    assert "Pier Seven" in texts["root"][1]
    assert "1 document that you may read" in merger
    assert "ada@example.com may read Merger of the walrus" in rights
    assert "nothing of that name that you may see" in texts["root"][2]
    assert "no document of that name that you may read" in texts["root"][3]
    (step, *_) = re.findall(r'href="(/operate/graph\?name=[^"]+)"', root.get("/operate/graph?name=Ferry").text)
    assert "Timetable" in words(root.get(unescape(step))), "from thing to thing"


def test_why_somebody_may_not_read_a_document(base: str, issuer: OpenIdIssuer) -> None:
    ada = signed_in(base, issuer, "ada@example.com")
    page = words(sent(ada, "rights", document="merger.md", person="Bob@example.com"))
    assert "bob@example.com may not read Merger of the walrus" in page
    assert "1 clause of 1 not met" in page
    assert "not met user:ada@example.com — The audience that an operator gave the source closed" in page
    assert sent(ada, "rights", document="merger.md", person="bob").status_code == 422


def test_use_is_drawn_by_day_with_a_table_each(root: httpx.Client, company: tuple[Kb, Path]) -> None:
    asked(root, f"How many days of vacation? My key is {github_token()}")
    url = company[0].env["KB_AGENT_DATABASE_URL"]
    spent = "UPDATE answer_records SET requests = 3, tokens = 1234 WHERE masked > 0 RETURNING 1"
    wait_for(lambda: bool(rows(url, spent)))
    page = root.get("/operate/use?days=7").text
    for title in ("Questions by outcome", "Seconds of waiting", "Requests to a model", "Tokens", "Values masked in"):
        assert re.search(rf"<figcaption>{title}.*?<svg.*?<rect.*?<table>.*?</figure>", page), title
    assert "1,234" in page
    assert root.get("/operate/use?days=0").status_code == 422
    days = root.get("/api/v1/stats?days=7").json()["days"]
    assert len(days) == 8
    assert days[-1]["masked"] >= 1
    assert github_token() not in page


def test_settings_say_where_they_come_from_and_no_secret(root: httpx.Client, company: tuple[Kb, Path]) -> None:
    page = words(root.get("/operate/settings"))
    assert "KB_AGENT_GOLDEN_GATE hold KB_AGENT_GOLDEN_GATE" in page
    assert "KB_AGENT_LLM_API_KEY set, and not shown KB_AGENT_LLM_API_KEY" in page
    assert "Root@example.com" in page
    url = company[0].env["KB_AGENT_DATABASE_URL"]
    for secret in (SECRET, github_token(), url, company[0].env["KB_AGENT_EMBEDDING_API_KEY"]):
        assert secret not in page


def test_a_job_of_the_schedule_is_left_to_who_works(root: httpx.Client, company: tuple[Kb, Path]) -> None:
    kb, _ = company
    assert "It waits for a process" in words(sent(root, "job", job="prune"))
    assert sent(root, "job", job="nope").status_code == 422
    assert acts(kb)[-1] == ("web:root@example.com", "schedule_run", "prune")
    (prune,) = [each for each in kb("schedule", "--json").json["jobs"] if each["name"] == "prune"]
    assert prune["last"]["tick"].startswith("manual:")
    assert set(prune["last"]["sources"]) == {"open", "closed"}
