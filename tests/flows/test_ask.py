"""`kb ask`: an answer with its references, or why there is none."""

import re
from pathlib import Path
from socket import socket

import pytest

from tests.command import ROOT, Done, Kb, rows, write
from tests.fakes import handbook
from tests.fakes.embedding_moments import right
from tests.fakes.embeddings_server import EmbeddingsServer, status

pytestmark = pytest.mark.everyday

OUTCOME = {
    *("status", "answer", "citations", "confidence", "notice", "iterations", "tool_calls", "reasoning_trace"),
    *("timings_ms", "model_calls", "follow_ups", "mode", "stages", "evidence", "nearest", "because"),
}
CITATION = {
    *("n", "title", "url", "source", "document_id", "section", "place", "path", "updated_at", "quote"),
}
VACATION = "How many days of vacation does everybody have?"
NOTICE = "Quoted from the sources without a language model"


@pytest.fixture(scope="module")
def filled(shared: Kb, tmp_path_factory: pytest.TempPathFactory) -> Kb:
    """The command over the handbook."""
    folder = handbook.make(tmp_path_factory.mktemp("company") / "handbook")
    assert shared("index", str(folder), "--json").report["added"] == 6
    return shared


def test_an_answer_names_its_source_section_and_lines(filled: Kb) -> None:
    done = filled("ask", VACATION)
    assert done.code == 0
    answer, references, notice, further = done.out.rstrip("\n").split("\n\n")
    assert answer == "Everybody has thirty days of vacation a year. [1]"
    heading, first, address = references.split("\n")
    assert heading == "References"
    assert first == "  [1] Handbook — Vacation — lines 9-10 (leave.md, 2024-05-17)"
    assert re.fullmatch(r"      file:///\S+/handbook/leave\.md", address)
    assert notice.startswith(NOTICE)
    assert further == "You may go on with\n  - What is said about travel in “Handbook”?"


def test_a_question_needs_no_quotation_marks(filled: Kb) -> None:
    question = "How many days of vacation do I get?"
    assert filled("ask", *question.split()).out == filled("ask", question).out
    assert filled("search", "vacation", "days").out == filled("search", "vacation days").out


def test_what_is_offered_to_go_on_with_is_answered_from_that_section(filled: Kb) -> None:
    (offered,) = filled("ask", VACATION, "--json").json["follow_ups"]
    outcome = filled("ask", offered, "--json").json
    assert outcome["status"] == "answered"
    assert "Travel" in [each["section"] for each in outcome["citations"]]


@pytest.mark.check
@pytest.mark.slow
def test_all_that_is_offered_after_the_questions_of_the_readme_is_answered(kb: Kb) -> None:
    assert kb("index", str(ROOT / "examples" / "knowledge-base"), "--json").code == 0
    asked = (ROOT / "examples" / "questions.txt").read_text(encoding="utf-8").splitlines()
    offered = [each for question in asked for each in kb("ask", question, "--json").json.get("follow_ups", [])]
    assert len(offered) >= len(asked)
    assert [each for each in offered if kb("ask", each, "--json").json["status"] != "answered"] == []


@pytest.mark.parametrize("question", ["\x1b\u202e\U000e0041", 'What is "=>"?'])
def test_what_no_keyboard_types_is_a_question_too(filled: Kb, question: str) -> None:
    done = filled("ask", question, "--json")
    assert done.json.get("status") in {"answered", "not_found"}, (done.out, done.err)


def test_numbers_in_the_text_and_references_belong_together(filled: Kb) -> None:
    answer = filled(
        "ask", "How long are customer backups kept in Dublin, and how long were they before?", "--json"
    ).json
    assert len(answer["citations"]) >= 2
    used = {int(n) for n in re.findall(r"\[(\d+)\]", answer["answer"])}
    assert used == {citation["n"] for citation in answer["citations"]}
    by_number = {citation["n"]: citation["quote"] for citation in answer["citations"]}
    for sentence, number in re.findall(r"(.+?) \[(\d+)\]", answer["answer"]):
        assert sentence in by_number[int(number)]


def test_a_part_of_a_question_without_an_answer_is_named(filled: Kb) -> None:
    outcome = filled("ask", f"{VACATION[:-1]}, and which colour has the lighthouse?", "--json").json
    assert outcome["status"] == "answered"
    assert "thirty days" in outcome["answer"]
    assert outcome["notice"].startswith("Nothing was found on “which colour has the lighthouse”. Quoted from")


def test_a_page_of_a_pdf_is_named(filled: Kb) -> None:
    (citation, *_) = filled("ask", "Impeller happens every two years?", "--json").json["citations"]
    assert (citation["place"], citation["path"]) == ("page 2", "pump.pdf")


def test_steps_are_quoted_whole_and_the_number_stands_behind_the_first(filled: Kb) -> None:
    question = "How to install the client, enter the gateway vpn.tidewell.example and confirm with the security key?"
    answer = filled("ask", question, "--json").json["answer"]
    assert ": [1]\n1. Install the client from the software centre.\n2. Enter" in answer
    assert "3. Confirm" in answer


def test_json_is_one_object_of_the_documented_shape(filled: Kb) -> None:
    done = filled("ask", VACATION, "--json")
    outcome = done.json
    assert set(outcome) == OUTCOME
    assert outcome["status"] == "answered"
    assert 0 < outcome["confidence"] <= 1
    assert (outcome["mode"], outcome["model_calls"]) == ("agentic", 0)
    assert outcome["follow_ups"] == ["What is said about travel in “Handbook”?"]
    assert 1 <= outcome["iterations"] <= 3
    assert set(outcome["timings_ms"]) == {each["stage"] for each in outcome["stages"]} | {"total"}
    for call in outcome["tool_calls"]:
        assert set(call) == {"name", "args", "ms", "results", "iteration", "error", "note"}
    assert outcome["tool_calls"][0]["args"] == {"query": VACATION}
    for note in outcome["evidence"]:
        assert set(note) == {"chunk_id", "document_id", "path", "tools", "score", "grade", "iteration"}
    assert outcome["evidence"][0]["path"] == "leave.md"
    for citation in outcome["citations"]:
        assert set(citation) == CITATION
    first = outcome["citations"][0]
    assert (first["title"], first["section"], first["source"]) == ("Handbook", "Vacation", "handbook")
    assert first["quote"] == "Everybody has thirty days of vacation a year."
    assert first["updated_at"] == "2024-05-17T12:00:00+00:00"
    assert re.fullmatch(r"[0-9a-f]{32}", first["document_id"])
    assert "Searching" in done.err, "progress is told on standard error"


def test_nothing_found_says_what_was_searched(filled: Kb) -> None:
    done = filled("ask", "Which orchestra played Mahler?")
    assert done.code == 3
    assert done.out.startswith("Not found. Searched 6 documents, by words (orchestra, played, mahler) and by")
    assert "kb index PATH_OR_URL" in done.out
    outcome = filled("ask", "Which orchestra played Mahler?", "--json")
    assert outcome.code == 3
    assert set(outcome.json) == OUTCOME
    assert (outcome.json["status"], outcome.json["citations"], outcome.json["confidence"]) == ("not_found", [], 0.0)


def test_sources_and_trace_are_shown_when_asked_for(filled: Kb) -> None:
    plain = filled("ask", VACATION).out
    assert "      | " not in plain
    assert "Trace" not in plain
    full = filled("ask", VACATION, "--show-sources", "--trace").out
    assert "      | Everybody has thirty days of vacation a year." in full
    assert f"conceptual, simple: {VACATION} (by offline)" in full
    assert re.search(r"1\. hybrid_search \{.*\}: \d+ results, [\d.]+ ms", full)
    assert re.search(r"agentic mode, iterations: [123], model calls: 0", full)
    assert "Trace" in filled("ask", "Which orchestra played Mahler?", "--trace").out


def test_sources_that_differ_are_both_shown_the_newest_first(filled: Kb) -> None:
    done = filled("ask", "How long are customer backups kept in Dublin?")
    assert done.out.index("90 days") < done.out.index("30 days")
    assert "The sources differ: “Retention 2025” (2025-02-01) is newer than “Retention 2023” (2023-02-01)." in done.out


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--title", "retention-2023"), {"retention-2023.md"}),
        (("--until", "2023-02-01"), {"retention-2023.md"}),
        (("--since", "2025-02-01", "--until", "2025-02-01"), {"retention-2025.md"}),
        (("--label", "leave"), set()),
        (("--source", "nowhere"), set()),
    ],
)
def test_filters_narrow_what_is_searched(filled: Kb, options: tuple[str, ...], expected: set[str]) -> None:
    outcome = filled("ask", "How long are customer backups kept in Dublin?", *options, "--json").json
    assert {citation["path"] for citation in outcome["citations"]} == expected
    if not expected:
        found = options[0] == "--label"
        assert ("under the filters given" in outcome["answer"]) == found
        assert outcome["answer"].startswith(
            "Not found. " if found else "No document that you may read matches this: sources "
        )
        assert (outcome["status"], outcome["because"]) == (("not_found", []) if found else ("declined", ["filters"]))


def test_a_source_that_is_not_there_is_told_as_such(filled: Kb) -> None:
    done = filled("ask", "How many vacation days are there?", "--source", "nowhere")
    assert done.code == 2
    assert "There is no source nowhere\n  next: See: kb sources list" in done.err
    assert "Searching" not in done.err
    assert filled("ask", "-i", "--source", "nowhere", stdin="").code == 2


def test_nothing_is_weighed_where_nothing_was_found(filled: Kb) -> None:
    assert "Weighing 0" not in filled("ask", "How many vacation days are there?", "--label", "nowhere").err


def test_an_empty_question_opens_no_index(filled: Kb) -> None:
    done = filled("ask", " ")
    assert (done.code, done.out) == (2, "")
    assert "There is no question" in done.err
    assert "Opening" not in done.err


def test_a_label_finds_its_document(filled: Kb) -> None:
    assert filled("ask", VACATION, "--label", "people").code == 0


@pytest.mark.parametrize("options", [("--show-sources", "--trace"), ("--json",)])
def test_documents_do_not_steer_the_terminal(filled: Kb, options: tuple[str, ...]) -> None:
    for done in (
        filled("ask", "On which level do visitors park?", *options),
        filled("search", "visitors park garage", *(option for option in options if option == "--json")),
    ):
        assert done.code == 0
        steering = [char for char in done.out + done.err if char != "\n" and not char.isprintable()]
        assert steering == []
        assert "level two" in done.out
        assert not re.search(r"^ {0,2}\[9\]", done.out.partition("      | ")[0], re.MULTILINE)


def test_the_question_may_come_from_standard_input(filled: Kb) -> None:
    assert "thirty days" in filled("ask", stdin=VACATION + "\n").out
    broken = filled("ask", stdin=b"How many days of vacation does \xff everybody have?")
    assert "thirty days" in broken.out


@pytest.mark.parametrize("question", ["", "   ", "\n\t\n"])
def test_an_empty_question_is_declined(filled: Kb, question: str) -> None:
    for done in (filled("ask", question), filled("ask", stdin=question)):
        assert (done.code, done.out) == (2, "")
        assert "There is no question" in done.err
    declined = filled("ask", question, "--json")
    assert (declined.code, declined.json["status"]) == (2, "declined")
    assert set(declined.json) == OUTCOME


def test_a_question_as_long_as_a_document_is_declined(filled: Kb) -> None:
    done = filled("ask", "vacation " * 1_000)
    assert done.code == 2
    assert "more than 4,000 characters" in done.err
    assert filled("ask", "vacation " * 400).code in {0, 3}


@pytest.mark.parametrize("question", ["?!…", "😀", "' OR 1=1 --", "%s {} \\", "a\0b", "休暇は何日ですか"])
def test_odd_questions_end_in_an_outcome(filled: Kb, question: str) -> None:
    done = filled("ask", "--json", stdin=question)
    assert done.code in {0, 3}
    assert done.json["status"] in {"answered", "not_found"}


def test_an_empty_index_says_how_to_begin(kb: Kb) -> None:
    done = kb("ask", VACATION)
    assert (done.code, done.out) == (2, "")
    assert "Error: Nothing is indexed yet\n  next: Index a folder or a URL first: kb index PATH_OR_URL" in done.err
    outcome = kb("ask", VACATION, "--json")
    assert (outcome.code, outcome.json["status"]) == (2, "failed")
    assert "Nothing is indexed yet" in outcome.json["answer"]
    searched = kb("search", "vacation", "--json")
    assert (searched.code, searched.json["error"]["what"]) == (2, "Nothing is indexed yet")


def by_words(done: Done) -> None:
    """What an answer looks like while the model's server is away."""
    assert done.code == 0, done
    assert "thirty days of vacation" in done.out
    assert "[1]" in done.out
    assert "Searched by words alone: the embeddings endpoint 127.0.0.1 is not available." in done.out


@pytest.mark.check
def test_while_the_model_is_busy_words_alone_answer_and_say_so(
    kb: Kb, docs: Path, embeddings: EmbeddingsServer
) -> None:
    kb("index", str(handbook.make(docs)))
    embeddings.fail_next(*[status(503, retry_after="3600")] * 100)
    by_words(kb("ask", VACATION))
    not_found = kb("ask", "Which orchestra played Mahler?")
    assert "by words (orchestra, played, mahler) alone: the embedding model is away." in not_found.out

    embeddings.faults.clear()
    embeddings.fail_next(right, *[status(503, retry_after="3600")] * 100)
    later = kb("ask", VACATION)
    assert later.code == 0
    assert "Quoted by words alone: the embeddings endpoint 127.0.0.1 is not available." in later.out

    embeddings.faults.clear()
    embeddings.fail_next(status(503, retry_after="3600"))
    found = kb("search", "vacation", "--json")
    assert (found.code, found.json["results"][0]["methods"]) == (0, {"lexical": 1})
    assert "Searched by words alone" in found.err

    embeddings.fail_next(status(503, retry_after="3600"))
    dense = kb("search", "vacation", "--method", "dense", "--json")
    assert dense.code == 1
    assert "not available" in dense.json["error"]["what"]


@pytest.mark.check
def test_while_the_models_server_is_gone_an_answer_does_not_take_long(filled: Kb) -> None:
    with socket() as nobody:  # whom nothing reaches, and whose port no other test is given meanwhile
        nobody.bind(("127.0.0.1", 0))
        away = filled.having(EMBEDDING_BASE_URL=f"http://127.0.0.1:{nobody.getsockname()[1]}/v1")
        by_words(away("ask", VACATION))
        assert away("search", "vacation", "--method", "lexical").code == 0


@pytest.mark.check
def test_another_embedding_model_is_refused_with_the_way_out(kb: Kb, docs: Path, url: str) -> None:
    write(docs, leave=handbook.LEAVE)
    kb("index", str(docs))
    rows(url, "UPDATE index_versions SET embedder = 'other-model/64' RETURNING 1")
    for words in (("ask", VACATION), ("search", "vacation"), ("index", str(docs)), ("reindex",)):
        done = kb(*words)
        assert (done.code, done.out) == (2, ""), words
        assert "The index was made with another embedding model" in done.err
        assert "It holds vectors of other-model/64; the settings name hash-model/64." in done.err
        assert "kb reindex --full" in done.err
    assert kb("ask", VACATION, "--json").json["status"] == "failed"
    assert kb("reindex", "--full").code == 0
    assert "thirty days" in kb("ask", VACATION).out
