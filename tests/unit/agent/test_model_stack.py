"""The wrappers around a model as one question has them, against a server that misbehaves."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

import pytest

from agent.providers.breaker import Breaking
from agent.providers.budget import Budgeted, CallBudget, TimeBudget
from agent.providers.cached import Cached
from agent.providers.model_errors import Late, TimeSpent
from agent.providers.openai import ChatEndpoint, OpenAIChatModel, open_chat_model
from agent.providers.retry import Retrying
from domain.chat import ReplySchema
from domain.errors import Misconfigured, Refused, Transient
from domain.masking import Masker
from domain.model_ports import ChatModel
from tests.fakes import model_faults as faults
from tests.fakes.dict_replies import DictReplies
from tests.fakes.embeddings_server import KEY
from tests.fakes.model_server import CHAT_MODEL, Answer, ModelServer, Reply, model_server
from tests.unit.agent.ways_of_asking import REQUEST, Ask, both


def patient(model: ChatModel, retries: int = 2, patience: float = 5.0) -> Retrying:
    return Retrying(model, TimeBudget(60, patience), retries, first_pause=0.001, longest_pause=0.01)


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


@pytest.fixture
async def api(server: ModelServer) -> AsyncIterator[OpenAIChatModel]:
    server.requests.clear()
    server.answers.clear()
    endpoint = ChatEndpoint(server.base_url, KEY, CHAT_MODEL, timeout=1.0)
    async with open_chat_model(endpoint) as model:
        yield model


def for_a_question(model: ChatModel, budget: CallBudget, replies: DictReplies) -> ChatModel:
    return Cached(patient(Budgeted(model, budget, TimeBudget(60)), patience=10), replies, b"view", Masker())


PASSING: list[Answer] = [
    faults.BUSY,
    faults.reset,
    faults.cut(""),
    faults.EMPTY,
]


@both
@pytest.mark.parametrize("answer", PASSING, ids=range(len(PASSING)))
async def test_a_passing_misbehaviour_costs_one_more_request(
    ask: Ask, answer: Answer, server: ModelServer, api: OpenAIChatModel
) -> None:
    budget, replies = CallBudget(), DictReplies()
    server.script(answer, Reply("fine"))
    model = for_a_question(Breaking(api), budget, replies)
    assert await ask(model) == "fine"
    assert await ask(model) == "fine"
    assert len(server.requests) == budget.used == 2


HANGING: list[Answer] = [faults.hang, faults.trickle(0.1)]


@both
@pytest.mark.parametrize("answer", HANGING, ids=range(len(HANGING)))
async def test_a_server_that_hangs_is_asked_once(
    ask: Ask, answer: Answer, server: ModelServer, api: OpenAIChatModel
) -> None:
    budget, time = CallBudget(), TimeBudget(0.8)
    server.script(answer, Reply("fine"), Reply("fine"))
    model = Retrying(Budgeted(Breaking(api), budget, time), time)
    with pytest.raises(Late, match="too slow, or hangs") as raised:
        await ask(model)
    assert "no reply within 0." in raised.value.why
    with pytest.raises(TimeSpent):
        await ask(model)
    assert len(server.requests) == budget.used == 1


@both
@pytest.mark.parametrize("answer", [faults.TOO_LONG, faults.UNAUTHORIZED])
async def test_a_lasting_failure_costs_one_request(
    ask: Ask, answer: Answer, server: ModelServer, api: OpenAIChatModel
) -> None:
    budget, replies = CallBudget(), DictReplies()
    server.script(answer)
    with pytest.raises((Refused, Misconfigured)):
        await ask(for_a_question(Breaking(api), budget, replies))
    assert len(server.requests) == budget.used == 1
    assert not replies.kept


async def test_a_server_without_schemas_is_found_out_within_a_question(
    server: ModelServer, api: OpenAIChatModel
) -> None:
    server.script(faults.no_json_schema, Reply('{"a": 1}'))
    budget = CallBudget()
    request = replace(REQUEST, schema=ReplySchema("a", {"type": "object"}))
    model = for_a_question(Breaking(api, failures=1), budget, DictReplies())
    assert await model.complete(request) == '{"a": 1}'
    assert budget.used == 2


async def test_a_server_that_is_away_is_not_asked_by_every_question(server: ModelServer, api: OpenAIChatModel) -> None:
    breaking, budgets = Breaking(api, failures=3, pause=60), [CallBudget() for _ in range(5)]
    server.script(*[faults.OVERLOADED] * 3)
    for budget in budgets:
        with pytest.raises(Transient):
            await for_a_question(breaking, budget, DictReplies()).complete(REQUEST)
    assert len(server.requests) == sum(budget.used for budget in budgets) == 3
