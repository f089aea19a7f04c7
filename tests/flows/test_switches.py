"""What switches off is off, whatever a language model says: it is obeyed in code, not requested in a prompt."""

import json
import re
from dataclasses import replace

import pytest

from agent.options import Features
from agent.wording import MODEL_BESIDE
from tests.fakes.documents import a_document, put
from tests.fakes.knowledge import MemoryKnowledge
from tests.fakes.model_agent import BOILER, EMBEDDER, NARROW, OPTIONS, PAGES, knowledge_of, model_agent
from tests.fakes.model_rules import always, analysis, grades, read
from tests.fakes.model_server import Body, ModelServer, Reply, Rule

pytestmark = pytest.mark.everyday

BOTH = "When is the boiler in the plant room serviced, and where do visitors park their cars?"
LISTING = "Which documents mention the garage?"


def analysing(**fields: object) -> Rule:
    """A model whose analysis is that of the rules but for these fields."""

    def rule(body: Body) -> Reply | None:
        prompt = read(body)
        return Reply(json.dumps({**analysis(prompt), **fields})) if prompt.purpose == "analyze" else None

    return rule


def grading(**fields: object) -> Rule:
    def rule(body: Body) -> Reply | None:
        prompt = read(body)
        return Reply(json.dumps({**grades(prompt), **fields})) if prompt.purpose == "grade" else None

    return rule


PARTS = [{"text": BOILER}, {"text": "Where do visitors park their cars?"}]
CALLS = [
    {"tool": "hybrid_search", "args": {"query": part["text"]}, "sub_question": n} for n, part in enumerate(PARTS, 1)
]
HYDE = {"tool": "hyde_search", "args": {"query": BOILER}, "sub_question": 1}


@pytest.mark.parametrize(("decomposition", "parts"), [(True, 2), (False, 1)])
async def test_a_question_is_not_taken_apart_where_that_is_off(
    server: ModelServer, *, decomposition: bool, parts: int
) -> None:
    server.rules.insert(0, analysing(sub_questions=PARTS, plan=CALLS))
    options = replace(OPTIONS, features=Features(decomposition=decomposition))
    async with model_agent(server, await knowledge_of(PAGES), options=options) as agent:
        told = await agent.ask(BOTH)
        (written,) = agent.bodies("synthesize")
    assert len(read(written).parts) == parts
    assert ("part 2:" in told.reasoning) == (parts == 2)
    assert (PARTS[1]["text"] in {call.args["query"] for call in told.outcome.trace.tool_calls}) == (parts == 2)


@pytest.mark.parametrize(("vague", "planned"), [(True, False), (True, True), (False, True), (False, False)])
async def test_a_hypothetical_answer_is_made_of_vague_questions_alone(
    server: ModelServer, *, vague: bool, planned: bool
) -> None:
    server.rules.insert(0, analysing(vague=vague, plan=[CALLS[0], *([HYDE] if planned else [])]))
    async with model_agent(server, await knowledge_of(PAGES)) as agent:
        told = await agent.ask(BOILER)
    assert agent.purposes.count("hypothesis") == vague
    assert [call.name for call in told.outcome.trace.tool_calls].count("hyde_search") == vague


async def test_nor_of_those_where_it_is_off(server: ModelServer) -> None:
    server.rules.insert(0, analysing(vague=True, plan=[CALLS[0], HYDE]))
    options = replace(OPTIONS, features=Features(hyde=False))
    async with model_agent(server, await knowledge_of(PAGES), options=options) as agent:
        await agent.ask(BOILER)
    assert "hypothesis" not in agent.purposes


@pytest.mark.parametrize(("asked", "beside"), [(BOTH, []), (LISTING, ["list_entries"]), ("What is OPS-123?", [])])
async def test_direct_mode_is_one_search_with_a_model_and_without(
    server: ModelServer, asked: str, beside: list[str]
) -> None:
    server.rules.insert(0, analysing(sub_questions=PARTS, plan=[*CALLS, HYDE], vague=True))
    async with model_agent(server, await knowledge_of(PAGES)) as agent:
        told = await agent.ask(asked, mode="direct")
        without = await agent.ask(asked, mode="direct", model="offline")
    for outcome in (told.outcome, without.outcome):
        made = [(call.name, set(call.args.values())) for call in outcome.trace.tool_calls]
        assert made == [(name, {asked}) for name in [*beside, "hybrid_search"]]
        assert outcome.trace.iterations == 1


async def test_direct_mode_searches_without_the_filters_that_stand_in_the_words(server: ModelServer) -> None:
    async with model_agent(server, await knowledge_of(PAGES)) as agent:
        told = await agent.ask(f"{BOILER} source:docs", mode="direct")
    assert [call.args for call in told.outcome.trace.tool_calls] == [{"query": BOILER}]


async def test_a_method_and_weights_hold_for_one_request_with_a_model_too(server: ModelServer) -> None:
    async with model_agent(server, await knowledge_of(PAGES)) as agent:
        told = await agent.ask(BOILER, method="lexical", lexical_weight=1.0, graph_share=0.0)
        (body,) = agent.bodies("analyze")
    assert told.answer.citations[0].title == "Boiler"
    offered = body["messages"][0]["content"]
    assert "hybrid_search" in offered
    assert not [name for name in ("vector_search", "hyde_search", "rerank(") if name in offered]


async def test_a_grader_who_is_not_sure_has_more_searched_and_lowers_the_confidence(server: ModelServer) -> None:
    options = replace(NARROW, features=Features(grading_skip=False))
    good = [{"item": n, "parts": [1], "score": 1.0} for n in (1, 2)]
    server.rules.insert(0, grading(grades=good, confidence=0.2))
    async with model_agent(server, await knowledge_of(PAGES), options=options) as agent:
        unsure = await agent.ask(BOILER)
        server.rules.insert(0, grading(grades=good, confidence=0.9))
        sure = await agent.ask(BOILER)
        server.rules.insert(0, grading(grades=good, confidence="no number"))
        unsaid = await agent.ask(BOILER)
    assert "average 1.00, confidence 0.20: refine" in unsure.reasoning
    assert (unsure.outcome.trace.iterations > 1, sure.outcome.trace.iterations) == (True, 1)
    assert (unsure.answer.confidence, sure.answer.confidence, unsaid.answer.confidence) == (0.2, 0.9, 1.0)


async def test_a_model_reads_a_long_document_to_its_end(server: ModelServer) -> None:
    knowledge = await knowledge_of(PAGES)
    await put(knowledge, EMBEDDER, a_document("log", title="Log"), *(f"Entry {number}." for number in range(53)))

    def reading(body: Body) -> Reply | None:
        prompt = read(body)
        goes_on = re.search(r"Read: parts \d+ to \d+ of 53 of log; first=(\d+)", prompt.user)
        page = {"tool": "read_file", "args": {"path": "log", "first": int(goes_on[1]) if goes_on else 0}}
        said: dict[str, Body] = {
            "analyze": {**analysis(prompt), "plan": [page], "complexity": "moderate"},
            "grade": {"grades": [{"item": each.number, "score": 0.5} for each in prompt.passages], "confidence": 0.1},
            "plan": {"plan": [page]},
        }
        return Reply(json.dumps(said[prompt.purpose])) if prompt.purpose in said else None

    server.rules.insert(0, reading)
    async with model_agent(server, knowledge) as agent:
        told = await agent.ask("Which entries are in the file log?")
    pages = [call for call in told.outcome.trace.tool_calls if call.name == "read_file"]
    assert [call.args.get("first", 0) for call in pages] == [0, 20, 40]
    assert [call.results for call in pages] == [20, 20, 13]
    assert pages[-1].note == "parts 41 to 53 of 53 of log"


async def test_words_of_one_family_speak_of_the_same(server: ModelServer) -> None:
    page = "Übernachtungen im Inland: höchstens 145 € pro Nacht, inklusive Frühstück."
    good = grading(grades=[{"item": 1, "parts": [1], "score": 1.0}], confidence=0.9)
    server.rules[:0] = [
        always("synthesize", Reply("Es sind höchstens 145 € pro Nacht, inklusive Frühstück. [1]")),
        good,
    ]
    knowledge = MemoryKnowledge(EMBEDDER.identity)
    await put(knowledge, EMBEDDER, a_document("travel", title="Übernachtungen"), page)
    async with model_agent(server, knowledge) as agent:
        told = await agent.ask("Ich übernachte in Kassel, was zahlt die Firma?")
    assert told.answer.text == "Es sind höchstens 145 € pro Nacht, inklusive Frühstück. [1]"
    assert MODEL_BESIDE not in told.answer.notice


async def test_a_reply_about_something_else_is_followed_by_what_answers(server: ModelServer) -> None:
    said = f"{PAGES['lunch']} [1]"

    def beside(body: Body) -> Reply | None:
        """Cites the page about lunch, wherever it stands, for a question about the boiler."""
        prompt = read(body)
        if prompt.purpose != "synthesize":
            return None
        number = next(each.number for each in prompt.passages if "Lunch is served" in each.text)
        return Reply(said.replace("[1]", f"[{number}]"))

    server.rules.insert(0, beside)
    async with model_agent(server, await knowledge_of(PAGES)) as agent:
        told = await agent.ask(BOILER)
    assert "The boiler in the plant room is serviced every March." in told.answer.text
    assert MODEL_BESIDE in told.answer.notice
