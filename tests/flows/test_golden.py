"""Golden questions stand between a new index and its use: `kb reindex --full`, `kb eval golden`."""

from pathlib import Path
from typing import Any

import pytest

from domain.model_ports import Vectors
from tests.command import ROOT, Done, Kb, write
from tests.fakes.embedder import HashEmbedder
from tests.fakes.embeddings_server import MODEL, EmbeddingsServer

SECOND = "second-model"
DAYS = [f"On day {n} somebody looked for the switch behind curtain {n}, and found it there." for n in range(20)]
LAMP = f"# About the lamp\n\nThe lamp stands in the hall. {' '.join(DAYS)}\n"
EIGHT_DAYS = " ".join(DAYS[:8])
"""Which the first chunk holds, unless chunks are small."""

WHERE = {"question": "Where does the lamp stand?", "documents": ["lamp.md"], "facts": ["in the hall"]}
SWITCH = {"question": "Where is the switch of the lamp?", "facts": [EIGHT_DAYS]}
NEVER = {"question": "Where does the piano stand?", "documents": ["piano.md"]}


class Backwards(HashEmbedder):
    """Another model, whose vectors have the same length."""

    def vectors(self, texts: Any) -> Vectors:
        return super().vectors(texts)[:, ::-1]


@pytest.fixture
def company(docs: Path) -> Path:
    """More documents than a question has results."""
    notes = {f"chair_{n}": f"# Chair {n}\n\nThe chair {n} stands in room {n}.\n" for n in range(15)}
    return write(docs, lamp=LAMP, **notes)


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    """A file of two questions that hold, and one that never does."""
    return questions(tmp_path / "golden.yaml", WHERE, SWITCH, NEVER)


def questions(path: Path, *entries: dict[str, Any]) -> Path:
    path.write_text("".join(f"- {entry}\n" for entry in entries))
    return path


def cut(kb: Kb) -> Kb:
    """With chunks so small that what is long is in none."""
    return kb.having(CHUNK_TARGET_TOKENS="8", CHUNK_OVERLAP_TOKENS="0")


def full(kb: Kb, *words: str) -> Done:
    return kb("reindex", "--full", "--json", *words)


def fared(done: Done) -> list[tuple[bool | None, bool]]:
    """Before and after, of each question."""
    return [(each["before"], each["after"]) for each in done.json["golden"]["questions"]]


def live(kb: Kb) -> int:
    version: int = kb("status", "--json").json["index"]["version"]
    return version


def test_what_got_worse_is_not_put_to_use(kb: Kb, company: Path, golden: Path) -> None:
    kb("index", str(company))
    done = full(cut(kb), "--golden", str(golden))
    assert done.code == 1
    assert fared(done) == [(True, True), (True, False), (False, False)]
    report = done.json["golden"]
    assert (report["file"], report["worse"], report["before"]["how"]) == (str(golden), 1, "asked")
    assert report["questions"][1]["missing"] == {"documents": [], "facts": SWITCH["facts"]}
    (error,) = done.json["errors"]
    assert error["what"] == "The new index is not in use yet; the old one goes on answering"
    assert error["why"] == "1 golden question that held before fails in it, such as “Where is the switch of the lamp?”."
    assert "--accept-worse" in error["next"]
    assert live(kb) == 1

    again = full(cut(kb), "--golden", str(golden))
    assert (again.code, again.report["unchanged"], again.report["embedded"]) == (1, 16, 0), "only asked again"

    accepted = full(cut(kb), "--golden", str(golden), "--accept-worse")
    assert (accepted.code, accepted.json["errors"], accepted.json["golden"]["worse"]) == (0, [], 1)
    assert live(kb) == 2
    (switch,) = kb("audit", "--action", "index_switched", "--json").json["entries"]
    assert switch["detail"] == {"loss_allowed": False, "worse_accepted": True}
    assert kb("eval", "golden", str(golden)).code == 1
    assert kb("reindex", "--rollback", "--json").json["live_version"] == 1
    assert [each["holds"] for each in evaluated(kb, golden)] == [True, True, False]


def evaluated(kb: Kb, *words: object) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = kb("eval", "golden", "--json", *map(str, words)).json["questions"]
    return found


def test_what_is_as_good_is_put_to_use_and_there_is_a_way_back(kb: Kb, company: Path, golden: Path) -> None:
    kb("index", str(company))
    asked = kb.having(GOLDEN=str(golden))
    done = asked("reindex", "--full")
    assert (done.code, live(kb)) == (0, 2)
    assert "3 golden questions" in done.out
    assert "2 held in the old index, 2 hold in the new one." in done.out
    shown = [line for line in done.out.splitlines() if "piano" in line]
    assert shown == ["fails   fails  Where does the piano stand?", " " * 15 + "not among the best: piano.md"]
    assert kb("reindex", "--rollback", "--json").json["live_version"] == 1
    assert [each["holds"] for each in evaluated(asked)] == [True, True, False]


def test_what_changed_at_the_source_is_for_the_operator_to_judge(kb: Kb, company: Path, golden: Path) -> None:
    kb("index", str(company))
    write(company, lamp=LAMP.replace("hall", "attic"))
    assert full(kb, "--golden", str(golden)).code == 1
    assert [each["holds"] for each in evaluated(kb, golden)] == [True, True, False], "the old one answers"
    questions(golden, {**WHERE, "facts": ["in the attic"]})
    done = full(kb, "--golden", str(golden))
    assert (done.code, done.report["embedded"], fared(done)) == (0, 0, [(False, True)])


@pytest.mark.slow
def test_without_golden_questions_nothing_is_compared(kb: Kb, company: Path) -> None:
    kb("index", str(company))
    done = kb("reindex", "--full")
    assert done.code == 0
    assert "It was not compared with the old one: no golden questions are set (KB_AGENT_GOLDEN)." in done.out
    assert full(kb).json["golden"] is None
    assert "golden" not in kb("reindex", "--json").json


def test_a_first_index_has_nothing_to_be_worse_than(kb: Kb, company: Path, golden: Path) -> None:
    kb("sources", "add", "files", "--name", "docs", "--path", str(company))
    done = full(kb, "--golden", str(golden))
    assert (done.code, done.json["golden"]["before"]["how"], done.json["golden"]["worse"]) == (0, "none", 0)
    assert live(kb) == 1


@pytest.mark.slow
def test_each_version_is_asked_with_its_own_model(
    kb: Kb, company: Path, golden: Path, embeddings: EmbeddingsServer
) -> None:
    kb("index", str(company))
    embeddings.others[SECOND] = HashEmbedder(16)
    other = kb.having(EMBEDDING_MODEL=SECOND)
    done = full(other, "--golden", str(golden))
    assert (done.code, done.json["golden"]["before"]["how"]) == (0, "asked")
    assert fared(done) == [(True, True), (True, True), (False, False)]
    asked = [each.body["model"] for each in embeddings.requests if WHERE["question"] in each.body["input"]]
    assert asked == [SECOND, MODEL]
    assert evaluated(other, golden)[0]["holds"]
    refused = kb("eval", "golden", str(golden), "--json")
    assert (refused.code, refused.json["error"]["what"]) == (2, "The index was made with another embedding model")
    kb("reindex", "--rollback")
    assert evaluated(kb, golden)[0]["holds"]


@pytest.mark.slow
def test_of_a_model_that_is_gone_the_last_results_count(
    kb: Kb, company: Path, golden: Path, embeddings: EmbeddingsServer
) -> None:
    kb("index", str(company))
    assert kb("eval", "golden", str(golden)).code == 1
    embeddings.others |= {SECOND: HashEmbedder(16), MODEL: Backwards(64)}
    other = cut(kb.having(EMBEDDING_MODEL=SECOND))
    done = full(other, "--golden", str(golden))
    before = done.json["golden"]["before"]
    assert (done.code, before["how"], fared(done)[1]) == (1, "recorded", (True, False))
    assert before["at"]
    assert "hash-model/64 is not the one that the live index was made with" in before["why"]
    shown = other("reindex", "--full", "--golden", str(golden))
    assert "its results are those recorded last (20" in shown.out
    assert live(kb) == 1


@pytest.mark.slow
def test_of_a_model_that_is_gone_without_results_what_fails_takes_consent(
    kb: Kb, company: Path, golden: Path, embeddings: EmbeddingsServer
) -> None:
    kb("index", str(company))
    embeddings.others[SECOND] = HashEmbedder(16)
    embeddings.dimensions = 32
    other = kb.having(EMBEDDING_MODEL=SECOND)
    done = full(other, "--golden", str(golden))
    assert (done.code, done.json["golden"]["before"]["how"]) == (1, "unknown")
    assert fared(done) == [(None, True), (None, True), (None, False)]
    assert "1 golden question that may have held before fails" in done.json["errors"][0]["why"]
    assert "no results were recorded" in other("reindex", "--full", "--golden", str(golden)).out
    assert live(kb) == 1
    questions(golden, WHERE, SWITCH)
    assert full(other, "--golden", str(golden)).code == 0, "what holds now cannot have got worse"


@pytest.mark.slow
def test_a_server_that_is_away_keeps_the_old_index(
    kb: Kb, company: Path, golden: Path, embeddings: EmbeddingsServer
) -> None:
    kb("index", str(company))
    assert full(cut(kb), "--golden", str(golden)).code == 1
    embeddings.others[MODEL] = HashEmbedder(16)
    done = full(cut(kb), "--golden", str(golden), "--accept-worse")
    assert done.code == 1
    (error,) = done.json["errors"]
    assert error["what"] == "The new index is not in use yet; the old one goes on answering"
    assert "vectors of another length" in error["why"]
    assert live(kb) == 1


def test_questions_are_asked_as_somebody(kb: Kb, company: Path, tmp_path: Path) -> None:
    kb("index", str(company), "--audience", "ada@example.com")
    file = questions(tmp_path / "g.yaml", {**WHERE, "as": "Ada@Example.com"}, WHERE, {**WHERE, "as": "bo@example.com"})
    assert [each["holds"] for each in evaluated(kb, file)] == [True, False, False]
    outside = kb.having(EMAIL_DOMAINS="example.org")
    assert [each["holds"] for each in evaluated(outside, file)] == [False, False, False]
    shown = kb("eval", "golden", str(file)).out
    assert "holds  Where does the lamp stand? (as ada@example.com)" in shown


WRONG = {
    "no file": ((), "", "There is no file of golden questions"),
    "a file that is not there": (("{folder}/none.yaml",), "", "cannot be read"),
    "a folder": (("{folder}",), "", "cannot be read"),
    "not a list": (("{file}",), "question: a", "has no list of golden questions"),
    "an entry": (("{file}",), "- {question: a}", "Entry 1 of"),
}


def test_a_file_that_cannot_be_used_is_said_at_once(kb: Kb, company: Path, tmp_path: Path) -> None:
    kb("index", str(company))
    file = tmp_path / "g.yaml"
    for case, (words, text, what) in WRONG.items():
        file.write_text(text)
        given = [word.format(folder=tmp_path, file=file) for word in words]
        done = kb("eval", "golden", "--json", *given)
        assert done.code == 2, case
        assert what in done.json["error"]["what"], case
        assert done.json["error"]["next"], case
        if given:
            built = full(kb, "--golden", *given)
            assert (built.code, built.json["error"]["what"]) == (2, done.json["error"]["what"])
            assert "runs" not in built.json, "before anything is built"


def test_the_examples_hold_on_the_example_company(kb: Kb) -> None:
    kb("index", str(ROOT / "examples" / "knowledge-base"))
    done = kb("eval", "golden", str(ROOT / "examples" / "golden.yaml"), "--json")
    assert [each for each in done.json["questions"] if not each["holds"]] == []
    assert (done.code, done.json["failing"], len(done.json["questions"])) == (0, 0, 14)


def test_a_scheduled_run_after_which_a_golden_question_fails_is_told(
    kb: Kb, company: Path, golden: Path, caplog: pytest.LogCaptureFixture
) -> None:
    kb = kb.having(GOLDEN=str(golden))
    assert kb("index", str(company)).code == 0

    def told_by_run(**settings: str) -> list[str]:
        caplog.clear()
        assert kb.having(**settings)("schedule", "run", "content").code == 0
        return [each.getMessage().rpartition(": ")[2] for each in caplog.records if "olden question" in each.message]

    assert told_by_run() == [NEVER["question"]], "the one that never held"
    assert kb("status", "--json").json["golden"] | {"at": ""} == {"asked": 3, "failing": 1, "at": ""}
    write(company, lamp="# About the lamp\n\nThe lamp stands in the cellar.\n")
    assert told_by_run() == [WHERE["question"], SWITCH["question"]], "and that is no news any more"
    assert "Golden: 3 failing of 3 golden questions asked" in kb("status").out
    assert told_by_run(GOLDEN_GATE="off") == []
    (gone,) = told_by_run(GOLDEN=str(golden.with_name("gone.yaml")))
    assert "cannot be read" in gone


def test_a_scheduled_run_that_would_make_a_golden_question_fail_is_held_back(
    kb: Kb, company: Path, golden: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """With the gate on hold, the index answers as before, until the question holds again; a good run can be undone."""
    kb = kb.having(GOLDEN=str(golden), GOLDEN_GATE="hold")
    assert kb("index", str(company)).code == 0

    def run() -> tuple[str, str]:
        code = kb("schedule", "run", "content").code
        (last,) = [each for each in kb("runs", "--json").json["runs"] if each["id"] == newest(kb)]
        assert code == int(last["state"] == "attention")
        return last["state"], last["report"]["reason"]

    def held() -> list[bool]:
        return [each["holds"] for each in evaluated(kb, str(golden))]

    first = live(kb)
    assert run() == ("done", "")
    assert live(kb) == first, "nothing had changed"
    lamp = (company / "lamp.md").read_text()
    write(company, lamp="# About the lamp\n\nThe lamp stands in the cellar.\n", chair_1="# Chair 1\n\nIt is blue.\n")
    state, why = run()
    assert (state, live(kb), held()) == ("attention", first, [True, True, False])
    assert why.startswith("held back: 2 golden questions would fail")
    assert "cellar" not in kb("search", "cellar lamp").out
    assert run()[0] == "attention", "until it is mended"
    told = [each.getMessage() for each in caplog.records if "is held back" in each.getMessage()]
    assert any(str(WHERE["question"]) in each for each in told)
    write(company, lamp=lamp)
    assert run() == ("done", "")
    assert (live(kb) == first, held()) == (False, [True, True, False])
    assert "blue" in kb("search", "chair blue").out
    assert kb("reindex", "--rollback").code == 0
    assert live(kb) == first
    assert "is blue" not in kb("search", "chair blue").out


def newest(kb: Kb) -> int:
    return max(int(each["id"]) for each in kb("runs", "--json").json["runs"])
