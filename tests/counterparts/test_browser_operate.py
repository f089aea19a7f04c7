"""The pages to operate in a real browser: each of them at three widths, in both colour schemes, and by the keyboard."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.command import Kb, connected, embeddings_env, own_database, rows, write
from tests.counterparts.test_browser import PICTURES, SCHEMES, chromium, violations
from tests.fakes import handbook
from tests.fakes.embeddings_server import embeddings_server
from tests.fakes.openid_issuer import openid_issuer, sign_in_env
from tests.flows.web.conftest import SERVING, serving

__all__ = ["chromium"]

WIDTHS = (360, 800, 1280)
FERRY = "# Ferry\n\nHarbour Line depends on Pier Seven. Harbour Line is part of Island Ways. See [the plan](plan.md).\n"
PLAN = "# Move of the ferry\n\nPlatform Team runs Harbour Line. It leaves at nine.\n"

ASKED = """
    INSERT INTO questions (platform, workspace, channel, message, thread, private, asker, asker_workspace, audience,
        text, text_hash, handle, unread, state, result, token, received_at, ended_at,
        deadline_at, allowed)
    SELECT 'slack', '', 'C1', 'm' || n, 't' || n, false, 'U' || n % 7, '', 'organisation', 'q', 'h', '{}', '{}',
        'posted', CASE n % 9 WHEN 0 THEN 'not_found' WHEN 4 THEN 'declined' ELSE 'answered' END, gen_random_uuid(),
        at, at + make_interval(secs => 1 + n % 11), at, interval '1 minute'
    FROM generate_series(1, 160) AS n, LATERAL (SELECT now() - make_interval(hours => (n * n * 5) % 640) AS at) AS t
"""
RECORDED = """
    INSERT INTO answer_records (question_no, outcome, cause, question, confidence, requests, tokens, nearest, trace,
        masked)
    SELECT question_no, CASE WHEN question_no % 10 = 2 THEN 'partly' ELSE result END, '', CASE question_no % 3 WHEN 0
        THEN 'Which gate does the night ferry leave from?' ELSE 'Who repairs the lamp on the pier?' END, 0.5,
        question_no % 4, 900 * (question_no % 4), jsonb_build_array((SELECT document_id FROM documents LIMIT 1)), '{}',
        question_no % 3
    FROM questions
"""
VOTED = """
    INSERT INTO feedback (question_no, platform, person, value, reason)
    SELECT question_no, 'slack', 'U' || question_no, CASE WHEN question_no % 5 = 0 THEN -1 ELSE 1 END,
        'It is out of date'
    FROM questions WHERE question_no % 4 = 0 OR question_no % 5 = 0
"""
GOING = """
    INSERT INTO runs (source, kind, state, progress)
    VALUES ('handbook', 'content', 'running', '{"doing": "indexing", "done": 34, "total": 120}')
"""
RESTRICTED = """
    WITH made AS (INSERT INTO acls (clauses) VALUES ('[
        [["group", "harbour/5570-leads"], ["user", "eve@example.com"]],
        [["group", "harbour/5570-staff"], ["org", ""]]]') RETURNING acl_id)
    UPDATE documents SET acl_id = made.acl_id, acl_at = now() FROM made WHERE title = 'Move of the ferry'
"""
MEMBER = """
    INSERT INTO directory (source_no, email, principal)
    SELECT source_no, 'root@example.com', unnest(ARRAY['account:harbour/1', 'group:harbour/5570-leads'])
    FROM sources WHERE name = 'harbour'
"""
FRESH = (
    "UPDATE sources SET permissions_at = now(), permissions_until = now() + interval '6 hours' WHERE name = 'harbour'"
)


@pytest.fixture(scope="module")
def kb(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kb]:
    """The command over a company with something on every page: runs, one that is held back, questions, votes."""
    place = tmp_path_factory.mktemp("places")
    folder = write(place / "harbour", ferry=FERRY, plan=PLAN)
    (place / "golden.yaml").write_text('- {"question": "When does the ferry leave?", "facts": ["leaves at nine"]}\n')
    with embeddings_server() as server, own_database(data_dir, "operate") as url:
        env = {"KB_AGENT_DATA_DIR": str(data_dir), "KB_AGENT_DATABASE_URL": url, **embeddings_env(server)}
        found = Kb(env, tmp_path_factory.mktemp("working"))
        found = found.having(**SERVING, GOLDEN=str(place / "golden.yaml"), GOLDEN_GATE="hold").having(SCHEDULE="true")
        for source in (handbook.make(place / "handbook"), folder):
            assert found("index", str(source)).code == 0
        assert found("reindex", "--full").code == 0
        write(folder, plan=PLAN.replace("at nine", "at ten"))
        assert found("schedule", "run", "content").code == 1, "held back"
        with connected(url) as connection:
            for each in (ASKED, RECORDED, VOTED, RESTRICTED, MEMBER, FRESH):
                connection.execute(each)
        yield found


@pytest.fixture(scope="module")
def base(kb: Kb) -> Iterator[str]:
    with openid_issuer() as issuer:
        issuer.email = "root@example.com"
        with serving(kb.having(**sign_in_env(issuer.url))) as (_, api):
            yield api.removesuffix("/api/v1")


@contextmanager
def opened(base: str, chromium: Any) -> Iterator[tuple[Any, list[str]]]:
    """A page of a browser that an administrator is signed in with, and what is wrong with it."""
    context = chromium.new_context()
    page, wrong = context.new_page(), list[str]()
    page.goto(base)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type in {"error", "warning"} else None)
    page.on("request", lambda sent: wrong.append(sent.url) if not sent.url.startswith(base) else None)
    yield page, wrong
    context.close()


def looked_at(page: Any, name: str) -> None:
    """Takes a page's picture at each width and in each scheme; nothing is cut off, and axe-core finds nothing."""
    PICTURES.mkdir(exist_ok=True)
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            page.screenshot(path=str(PICTURES / f"operate-{name}-{scheme}-{width}.png"), full_page=True)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (name, width)
            assert (found := violations(page)) == [], (name, scheme, width, found)


def explained(page: Any, document: str, person: str) -> None:
    page.fill("#document", document)
    page.fill("#person", person)
    page.click("main form button")


@pytest.mark.parametrize("name", ["", "use", "gaps", "rights", "graph", "settings", "runs/1"])
def test_a_page_is_whole_at_each_width_and_in_each_scheme(base: str, chromium: Any, name: str) -> None:
    with opened(base, chromium) as (page, wrong):
        page.goto(f"{base}/operate/{name}".rstrip("/"))
        for each in page.query_selector_all("main details:not([open]) summary")[:2]:
            each.click()
        looked_at(page, name.replace("/", "-") or "index")
        assert wrong == []


def test_one_walks_through_the_graph(base: str, chromium: Any) -> None:
    with opened(base, chromium) as (page, wrong):
        page.goto(f"{base}/operate/graph?name=Harbour+Line")
        assert "Pier Seven" in page.inner_text(".around")
        looked_at(page, "around")
        page.click(".around >> text=Pier Seven")
        assert "Harbour Line" in page.inner_text(".around .in")
        assert wrong == []


@pytest.mark.parametrize(
    ("document", "person", "said"),
    [
        ("Move of the ferry", "root@example.com", "root@example.com may read Move of the ferry"),
        ("Move of the ferry", "bob@example.com", "bob@example.com may not read Move of the ferry"),
        ("Retention", "bob@example.com", "Which one?"),
    ],
)
def test_rights_are_explained(base: str, chromium: Any, document: str, person: str, said: str) -> None:
    with opened(base, chromium) as (page, wrong):
        page.goto(f"{base}/operate/rights")
        explained(page, document, person)
        page.wait_for_selector("main h2")
        assert said in page.inner_text("main")
        looked_at(page, "rights-" + "-".join(said.split()[:3]))
        assert wrong == []


def test_what_cannot_be_undone_is_asked_for_once_more(base: str, chromium: Any) -> None:
    with opened(base, chromium) as (page, wrong):
        page.goto(f"{base}/operate")
        page.click("text=Discard it")
        assert "This cannot be undone" in page.inner_text("main")
        looked_at(page, "confirm")
        page.click("text=No, leave it")
        assert "held back in version" in page.inner_text("main")
        assert wrong == []


def test_a_run_that_goes_on_shows_how_far_it_is(kb: Kb, base: str, chromium: Any) -> None:
    with opened(base, chromium) as (page, wrong), connected(kb.env["KB_AGENT_DATABASE_URL"]) as connection:
        connection.execute(GOING)
        page.goto(f"{base}/operate")
        assert "34 of 120 documents" in page.inner_text("#running")
        looked_at(page, "running")
        connection.execute(
            """UPDATE runs SET progress = '{"doing": "indexing", "done": 99, "total": 120}' WHERE state = 'running'"""
        )
        page.wait_for_selector("text=99 of 120 documents")
        connection.execute("UPDATE runs SET state = 'done', finished_at = now() WHERE state = 'running'")
        page.wait_for_selector("text=It has ended")
        assert wrong == []


def test_an_index_is_rolled_back_by_the_keyboard_alone(kb: Kb, base: str, chromium: Any) -> None:
    with opened(base, chromium) as (page, wrong):

        def tab_to(what: str) -> None:
            for _ in range(120):
                page.keyboard.press("Tab")
                if page.evaluate("what => document.activeElement.matches(what)", what):
                    return
            raise AssertionError(f"{what} is not reached")

        def go(what: str, reached: str) -> None:
            tab_to(what)
            page.keyboard.press("Enter")
            page.wait_for_selector(reached)

        go("header nav a[href='/operate']", "nav.operate")
        go("nav.operate a[href='/operate/graph']", "#name")
        tab_to("#name")
        page.keyboard.type("Harbour Line")
        page.keyboard.press("Enter")
        page.wait_for_selector(".around")
        go(".around .out a[href^='/operate/graph']", "h2")
        go("nav.operate a[href='/operate/rights']", "#document")
        tab_to("#document")
        page.keyboard.type("Ferry")
        tab_to("#person")
        page.keyboard.type("bob@example.com")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=bob@example.com may")
        go("nav.operate a[href='/operate']", "text=The index in use")
        go("a[href^='/operate/confirm/roll-back']", "text=Go back to version")
        go("main form button", "text=The index before answers again")
        noted = rows(
            kb.env["KB_AGENT_DATABASE_URL"], "SELECT actor FROM audit_entries WHERE action = 'index_rolled_back'"
        )
        assert set(noted) == {("root@example.com",)}
        assert wrong == []
