"""`kb try`: whoever opens the address it prints asks in a browser, and nobody else does."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path

import httpx
import pytest

from tests.command import Kb, KbProcess, running, wait_for
from tests.fakes.page_limits import wrong_on_page
from tests.flows.web.conftest import client

pytestmark = pytest.mark.everyday

QUESTION = "How many days of vacation?"


@contextmanager
def trying(kb: Kb) -> Iterator[tuple[KbProcess, str]]:
    """Inside, `kb try` runs; gives it, and the address that it printed first."""
    with running(kb, "try") as process:
        wait_for(lambda: bool(addresses(process)) or process.process.poll() is not None)
        assert addresses(process), process.said
        yield process, addresses(process)[0]


def addresses(process: KbProcess) -> list[str]:
    """Those that were printed, in order."""
    process.output.seek(0)
    return re.findall(r"^http://127\.0\.0\.1:\d+/try\?token=\S+$", process.output.read().decode(), re.MULTILINE)


@pytest.fixture(scope="module")
def tried(indexed: Kb) -> Iterator[tuple[KbProcess, str]]:
    with trying(indexed) as found:
        yield found


@pytest.fixture(scope="module")
def browser(tried: tuple[KbProcess, str]) -> httpx.Client:
    """Somebody who has opened the last address."""
    process, first = tried
    opened = client(first.partition("/try")[0])
    assert opened.get(addresses(process)[-1]).status_code == 200
    return opened


def csrf(page: str) -> str:
    found = re.search(r'name="csrf" value="([0-9a-f]+)"', page)
    assert found, page
    return found[1]


def asked(browser: httpx.Client, question: str) -> httpx.Response:
    """The page of a question once there is an outcome."""
    home = browser.get("/").text
    page = browser.post("/ask", data={"question": question, "csrf": csrf(home)})
    path = page.url.path
    wait_for(lambda: "data-events" not in browser.get(path).text)
    return browser.get(path)


def test_a_question_is_asked_without_a_script(browser: httpx.Client) -> None:
    page = asked(browser, QUESTION)
    assert page.status_code == 200
    words = unescape(re.sub(r"<[^>]*>", " ", page.text))
    assert "Why this answer" in words
    assert "Sources" in words
    (place, *_) = re.findall(r'href="(/questions/\d+/sources/1)"', page.text)
    passage = browser.get(place).text
    assert re.search(r"<mark>[^<]+</mark>", passage)
    voted = browser.post(f"{page.url.path}/feedback", data={"vote": "up", "csrf": csrf(page.text)})
    assert "Thank you" in voted.text
    assert QUESTION in browser.get("/history").text
    for each in (page.text, passage, voted.text, browser.get("/").text, browser.get("/history").text):
        assert wrong_on_page(each, []) == []


def test_one_asks_on_in_the_same_conversation(browser: httpx.Client) -> None:
    page = asked(browser, QUESTION)
    kept = re.search(r'name="conversation" value="(\w+)"', page.text)
    assert kept
    more = browser.post(
        "/ask", data={"question": "And in the first year?", "conversation": kept[1], "csrf": csrf(page.text)}
    )
    assert "Earlier in this conversation" in more.text


def test_what_was_asked_is_forgotten(browser: httpx.Client) -> None:
    page = asked(browser, QUESTION)
    history = browser.get("/history")
    done = browser.post("/forget", data={"csrf": csrf(history.text)})
    assert re.search(r"Forgotten: [1-9]\d* of your questions", done.text)
    assert done.url.path == "/history", "what a reload sends again"
    assert "Forgotten" not in browser.get("/history").text, "said once"
    browser.cookies.set("kb_forgotten", "4711." + "0" * 64, path="/history")
    assert "Forgotten" not in browser.get("/history").text, "not by a cookie of another"
    assert wrong_on_page(done.text, []) == []
    assert "Forgotten" not in browser.get("/history?forgotten=4711").text, "not by a link"
    left = browser.get(page.url.path).text
    for each in (done.text, left):
        assert QUESTION not in each


def test_the_address_opens_once(tried: tuple[KbProcess, str], browser: httpx.Client) -> None:
    process, first = tried
    assert browser.get("/").status_code == 200
    used = httpx.get(first, trust_env=False)
    assert used.status_code == 403
    assert "Open the last address that kb try printed" in used.text
    assert first not in used.text
    wait_for(lambda: len(addresses(process)) > 1)
    other = client("")
    assert other.get(addresses(process)[-1]).status_code == 200, "for another browser there is another"


def test_who_has_not_opened_it_sees_nothing(tried: tuple[KbProcess, str]) -> None:
    base = tried[1].partition("/try")[0]
    for path in ("/", "/history", "/questions/1", "/questions/1/sources/1"):
        refused = httpx.get(base + path, trust_env=False)
        assert (refused.status_code, "vacation" in refused.text) == (403, False), path
    assert httpx.get(f"{base}/api/v1/questions", trust_env=False).status_code == 401
    elsewhere = httpx.get(base, headers={"Host": "evil.example"}, trust_env=False)
    assert elsewhere.status_code == 421, "a name that another has pointed here"


def test_pages_let_in_nothing_and_go_nowhere(browser: httpx.Client) -> None:
    page = browser.get("/")
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    for path in ("/nowhere", "/no%0Awhere", "/%0A"):
        missing = browser.get(path)
        assert (missing.status_code, missing.headers["Content-Security-Policy"]) == (404, policy), path
    (cookie,) = [each for each in browser.cookies.jar if each.name == "kb_session"]
    assert cookie.has_nonstandard_attr("HttpOnly")
    assert cookie.get_nonstandard_attr("SameSite") == "Lax"
    for name in ("pages.css", "pages.js", "icon.svg"):
        kept = browser.get(f"/static/{name}")
        assert kept.status_code == 200
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", kept.text)


def test_what_another_site_sends_is_refused(browser: httpx.Client) -> None:
    token = csrf(browser.get("/").text)
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        sent = browser.post("/ask", data={"question": QUESTION, "csrf": token}, headers=headers)
        assert sent.status_code == 403
    assert browser.post("/ask", data={"question": QUESTION}).status_code == 403
    assert browser.post("/api/v1/ask", json={"question": QUESTION}).status_code == 403


def test_the_trial_sees_what_every_member_may_read_and_no_more(kb: Kb, tmp_path: Path) -> None:
    for name, audience in (("open", "everyone"), ("closed", "ada@example.com")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "hut.md").write_text(f"# The {name} hut\n\nThe {name} hut has nine beds.\n")
        assert kb("index", str(folder), "--audience", audience).code == 0
    with trying(kb) as (_, address):
        browser = client(address.partition("/try")[0])
        home = browser.get(address).text
        page = asked(browser, "How many beds has the hut?").text
    assert "The open hut" in page
    assert "closed" not in home + page
    assert "what every member may read" in home
