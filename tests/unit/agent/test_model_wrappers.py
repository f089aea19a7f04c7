"""What the wrappers around a model add: trying again, leaving alone, counting, keeping."""

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from agent.providers.breaker import Breaking
from agent.providers.budget import Budgeted, CallBudget, TimeBudget
from agent.providers.cached import Cached, masking_mark
from agent.providers.model_errors import AskOtherwise, BudgetSpent, CircuitOpen, CutOff, Late, TimeSpent
from agent.providers.retry import Retrying
from domain.chat import ChatRequest, Message, ReplySchema
from domain.errors import Bug, KbError, Misconfigured, Refused, Transient
from domain.masking import Masker
from domain.model_ports import ChatModel
from tests.fakes.chat_model import ScriptedModel
from tests.fakes.dict_replies import DictReplies
from tests.fakes.masking import SLOW, WordMasker, github_token
from tests.unit.agent.ways_of_asking import REQUEST, Ask, both, streamed

ANSWERING = ChatRequest("synthesize/1", REQUEST.messages)
BUSY = Transient("busy")


def busy(seconds: float | None = None) -> Transient:
    return Transient("busy", retry_after=seconds)


class Clock:
    """Seconds that pass when told."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


# --- retry ----------------------------------------------------------------------------------------------------------


def patient(model: ChatModel, retries: int = 2, patience: float = 5.0) -> Retrying:
    return Retrying(model, TimeBudget(60, patience), retries, first_pause=0.001, longest_pause=0.01)


@both
async def test_a_passing_failure_is_tried_again(ask: Ask) -> None:
    model = ScriptedModel(BUSY, BUSY, "fine")
    assert await ask(patient(model)) == "fine"
    assert len(model.requests) == 3


@both
async def test_the_last_failure_is_told(ask: Ask) -> None:
    model = ScriptedModel(BUSY, BUSY, Transient("still busy"))
    with pytest.raises(Transient, match="still busy"):
        await ask(patient(model))


@both
@pytest.mark.parametrize("error", [Refused("no"), Misconfigured("no"), Bug("no"), BudgetSpent("no")])
async def test_other_failures_are_not_tried_again(ask: Ask, error: KbError) -> None:
    model = ScriptedModel(error, "fine")
    with pytest.raises(type(error)):
        await ask(patient(model))
    assert len(model.requests) == 1


@both
async def test_the_wait_asked_for_is_kept(ask: Ask) -> None:
    start = time.monotonic()
    assert await ask(patient(ScriptedModel(busy(0.1), "fine"))) == "fine"
    assert time.monotonic() - start >= 0.1


@both
async def test_a_wait_beyond_the_patience_is_not_begun(ask: Ask) -> None:
    model, start = ScriptedModel(busy(300), "fine"), time.monotonic()
    with pytest.raises(Transient):
        await ask(patient(model, patience=2))
    assert time.monotonic() - start < 30
    assert len(model.requests) == 1


async def test_what_can_be_asked_otherwise_is_asked_at_once() -> None:
    model, start = ScriptedModel(AskOtherwise("no schema"), "fine"), time.monotonic()
    assert await Retrying(model, TimeBudget(60), first_pause=50).complete(REQUEST) == "fine"
    assert time.monotonic() - start < 30


async def test_a_stream_that_has_begun_is_not_tried_again() -> None:
    model = ScriptedModel(("half", BUSY), "fine")
    with pytest.raises(Transient):
        await streamed(patient(model))
    assert len(model.requests) == 1
    assert await streamed(patient(ScriptedModel((BUSY,), "fine"))) == "fine"


# --- breaker --------------------------------------------------------------------------------------------------------


@both
async def test_a_server_that_keeps_failing_is_left_alone(ask: Ask) -> None:
    model, clock = ScriptedModel(*[BUSY] * 3, "fine", "fine"), Clock()
    breaking = Breaking(model, failures=3, pause=30, clock=clock)
    for _ in range(3):
        with pytest.raises(Transient):
            await ask(breaking)
    clock.now += 10
    with pytest.raises(CircuitOpen) as raised:
        await ask(breaking)
    assert raised.value.retry_after == 20
    assert len(model.requests) == 3
    clock.now += 20
    assert await ask(breaking) == "fine"
    assert await ask(breaking) == "fine"


async def test_a_failing_probe_opens_it_again() -> None:
    model, clock = ScriptedModel(*[BUSY] * 3, "fine"), Clock()
    breaking = Breaking(model, failures=2, pause=30, clock=clock)
    for _ in range(3):
        with pytest.raises(Transient):
            await breaking.complete(REQUEST)
        clock.now += 15 if len(model.requests) < 2 else 30
    clock.now -= 1
    with pytest.raises(CircuitOpen):
        await breaking.complete(REQUEST)
    clock.now += 1
    assert await breaking.complete(REQUEST) == "fine"


@pytest.mark.parametrize("between", ["fine", Refused("no"), AskOtherwise("no schema")])
async def test_only_failures_in_a_row_count(between: str | KbError) -> None:
    model = ScriptedModel(BUSY, between, BUSY, "fine")
    breaking = Breaking(model, failures=2)
    for _ in range(3):
        await asyncio.gather(breaking.complete(REQUEST), return_exceptions=True)
    assert await breaking.complete(REQUEST) == "fine"


async def test_one_probe_goes_out_at_a_time_and_a_cancelled_one_says_nothing() -> None:
    clock, gate = Clock(), asyncio.Event()

    class Waiting(ScriptedModel):
        async def complete(self, request: ChatRequest) -> str:
            if len(self.requests) == 1:
                self.requests.append(request)
                await gate.wait()
            return await super().complete(request)

    model = Waiting(BUSY, "fine")
    breaking = Breaking(model, failures=1, clock=clock)
    with pytest.raises(Transient):
        await breaking.complete(REQUEST)
    clock.now += 30
    probe = asyncio.create_task(breaking.complete(REQUEST))
    await asyncio.sleep(0)
    with pytest.raises(CircuitOpen):
        await breaking.complete(REQUEST)
    probe.cancel()
    await asyncio.gather(probe, return_exceptions=True)
    assert await breaking.complete(REQUEST) == "fine"


# --- budget ---------------------------------------------------------------------------------------------------------


@both
async def test_the_last_requests_are_kept_for_the_answer(ask: Ask) -> None:
    budget = CallBudget(limit=3, reserve=1)
    model = Budgeted(ScriptedModel(*["fine"] * 9), budget, TimeBudget(60))
    for _ in range(2):
        await ask(model, REQUEST)
    with pytest.raises(BudgetSpent):
        await ask(model, REQUEST)
    assert budget.used == 2
    await ask(model, ANSWERING)
    with pytest.raises(BudgetSpent):
        await ask(model, ANSWERING)
    assert budget.used == 3


async def test_every_try_counts() -> None:
    budget = CallBudget(limit=3, reserve=0)
    model = ScriptedModel(*[BUSY] * 9)
    with pytest.raises(BudgetSpent):
        await patient(Budgeted(model, budget, TimeBudget(60)), retries=8).complete(REQUEST)
    assert len(model.requests) == budget.used == 3


@both
async def test_what_did_not_go_out_does_not_count(ask: Ask) -> None:
    budget = CallBudget()
    model = Budgeted(ScriptedModel(CircuitOpen("open"), "fine"), budget, TimeBudget(60))
    with pytest.raises(CircuitOpen):
        await ask(model)
    assert budget.used == 0
    await ask(model)
    assert budget.used == 1


# --- time -----------------------------------------------------------------------------------------------------------

LATE = Late("The server is too slow, or hangs", why="no reply within 60 s")


@both
async def test_after_a_request_that_took_all_of_its_time_no_other_one_is_made_for_the_question(ask: Ask) -> None:
    model, time_budget, calls = ScriptedModel(LATE, "fine"), TimeBudget(100), CallBudget()
    asked = Retrying(Budgeted(model, calls, time_budget), time_budget)
    with pytest.raises(Late):
        await ask(asked)
    for request in (REQUEST, ANSWERING):
        with pytest.raises(TimeSpent) as raised:
            await ask(asked, request)
        assert raised.value.why == LATE.why
    assert len(model.requests) == calls.used == 1
    assert time_budget.left == 0


@both
async def test_a_request_gets_no_more_time_than_the_question_has_left(ask: Ask) -> None:
    clock = Clock()
    time_budget = TimeBudget(180, clock=clock)
    model = ScriptedModel("fine", "fine", "fine")
    asked = Budgeted(model, CallBudget(), time_budget)
    await ask(asked)
    clock.now += 100
    await ask(asked)
    clock.now += 65
    with pytest.raises(TimeSpent) as raised:
        await ask(asked)
    assert [request.seconds for request in model.requests] == [165, 65]
    assert "used up" in raised.value.why


@both
async def test_a_wait_beyond_the_time_of_the_question_is_not_begun(ask: Ask) -> None:
    model, start = ScriptedModel(busy(3), "fine"), time.monotonic()
    with pytest.raises(Transient):
        await ask(Retrying(model, TimeBudget(4, patience=20)))
    assert time.monotonic() - start < 2.9


async def test_failures_of_one_question_share_its_patience() -> None:
    model, time_budget = ScriptedModel(busy(0.3), "fine", busy(0.3), "fine"), TimeBudget(60, patience=0.5)
    asked = Retrying(model, time_budget, first_pause=0.001)
    assert await asked.complete(REQUEST) == "fine"
    with pytest.raises(Transient):
        await asked.complete(REQUEST)


@pytest.mark.parametrize(("seconds", "left"), [(180, 165), (40, 30), (0, 0), (-5, 0)])
def test_some_of_a_questions_time_is_kept_for_what_needs_no_model(seconds: float, left: float) -> None:
    assert TimeBudget(seconds, clock=Clock()).left == left


# --- cache ----------------------------------------------------------------------------------------------------------


async def test_the_same_request_is_made_once() -> None:
    model, replies = ScriptedModel("fine words", "other"), DictReplies()
    cached = Cached(model, replies, b"view", Masker())
    assert await cached.complete(REQUEST) == "fine words"
    assert await cached.complete(REQUEST) == "fine words"
    assert [piece async for piece in cached.stream(REQUEST)] == ["fine words"]
    assert await Cached(model, replies, b"view", Masker()).complete(REQUEST) == "fine words"
    assert cached.hits == 2
    assert len(model.requests) == 1


async def test_a_stream_is_kept_when_it_has_ended_well() -> None:
    model, replies = ScriptedModel(("half", BUSY), "a whole reply", "not asked for"), DictReplies()
    cached = Cached(model, replies, b"view", Masker())
    with pytest.raises(Transient):
        await streamed(cached)
    assert not replies.kept
    pieces = cached.stream(REQUEST)
    await anext(aiter(pieces))
    assert not replies.kept
    assert "a whole reply".endswith(await rest(pieces))
    assert await cached.complete(REQUEST) == "a whole reply"


async def test_a_reply_that_the_server_cut_is_neither_kept_nor_asked_for_again() -> None:
    model, replies = ScriptedModel(("half a rep", CutOff("It is too long")), "not asked for"), DictReplies()
    with pytest.raises(CutOff):
        await streamed(Cached(patient(model), replies, b"view", Masker()))
    assert not replies.kept
    assert len(model.requests) == 1


@both
async def test_an_object_within_a_text_does_not_take_its_place(ask: Ask) -> None:
    said = 'Send {"size": 3} to the printer [1].'
    model, replies = ScriptedModel(said, said), DictReplies()
    cached = Cached(model, replies, b"view", Masker())
    assert [await ask(cached) for _ in range(2)] == [said, said]
    typed = replace(REQUEST, purpose="typed/1", schema=ReplySchema("size", {"type": "object"}))
    assert [await ask(cached, typed) for _ in range(2)] == [said, '{"size": 3}']


async def rest(pieces: AsyncIterator[str]) -> str:
    return "".join([piece async for piece in pieces])


async def test_a_stream_that_is_left_is_not_kept_and_is_closed() -> None:
    model, replies = ScriptedModel("a reply that is left"), DictReplies()
    pieces = patient(Cached(model, replies, b"view", Masker())).stream(REQUEST)
    await anext(aiter(pieces))
    assert model.ended == 0
    await pieces.aclose()
    assert model.ended == 1
    assert not replies.kept


@both
async def test_a_reply_is_kept_without_its_secrets_and_the_request_not_at_all(ask: Ask) -> None:
    token, replies = github_token(), DictReplies()
    request = replace(REQUEST, messages=(Message("user", f"What is {token}?"),))
    cached = Cached(ScriptedModel(f"It is {token}, a key."), replies, b"view", Masker())
    assert await ask(cached, request) == f"It is {token}, a key.", "the writer masks what it shows"
    assert list(replies.kept.values()) == [f"It is {Masker().secrets(token).text}, a key."]
    assert token.encode() not in b"".join(replies.kept)
    assert await ask(cached, request) == f"It is {Masker().secrets(token).text}, a key."


async def test_a_reply_kept_under_another_masking_is_not_used() -> None:
    model, replies = ScriptedModel("a hidden word", "another"), DictReplies()
    first, second = WordMasker(), WordMasker("hidden")
    before, after = (Cached(model, replies, b"view", masker) for masker in (first, second))
    assert await before.complete(REQUEST) == "a hidden word"
    assert await after.complete(REQUEST) == "another"
    assert {key[:8] for key in replies.kept} == {masking_mark(each.version) for each in (first, second)}


async def test_a_reply_that_the_masker_gave_up_on_is_not_kept() -> None:
    replies = DictReplies()
    assert await Cached(ScriptedModel(SLOW), replies, b"view", WordMasker()).complete(REQUEST) == SLOW
    assert not replies.kept


@both
async def test_a_cache_that_is_away_is_done_without(ask: Ask, caplog: pytest.LogCaptureFixture) -> None:
    replies = DictReplies()
    replies.away = True
    cached = Cached(ScriptedModel("fine", "again"), replies, b"view", Masker())
    assert await ask(cached) == "fine"
    assert await ask(cached) == "again"
    assert cached.hits == 0
    assert "The database is away" in caplog.text
