"""What a question gives the model, and takes from it."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import replace

import pytest

from agent.options import AgentOptions
from agent.prompts import grade
from agent.providers.model_errors import AskOtherwise, Late
from agent.providers.openai import ChatEndpoint
from agent.reasoner import Grades
from agent.reasoners.model.factory import (
    RETEST_SECONDS,
    RETEST_SOON_SECONDS,
    TRIES,
    ModelOptions,
    ModelReasonerFactory,
    other_languages,
)
from agent.reasoners.offline.factory import OfflineReasonerFactory
from agent.retrieval.retriever import RetrievalOptions, Retriever
from agent.state import DROP_BELOW, LIST_ENTRIES, Evidence
from domain.access import Scope
from domain.answers import Overrides, Question
from domain.chat import ChatRequest
from domain.errors import KbError, Transient
from domain.masking import Masker
from tests.fakes.agent import a_passage, an_analysis, an_evidence
from tests.fakes.chat_model import ScriptedModel
from tests.fakes.documents import a_document, put
from tests.fakes.embedder import HashEmbedder
from tests.fakes.knowledge import MemoryKnowledge
from tests.fakes.model_rules import scored

EMBEDDER = HashEmbedder()


def mind(model: ScriptedModel, knowledge: MemoryKnowledge | None = None) -> ModelReasonerFactory:
    retriever = Retriever(knowledge or MemoryKnowledge(EMBEDDER.identity), EMBEDDER, RetrievalOptions())
    options = ModelOptions(ChatEndpoint("http://127.0.0.1:1/v1", "", "m"), deadline=180)
    return ModelReasonerFactory(model, options, OfflineReasonerFactory(retriever, EMBEDDER), None, Masker())


GATE = json.dumps(scored([]))
CREDULOUS = json.dumps(scored([], controls=(1.0, 1.0, 1.0)))


async def named(shared: ModelReasonerFactory, model: str | None = None) -> str:
    """The reasoner that a question gets."""
    question = Question("Why?", Scope.member(), overrides=Overrides(model=model))
    await shared.prepare(question)
    return shared.open(question, AgentOptions(), "").reasoner.name


def with_reading_test(model: ScriptedModel, clock: Callable[[], float] = lambda: 1.0) -> ModelReasonerFactory:
    shared = mind(model)
    return replace(shared, options=replace(shared.options, reading_test=True), clock=clock)


@pytest.mark.parametrize(("reply", "name"), [(GATE, "scripted"), (CREDULOUS, "offline")])
async def test_a_model_that_cannot_tell_what_a_passage_says_does_not_write(reply: str, name: str) -> None:
    model = ScriptedModel(reply)
    shared = with_reading_test(model)
    assert await named(shared, "offline") == "offline"
    assert model.requests == [], "who wants no model asks none"
    assert [await named(shared) for _ in range(3)] == [name] * 3
    assert len(model.requests) == 1, "it is asked once"
    assert not model.requests[0].small, "the one that writes"
    assert await named(shared, "another") == "another", "who names a model gets it"


@pytest.mark.parametrize("first", [Late("late", why="no reply within 1 s"), "I would think so.", '{"support": []}'])
async def test_a_model_that_does_not_say_is_used_and_asked_again_later(first: Late | str) -> None:
    model = ScriptedModel(first, CREDULOUS)
    shared = with_reading_test(model)
    assert await named(shared, "offline") == "offline"
    assert model.requests == [], "who wants no model asks none"
    assert [await named(shared) for _ in range(3)] == ["scripted"] * 3
    assert len(model.requests) == 1
    shared._again_at = 0.0
    assert await named(shared) == "offline"


async def test_a_test_goes_on_though_the_server_takes_the_request_only_after_some_changes() -> None:
    model = ScriptedModel(*[AskOtherwise("no temperature")] * (TRIES - 1), CREDULOUS)
    assert await named(with_reading_test(model)) == "offline"


async def test_where_the_server_fails_for_now_the_model_is_soon_asked_again() -> None:
    now = [1.0]
    model = ScriptedModel(*[Transient("busy", retry_after=0.0)] * TRIES, CREDULOUS)
    shared = with_reading_test(model, lambda: now[0])
    assert await named(shared) == "scripted"
    now[0] += RETEST_SOON_SECONDS
    assert await named(shared) == "offline"


async def test_a_model_that_hangs_costs_a_question_its_time_once() -> None:
    model = ScriptedModel(Late("late", why="no reply within 1 s"), "a passage")
    shared, question = with_reading_test(model), Question("Why?", Scope.member(), seconds=30.0)
    why = await shared.prepare(question)
    session = shared.open(question, AgentOptions(), "")
    session.give_up(why)
    assert await session.reasoner.hypothesise("Why?") == ""
    assert (why, len(model.requests)) == ("no reply within 1 s", 1)
    assert await shared.prepare(question) == "", "the next question asks the model"


async def test_a_model_that_took_long_for_the_test_is_asked_where_there_is_time_for_a_reply() -> None:
    model = ScriptedModel(Late("late", why="no reply within 22.5 s"), "a passage")
    shared, question = with_reading_test(model), Question("Why?", Scope.member())
    assert await shared.prepare(question) == "", "it may have been loading"
    assert await shared.open(question, AgentOptions(), "").reasoner.hypothesise("Why?") == "a passage"


class Silent(ScriptedModel):
    """Says nothing until it is told to go on. asked: set when it was asked."""

    def __init__(self, *replies: str | KbError) -> None:
        super().__init__(*replies)
        self.asked, self.goes_on = asyncio.Event(), asyncio.Event()

    async def stream(self, request: ChatRequest) -> AsyncGenerator[str, None]:
        self.asked.set()
        await self.goes_on.wait()
        async for piece in super().stream(request):
            yield piece


async def test_a_question_waits_for_the_test_of_another_one_within_its_own_time() -> None:
    model = Silent(Late("late", why="no reply within 1 s"))
    shared = with_reading_test(model)
    first = asyncio.create_task(shared.prepare(Question("Why?", Scope.member(), seconds=50.0)))
    await asyncio.wait_for(model.asked.wait(), 30)
    assert await asyncio.wait_for(shared.prepare(Question("Why?", Scope.member(), seconds=0.3)), 30) == ""
    assert not first.done()
    patient = [
        asyncio.create_task(shared.prepare(Question("Why?", Scope.member(), seconds=each))) for each in (None, 50.0)
    ]
    await asyncio.sleep(0)
    model.goes_on.set()
    assert await asyncio.wait_for(first, 30) == "no reply within 1 s"
    assert await asyncio.wait_for(asyncio.gather(*patient), 30) == ["", ""], "it is not their time that it took"
    assert len(model.requests) == 1


async def test_without_the_test_a_model_writes_whatever_it_can() -> None:
    model = ScriptedModel(CREDULOUS)
    assert await named(mind(model)) == "scripted"
    assert model.requests == []


@pytest.mark.parametrize(("seconds", "left"), [(None, 165), (3_600.0, 165), (100.0, 85), (8.0, 6)])
async def test_the_model_gets_what_is_left_of_the_questions_time(seconds: float | None, left: float) -> None:
    model = ScriptedModel("a passage", "another")
    thinking = mind(model).open(Question("Why?", Scope.member(), seconds=seconds), AgentOptions(), "")
    for _ in range(2):
        assert await thinking.reasoner.hypothesise("Why?")
    for request in model.requests:
        assert request.seconds is not None
        assert left - 5 < request.seconds <= left


async def test_a_question_whose_time_is_over_asks_no_model() -> None:
    model = ScriptedModel("a passage")
    thinking = mind(model).open(Question("Why?", Scope.member(), seconds=0.0), AgentOptions(), "")
    assert await thinking.reasoner.hypothesise("Why?") == ""
    assert (model.requests, thinking.calls()) == ([], 0)


async def test_questions_do_not_share_their_time() -> None:
    model = ScriptedModel(Late("late", why="no reply within 1 s"), "a passage")
    shared = mind(model)
    for expected in ("", "a passage"):
        thinking = shared.open(Question("Why?", Scope.member()), AgentOptions(), "")
        assert await thinking.reasoner.hypothesise("Why?") == expected


async def graded(evidence: Sequence[Evidence], *replies: Mapping[str, object]) -> Grades:
    thinking = mind(ScriptedModel(*map(json.dumps, replies))).open(
        Question("Which?", Scope.member()), AgentOptions(), ""
    )
    return await thinking.reasoner.grade(an_analysis("Which?"), evidence, [])


async def test_a_list_that_was_looked_up_is_graded_as_one() -> None:
    listed = [replace(an_evidence(name), tools=(LIST_ENTRIES,), stated_relations=(name,)) for name in ("one", "two")]
    marks = [{"item": 1, "score": 0.8}, {"item": 2, "score": 0.1}, {"item": 3, "score": 0.1}]
    found = await graded(
        [*listed, an_evidence("other")], {"grades": marks, "missing": [], "tasks": [], "confidence": 1}
    )
    assert dict(found.grades) == {(1, "one-0"): 0.8, (1, "two-0"): 0.8, (1, "other-0"): 0.1}


async def test_of_several_batches_the_surest_tells_what_is_missing() -> None:
    """No batch sees the passages of another: what one of them lacks may stand in it."""
    evidence = [an_evidence(f"e{number}") for number in range(grade.BATCH + 1)]
    marks = [{"item": item, "score": 0.5} for item in range(1, grade.BATCH + 1)]
    sure = {"grades": marks, "missing": ["when"], "tasks": ["a date"], "confidence": 0.6}
    lost = {"grades": marks, "missing": ["who", "when"], "tasks": ["all of it"], "confidence": 0.0}
    for replies in ((sure, lost), (lost, sure)):
        found = await graded(evidence, *replies)
        assert (found.missing, found.tasks, found.confidence) == (("when",), ("a date",), 0.6)


@pytest.mark.parametrize(
    ("question", "shares", "named"),
    [
        ("How are animals fed?", {"en": 1.0}, ()),
        ("How are animals fed?", {}, ()),
        ("How are animals fed?", {"en": 0.97, "de": 0.03}, ()),
        ("Hoeveel vakantiedagen heb ik per jaar?", {"en": 1.0}, ("English",)),
        ("Hoeveel vakantiedagen heb ik per jaar?", {"nl": 1.0}, ()),
        ("Quantos dias de férias eu tenho por ano?", {"pt": 0.8, "en": 0.2}, ("Portuguese", "English")),
        ("How are animals fed?", {"de": 0.6, "en": 0.3, "fr": 0.1}, ("English", "German", "French")),
        ("Wie werden die Tiere gefüttert?", {"en": 1.0}, ("English",)),
        ("Wie werden die Tiere gefüttert?", {"fr": 0.2, "en": 0.8}, ("English", "French")),
    ],
)
def test_languages_are_named_where_documents_are_not_all_in_that_of_the_question(
    question: str, shares: Mapping[str, float], named: tuple[str, ...]
) -> None:
    assert other_languages(question, shares) == named


async def test_a_model_is_told_which_languages_to_search_in() -> None:
    now = [0.0]
    looks: list[Transient | dict[str, float]] = [Transient("The database is away"), {"en": 1.0}, {"de": 1.0}]

    async def languages() -> Mapping[str, float]:
        found = looks.pop(0)
        if isinstance(found, Transient):
            raise found
        return found

    model = ScriptedModel("{}", "A passage.", "{}", "A passage.", "{}", "A passage.")
    shared = replace(mind(model), languages=languages, clock=lambda: now[0])
    question = Question("Wie werden die Tiere gefüttert?", Scope.member())

    async def told() -> list[str]:
        await shared.prepare(question)
        reasoner = shared.open(question, AgentOptions(), "").reasoner
        await reasoner.analyze(question, ())
        await reasoner.hypothesise(question.text)
        first, second = model.requests[-2:]
        line = first.messages[1].text.partition("The documents are written in ")[2].partition(":")[0]
        return [line, second.messages[0].text.rpartition(", in ")[2]]

    assert await told() == ["", "the language of the question."], "the database was away"
    now[0] = RETEST_SECONDS
    assert await told() == ["English", "English."]
    assert await told() == ["English", "English."], "it is not looked every time"
    now[0] = 2 * RETEST_SECONDS
    assert await told() == ["", "the language of the question."]
    assert looks == []


async def test_a_page_that_no_model_reads_does_not_stand_for_what_it_has_read() -> None:
    """Where a model finds all of no use, the best is kept all the same; text to machines is not what it judged."""
    model = ScriptedModel(json.dumps({"grades": [], "missing": [], "tasks": [], "confidence": 0.0}))
    good = a_passage("Walrus feeding is at nine.", "good")
    marked = replace(a_passage("When is the walrus fed? Walrus feeding.", "marked"), injection="override")
    question = Question("When is the walrus fed?", Scope.member())
    knowledge = MemoryKnowledge(EMBEDDER.identity)
    await put(knowledge, EMBEDDER, a_document("good"), good.text)
    reasoner = mind(model, knowledge).open(question, AgentOptions(), "").reasoner
    items = [an_evidence(good), an_evidence(marked)]
    found = await reasoner.grade(an_analysis(question.text), items, ())
    assert found.grades[1, items[0].key] == DROP_BELOW


async def test_an_analysis_may_use_the_words_that_were_typed() -> None:
    reply = {"standalone": "How do I resign?", "sub_questions": [], "plan": []}
    model = ScriptedModel(json.dumps(reply))
    question = Question("How do I resin?", Scope.member(), typed="How do I resign?")
    reasoner = mind(model).open(question, AgentOptions(), "").reasoner
    analysis, _ = await reasoner.analyze(question, ())
    assert analysis.standalone == "How do I resign?"
    assert "It was typed so, and may mean another word: How do I resign?" in model.requests[0].messages[1].text
