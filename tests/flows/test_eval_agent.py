"""`kb eval agent` over a small data set in the BEIR layout."""

from pathlib import Path
from typing import Any

import pytest

from agent.evaluation.process_measures import PROCESS_MEASURES
from tests.command import Kb
from tests.fakes.data_set import a_data_set, lines
from tests.fakes.embeddings_server import KEY
from tests.fakes.model_server import CHAT_MODEL, Answer, Body, Reply, model_server

CORPUS: list[dict[str, Any]] = [
    {"_id": "d1", "title": "Walrus", "text": "The walrus is fed at noon with herring."},
    {"_id": "d2", "title": "Otter", "text": "The otter sleeps on its back."},
    {"_id": "d3", "title": "Badger", "text": "The badger digs its sett below the oak."},
    {"_id": "d4", "title": "Ibex", "text": "The ibex climbs the walls of dams."},
]
ANSWERABLE = [
    {"_id": "a1", "text": "When is the walrus fed?"},
    {"_id": "a2", "text": "Where does the badger dig its sett?"},
    {"_id": "a3", "text": "What does the ibex climb?"},
    {"_id": "a4", "text": "How does the otter sleep?"},
]
UNANSWERABLE = [{"_id": f"u{n}", "text": f"Which quarterly revenue had subsidiary number {n}?"} for n in range(4)]
QRELS = "a1\td1\t1\na2\td3\t1\na3\td4\t2\na4\td2\t1\nu0\td2\t0\n"
MEASURES = {
    *("questions", "failed", "evidence_items", "retrievals", "model_calls"),
    *("markers_without_evidence", "quotes_not_in_source", "p50_ms", "p95_ms"),
}
PROCESS = set(PROCESS_MEASURES) - {"again_gained", "rewriting_gain"}
KINDS = PROCESS | {"answered", "all_gold", "declined"}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return a_data_set(tmp_path / "zoo", CORPUS, [*ANSWERABLE, *UNANSWERABLE], QRELS)


def test_measures_of_each_mode(measuring: Kb, data: Path) -> None:
    done = measuring("eval", "agent", str(data), "--json")
    assert (done.code, done.err) == (0, "")
    result = done.json
    modes = result.pop("modes")
    assert result.pop("index_seconds") >= 0
    assert result == {
        "dataset": "zoo",
        "documents": 4,
        "queries": 8,
        "answerable": 4,
        "unanswerable": 4,
        "model": "offline",
    }
    assert list(modes) == ["agentic", "direct"]
    for mode, row in modes.items():
        assert set(row) == {"all", "halves", "sweep"}
        assert set(row["all"]) == MEASURES | KINDS, mode
        assert set(row["halves"]) == {"development", "held_out"}
        assert sum(half["questions"] for half in row["halves"].values()) == row["all"]["questions"] == 8
        assert row["all"]["answered"] == row["all"]["all_gold"] == 1.0
        assert row["all"]["declined"] == 1.0
        assert row["all"]["failed"] == row["all"]["model_calls"] == 0
        assert row["all"]["markers_without_evidence"] == row["all"]["quotes_not_in_source"] == 0
        assert row["all"]["p50_ms"] <= row["all"]["p95_ms"]
        assert [each["threshold"] for each in row["sweep"]] == [n / 20 for n in range(1, 20)]
        assert row["sweep"][0]["answered"] == 1.0
    assert modes["direct"]["all"]["retrievals"] == 1.0

    assert measuring("status").code == 3, "the usual index is left alone"


def test_the_modes_differ_also_where_the_settings_say_direct(measuring: Kb, data: Path) -> None:
    """Questions that nothing answers are searched for again in the agentic mode alone."""
    (data / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n")
    result = measuring.having(MODE="direct")("eval", "agent", str(data), "--json").json
    assert (result["answerable"], result["unanswerable"]) == (0, 8)
    retrievals = {mode: row["all"]["retrievals"] for mode, row in result["modes"].items()}
    assert retrievals["direct"] == 1.0 < retrievals["agentic"]
    for row in result["modes"].values():
        assert {"answered", "all_gold"}.isdisjoint(row["all"])
        assert row["sweep"] == []


@pytest.mark.slow
def test_a_limit_draws_the_same_questions_each_time(measuring: Kb, data: Path) -> None:
    first = measuring("eval", "agent", str(data), "--mode", "direct", "--mode", "direct", "--limit", "3", "--json").json
    rows = [*reversed(UNANSWERABLE), *ANSWERABLE]
    (data / "queries.jsonl").write_text(lines(rows))
    again = measuring("eval", "agent", str(data), "--mode", "direct", "--limit", "3", "--json").json
    assert first["queries"] == again["queries"] == 3
    assert list(first["modes"]) == ["direct"]
    for name in ("answerable", "unanswerable"):
        assert first[name] == again[name]
    assert measuring("eval", "agent", str(data), "--limit", "99", "--mode", "direct", "--json").json["queries"] == 8


def test_the_table(measuring: Kb, data: Path) -> None:
    done = measuring("eval", "agent", str(data), "--mode", "direct")
    assert done.code == 0
    assert "direct" in done.err, "progress"
    rows = done.out.splitlines()
    assert rows[0].startswith("zoo: 4 documents, 4 questions with an answer, 4 without, indexed in ")
    assert rows[0].endswith("model: offline")
    assert rows[2].split() == ["direct"] * 3
    assert rows[3].split() == ["all", "development", "held_out"]
    assert rows[4].split()[:2] == ["questions", "8"]
    shown = {row.split()[0]: row.split()[1:] for row in rows[4:] if row.split()}
    assert shown["answered"][0] == "1.000"
    assert shown.keys() >= MEASURES | KINDS
    assert rows[-20].split() == ["direct,", "development", "half:", "threshold", "answered", "declined"]
    assert [row.split()[0] for row in rows[-19:]] == [f"{n / 20:.2f}" for n in range(1, 20)]


def test_a_model_is_asked_where_one_is_configured(measuring: Kb, data: Path) -> None:
    def says(body: Body) -> Answer:
        return Reply("The walrus is fed at noon with herring [1]." if body.get("stream") else "{}")

    (data / "queries.jsonl").write_text(lines(ANSWERABLE[:1]))
    with model_server(rules=(says,)) as server:
        env = {"LLM_BASE_URL": server.base_url, "LLM_API_KEY": KEY, "LLM_MODEL": CHAT_MODEL}
        env["LLM_READING_TEST"] = "false"
        result = measuring.having(**env)("eval", "agent", str(data), "--mode", "direct", "--json").json
        asked = len(server.requests)
    assert result["model"] == CHAT_MODEL
    assert result["modes"]["direct"]["all"]["model_calls"] == asked > 0
    assert result["modes"]["direct"]["all"]["answered"] == 1.0


def test_a_set_without_questions_is_refused(kb: Kb, data: Path) -> None:
    (data / "queries.jsonl").write_text("")
    done = kb("eval", "agent", str(data), "--json")
    assert done.code == 2
    assert "has no question" in done.json["error"]["what"]
    assert done.json["error"]["next"]


@pytest.mark.parametrize("words", [["--mode", "clever"], ["--limit", "0"], ["--limit", "many"]])
def test_wrong_options_are_refused(kb: Kb, data: Path, words: list[str]) -> None:
    done = kb("eval", "agent", str(data), *words, "--json")
    assert done.code == 2
    assert words[0] in done.json["error"]["what"]


def test_a_folder_that_is_none_is_refused(kb: Kb, tmp_path: Path) -> None:
    done = kb("eval", "agent", str(tmp_path / "nowhere"))
    assert (done.code, done.out) == (2, "")
    assert "has no corpus.jsonl" in done.err


def test_help_says_what_it_costs(kb: Kb) -> None:
    done = kb("eval", "agent", "--help")
    assert done.code == 0
    assert "costs several requests" in " ".join(done.out.split())
    assert "agent" in kb("eval", "--help").out
