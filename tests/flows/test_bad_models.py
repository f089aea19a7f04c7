"""A model makes no answer worse than none: whatever it replies, the example company's questions are answered as without
it."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from agent.evaluation.fact_questions import FactQuestion, read_fact_questions
from agent.evaluation.fact_scores import verdict_of
from bot.app.product import Product, open_product
from config.load import load
from domain.access import Scope
from domain.answers import Mode, NotFound, Overrides, Question
from tests.architecture.checkout import ROOT
from tests.command import Kb
from tests.fakes.embeddings_server import KEY
from tests.fakes.model_rules import purpose
from tests.fakes.model_server import CHAT_MODEL, Body, ModelServer, Reply, Rule, model_server

FILE = ROOT / "examples" / "questions" / "development.yaml"
ASKED = [
    each
    for each in read_fact_questions(FILE.read_text(), FILE.name)
    if each.id in {"dev-fact-01", "dev-fact-03", "dev-table-05", "dev-list-01", "dev-identifier-01"}
]
REPLIES = {
    "garbage": "asdf qwer zxcv lkjh",
    "a number": "1.000",
    "a loop": "the the the the " * 80,
    "sentences again and again": "The toaster sings [1]. " * 60,
    "JSON of another form": '{"a": 1, "b": [1,2,3]}',
    "parts of a number": '{"standalone": "1.000", "parts": ["1.000", "1.000"]}',
    "an empty object": "{}",
    "a refusal": "I'm sorry, but I cannot help with that.",
    "no knowledge": "I don't know.",
    "another language": "Das weiß ich leider nicht genau, aber es ist wohl so [1].",
    "nonsense with a citation": "The walrus eats herring at noon [1].",
    "a wrong figure with a citation": "It is 999 euros per month [1]. It has been so since 1875 [2].",
    "citations alone": "[1][2][3]",
    "what nobody asked": "Somebody else drinks coffee [1].",
    "no citation": "The answer is in the documents.",
}
EVERYDAY = {"garbage", "parts of a number", "a wrong figure with a citation"}
"""Of the replies, those that `make check` gives."""

NO_TEST = {"LLM_READING_TEST": "false"}
"""Who replies badly would fail it, and write nothing."""


@pytest.fixture(scope="module")
def company(shared: Kb) -> Kb:
    """The example company's index."""
    assert shared("index", str(ROOT / "examples" / "knowledge-base")).code == 0
    return shared


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with model_server() as started:
        yield started


@asynccontextmanager
async def product(kb: Kb, **settings: str) -> AsyncIterator[Product]:
    environment = {name: value for name, value in kb.having(**settings).env.items() if name.startswith("KB_AGENT_")}
    async with open_product(load(environment, Path("/"))) as opened:
        yield opened


def always(text: str) -> Rule:
    return lambda _: Reply(text)


def grading_nothing(body: Body) -> Reply:
    """A model to which no passage is of use, and which answers with a number."""
    graded = {"grades": [{"item": number, "score": 0} for number in range(1, 25)], "confidence": 0}
    return Reply(json.dumps(graded) if purpose(body) == "grade" else "2 [1]. " + "The toaster sings [1]. " * 9)


async def verdicts(opened: Product, mode: Mode) -> dict[str, str]:
    async def verdict(question: FactQuestion) -> str:
        asked = Question(question.text, Scope.member(), overrides=Overrides(mode=mode))
        return verdict_of(question, (await opened.answers.ask(asked)).outcome)

    return {each.id: await verdict(each) for each in ASKED}


@pytest.mark.parametrize("mode", ["agentic", pytest.param("direct", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "replies", [EVERYDAY, pytest.param(REPLIES.keys() - EVERYDAY, marks=pytest.mark.slow)], ids=["some", "all others"]
)
async def test_no_reply_makes_an_answer_worse_than_none(
    company: Kb, server: ModelServer, replies: set[str], mode: Mode
) -> None:
    async with product(company) as opened:
        without = await verdicts(opened, mode)
    assert list(without.values()).count("right") == len(ASKED)
    endpoint = {
        "LLM_BASE_URL": server.base_url,
        "LLM_API_KEY": KEY,
        "LLM_MODEL": CHAT_MODEL,
        **NO_TEST,
        "MODEL_CACHE_ENTRIES": "0",
    }
    async with product(company, **endpoint) as opened:
        for name in sorted(replies):
            server.rules[:] = [always(REPLIES[name])]
            assert (name, await verdicts(opened, mode)) == (name, without)


async def test_a_list_that_a_model_looked_up_answers_no_other_question(company: Kb, server: ModelServer) -> None:
    asked = "What is Soline's phone number?"
    call = {"tool": "list_entries", "args": {"question": "Which documents mention Soline?"}, "sub_question": 1}
    analysis = {"standalone": asked, "sub_questions": [{"text": asked}], "plan": [call]}

    def rule(body: Body) -> Reply:
        said = {"analyze": json.dumps(analysis), "plan": '{"plan": []}', "synthesize": "NOT FOUND"}
        return said_or_graded(said.get(purpose(body)))

    def said_or_graded(text: str | None) -> Reply:
        return Reply(text or json.dumps({"grades": [{"item": 1, "score": 0.4}], "missing": ["the number"]}))

    endpoint = {"LLM_BASE_URL": server.base_url, "LLM_API_KEY": KEY, "LLM_MODEL": CHAT_MODEL, **NO_TEST}
    async with product(company, MODEL_CACHE_ENTRIES="0", **endpoint) as opened:
        server.rules[:] = [rule]
        told = await opened.answers.ask(Question(asked, Scope.member()))
    assert any(call.name == "list_entries" and call.results for call in told.outcome.trace.tool_calls)
    assert isinstance(told.outcome, NotFound)


async def test_a_grader_to_whom_nothing_is_of_use_throws_no_answer_away(company: Kb, server: ModelServer) -> None:
    settings = {"GRADING_SKIP": "false", "MODEL_CACHE_ENTRIES": "0"}
    endpoint = {"LLM_BASE_URL": server.base_url, "LLM_API_KEY": KEY, "LLM_MODEL": CHAT_MODEL, **NO_TEST}
    async with product(company, **settings, **endpoint) as opened:
        server.rules[:] = [grading_nothing]
        assert await verdicts(opened, "agentic") == {each.id: "right" for each in ASKED}
