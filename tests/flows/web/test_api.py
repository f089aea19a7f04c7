"""Programs ask, search and operate over HTTP, each as somebody."""

import asyncio
import json
from pathlib import Path

import httpx
import pytest

from bot.web.asking import STREAM
from tests.command import Kb, rows, running, wait_for, write
from tests.fakes.masking import github_token
from tests.fakes.rerank_server import KEY, MODEL, RerankServer
from tests.flows.planted import database
from tests.flows.web.conftest import SERVING, Program, calling, events, serving, token

QUESTION = "How many days of vacation?"
SECRET = github_token()


def test_a_question_is_answered_whole_or_as_events(ada: Program) -> None:
    whole = ada.ask(QUESTION)
    assert whole["outcome"]["result"] == "answered"
    assert "[1]" in whole["outcome"]["text"]
    assert whole["outcome"]["sources"][0]["n"] == 1
    said = ada.stream(QUESTION)
    names = [name for name, _ in said]
    assert names[0] == "question"
    assert names[-2:] == ["sources", "outcome"]
    assert {"stage", "progress"} < set(names)
    last = said[-1][1]
    assert last["outcome"]["text"] == whole["outcome"]["text"]
    spoken = "".join(data["text"] for name, data in said if name == "sentence")
    assert last["replaces"] is not last["outcome"]["text"].startswith(spoken)
    again = ada.http.get(f"/questions/{last['number']}/events")
    assert events(again)[-1] == said[-1], "who comes later hears the same outcome"


def test_a_reference_leads_to_its_passage_with_the_cited_words(ada: Program) -> None:
    asked = ada.ask(QUESTION)
    (first, *_) = asked["outcome"]["sources"]
    passage = ada.get(f"/questions/{asked['number']}/sources/{first['n']}").json()
    marked = [passage["text"][each["start"] : each["end"]] for each in passage["marks"]]
    assert marked
    assert " ".join(marked[0].split()) in " ".join(first["quote"].split())
    document = ada.get(f"/documents/{first['document_id']}").json()
    assert first["chunk_id"] in [each["chunk_id"] for each in document["parts"]]
    assert ada.get(f"/questions/{asked['number']}/sources/99").status_code == 404


def test_a_question_is_looked_at_again_with_its_trace(ada: Program) -> None:
    asked = ada.ask(QUESTION)
    found = ada.get(f"/questions/{asked['number']}").json()
    assert (found["question"], found["outcome"], found["corrected"]) == (QUESTION, asked["outcome"], False)
    trace = found["trace"]
    assert not trace["withheld"]
    assert trace["searches"][0]["results"] > 0
    assert any(each["cited"] for each in trace["evidence"])
    assert QUESTION in [each["question"] for each in ada.get("/questions", limit=5).json()["questions"]]


def test_one_asks_on_in_a_conversation_and_not_in_anothers(served: tuple[Kb, str], ada: Program) -> None:
    kb, base = served
    first = ada.ask("Who approves parental leave?")
    second = ada.ask("And how many days of vacation?", conversation=first["conversation"])
    assert second["conversation"] == first["conversation"]
    eve = calling(base, token(kb, "eve@example.com"))
    third = eve.ask("And how many days?", conversation=first["conversation"])
    url = kb.env["KB_AGENT_DATABASE_URL"]
    places = rows(url, "SELECT question_no, channel FROM questions WHERE platform = 'web'")
    channel = dict(places)
    assert channel[first["number"]] == channel[second["number"]] != channel[third["number"]]


def test_a_question_that_is_sent_again_is_asked_once(ada: Program) -> None:
    key = {"Idempotency-Key": "the-same-question"}
    first, second = (ada.post("/ask", {"question": QUESTION}, **key).json() for _ in range(2))
    assert first == second


def test_the_key_of_one_question_gives_no_answer_to_another(served: tuple[Kb, str]) -> None:
    kb, base = served
    gil = calling(base, token(kb, "gil@example.com"))
    key = {"Idempotency-Key": "a-key-for-one-question"}
    first = gil.post("/ask", {"question": QUESTION}, **key).json()
    refused = gil.post("/ask", {"question": "Who approves parental leave?"}, **key)
    assert (refused.status_code, refused.json()["code"]) == (409, "other_question")
    asked_on = {"question": "Who approves parental leave?", "conversation": first["conversation"]}
    assert gil.post("/ask", asked_on, **key).status_code == 409, "it is the same conversation"
    assert gil.post("/ask", asked_on, **{"Idempotency-Key": "another-key"}).status_code == 200


def test_nobody_waits_for_a_reply_that_was_forgotten(served: tuple[Kb, str]) -> None:
    kb, base = served
    fay, key = calling(base, token(kb, "fay@example.com")), {"Idempotency-Key": "soon-forgotten"}
    number = fay.post("/ask", {"question": QUESTION}, **key).json()["number"]
    assert fay.post("/forget", {}).json() == {"forgotten": 1}
    assert fay.post("/ask", {"question": QUESTION}, **key).status_code == 404
    assert fay.get(f"/questions/{number}/events").status_code == 404


def test_what_another_asked_is_as_if_it_were_not_there(served: tuple[Kb, str], ada: Program) -> None:
    kb, base = served
    number = ada.ask(QUESTION)["number"]
    eve = calling(base, token(kb, "eve@example.com"))
    for path in ("/questions/{}", "/questions/{}/events", "/questions/{}/sources/1"):
        theirs, nobodys = eve.get(path.format(number)), eve.get(path.format(987_654))
        assert (theirs.status_code, theirs.text) == (404, nobodys.text), path
    vote = {"vote": "down", "reason": "mine"}
    theirs, nobodys = (eve.post("/feedback", {"number": each, **vote}) for each in (number, 987_654))
    assert (theirs.status_code, theirs.text) == (404, nobodys.text)
    assert ada.post("/feedback", {"number": number, "vote": "up"}).json() == {"done": True}


def test_what_one_asked_is_forgotten_and_nobody_elses(served: tuple[Kb, str], ada: Program) -> None:
    kb, base = served
    fay = calling(base, token(kb, "fay@example.com"))
    mine, hers = fay.ask(QUESTION)["number"], ada.ask(QUESTION)["number"]
    assert fay.post("/forget", None).json() == {"forgotten": 1}
    left = fay.get(f"/questions/{mine}").json()
    assert (left["question"], left["outcome"], left["trace"]) == ("", None, None)
    assert fay.get("/questions").json() == {"questions": []}
    assert ada.get(f"/questions/{hers}").json()["outcome"]


def test_a_token_opens_nothing_once_it_is_revoked(served: tuple[Kb, str]) -> None:
    kb, base = served
    program = calling(base, token(kb, "bob@example.com"))
    assert program.get("/sources").status_code == 200
    number = max(each["number"] for each in kb("tokens", "list", "--json").json["tokens"])
    assert kb("tokens", "revoke", str(number)).code == 0
    refused = program.get("/sources")
    assert (refused.status_code, refused.headers["Content-Type"]) == (401, "application/problem+json")
    assert refused.headers["WWW-Authenticate"].startswith("Bearer")
    assert kb("tokens", "revoke", str(number)).code == 2


def test_what_a_token_may_hangs_on_its_scopes_and_on_whose_it_is(served: tuple[Kb, str], ada: Program) -> None:
    kb, base = served
    everything = ("ask", "search", "operate")
    root, ann = (calling(base, token(kb, email, *everything)) for email in ("root@example.com", "ann@example.com"))
    for path in ("/runs", "/gaps", "/stats"):
        assert root.get(path).status_code == 200, path
        assert (ada.get(path).status_code, ada.get(path).json()["code"]) == (403, "scope")
        assert (ann.get(path).status_code, ann.get(path).json()["code"]) == (403, "administrators")
    number = ada.ask(QUESTION)["number"]
    assert root.get("/stats").json()["platforms"]["web"] > 0
    seen = root.get(f"/questions/{number}").json()
    assert (seen["question"], seen["outcome"]) == (QUESTION, None), "how it came about, not what was replied"
    assert seen["trace"]["searches"]
    assert ann.get(f"/questions/{number}").status_code == 404
    assert ann.post("/reindex", {"source": "*"}).status_code == 403


def test_an_administrator_has_a_source_read_again(served: tuple[Kb, str]) -> None:
    kb, base = served
    root = calling(base, token(kb, "root@example.com", "operate", "search"))
    (first, *_) = root.get("/sources").json()["sources"]
    before = root.get("/runs").json()["runs"][0]["id"]
    queued = root.post("/reindex", {"source": first["name"]})
    assert (queued.status_code, queued.json()) == (202, {"queued": True})
    wait_for(lambda: root.get("/runs").json()["runs"][0]["id"] > before)
    assert root.post("/reindex", {"source": "no such source"}).status_code == 404


def test_passages_are_searched_by_words(ada: Program) -> None:
    found = ada.get("/search", q="vacation days", limit=3).json()
    assert 1 <= len(found["results"]) <= 3
    assert "vacation" in found["results"][0]["text"].lower()
    secret = ada.get("/search", q=github_token()).json()
    assert (secret["results"], "secret" in secret["notice"]) == ([], True), "nothing is searched for one"
    signs = ada.get("/search", q=" ?!").json()
    assert (signs["results"], "no letter" in signs["notice"]) == ([], True)


async def test_candidates_are_ranked_a_second_time_as_is_set_and_as_a_search_wants(ada: Program, indexed: Kb) -> None:
    plain, missing = (ada.get("/search", q="vacation days", **more).json() for more in ({}, {"rerank": "true"}))
    assert (plain["results"], "no reranker" in missing["notice"]) == (missing["results"], True)
    async with RerankServer() as server:
        kb = indexed.having(
            **SERVING, RERANK_URL=f"{server.url}/v1", RERANK_API_KEY=KEY, RERANK_MODEL=MODEL, RERANK="true"
        )
        counts = await asyncio.to_thread(_requests_to, server, kb, [{}, {"rerank": "true"}, {"rerank": "false"}])
        as_set, wanted, unwanted = counts
        assert 0 < as_set < wanted == unwanted
        wrong = indexed.having(
            **SERVING, RERANK_URL=f"{server.url}/nowhere", RERANK_API_KEY=KEY, API_REQUESTS_MINUTE="2"
        )
        found, once_more, busy = await asyncio.to_thread(_searched, wrong, 3)
    assert (found.json()["results"], "no reranker" in found.json()["notice"]) == (plain["results"], True)
    assert (once_more.status_code, busy.status_code, busy.json()["code"]) == (200, 429, "too_many_requests")


def _searched(kb: Kb, count: int) -> list[httpx.Response]:
    with serving(kb) as (_, base):
        dan = calling(base, token(kb, "dan@example.com"))
        return [dan.get("/search", q="vacation days", rerank="true") for _ in range(count)]


def _requests_to(server: RerankServer, kb: Kb, searches: list[dict[str, str]]) -> list[int]:
    """How many requests the server had after each search."""
    with serving(kb) as (_, base):
        cleo, found = calling(base, token(kb, "cleo@example.com")), []
        for each in searches:
            reply = cleo.get("/search", q="vacation days", **each)
            assert reply.json()["notice"] == "", reply.text
            found.append(len(server.requests))
        return found


def test_a_person_who_asks_a_lot_is_asked_to_wait(indexed: Kb) -> None:
    kb = indexed.having(**SERVING, QUESTIONS_USER_MINUTE="1")
    with serving(kb) as (_, base):
        program = calling(base, token(kb, "flo@example.com"))
        program.ask(QUESTION)
        busy = program.post("/ask", {"question": QUESTION})
    assert (busy.status_code, busy.json()["code"]) == (429, "too_many_requests")
    assert int(busy.headers["Retry-After"]) > 0


def test_a_reply_that_another_process_makes_is_followed(indexed: Kb) -> None:
    kb = indexed.having(**SERVING)
    alone = kb.having(WORKER_TAKES="questions")
    with serving(kb.having(WORKER_CONCURRENCY="0")) as (_, base), running(alone, "worker") as worker:
        wait_for(lambda: "Working on questions alone" in worker.said)
        said = calling(base, token(kb, "eve@example.com")).stream(QUESTION)
    names = [name for name, _ in said]
    assert names[0] == "question"
    assert names[-1] == "outcome"


def test_the_description_is_there_and_names_every_path(served: tuple[Kb, str]) -> None:
    _, base = served
    described = httpx.get(f"{base}/openapi.json", trust_env=False).json()
    assert described["openapi"] == "3.1.0"
    assert {"/api/v1/ask", "/api/v1/questions/{number}", "/api/v1/stats"} < set(described["paths"])
    assert "OutcomeEvent" in json.dumps(described["components"])


@pytest.mark.parametrize("path", ["questions/%01%0A", "questions/%0A/sources/1", "%0Anowhere", "nowhere/%0D%0Ax"])
def test_a_path_with_line_breaks_is_nowhere_as_any_other(ada: Program, path: str) -> None:
    missing = ada.get(f"/{path}")
    assert (missing.status_code, missing.headers["Content-Type"]) == (404, "application/problem+json")


def test_the_model_context_protocol_is_off_until_it_is_set(served: tuple[Kb, str], ada: Program) -> None:
    _, base = served
    assert ada.post(f"{base.removesuffix('/api/v1')}/mcp", {}).status_code == 404


@pytest.fixture
def closed(kb: Kb, tmp_path: Path) -> Kb:
    """Two documents: one that ada alone may read, with secrets in it, and one for all."""
    secret = write(tmp_path / "closed", gate=f"# Gate\n\nThe gate code of hut seven is {SECRET}.\n")
    assert kb("index", str(secret), "--audience", "ada@example.com").code == 0
    public = write(tmp_path / "all", ferry="# Ferry\n\nThe ferry to hut seven leaves at nine.\n")
    assert kb("index", str(public)).code == 0
    return kb.having(**SERVING)


def test_nobody_sees_what_they_may_not_read_on_any_path(closed: Kb) -> None:
    with serving(closed) as (process, base):
        ada, eve = (calling(base, token(closed, f"{who}@example.com")) for who in ("ada", "eve"))
        hers = ada.get("/search", q="gate code of hut seven").json()["results"]
        document = next(each["document_id"] for each in hers if each["title"] == "Gate")
        assert ada.get(f"/documents/{document}").status_code == 200
        answer = ada.ask("What is the gate code of hut seven?")
        replies = [
            eve.get("/search", q="gate code of hut seven").text,
            eve.get("/search", q="gate code of hut seven", method="dense").text,
            json.dumps(eve.stream("What is the gate code of hut seven?")),
            eve.get("/sources").text,
            eve.get(f"/documents/{document}").text,
        ]
        unknown = eve.get(f"/documents/{'0' * len(document)}")
        assert replies[-1] == unknown.text
    assert "Gate" in json.dumps(answer)
    for each in replies:
        assert "Gate" not in each
        assert "closed" not in each
    every = json.dumps([hers, answer, *replies]) + process.said + database(closed.env["KB_AGENT_DATABASE_URL"])
    assert SECRET not in every, "a secret leaves on no path"
    assert "[masked: github token]" in json.dumps(answer)


def test_an_answer_is_corrected_as_soon_as_a_source_is_closed(closed: Kb, tmp_path: Path) -> None:
    with serving(closed) as (_, base):
        ada = calling(base, token(closed, "ada@example.com"))
        asked = ada.ask("When does the ferry to hut seven leave?")
        assert "nine" in asked["outcome"]["text"]
        assert closed("index", str(tmp_path / "all"), "--audience", "bob@example.com").code == 0
        now = ada.get(f"/questions/{asked['number']}").json()
        assert now["corrected"]
        assert "nine" not in json.dumps(now)
        assert ada.get(f"/questions/{asked['number']}/sources/1").status_code == 404


def test_a_kept_answer_is_handed_out_without_what_is_closed_by_now(closed: Kb, tmp_path: Path) -> None:
    key, asked = {"Idempotency-Key": "asked-about-the-ferry"}, {"question": "When does the ferry to hut seven leave?"}
    with serving(closed.having(CORRECT_REPLIES="off")) as (_, base):
        ada = calling(base, token(closed, "ada@example.com"))
        first = ada.post("/ask", asked, **key).json()
        assert "nine" in first["outcome"]["text"]
        follow = f"/questions/{first['number']}/events"
        assert "nine" in ada.get(follow).text
        assert closed("index", str(tmp_path / "all"), "--audience", "bob@example.com").code == 0
        again = (ada.get(follow), ada.post("/ask", asked, **key), ada.post("/ask", asked, Accept=STREAM, **key))
    for each in again:
        assert each.status_code == 200
        assert "outcome" in each.text
        assert "nine" not in each.text
        assert "Ferry" not in each.text


def test_words_of_a_near_document_go_as_soon_as_it_is_closed(closed: Kb, tmp_path: Path) -> None:
    with serving(closed) as (_, base):
        ada = calling(base, token(closed, "ada@example.com"))
        asked = ada.ask("How many horses may the ferry to hut seven carry?")
        assert asked["outcome"]["result"] == "not_found"
        assert "nine" in json.dumps([each["quotes"] for each in asked["outcome"]["nearest"]])
        assert closed("index", str(tmp_path / "all"), "--audience", "bob@example.com").code == 0
        now = ada.get(f"/questions/{asked['number']}").json()
        assert [each["title"] for each in now["outcome"]["nearest"]] == ["Gate"]
        assert "nine" not in json.dumps(now)
