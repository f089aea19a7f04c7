"""What a question gives the model, and takes from it."""

import pytest

from agent.options import AgentOptions
from agent.providers.model_errors import Late
from agent.providers.openai import ChatEndpoint
from agent.reasoners.model.factory import ModelOptions, ModelReasonerFactory
from agent.reasoners.offline.factory import OfflineReasonerFactory
from agent.retrieval.retriever import RetrievalOptions, Retriever
from domain.access import Scope
from domain.answers import Question
from domain.masking import Masker
from tests.fakes.chat_model import ScriptedModel
from tests.fakes.embedder import HashEmbedder
from tests.fakes.knowledge import MemoryKnowledge

EMBEDDER = HashEmbedder()


def mind(model: ScriptedModel) -> ModelReasonerFactory:
    retriever = Retriever(MemoryKnowledge(EMBEDDER.identity), EMBEDDER, RetrievalOptions())
    options = ModelOptions(ChatEndpoint("http://127.0.0.1:1/v1", "", "m"), deadline=180)
    return ModelReasonerFactory(model, options, OfflineReasonerFactory(retriever, EMBEDDER), None, Masker())


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
