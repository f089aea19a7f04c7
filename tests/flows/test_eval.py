"""`kb eval retrieval` over a small data set in the BEIR layout."""

import asyncio
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.command import Kb
from tests.fakes.data_set import a_data_set, lines
from tests.fakes.embeddings_server import KEY as MODEL_KEY
from tests.fakes.model_faults import status
from tests.fakes.model_server import CHAT_MODEL, Answer, Body, Reply, model_server
from tests.fakes.rerank_server import KEY, MODEL, RerankServer

CORPUS: list[dict[str, Any]] = [
    {"_id": "d1", "title": "Walrus", "text": "The walrus is fed at noon with herring."},
    {"_id": "d2", "title": "Otter", "text": "The otter sleeps on its back."},
    {"_id": "d3", "title": "Badger sett", "text": ""},
    {"_id": "d4", "title": "", "text": "The ibex climbs walls of dams."},
]
QUERIES = [
    {"_id": "q1", "text": "when is the walrus fed"},
    {"_id": "q2", "text": "badger sett"},
    {"_id": "q3", "text": "a question that nobody judged"},
]
QRELS = "q1\td1\t1\nq2\td3\t1\nq2\td2\t0\n"
MEASURES = {
    *("recall@2", "recall@5", "recall@10", "recall@20", "ndcg@10", "mrr@10"),
    *("all_gold@5", "all_gold@10", "all_gold@20", "p50_ms", "p95_ms"),
    *("embed_ms", "search_ms"),
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The data set; its corpus is packed."""
    folder = a_data_set(tmp_path / "zoo", CORPUS, QUERIES, QRELS)
    plain = folder / "corpus.jsonl"
    plain.with_suffix(".jsonl.gz").write_bytes(gzip.compress(plain.read_bytes()))
    plain.unlink()
    return folder


def test_measures_of_each_method(measuring: Kb, data: Path) -> None:
    done = measuring("eval", "retrieval", str(data), "--json")
    assert (done.code, done.err) == (0, "")
    result = done.json
    assert set(result) == {"dataset", "documents", "queries", "index_seconds", "default", "methods"}
    assert (result["dataset"], result["documents"], result["queries"]) == ("zoo", 4, 2)
    assert set(result["methods"]) == {"hybrid+graph", "hybrid", "lexical", "dense"}
    assert result["default"] == "hybrid+graph"
    for method, measures in result["methods"].items():
        assert set(measures) == MEASURES, method
        assert measures["p50_ms"] <= measures["p95_ms"]
    for method in ("hybrid+graph", "hybrid", "lexical"):
        perfect = {name: value for name, value in result["methods"][method].items() if not name.endswith("_ms")}
        assert set(perfect.values()) == {1.0}, "also the document that is a title alone"

    assert measuring("status").code == 3, "the usual index is left alone"


def test_a_changed_set_is_measured_as_it_is_now(measuring: Kb, data: Path) -> None:
    assert measuring("eval", "retrieval", str(data), "--method", "lexical", "--json").code == 0
    again = [{"_id": f"n{n}", "title": "", "text": f"Walrus and badger number {n}"} for n in range(3)]
    (data / "corpus.jsonl.gz").write_bytes(gzip.compress(lines([*again, CORPUS[0]]).encode()))
    (data / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq2\tn1\t1\n")
    result = measuring("eval", "retrieval", str(data), "--method", "lexical", "--json").json
    assert (result["documents"], result["queries"]) == (4, 1)
    assert list(result["methods"]) == ["lexical"]
    assert result["methods"]["lexical"]["recall@5"] == 1.0
    assert result["methods"]["lexical"]["mrr@10"] < 1.0, "d3 of the old set would not be found any more"


def test_the_table(measuring: Kb, data: Path) -> None:
    done = measuring("eval", "retrieval", str(data), "--method", "lexical")
    assert done.code == 0
    title, _, head, row = done.out.splitlines()
    assert title.startswith("zoo: 4 documents, 2 questions, indexed in ")
    assert head.split()[:3] == ["method", "recall@2", "recall@5"]
    assert row.split()[:2] == ["lexical", "1.000"]


@pytest.mark.parametrize(
    ("file", "content", "expected"),
    [
        ("corpus.jsonl", b'{"_id": "d1"}\n', "Line 1 of corpus.jsonl is not of the BEIR layout"),
        ("queries.jsonl", b"", "has no judged question"),
    ],
)
def test_a_damaged_set_is_refused(measuring: Kb, data: Path, file: str, content: bytes, expected: str) -> None:
    (data / file).write_bytes(content)
    done = measuring("eval", "retrieval", str(data), "--json")
    assert done.code == 2
    assert expected in done.json["error"]["what"]
    assert done.json["error"]["next"]


async def test_candidates_are_ranked_anew_as_a_variant(measuring: Kb, data: Path, tmp_path: Path) -> None:
    run = tmp_path / "run.jsonl"
    async with RerankServer() as server:
        env = {"RERANK_URL": f"{server.url}/v1", "RERANK_API_KEY": KEY, "RERANK_MODEL": MODEL}
        wanted = ("--method", "lexical", "--rerank", "--rerank-blend", "1", "--limit", "1", "--out", str(run))
        done = await asyncio.to_thread(measuring.having(**env), "eval", "retrieval", str(data), *wanted, "--json")
    assert (done.code, bool(server.requests)) == (0, True)
    assert set(done.json["methods"]["lexical+rerank"]) == MEASURES | {"rerank_ms"}
    rows = [json.loads(line) for line in run.read_text().splitlines()]
    assert [row["variant"] for row in rows] == ["lexical", "lexical+rerank"]


def test_results_are_kept_and_compared_and_lists_are_taken_apart(measuring: Kb, data: Path, tmp_path: Path) -> None:
    run, plot = tmp_path / "run.jsonl", tmp_path / "plot.svg"
    chosen = ("--method", "lexical", "--method", "graph", "--out", str(run))
    assert measuring("eval", "retrieval", str(data), *chosen, "--json").code == 0
    rows = [json.loads(line) for line in run.read_text().splitlines()]
    assert [(row["variant"], row["id"]) for row in rows] == [
        (method, query["text"]) for method in ("lexical", "graph") for query in QUERIES[:2]
    ]
    done = measuring("eval", "compare", str(run), str(run), "--variant-a", "graph", "--variant-b", "lexical")
    assert done.code == 0
    assert "all_gold@5" in done.out
    switches = ("--without-titles", "--plot", str(plot), "--out", str(run))
    done = measuring("eval", "ablation", str(data), *switches, "--json")
    assert (done.code, done.json["questions"]) == (0, 2)
    names = [row["name"] for row in done.json["settings"]]
    assert names[:4] == ["as shipped", "lexical", "dense", "graph"]
    assert names[-1] == "documents without their titles"
    assert measuring("eval", "table", f"zoo={run}").out.count("\n| ") == len(names)
    assert "<svg" in plot.read_text()
    assert measuring("eval", "ablation", str(data), "--plot", str(tmp_path / "no" / "plot.svg")).code == 2
    assert measuring("eval", "retrieval", str(data), "--limit", "1", "--method", "dense", "--json").json["queries"] == 1


def test_tools_that_search_by_meaning_are_ranked_by_alone(measuring: Kb, data: Path, tmp_path: Path) -> None:
    """The model takes every question for one about badgers, so that a hypothetical answer finds their page alone."""
    out = tmp_path / "run.jsonl"

    def says(body: Body) -> Answer:
        question = body["messages"][-1]["content"]
        return Reply("A badger sett, the sett of a badger.") if "walrus" in question else status(400)

    with model_server(rules=(says,)) as server:
        env = {"LLM_BASE_URL": server.base_url, "LLM_API_KEY": MODEL_KEY, "LLM_MODEL": CHAT_MODEL}
        done = measuring.having(**env)("eval", "ablation", str(data), "--hyde", "--propositions", "--out", str(out))
    assert done.code == 0
    assert "Of 2 questions, 1 had a hypothetical answer: " in done.err
    assert "wrote no hypothetical answer" in done.err, "and why"
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    scores = {(row["variant"], row["id"]): row["measures"]["ndcg@10"] for row in rows}
    walrus, badger = (query["text"] for query in QUERIES[:2])
    assert scores["sentences alone (propositions)", walrus] == scores["dense", walrus] == 1
    hypothetical = "a hypothetical answer alone (HyDE), written for 1 of 2 questions"
    assert 0 < scores[hypothetical, walrus] < 1, "the page about badgers is nearer"
    assert scores[hypothetical, badger] == scores["dense", badger], "without one, it is searched by the question"
    alone = measuring("eval", "ablation", str(data), "--hyde")
    assert (alone.code, alone.out) == (2, "")
    assert alone.err.startswith("Error: A hypothetical answer takes a model"), "before anything is indexed"


def test_no_hypothetical_answer_at_all_is_no_measurement(measuring: Kb, data: Path) -> None:
    with model_server(rules=(lambda _: status(401),)) as server:
        env = {"LLM_BASE_URL": server.base_url, "LLM_API_KEY": MODEL_KEY, "LLM_MODEL": CHAT_MODEL}
        done = measuring.having(**env)("eval", "ablation", str(data), "--hyde", "--json")
    assert done.code == 2
    assert done.json["error"]["what"] == "The model wrote no hypothetical answer"
    assert "401" in done.json["error"]["why"] or "key" in done.json["error"]["why"]


def test_tools_take_a_question_of_any_length(measuring: Kb, data: Path) -> None:
    queries = [{"_id": "q1", "text": ""}, {"_id": "q2", "text": "badger " * 2_000}]
    (data / "queries.jsonl").write_text(lines(queries))
    done = measuring("eval", "ablation", str(data), "--propositions", "--json")
    assert (done.code, done.json["questions"]) == (0, 2)
