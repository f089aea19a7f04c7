"""Answers against the facts and sources of their questions."""

from dataclasses import replace

import pytest

from agent.evaluation.fact_questions import FactQuestion, read_fact_questions
from agent.evaluation.fact_runs import FactResult, fact_report, fact_table
from agent.evaluation.fact_scores import facts_held, holds, plain, scores_of, verdict_of
from agent.evaluation.judged_questions import drawn
from domain.answers import (
    Answer,
    Citation,
    Declined,
    EvidenceNote,
    Failed,
    NearestDocument,
    NearQuote,
    NotFound,
    Outcome,
    Trace,
)
from domain.errors import Misconfigured

ASKED = FactQuestion("a", "Who feeds the walrus?", "fact", "", (("Ada", "Ms Byron"), ("9 fish",)), ("Bo",), ("w.md",))
NONE = FactQuestion("n", "Who feeds the lynx?", "near-miss", answerable=False)


@pytest.mark.parametrize(
    ("text", "wording", "held"),
    [
        ("There are 9 pages.", "9 pages", True),
        ("There are 49 pages.", "9 pages", False),
        ("49 pages, of which 9 pages count", "9 pages", True),
        ("9 pagesful", "9 pages", False),
        ("costs **€58**", "€58", True),
        ("Set `KB_A`", "kb_a", True),
        ("Set KB_A_B", "KB_A", False),
        ("nine\n  pages", "Nine Pages", True),
    ],
)
def test_a_fact_counts_in_whole_words(text: str, wording: str, held: bool) -> None:
    assert holds(plain(text), wording) is held


@pytest.mark.parametrize(
    ("outcome", "verdict"),
    [
        (Answer("Ada, with 9 fish. [1]", (), 1.0), "right"),
        (Answer("ms byron takes 9 [1] fish", (), 1.0), "right"),
        (Answer("Ada does.", (), 1.0), "partly"),
        (Answer("Ada and Bo, with 9 fish.", (), 1.0), "wrong"),
        (Answer("Adam does.", (), 1.0), "wrong"),
        (NotFound("2 documents"), "declined"),
        (Declined("too long"), "declined"),
        (Failed("It broke"), "failed"),
    ],
)
def test_what_an_outcome_amounts_to(outcome: Outcome, verdict: str) -> None:
    assert verdict_of(ASKED, outcome) == verdict
    if verdict in {"declined", "failed"}:
        assert verdict_of(NONE, outcome) == verdict
    else:
        assert verdict_of(NONE, outcome) == "answered"


def cited(path: str, quote: str = "Ada feeds the walrus.") -> Citation:
    return Citation(1, "", "", path, "docs", path, "", "", quote, None)


def test_sources_are_counted_as_documents() -> None:
    two = replace(ASKED, sources=("w.md", "x.md"))
    evidence = tuple(EvidenceNote("1", "d", path, (), 1.0, None, 1) for path in ("zoo/w.md", "x.md", "y.md"))
    trace = Trace(evidence=evidence, model_calls=2, tokens=30)
    answer = Answer(
        "Ada feeds the walrus. [1]", (cited("zoo/w.md"), cited("zoo/w.md"), cited("y.md")), 1.0, trace=trace
    )
    assert scores_of(two, answer) == {
        "facts": 0.5,
        "citation_precision": 0.5,
        "citation_recall": 0.5,
        "hops": 1.0,
        "supported": 1.0,
        "requests": 2,
        "tokens": 30,
        "evidence_precision": 1.0,
        "evidence_recall": 1.0,
        "searched_again": 0.0,
        "again_right": 1.0,
    }
    nothing = {"evidence_precision": 0.0, "evidence_recall": 0.0, "searched_again": 0.0, "again_right": 0.0}
    counts = {"requests": 0, "tokens": 0}
    assert (
        scores_of(ASKED, NotFound("")) == {"facts": 0.0, "near_facts": 0.0, "citation_recall": 0.0} | counts | nothing
    )
    near = NearestDocument("", "", "", "", None, quotes=(NearQuote("Said Ada.", "c"),))
    assert scores_of(ASKED, NotFound("", nearest=(near,)))["near_facts"] == facts_held(ASKED, "Said Ada.") == 0.5
    assert scores_of(NONE, NotFound("")) == {"requests": 0, "tokens": 0}


def test_the_report_counts_by_kind() -> None:
    right = FactResult(ASKED, "right", {"facts": 1.0}, "Ada.")
    results = [
        right,
        replace(right, verdict="declined", scores={"facts": 0.0}),
        FactResult(NONE, "answered", {}, "Ada."),
    ]
    report = fact_report(results)
    assert report["answerable"]["kinds"] == {"fact": {"questions": 2, "right": 1, "declined": 1}}
    assert report["answerable"]["measures"] == {"facts": 0.5}
    assert report["unanswerable"]["total"] == {"questions": 1, "answered": 1}
    assert "share                               50.0 %" in fact_table(report)


FORM = "- id: a\n  question: Who?\n  facts: [[Ada]]\n"


def test_what_a_file_says() -> None:
    (question,) = read_fact_questions(FORM + "  sources: [w.md]\n  kind: fact\n  before: What?\n", "f")
    assert question == FactQuestion("a", "Who?", "fact", "What?", (("Ada",),), (), ("w.md",))


@pytest.mark.parametrize(
    "text",
    [
        "a: [",
        "{}",
        "- 1",
        FORM + FORM,
        "- id: a\n  question: Who?",
        "- id: a\n  facts: [[Ada]]",
        "- id: a\n  question: Who?\n  facts: [Ada]",
        "- id: a\n  question: Who?\n  facts: [[1]]",
        FORM + "  answerable: false",
        FORM + "  answerable: 1",
        FORM + "  wrong: Bo",
    ],
)
def test_what_is_not_of_the_form_is_refused(text: str) -> None:
    with pytest.raises(Misconfigured):
        read_fact_questions(text, "f")


def test_the_seed_draws() -> None:
    many = [replace(ASKED, id=str(number)) for number in range(30)]
    few, others = (drawn(many, 5, seed, lambda each: each.id) for seed in (1, 2))
    assert drawn(many, None, 0, lambda each: each.id) == many
    assert drawn(many, 5, 1, lambda each: each.id) == few != others
