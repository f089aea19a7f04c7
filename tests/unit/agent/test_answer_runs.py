"""Asking judged questions: what is noted of each outcome, and what is made of it."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.evaluation.answer_runs import AnswerResult, ask_all, measured, sweep
from agent.evaluation.judged_questions import JudgedQuestion
from agent.reasoners.offline.factory import OfflineReasonerFactory
from agent.retrieval.retriever import RetrievalOptions, Retriever
from agent.service import AnswerService, ReasonerFactory
from agent.tools.registry import ToolSources
from domain.access import Scope
from domain.answers import (
    Answer,
    Citation,
    Declined,
    EvidenceNote,
    Failed,
    NotFound,
    Outcome,
    Progress,
    Question,
    ReplyPart,
    ToolCall,
    Trace,
)
from domain.masked_answer import MaskedAnswer, masked_answer
from domain.masking import MaskedText, Masker
from tests.fakes.documents import a_document, put
from tests.fakes.embedder import HashEmbedder
from tests.fakes.knowledge import MemoryKnowledge

MODEL = HashEmbedder()
KEY = "AKIA" + 4 * "TEST"
TEXTS = {
    "walrus": "The walrus is fed at noon.\nIt eats herring.",
    "toner": f"Printers need toner. Show {KEY} when it is used up.",
}
WALRUS, TONER = (a_document(name).document_id for name in TEXTS)
ASKED = JudgedQuestion("When is the walrus fed?", {WALRUS: 1})
SEEN = AnswerResult(
    ASKED,
    answered=True,
    failed=False,
    confidence=0.8,
    all_gold=True,
    items=4,
    retrievals=2,
    model_calls=3,
    dangling=0,
    misquoted=0,
    ms=10.0,
)
UNANSWERABLE = replace(
    SEEN, question=JudgedQuestion("Who is the walrus?"), answered=False, confidence=0.0, all_gold=False
)


class SaysAlways(AnswerService):
    """Every question but a greeting has the same outcome."""

    def __init__(self, outcome: Outcome) -> None:
        self._outcome_of_all = outcome
        self.asked: list[Question] = []

    async def stream(self, question: Question) -> AsyncIterator[Progress | ReplyPart | MaskedAnswer]:
        self.asked.append(question)
        yield Progress(MaskedText("Searching"), 10)
        outcome = Answer("Hello.", (), 1.0) if question.text == "Hello" else self._outcome_of_all
        yield masked_answer(outcome, Masker())


async def a_zoo() -> MemoryKnowledge:
    knowledge = MemoryKnowledge(MODEL.identity)
    for name, text in TEXTS.items():
        await put(knowledge, MODEL, a_document(name), text)
    return knowledge


def a_retriever(knowledge: MemoryKnowledge) -> Retriever:
    return Retriever(knowledge, MODEL, RetrievalOptions())


def a_service(knowledge: MemoryKnowledge) -> AnswerService:
    retriever = a_retriever(knowledge)
    mind = OfflineReasonerFactory(retriever, MODEL)
    return AnswerService(ToolSources(knowledge, retriever, MODEL), ReasonerFactory(mind.open))


async def chunk_ids(knowledge: MemoryKnowledge) -> Mapping[str, str]:
    """The id of each document's only chunk."""
    found = await a_retriever(knowledge).rank("walrus toner", Scope.member())
    return {item.document_id: item.chunk_id for item in found.ranked}


async def an_answer(knowledge: MemoryKnowledge, text: str, *citations: Citation) -> Answer:
    """An answer whose evidence is everything there is."""
    evidence = tuple(
        EvidenceNote(chunk, document, "", ("hybrid_search",), 1.0, None, 1)
        for document, chunk in (await chunk_ids(knowledge)).items()
    )
    calls = (ToolCall("hybrid_search", {}, 1.0, 2), ToolCall("grep_search", {}, 1.0, 0))
    return Answer(text, citations, 0.7, trace=Trace(tool_calls=calls, model_calls=2, evidence=evidence))


async def seen_of(knowledge: MemoryKnowledge, outcome: Outcome, question: JudgedQuestion = ASKED) -> AnswerResult:
    (seen,) = await ask_all(SaysAlways(outcome), knowledge, a_retriever(knowledge), [question], "agentic", quiet)
    return seen


def quiet(_done: int) -> None:
    """Tells nobody."""


def cited(document: str, quote: str, n: int = 1) -> Citation:
    return Citation(n, "", "", "", "docs", document, "", "", quote, None)


async def test_a_real_answer_is_found_whole() -> None:
    knowledge = await a_zoo()
    told: list[int] = []
    high = JudgedQuestion("How high is the lighthouse?")
    seen = await ask_all(a_service(knowledge), knowledge, a_retriever(knowledge), [ASKED, high], "agentic", told.append)
    assert told == [1, 2]
    walrus, lighthouse = seen
    assert (walrus.answered, walrus.failed, walrus.all_gold) == (True, False, True)
    assert 0.3 <= walrus.confidence <= 1
    assert (walrus.dangling, walrus.misquoted, walrus.model_calls) == (0, 0, 0)
    assert walrus.items >= 1
    assert walrus.retrievals >= 1
    assert walrus.ms > 0
    assert (lighthouse.answered, lighthouse.confidence, lighthouse.all_gold) == (False, 0.0, False)


async def test_the_mode_reaches_every_question_and_a_greeting_goes_first() -> None:
    service = SaysAlways(NotFound("nothing"))
    knowledge = await a_zoo()
    await ask_all(service, knowledge, a_retriever(knowledge), [ASKED, ASKED], "direct", quiet)
    greeting, *asked = service.asked
    assert greeting.text == "Hello"
    assert [(each.text, each.overrides.mode) for each in asked] == 2 * [(ASKED.text, "direct")]


async def test_counts_come_from_the_trace() -> None:
    knowledge = await a_zoo()
    outcome = await an_answer(knowledge, "At noon. [1]", cited(WALRUS, "The walrus is fed at noon."))
    seen = await seen_of(knowledge, outcome)
    assert (seen.items, seen.retrievals, seen.model_calls) == (2, 2, 2)


async def test_relevant_documents_count_only_when_all_are_there() -> None:
    knowledge = await a_zoo()
    outcome = await an_answer(knowledge, "At noon. [1]")
    both = JudgedQuestion(ASKED.text, {WALRUS: 1, TONER: 2})
    missing = JudgedQuestion(ASKED.text, {WALRUS: 1, "another": 1})
    assert (await seen_of(knowledge, outcome, both)).all_gold
    assert not (await seen_of(knowledge, outcome, missing)).all_gold


@pytest.mark.parametrize(("text", "dangling"), [("[1]", 0), ("[1] [2]", 1), ("[7][8] [1]", 2), ("none", 0)])
async def test_markers_without_a_citation_are_counted(text: str, dangling: int) -> None:
    knowledge = await a_zoo()
    outcome = await an_answer(knowledge, text, cited(WALRUS, "The walrus is fed at noon."))
    assert (await seen_of(knowledge, outcome)).dangling == dangling


@pytest.mark.parametrize(
    ("document", "quote", "misquoted"),
    [
        (WALRUS, "The walrus is fed at noon.", 0),
        (WALRUS, "fed at noon.   It eats\nherring.", 0),
        (WALRUS, "It eats herring. … The walrus is fed at noon.", 0),
        (WALRUS, "The walrus is fed at nine. … It eats herring.", 1),
        (WALRUS, "The walrus eats. … It was fed.", 2),
        (TONER, "The walrus is fed at noon.", 1),
        ("another", "The walrus is fed at noon.", 1),
        (TONER, "Show [masked: aws access key] when it is used up.", 0),
        (TONER, "when it is used up. [masked: aws access key] Show", 1),
    ],
)
async def test_quotes_are_held_to_the_evidence_they_cite(document: str, quote: str, misquoted: int) -> None:
    knowledge = await a_zoo()
    outcome = await an_answer(knowledge, "[1]", cited(document, quote))
    assert (await seen_of(knowledge, outcome)).misquoted == misquoted


async def test_what_the_masker_hides_is_no_misquotation() -> None:
    knowledge = await a_zoo()
    masked = Masker().mask(TEXTS["toner"]).text
    assert KEY not in masked
    assert (await seen_of(knowledge, await an_answer(knowledge, "[1]", cited(TONER, masked)))).misquoted == 0


@pytest.mark.parametrize("outcome", [NotFound("2 documents"), Declined("too long"), Failed("It broke")])
async def test_without_an_answer_there_is_no_confidence(outcome: Outcome) -> None:
    seen = await seen_of(await a_zoo(), outcome)
    assert (seen.answered, seen.confidence, seen.dangling, seen.misquoted) == (False, 0.0, 0, 0)
    assert seen.failed == isinstance(outcome, Failed)


def test_means_and_shares() -> None:
    lost = replace(SEEN, answered=False, all_gold=False, items=2, retrievals=0, model_calls=1, dangling=1, ms=30.0)
    found = measured([SEEN, lost, replace(lost, misquoted=2, dangling=0), UNANSWERABLE])
    assert found == {
        "questions": 4,
        "failed": 0,
        "answered": pytest.approx(1 / 3),
        "all_gold": pytest.approx(1 / 3),
        "declined": 1.0,
        "evidence_items": 3.0,
        "retrievals": 1.0,
        "model_calls": 2.0,
        "markers_without_evidence": 1,
        "quotes_not_in_source": 2,
        "p50_ms": 10.0,
        "p95_ms": 30.0,
    }


def test_what_broke_did_not_decline() -> None:
    broken = replace(UNANSWERABLE, failed=True)
    found = measured([UNANSWERABLE, broken])
    assert (found["declined"], found["failed"]) == (0.5, 1)
    assert sweep([broken] * 20, [0.5]) == []


def test_shares_over_no_question_are_left_out() -> None:
    assert measured([]) == {"questions": 0}
    assert "declined" not in measured([SEEN])
    assert {"answered", "all_gold"}.isdisjoint(measured([UNANSWERABLE]))


def in_half(*, development: bool, gold: bool) -> JudgedQuestion:
    """A question of the half wanted."""
    made = (JudgedQuestion(f"What is number {n}?", {WALRUS: 1} if gold else {}) for n in range(100))
    return next(question for question in made if question.development is development)


def test_a_threshold_trades_answers_for_refusals() -> None:
    gold, none = in_half(development=True, gold=True), in_half(development=True, gold=False)
    sure, unsure = replace(SEEN, question=gold, confidence=0.9), replace(SEEN, question=gold, confidence=0.4)
    wrong, declined = replace(SEEN, question=none, confidence=0.6), replace(UNANSWERABLE, question=none)
    assert sweep([sure, unsure, wrong, declined], [0.0, 0.4, 0.6, 0.7]) == [
        {"threshold": 0.0, "answered": 1.0, "declined": 0.5},
        {"threshold": 0.4, "answered": 1.0, "declined": 0.5},
        {"threshold": 0.6, "answered": 0.5, "declined": 0.5},
        {"threshold": 0.7, "answered": 0.5, "declined": 1.0},
    ]


def test_the_held_out_half_is_not_looked_at() -> None:
    held = [replace(SEEN, question=in_half(development=False, gold=gold)) for gold in (True, False)]
    assert sweep(held, [0.5]) == []


def test_a_half_with_one_kind_of_question_has_no_sweep() -> None:
    assert sweep([replace(SEEN, question=in_half(development=True, gold=True))], [0.5]) == []


@given(st.lists(st.text(min_size=1), min_size=1, unique=True))
def test_a_question_stays_in_its_half(texts: list[str]) -> None:
    assert [JudgedQuestion(text).development for text in texts] == [
        JudgedQuestion(text, {WALRUS: 1}).development for text in texts
    ]


def test_halves_are_about_equal() -> None:
    share = sum(JudgedQuestion(f"What is number {n}?").development for n in range(1_000)) / 1_000
    assert 0.45 < share < 0.55


shown = st.builds(
    lambda number, gold, confidence: replace(
        SEEN,
        question=JudgedQuestion(f"What is number {number}?", {WALRUS: 1} if gold else {}),
        answered=confidence > 0,
        confidence=confidence,
    ),
    st.integers(0, 100),
    st.booleans(),
    st.floats(0, 1),
)


@given(st.lists(shown, max_size=30), st.lists(st.floats(0, 1), max_size=5))
def test_a_higher_threshold_never_answers_more(seen: list[AnswerResult], thresholds: list[float]) -> None:
    rows = sweep(seen, sorted(thresholds))
    answered = [row["answered"] for row in rows]
    declined = [row["declined"] for row in rows]
    assert answered == sorted(answered, reverse=True)
    assert declined == sorted(declined)
