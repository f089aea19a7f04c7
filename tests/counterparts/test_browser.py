"""The pages in a real browser: with and without a mouse, at three widths, in both colour schemes.

Pictures are kept in .counterparts/pictures, for who wants to look at them."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from bot.web.pages.layout import HEADERS
from bot.web.pages.routes import STATIC
from tests.attacks.markup import MARKUP, RUNNING
from tests.attacks.rendering import answer_page, pages_beside
from tests.command import ROOT, Kb, own_database, write
from tests.counterparts.conftest import INSTALLED, missing, system_program
from tests.flows.web.test_pages import trying

QUESTION = "How many days of annual leave may be carried over?"
PICTURES = INSTALLED / "pictures"
WIDTHS, SCHEMES = (360, 768, 1280), ("light", "dark")

ARABIC = "يغادر القارب إلى الجزيرة في الساعة التاسعة صباحا."
CHINESE = "渡船每天上午九点出发前往岛屿。"


@pytest.fixture(scope="module")
def kb(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kb]:
    """The command, with the example company indexed, and a page in two scripts."""
    with own_database(data_dir, "browser") as url:
        env = {"KB_AGENT_DATA_DIR": str(data_dir), "KB_AGENT_DATABASE_URL": url}
        found = Kb(env, tmp_path_factory.mktemp("working"))
        folder = write(tmp_path_factory.mktemp("scripts"), ferry=f"# 渡船 القارب\n\n{CHINESE}\n\n{ARABIC}\n")
        for place in (ROOT / "examples" / "knowledge-base", folder):
            done = found("index", str(place))
            assert done.code == 0, done.err
        yield found


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """The browser."""
    if not (INSTALLED / "playwright" / "playwright").is_dir():
        missing("browser", "Playwright is not installed: `make counterparts` does that")
    program = system_program("browser", "chromium")
    sys.path.append(str(INSTALLED / "playwright"))
    try:
        with import_module("playwright.sync_api").sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=str(program), args=["--no-sandbox"])
            yield browser
            browser.close()
    finally:
        sys.path.remove(str(INSTALLED / "playwright"))


@contextmanager
def opened(kb: Kb, chromium: Any) -> Iterator[tuple[Any, list[str]]]:
    """Inside, `kb try` runs; gives a page of a browser that has opened its address, and what is wrong with it."""
    with trying(kb) as (_, address):
        context = chromium.new_context()
        page, wrong = context.new_page(), list[str]()
        host = address.split("/")[2]

        def requested(request: Any) -> None:
            if request.url.split("/")[2] != host:
                wrong.append(f"a request to {request.url}")

        page.on("request", requested)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if said.type in {"error", "warning"} else None)
        page.goto(address)
        yield page, wrong
        context.close()


def violations(page: Any) -> list[str]:
    """What axe-core finds on a page. It comes by the browser's own door: the page's policy lets no script in."""
    script = INSTALLED / "node_modules" / "axe-core" / "axe.min.js"
    if not script.exists():
        missing("browser", "axe-core is not installed: `make counterparts` does that")
    door = page.context.new_cdp_session(page)
    door.send("Runtime.evaluate", {"expression": script.read_text(encoding="utf-8")})
    run = "axe.run(document).then(r => r.violations.map(v => v.id + ': ' + v.nodes.map(n => n.target.join(' '))))"
    found = door.send("Runtime.evaluate", {"expression": run, "awaitPromise": True, "returnByValue": True})
    return list(found["result"]["value"])


def asked(page: Any, question: str) -> None:
    """Types a question where the focus is, and waits for its outcome."""
    page.keyboard.type(question)
    page.keyboard.press("Enter")
    page.wait_for_selector(".outcome", timeout=90_000)


def test_a_question_from_the_first_page_to_the_cited_lines(kb: Kb, chromium: Any) -> None:
    PICTURES.mkdir(exist_ok=True)
    with opened(kb, chromium) as (page, wrong):
        assert violations(page) == []
        page.keyboard.type(QUESTION)
        page.keyboard.press("Enter")
        page.wait_for_selector("#steps li", timeout=30_000)
        page.screenshot(path=str(PICTURES / "working.png"))
        assert violations(page) == []
        page.wait_for_selector(".outcome.answered", timeout=90_000)
        assert "5 days" in page.inner_text(".text")
        page.click("summary")
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 900})
                page.screenshot(path=str(PICTURES / f"answer-{scheme}-{width}.png"), full_page=True)
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{width} wide"
                assert violations(page) == [], (scheme, width)
        page.click(".text a.cite >> nth=0")
        page.wait_for_selector("dialog[open] mark")
        assert "5 days" in page.inner_text("dialog mark >> nth=0") + page.inner_text("dialog .passage")
        assert violations(page) == []
        page.screenshot(path=str(PICTURES / "passage.png"))
        assert wrong == []


def test_the_keyboard_alone_is_enough(kb: Kb, chromium: Any) -> None:
    with opened(kb, chromium) as (page, wrong):
        asked(page, QUESTION)

        def focused(what: str) -> bool:
            return bool(page.evaluate("what => document.activeElement.matches(what)", what))

        def tab_to(what: str) -> None:
            for _ in range(60):
                page.keyboard.press("Tab")
                if focused(what):
                    return
            raise AssertionError(f"{what} is not reached")

        tab_to(".text a.cite")
        page.keyboard.press("Enter")
        page.wait_for_selector("dialog[open]")
        assert focused("dialog button"), "the focus goes into the dialog"
        page.keyboard.press("Escape")
        assert focused(".text a.cite"), "and back to where it was"
        tab_to("summary")
        page.keyboard.press("Enter")
        assert page.is_visible(".why table")
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Shift+Tab")
        assert focused("form.ask textarea")
        page.keyboard.type("And who approves it?")
        page.keyboard.press("Enter")
        page.wait_for_url("**/questions/*")
        page.wait_for_selector("text=Earlier in this conversation")
        page.wait_for_selector(".outcome", timeout=90_000)
        tab_to("button[name=vote][value=up]")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=Thank you")
        assert wrong == []


def test_every_other_page_is_whole_at_each_width_and_in_each_scheme(kb: Kb, chromium: Any) -> None:
    with opened(kb, chromium) as (page, wrong):
        base = page.url.partition("/questions")[0].rstrip("/")
        asked(page, QUESTION)
        number = page.url.rpartition("/")[2]
        page.goto(f"{base}/history")
        page.click("summary")
        for name, path in {"first": "/", "history": "/history", "source": f"/questions/{number}/sources/1"}.items():
            _looked_at(page, name, f"{base}{path}")
        assert wrong == []
        _looked_at(page, "problem", f"{base}/nowhere", opens="h1")
        page.context.clear_cookies()
        _looked_at(page, "signed-out", base, opens="h1")


def _looked_at(page: Any, name: str, address: str, opens: str = "main") -> None:
    """A page at three widths and in two schemes: a picture, nothing wider than the page, and what axe-core says."""
    page.goto(address)
    page.wait_for_selector(opens)
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            page.screenshot(path=str(PICTURES / f"{name}-{scheme}-{width}.png"), full_page=True)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (name, width)
            assert violations(page) == [], (name, scheme, width)


def test_who_presses_enter_several_times_asks_once(kb: Kb, chromium: Any) -> None:
    with opened(kb, chromium) as (page, wrong):
        sent = list[str]()
        page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
        page.keyboard.type(QUESTION)
        for _ in range(4):
            page.keyboard.press("Enter")
        page.wait_for_selector(".outcome", timeout=90_000)
        assert len(sent) == 1
        assert wrong == []


def test_each_script_runs_in_its_own_direction(kb: Kb, chromium: Any) -> None:
    with opened(kb, chromium) as (page, wrong):
        asked(page, "متى يغادر القارب إلى الجزيرة؟")
        assert page.evaluate("getComputedStyle(document.querySelector('h1')).direction") == "rtl"
        page.screenshot(path=str(PICTURES / "arabic.png"), full_page=True)
        assert violations(page) == []
        page.goto(page.url.partition("/questions")[0])
        asked(page, "渡船几点出发前往岛屿？")
        assert page.evaluate("getComputedStyle(document.querySelector('h1')).direction") == "ltr"
        assert "九点" in page.inner_text("main")
        page.screenshot(path=str(PICTURES / "chinese.png"), full_page=True)
        assert wrong == []


def test_a_question_that_cannot_be_sent_stays_in_its_field_and_back_leads_back(kb: Kb, chromium: Any) -> None:
    with opened(kb, chromium) as (page, wrong):
        page.keyboard.type(QUESTION)
        page.context.set_offline(True)
        page.keyboard.press("Enter")
        page.wait_for_selector("[role=alert]:has-text('connection was lost')")
        assert page.input_value("textarea") == QUESTION
        page.context.set_offline(False)
        wrong.clear()  # the browser says that it was not connected
        page.keyboard.press("Enter")
        page.wait_for_url("**/questions/*")
        assert page.evaluate("document.activeElement.id") == "main"
        page.wait_for_selector(".outcome", timeout=90_000)
        page.go_back()
        page.wait_for_selector("text=Ask the documents")
        page.go_forward()
        page.wait_for_selector(".outcome.answered")
        assert wrong == []


def test_without_a_script_it_goes_page_by_page(kb: Kb, chromium: Any) -> None:
    with trying(kb) as (_, address):
        context = chromium.new_context(java_script_enabled=False)
        page = context.new_page()
        page.goto(address)
        page.fill("textarea", QUESTION)
        page.click("form.ask button")
        page.wait_for_selector(".outcome", timeout=90_000)
        page.click(".text a.cite >> nth=0")
        page.wait_for_selector("mark")
        context.close()


def test_nothing_of_a_document_runs(chromium: Any) -> None:
    """Every attack of the list that is made of mark-up, wherever pages show texts of documents: it is shown as text."""
    context = chromium.new_context()
    page, wrong, shown = context.new_page(), list[str](), dict[str, str]()

    def answered(route: Any) -> None:
        path = route.request.url.removeprefix("https://kb.example")
        if path.startswith("/static/"):
            kind = STATIC[path.removeprefix("/static/")]
            content = (ROOT / "bot" / "web" / "pages" / path[1:]).read_bytes()
            route.fulfill(body=content, headers={**HEADERS}, content_type=kind)
        elif path in shown:
            route.fulfill(body=shown[path], headers={**HEADERS}, content_type="text/html; charset=utf-8")
        else:
            wrong.append(f"a request to {route.request.url}")
            route.abort()

    context.route("**/*", answered)
    page.on("dialog", lambda dialog: wrong.append(f"a dialog: {dialog.message}"))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.extend([said.text] if said.type in {"error", "warning"} else []))
    page.on("frameattached", lambda frame: wrong.append(f"a frame: {frame.url}"))
    everything = "\n".join(RUNNING)
    pages = [(everything, html) for html in pages_beside(everything)]
    pages += [(text, answer_page(text)) for text in (everything, *MARKUP.values())]
    for text, html in pages:
        shown["/page"] = html.encode("utf-8", "replace").decode()
        page.goto("https://kb.example/page")
        assert page.evaluate("window.ran === undefined && location.pathname === '/page'"), text
        assert page.evaluate("document.querySelectorAll('script, style, iframe, object, embed').length") == 1, text
        assert wrong == [], text
    shown["/page"] = answer_page(RUNNING[0])
    page.goto("https://kb.example/page")
    assert page.inner_text("h1") == RUNNING[0], "it is there, as text"
    context.close()
