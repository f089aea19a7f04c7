"""Replies over real HTTP that hold no JSON, no plan, or no end of doubts: each is read, asked for again, or done
without."""

import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from agent.options import Features
from agent.routing import SearchLimits
from agent.wording import MODEL_AWAY
from tests.fakes import model_faults as faults
from tests.fakes.model_agent import LEADER, NARROW, ask_under, knowledge_of, model_agent, spilled
from tests.fakes.model_rules import Prompt, always, analysis, at, grades, read, scored
from tests.fakes.model_server import Answer as Answered
from tests.fakes.model_server import Asked, Body, ModelServer, Reply, Rule
from tests.fakes.reranker import OverlapReranker

MARCH = "The boiler in the plant room is serviced every March."


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Whatever happens, the log holds no traceback, no key and no prompt."""
    caplog.set_level(logging.INFO)
    yield
    assert [record for record in caplog.records if record.exc_info] == []
    assert not spilled(caplog.text)


# --- JSON that is none ----------------------------------------------------------------------------------------------

Change = Callable[[Body], Reply]

READ_AS_IT_IS: dict[str, Change] = {
    "in a fence": faults.fenced,
    "in prose": faults.with_prose,
    "unknown field": faults.unknown,
    "cut at its end": lambda right: Reply(json.dumps(right)[:-2]),
}
ASKED_AGAIN: dict[str, Change] = {
    "not JSON": faults.not_json,
    "wrong types": faults.wrong_types,
    "prose": lambda _: Reply("I have looked at it, and it is fine."),
}


def changed(step: str, change: Change, times: int) -> Rule:
    """The reasonable reply of a step, changed for the first requests."""
    right: dict[str, Callable[[Prompt], Body]] = {"analyze": analysis, "grade": grades}
    left = iter(range(times))

    def rule(body: Body) -> Answered | None:
        prompt = read(body)
        return change(right[step](prompt)) if prompt.purpose == step and next(left, None) is not None else None

    return rule


@pytest.mark.parametrize("step", ["analyze", "grade"])
@pytest.mark.parametrize("change", READ_AS_IT_IS.values(), ids=READ_AS_IT_IS)
async def test_an_object_is_read_whatever_stands_around_it(server: ModelServer, step: str, change: Change) -> None:
    told = await ask_under(server, changed(step, change, 1), question=LEADER, options=once())
    assert [*map(purpose_of, server.requests)] == ["analyze", "grade", "synthesize"]
    assert "unusable" not in told.reasoning
    assert "average 0.50" in told.reasoning


@pytest.mark.parametrize("step", ["analyze", "grade"])
@pytest.mark.parametrize("change", ASKED_AGAIN.values(), ids=ASKED_AGAIN)
async def test_an_unusable_object_is_asked_for_once_more(server: ModelServer, step: str, change: Change) -> None:
    told = await ask_under(server, changed(step, change, 1), question=LEADER, options=once())
    steps = [*map(purpose_of, server.requests)]
    assert steps.count(step) == 2
    assert len(steps) == 4
    assert f"{step}: the reply was unusable" in told.reasoning
    assert "done without the model" not in told.reasoning
    again = next(each.body for each in reversed(server.requests) if purpose_of(each) == step)
    assert "That is not the JSON object asked for" in again["messages"][-1]["content"]


@pytest.mark.parametrize("step", ["analyze", "grade"])
@pytest.mark.parametrize("change", ASKED_AGAIN.values(), ids=ASKED_AGAIN)
async def test_after_a_second_unusable_object_the_step_is_done_without_the_model(
    server: ModelServer, step: str, change: Change
) -> None:
    told = await ask_under(server, changed(step, change, 9), question=LEADER, options=once())
    assert [*map(purpose_of, server.requests)].count(step) == 2
    assert f"{step}: unusable again" in told.reasoning
    assert told.answer.text.startswith("The Lantern service draws maps. [1]")
    assert MODEL_AWAY not in told.answer.notice, "the model wrote the answer"


async def test_a_typed_reply_of_a_megabyte_is_asked_for_once_more(server: ModelServer) -> None:
    told = await ask_under(server, at("analyze", faults.ENDLESS), seconds=20)
    assert told.answer.text == f"{MARCH} [1]"
    assert len(server.requests) == 3
    assert len(server.requests[1].body["messages"][2]["content"]) <= 2_000


def once() -> Any:
    """Options for a single pass of search."""
    return replace(NARROW, limits=SearchLimits(max_iterations=1))


def purpose_of(asked: Asked) -> str:
    return read(asked.body).purpose


# --- tools that are none --------------------------------------------------------------------------------------------


def planned(*calls: Body) -> Change:
    return lambda right: faults.right({**right, "plan": [*calls]})


WRONG_PLANS: dict[str, tuple[Change, str]] = {
    "unknown tool": (planned({"tool": "delete_everything", "args": {"path": "/"}}), "delete_everything is not offered"),
    "wrong arguments": (
        planned({"tool": "hybrid_search", "args": {"qeury": 7, "scope": "everyone"}}),
        "hybrid_search: wrong arguments",
    ),
    "arguments that are none": (planned({"tool": "hybrid_search", "args": "boiler"}), "hybrid_search: 10 results"),
    "nothing": (planned(), "hybrid_search: 10 results"),
    "a thousand calls": (
        planned(*({"tool": "hybrid_search", "args": {"query": f"boiler {n}"}} for n in range(1_000))),
        "hybrid_search: 10 results",
    ),
}


@pytest.mark.parametrize(("change", "said"), WRONG_PLANS.values(), ids=WRONG_PLANS)
async def test_a_plan_that_cannot_be_run_is_replaced_by_a_search(
    server: ModelServer, change: Change, said: str
) -> None:
    told = await ask_under(server, changed("analyze", change, 1))
    assert told.answer.text == f"{MARCH} [1]"
    assert said in told.reasoning
    assert len(told.outcome.trace.tool_calls) <= 12
    assert any(call.results for call in told.outcome.trace.tool_calls)


# --- the budget -----------------------------------------------------------------------------------------------------


async def test_twelve_requests_are_never_exceeded_and_the_last_one_writes(server: ModelServer) -> None:
    loose = "Pumps of that sort are usually looked after by somebody who knows a lot about machines. [1]"
    numbers = count(1)
    server.rules[:0] = [
        lambda body: faults.right(_undecided(read(body), next(numbers))) if _is_typed(body) else None,
        always("synthesize", Reply(loose)),
    ]
    stations = {
        f"s{n}": f"Station {n} has a pump, and somebody looks after it on day {n} of a week." for n in range(60)
    }
    options = replace(
        NARROW,
        limits=SearchLimits(max_iterations=8, early_stop=False),
        features=Features(rerank=True),
        rerank=replace(NARROW.rerank, minimum=1),
        tool_calls=50,
    )
    knowledge = await knowledge_of(stations)
    async with model_agent(server, knowledge, options=options, reranker=OverlapReranker(), seconds=1) as agent:
        told = await agent.ask("Who in the stations, and when, looks after the pumps?")
    assert told.answer.text == loose
    assert told.outcome.trace.model_calls == len(server.requests) == 12
    assert agent.purposes[-1] == "synthesize"
    assert agent.purposes.count("synthesize") == 1
    assert {"analyze", "hypothesis", "grade", "plan"} <= set(agent.purposes)
    assert told.outcome.trace.iterations > 4
    assert "has been asked as often as one question allows" in told.reasoning


def _is_typed(body: Body) -> bool:
    return read(body).purpose in {"analyze", "grade", "plan", "check"}


def _undecided(prompt: Prompt, number: int) -> Body:
    """A model that finds all of it half good, and always has another search to make."""
    search = {"tool": "keyword_search", "args": {"query": f"station {3 * number}"}, "sub_question": 1}
    match prompt.purpose:
        case "analyze":
            hyde = {"tool": "hyde_search", "args": {"query": prompt.question}, "sub_question": 1}
            return {**analysis(prompt), "complexity": "moderate", "vague": True, "plan": [search, hyde]}
        case "plan":
            return {"plan": [search]}
        case "grade":
            return {"grades": [{"item": each.number, "parts": [1], "score": 0.5} for each in prompt.passages]}
        case _:
            return scored([0.2])
