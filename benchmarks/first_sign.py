"""How soon somebody sees something: on the page in a real browser, over the API, and on Slack, in one `kb serve`.

    python -m benchmarks.first_sign [--questions N] [--seconds S]

Asks each question in turn on the page, over the API and on a local Slack, about the example company, without a model;
with --seconds, with a model that takes so long for a reply. Prints one JSON object: milliseconds from Enter, or from
the request, to the first sign (the page: its own and the server's; Slack: the status message), to the first sentence of
the answer, and to the outcome; and the load of the machine. It needs Debian's Chromium and Playwright, which
`make counterparts` installs.
"""

import asyncio
import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx

from benchmarks.measuring import KNOWLEDGE_BASE, parser, report, say, spread_with_max
from benchmarks.serving import indexed
from benchmarks.streams import api_of, token_of
from bot.web.callers import COOKIE, digest
from storage.open import open_storage
from storage.server.database import DatabaseOptions
from tests.command import wait_for
from tests.fakes.slack import Call, LocalSlack, User, local_slack
from tests.flows.slack.conftest import slack_env
from tests.flows.slack.talk import Talk, final

PLAYWRIGHT = Path(__file__).parents[1] / ".counterparts" / "playwright"
SESSION = "b" * 43

NOTED = """
const note = (name) => {
  const kept = sessionStorage;
  if (kept.getItem("asked") && !kept.getItem(name)) kept.setItem(name, String(Date.now()));
};
addEventListener("submit", () => {
  sessionStorage.clear();
  sessionStorage.setItem("asked", String(Date.now()));
  requestAnimationFrame(() => setTimeout(() => note("own_sign")));
}, true);
new MutationObserver(() => {
  if (document.querySelector("#status, .outcome")) note("first_sign");
  if (document.querySelector("#draft")?.textContent || document.querySelector(".outcome")) note("first_sentence");
  if (document.querySelector(".outcome")) note("outcome");
}).observe(document, { childList: true, subtree: true, characterData: true });
"""
"""What the browser notes of its pages: moments, in its session's storage."""

Times = dict[str, float]
"""Milliseconds, by what was seen then."""


def questions(count: int) -> list[str]:
    """Made of the headings of the example's pages."""
    pages = sorted(KNOWLEDGE_BASE.rglob("*.md"))
    lines = [line for page in pages for line in page.read_text(encoding="utf-8").splitlines()]
    headings = dict.fromkeys(line.lstrip("# ").strip() for line in lines if line.startswith("#"))
    return [f"What do the documents say about {each}?" for each in headings][:count]


def on_the_page(page: Any, base: str, question: str) -> Times:
    """Types it, and waits for the outcome."""
    page.goto(base)
    page.fill("textarea", question)
    page.keyboard.press("Enter")
    page.wait_for_selector(".outcome", timeout=300_000)
    names = ("own_sign", "first_sign", "first_sentence", "outcome")
    found = page.evaluate("names => ['asked', ...names].map(name => Number(sessionStorage.getItem(name)))", list(names))
    return {name: at - found[0] for name, at in zip(names, found[1:], strict=True)}


def over_the_api(http: httpx.Client, question: str) -> Times:
    """Asks, and reads the events."""
    began, found, name = time.perf_counter(), Times(), ""
    headers = {"Accept": "text/event-stream"}
    with http.stream("POST", "/ask", json={"question": question}, headers=headers) as reply:
        for line in reply.iter_lines():
            now = 1000 * (time.perf_counter() - began)
            name = line.removeprefix("event: ") if line.startswith("event: ") else ""
            if name in {"question", "sentence", "outcome"}:
                found.setdefault("first_sign", now)
            if name in {"sentence", "outcome"}:
                found.setdefault("first_sentence", now)
            if name == "outcome":
                found["outcome"] = now
    return found


def on_slack(slack: LocalSlack, person: User, question: str) -> Times:
    """Asks in the direct messages with the bot."""
    here, earlier = Talk(slack, person, slack.dm(person).id), len(slack.calls())
    began = time.monotonic()
    thread = here.say(question)
    slack.until(lambda: any(map(final, here.shown(thread))), 300)
    found = Times()
    for call in slack.calls()[earlier:]:
        now = 1000 * (call.at - began)
        if call.method.startswith(("chat.", "assistant.threads.setStatus")):
            found.setdefault("first_sign", now)
        if says_something(call):
            found.setdefault("first_sentence", now)
            found["outcome"] = now
    return found


def says_something(call: Call) -> bool:
    """Whether it shows a part of the answer, or the outcome."""
    chunks = call.args.get("chunks") or []
    chunks = json.loads(chunks) if isinstance(chunks, str) else chunks
    written = any(each.get("type") == "markdown_text" and each.get("text", "").strip() for each in chunks)
    payload = str(call.args.get("metadata", "")).replace(" ", "").lower()
    return written or '"final":true' in payload or "'final':true" in payload


async def _sign_in(url: str, email: str) -> None:
    async with open_storage(DatabaseOptions(url=url, data_dir=Path())) as storage:
        await storage.web_sessions().begin(digest(SESSION), email, 36_000)


@contextmanager
def browser(base: str) -> Iterator[Any]:
    """A page of Chromium, signed in."""
    sys.path.append(str(PLAYWRIGHT))
    with import_module("playwright.sync_api").sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        context = opened.new_context()
        context.add_cookies([{"name": COOKIE, "value": SESSION, "url": base}])
        context.add_init_script(NOTED)
        yield context.new_page()
        opened.close()


def measured(base: str, token: str, slack: LocalSlack, count: int) -> dict[str, object]:
    """All three ways in turn, one question after the other; the first is not counted."""
    person, rows = slack.add_user("ann", email="ann@example.com"), defaultdict[str, list[Times]](list)
    headers = {"Authorization": f"Bearer {token}"}
    with browser(base) as page, httpx.Client(base_url=f"{base}/api/v1", headers=headers, timeout=300) as http:
        ways: list[tuple[str, Callable[[str], Times]]] = [
            ("page", partial(on_the_page, page, base)),
            ("api", partial(over_the_api, http)),
            ("slack", partial(on_slack, slack, person)),
        ]
        for number, question in enumerate(questions(count + 1)):
            turn = number % len(ways)  # who asks first meets what is not yet in any cache
            found = {way: ask(question) for way, ask in (*ways[turn:], *ways[:turn])}
            say(f"{number}: {found}")
            for way, times in found.items() if number else ():
                rows[way].append(times)
    return {
        **{
            way: {name: spread_with_max([each[name] for each in found], 0) for name in found[0]}
            for way, found in rows.items()
        },
        "questions": count,
        "load": round(os.getloadavg()[0], 1),
    }


def main() -> None:
    """Measures, and prints."""
    given = parser(__doc__, questions=20)
    given.add_argument("--seconds", type=float, default=0.0, help="that a model takes for a reply; 0: there is none")
    arguments = given.parse_args()
    if not PLAYWRIGHT.is_dir():
        say("Playwright is not installed: make counterparts does that")
        return
    with indexed(arguments.seconds) as (kb, settings), local_slack() as slack:
        model = (
            {} if arguments.seconds else {"LLM_BASE_URL": "", "LLM_API_KEY": "", "LLM_MODEL": "", "LLM_SMALL_MODEL": ""}
        )
        pages = {"API_PORT": "0", "HTTP_PORT": "0", "OIDC_ISSUER": "https://issuer.example", "OIDC_CLIENT_ID": "kb"}
        many = {"QUESTIONS_USER_MINUTE": "1000", "QUESTIONS_USER_DAY": "10000", "SCHEDULE": "false"}
        serving = kb.having(
            **{**slack_env(slack), **settings, **model, **pages, **many, "EMAIL_DOMAINS": "example.com"}
        )
        asyncio.run(_sign_in(settings["DATABASE_URL"], "ann@example.com"))
        token, process = token_of(serving, "ann@example.com"), serving.start("serve")
        try:
            wait_for(lambda: bool(slack.connections))
            report(measured(api_of(process).removesuffix("/api/v1"), token, slack, arguments.questions))
        finally:
            process.close()


if __name__ == "__main__":
    main()
