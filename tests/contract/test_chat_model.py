"""What domain.model_ports.ChatModel promises, held against the model behind an API, in memory, and in every wrapper."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass

import pytest

from agent.providers.breaker import Breaking
from agent.providers.budget import Budgeted, CallBudget, TimeBudget
from agent.providers.cached import Cached
from agent.providers.openai import ChatEndpoint, open_chat_model
from agent.providers.retry import Retrying
from domain.chat import ChatRequest, Message, ReplySchema
from domain.errors import KbError, Misconfigured, Refused, Transient
from domain.masking import Masker
from domain.model_ports import ChatModel
from tests.fakes import model_faults as faults
from tests.fakes.chat_model import ScriptedModel
from tests.fakes.dict_replies import DictReplies
from tests.fakes.embeddings_server import KEY
from tests.fakes.model_server import CHAT_MODEL, Answer, ModelServer, Reply, model_server

SYSTEM = Message("system", "Be kind.")
REQUEST = ChatRequest("greet/1", (SYSTEM, Message("user", "Hello, \ud800 how are you? \x00")))
LONG = "The garage is below the building; its gate opens at six.\n\nAsk at the desk [1]. " * 40


@dataclass
class Subject:
    """model: what is tested. will: what its server does next. asked: how many requests it got."""

    model: ChatModel
    will: Callable[..., None]
    asked: Callable[[], int]


WRAPPERS: dict[str, Callable[[ChatModel], ChatModel]] = {
    "bare": lambda model: model,
    "retrying": lambda model: Retrying(model, TimeBudget(60), retries=0),
    "breaking": lambda model: Breaking(model, failures=50),
    "budgeted": lambda model: Budgeted(model, CallBudget(limit=1_000), TimeBudget(60)),
    "cached": lambda model: Cached(model, DictReplies(), b"view", Masker()),
    "all": lambda model: Cached(
        Retrying(Budgeted(Breaking(model), CallBudget(limit=1_000), TimeBudget(60)), TimeBudget(60), retries=0),
        DictReplies(),
        b"view",
        Masker(),
    ),
}


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


@pytest.fixture(scope="module")
async def behind_an_api(server: ModelServer) -> AsyncIterator[ChatModel]:
    async with open_chat_model(ChatEndpoint(server.base_url, KEY, CHAT_MODEL, timeout=5)) as model:
        yield model


@pytest.fixture(params=[f"{kind}, {wrapper}" for kind in ("api", "memory") for wrapper in WRAPPERS])
def subject(request: pytest.FixtureRequest, server: ModelServer, behind_an_api: ChatModel) -> Subject:
    kind, wrapper = request.param.split(", ")
    wrap = WRAPPERS[wrapper]
    if kind == "memory":
        scripted = ScriptedModel()
        return Subject(wrap(scripted), lambda *them: tell(scripted, them), lambda: len(scripted.requests))
    server.requests.clear()
    server.answers.clear()
    return Subject(wrap(behind_an_api), server.script, lambda: len(server.requests))


def tell(scripted: ScriptedModel, answers: tuple[Answer, ...]) -> None:
    """Has the model in memory do what its server would be told to."""
    errors: dict[object, KbError | tuple[str | KbError, ...]] = {
        faults.BUSY: Transient("busy"),
        faults.UNAUTHORIZED: Misconfigured("no such key"),
        faults.TOO_LONG: Refused("too long"),
        faults.EMPTY: Transient("empty"),
        BREAKS: ("half of ", Transient("broke off")),
    }
    scripted.replies.extend(errors[answer] if answer in errors else str(answer.text) for answer in answers)  # type: ignore[union-attr] # what has no error is a Reply


BREAKS = faults.stops("half of ")
FAILURES = [
    pytest.param(faults.BUSY, Transient, id="busy"),
    pytest.param(faults.EMPTY, Transient, id="empty"),
    pytest.param(faults.UNAUTHORIZED, Misconfigured, id="key refused"),
    pytest.param(faults.TOO_LONG, Refused, id="too long"),
]


def test_a_name_does_not_change(subject: Subject) -> None:
    assert subject.model.name
    assert subject.model.name == subject.model.name


async def test_complete_gives_the_whole_reply_for_one_request(subject: Subject) -> None:
    subject.will(Reply(LONG))
    assert await subject.model.complete(REQUEST) == LONG
    assert subject.asked() == 1


async def test_a_stream_gives_the_same_in_pieces_for_one_request(subject: Subject) -> None:
    subject.will(Reply(LONG))
    pieces = [piece async for piece in subject.model.stream(REQUEST)]
    assert len(pieces) > 10
    assert all(pieces)
    assert "".join(pieces) == LONG
    assert subject.asked() == 1


async def test_nothing_is_asked_before_a_stream_is_read(subject: Subject) -> None:
    subject.model.stream(REQUEST)
    await asyncio.sleep(0.01)
    assert subject.asked() == 0


async def test_a_stream_may_be_left(subject: Subject) -> None:
    subject.will(Reply(LONG), Reply("and on"))
    async for piece in subject.model.stream(REQUEST):
        assert piece
        break
    other = ChatRequest("greet/2", REQUEST.messages)
    assert await subject.model.complete(other) == "and on"


async def test_a_reply_with_a_schema_is_its_text(subject: Subject) -> None:
    subject.will(Reply('{"mood": "fine"}'))
    schema = ReplySchema("mood", {"type": "object", "properties": {"mood": {"type": "string"}}})
    assert await subject.model.complete(ChatRequest("mood/1", REQUEST.messages, schema)) == '{"mood": "fine"}'


@pytest.mark.parametrize(("answer", "kind"), FAILURES)
async def test_failures_have_their_kinds(subject: Subject, answer: Answer, kind: type[KbError]) -> None:
    subject.will(answer, answer)
    with pytest.raises(kind):
        await subject.model.complete(REQUEST)
    with pytest.raises(kind):
        await anext(aiter(subject.model.stream(REQUEST)))
    assert subject.asked() == 2


async def test_a_reply_that_breaks_off_raises_behind_its_pieces(subject: Subject) -> None:
    subject.will(BREAKS)
    pieces = aiter(subject.model.stream(REQUEST))
    given = ""
    while given != "half of ":
        given += await anext(pieces)
    with pytest.raises(Transient):
        await anext(pieces)
    assert subject.asked() == 1


async def test_concurrent_requests_get_their_own_replies(subject: Subject) -> None:
    subject.will(*(Reply(f"reply {number}") for number in range(20)))
    requests = [ChatRequest(f"count/{number}", REQUEST.messages) for number in range(20)]
    replies = await asyncio.gather(*map(subject.model.complete, requests))
    assert sorted(replies) == sorted(f"reply {number}" for number in range(20))


async def test_a_cancelled_request_leaves_the_model_usable(subject: Subject) -> None:
    subject.will(Reply("late"), Reply("in time"))
    task = asyncio.create_task(subject.model.complete(REQUEST))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await subject.model.complete(ChatRequest("greet/3", REQUEST.messages)) in {"late", "in time"}
