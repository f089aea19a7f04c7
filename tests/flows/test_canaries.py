"""Secrets made up for this run, put wherever text comes from: none of them leaves anywhere."""

import json
import random
import string
from pathlib import Path

import pytest

from tests.command import Done, Kb
from tests.fakes.embeddings_server import KEY as API_KEY
from tests.fakes.embeddings_server import EmbeddingsServer
from tests.fakes.model_rules import always
from tests.fakes.model_server import CHAT_MODEL, ModelServer, Reply

MASK = "[masked: github token]"
BOILER = "When is the boiler in the plant room serviced?"


def canary() -> str:
    """A token that nobody else has."""
    return "ghp_" + "".join(random.SystemRandom().choices(string.ascii_letters + string.digits, k=36))


PAGE, TITLE, PATH, SKIPPED, ASKED, REPLY = CANARIES = tuple(canary() for _ in range(6))


@pytest.fixture
def folder(docs: Path) -> Path:
    """Pages with a secret in text, title and path, and a file that is passed over."""
    text = f"The boiler in the plant room is serviced every March with {PAGE} as its code. Its doors are green."
    (docs / f"boiler-{PATH}.md").write_text(f"# Boiler {TITLE}\n\n{text}\n\n## Doors {TITLE}\n\nThe boiler has two.\n")
    (docs / f"odd-{SKIPPED}.pdf").write_bytes(b"%PDF-1.4 nothing")
    (docs / "toner.md").write_text("# Toner\n\nPrinters take black toner.\n")
    return docs


@pytest.fixture
def asking(kb: Kb, server: ModelServer) -> Kb:
    """The command with a model."""
    return kb.having(LLM_BASE_URL=server.base_url, LLM_API_KEY=API_KEY, LLM_MODEL=CHAT_MODEL, HYDE="false")


def said(done: Done) -> str:
    return done.out + done.err


def leaked(*texts: str) -> list[str]:
    """Which canaries stand in any of the texts, in whatever spelling of JSON."""
    return [name for name in CANARIES if any(name in text for text in texts)]


def test_canaries_are_seen() -> None:
    assert leaked("x", f"a {REPLY} b") == [REPLY]


def sent_to_embeddings(server: EmbeddingsServer) -> str:
    return "\n".join(json.dumps(request.body, ensure_ascii=False) for request in server.requests)


def test_no_secret_leaves_by_an_answer_a_log_or_a_prompt(
    asking: Kb, server: ModelServer, folder: Path, embeddings: EmbeddingsServer
) -> None:
    assert asking("index", str(folder)).code == 0
    draft = (
        f"The boiler in the plant room is serviced every March with {MASK} as its code [1]. The code is {REPLY} [1]."
    )
    server.rules.insert(0, always("synthesize", Reply(draft)))
    question = f"{BOILER} I use {ASKED} for it."
    runs = [
        asking.start("-v", "ask", question, "--trace", "--show-sources").end(),
        asking("ask", question, "--json"),
        asking("ask", question, "--model", "offline", "--trace", "--show-sources"),
    ]
    assert [done.code for done in runs] == [0, 0, 0], runs
    assert server.requests
    prompts = "\n".join(json.dumps(asked.body, ensure_ascii=False) for asked in server.requests)
    assert leaked(*(said(done) for done in runs), prompts, sent_to_embeddings(embeddings)) == []
    for done in runs:
        assert f"every March with {MASK} as its code" in done.out
    assert "HTTP Request: POST" in runs[0].err, "the log is there"
    assert MASK in prompts
    citation = runs[1].json["citations"][0]
    assert (citation["title"], citation["path"]) == (f"Boiler {MASK}", f"boiler-{MASK}.md")


def test_no_secret_leaves_by_a_search(kb: Kb, folder: Path, embeddings: EmbeddingsServer, tmp_path: Path) -> None:
    kb("index", str(folder))
    queries = tmp_path / "queries.jsonl"
    queries.write_text(json.dumps({"_id": "q1", "text": f"boiler {ASKED}"}) + "\n")
    found = [
        kb("search", f"boiler plant room {ASKED}", *options)
        for options in ((), ("--json",), ("--neighbours", "2"), ("--neighbours", "2", "--json"))
    ]
    found.append(kb("search", "--queries", str(queries)))
    assert [done.code for done in found] == [0] * 5
    assert leaked(*map(said, found), sent_to_embeddings(embeddings)) == []
    for done in found:
        assert f"every March with {MASK} as its code" in done.out
        assert f"boiler-{MASK}.md" in done.out
    results = found[1].json["results"]
    assert all(len(each["document_id"]) == len(each["chunk_id"]) == 32 for each in results)


def test_no_secret_leaves_by_a_report_or_an_error(kb: Kb, folder: Path) -> None:
    done = [
        kb.start("-v", "index", str(folder)).end(),
        *(kb(*words) for words in (("index", str(folder), "--json"), ("runs",), ("runs", "1"), ("runs", "--json"))),
        *(kb(*words) for words in (("status",), ("sources", "list"), ("sources", "check"), ("doctor", "--json"))),
        kb("index", f"/no/such/{ASKED}"),
        kb("index", f"/no/such/{ASKED}", "--json"),
        kb("sources", "check", ASKED),
        kb("reindex", "--document", ASKED),
        kb(ASKED),
        kb("search", "x", "--method", ASKED),
        kb("ask", "x", "--as", ASKED, "--json"),
        kb.having(RRF_K=ASKED)("status"),
        kb.having(CONFIG=f"/no/such/{ASKED}")("-v", "status", "--json"),
        kb("-v", "ask", "--top-k", ASKED, "x", "--json"),
    ]
    assert leaked(*map(said, done)) == []
    assert f"odd-{MASK}.pdf" in done[0].out
    for refused in done[9:]:
        assert refused.code != 0
        assert MASK in said(refused) or refused.code == 2


def test_no_secret_is_remembered_of_a_conversation(asking: Kb, server: ModelServer, folder: Path) -> None:
    asking("index", str(folder))
    done = asking("ask", "-i", "--trace", stdin=f"{BOILER} I use {ASKED}.\nAnd how many doors has it?\n")
    assert done.code == 0
    assert done.out.count("References") >= 1
    prompts = "\n".join(json.dumps(asked.body, ensure_ascii=False) for asked in server.requests)
    assert f"I use {MASK}" in prompts
    assert leaked(said(done), prompts) == []


def test_addresses_of_people_leave_masked_and_are_still_found(asking: Kb, docs: Path, server: ModelServer) -> None:
    person = "mira.holt@tidewell.example"
    sentence = f"Ask the boiler keeper at {person} before March"
    (docs / "boiler.md").write_text(f"# Boiler\n\n{sentence}.\n")
    assert asking("index", str(docs)).code == 0
    server.rules.insert(0, always("synthesize", Reply(f"{sentence} [1].")))
    done = asking("ask", "Whom do I ask before March about the boiler?", "--json")
    found = done.json
    assert found["status"] == "answered", found
    assert found["answer"].startswith("Ask the boiler keeper at [masked: ")
    assert "before March [1]." in found["answer"]
    assert found["notice"] == "", "what is masked is not missing in its source"
    assert person not in said(done)
    assert "keeper at [masked: " in found["citations"][0]["quote"]
    offline = asking("ask", "Whom do I ask before March about the boiler?", "--model", "offline", "--show-sources")
    assert person not in said(offline)
    assert person in "\n".join(json.dumps(asked.body) for asked in server.requests)
