import asyncio

import pytest

from agent.state import ToolRequest
from agent.tools.toolbox import Toolbox, ToolOutcome, evidence_of
from domain.errors import Refused, Transient
from tests.fakes.agent import a_context
from tests.fakes.tools import ScriptedTool

CONTEXT = a_context()


def a_call(word: str = "a", name: str = "scripted_search", part: int = 1, **args: object) -> ToolRequest:
    return ToolRequest(name, {"word": word, **args}, part)


async def ran(box: Toolbox, *requests: ToolRequest) -> list[ToolOutcome]:
    return await box.run(requests, CONTEXT, 2)


async def test_a_call_is_told_with_its_arguments_results_and_pass() -> None:
    box = Toolbox([ScriptedTool(known={"a": ["one", "two"]})])
    (done,) = await ran(box, a_call(" a ", many=1, part=3))
    call = done.call
    assert (call.name, call.args, call.results, call.iteration, call.error) == (
        "scripted_search",
        {"word": "a"},
        2,
        2,
        "",
    )
    assert done.request.sub_question == 3
    assert [item.passage.text for item in done.result.found] == ["one", "two"]


async def test_calls_run_side_by_side() -> None:
    tool = ScriptedTool(wait=0.05)
    await ran(Toolbox([tool]), a_call("a"), a_call("b"), a_call("c"))
    assert tool.at_once == 3


async def test_a_tool_has_its_budget() -> None:
    tool = ScriptedTool(budget=2)
    box = Toolbox([tool])
    first = await ran(box, a_call("a"))
    second = await ran(box, a_call("b"), a_call("c"))
    assert tool.calls == ["a", "b"]
    assert [each.call.error for each in (*first, *second)] == ["", "", "its budget for one answer is spent"]
    assert box.offered == ()
    assert not box.offered


async def test_all_tools_share_a_total() -> None:
    one, two = ScriptedTool("one", budget=9), ScriptedTool("two", budget=9)
    box = Toolbox([one, two], calls=3)
    assert [spec.name for spec in box.offered] == ["one", "two"]
    await ran(box, *(a_call(str(n), name) for n in range(3) for name in ("one", "two")))
    assert len(one.calls) + len(two.calls) == 3
    assert box.offered == ()


async def test_what_was_called_before_is_not_called_again_and_costs_nothing() -> None:
    tool = ScriptedTool(budget=2)
    box = Toolbox([tool])
    assert len(await ran(box, a_call("a"), a_call("a", many=1))) == 1
    assert await ran(box, a_call(" a")) == []
    assert box.offered
    await ran(box, a_call("a", many=2))
    assert tool.calls == ["a", "a"]


async def test_a_call_that_takes_too_long_ends_alone() -> None:
    slow, fast = ScriptedTool("slow", wait=5, seconds=0.02), ScriptedTool("fast", known={"a": ["one"]})
    async with asyncio.timeout(2):
        first, second = await ran(Toolbox([slow, fast]), a_call(name="slow"), a_call(name="fast"))
    assert (first.call.error, first.call.results) == ("no result within 0.02 s", 0)
    assert (second.call.error, second.call.results) == ("", 1)


@pytest.mark.parametrize("error", [Transient("It is away"), Refused("It is refused")])
async def test_a_call_that_fails_leaves_the_others_alone(error: Transient | Refused) -> None:
    tool = ScriptedTool(known={"a": error, "b": ["one"]})
    first, second = await ran(Toolbox([tool]), a_call("a"), a_call("b"))
    assert (first.call.error, second.call.results) == (error.what, 1)


async def test_an_error_without_a_name_is_not_hidden() -> None:
    class Broken(ScriptedTool):
        async def run(self, args: object, context: object) -> object:  # type: ignore[override]
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await ran(Toolbox([Broken()]), a_call())


@pytest.mark.parametrize(
    ("request_", "complaint"),
    [
        (ToolRequest("scripted_search", {}), "wrong arguments: word: Field required"),
        (ToolRequest("scripted_search", {"word": 1}), "wrong arguments: word: "),
        (ToolRequest("scripted_search", {"word": "a", "as": "admin"}), "wrong arguments: as: Extra inputs"),
        (ToolRequest("scripted_search", {"word": "a", "scope": "x"}), "wrong arguments: scope: "),
        (ToolRequest("unheard_of", {"word": "a"}), "there is no such tool"),
    ],
)
async def test_a_wrong_call_is_told_and_costs_nothing(request_: ToolRequest, complaint: str) -> None:
    tool = ScriptedTool(budget=1)
    box = Toolbox([tool])
    (done,) = await ran(box, request_)
    assert done.call.error.startswith(complaint)
    assert tool.calls == []
    assert box.offered


async def test_a_passage_found_twice_is_one_piece_of_evidence() -> None:
    one = ScriptedTool("one", known={"a": ["x"], "b": ["x", "y"]})
    two = ScriptedTool("two", known={"a": ["x"]})
    found = evidence_of(
        await ran(Toolbox([one, two]), a_call("a", "one", 1), a_call("b", "one", 2), a_call("a", "two", 2)), 2
    )
    assert set(found) == {"x-0", "y-0"}
    item = found["x-0"]
    assert (item.tools, item.queries) == (("one", "two"), ("a", "b"))
    assert item.found_for == {1, 2}
    assert (item.scores, item.iteration, item.grades) == ({2: 0.5}, 2, {})


async def test_where_a_tool_breaks_no_other_goes_on() -> None:
    slow, broken = ScriptedTool("slow", wait=60), ScriptedTool("broken", known={"a": ZeroDivisionError("a mistake")})
    with pytest.raises(ZeroDivisionError):
        await ran(Toolbox([slow, broken]), a_call(name="slow"), a_call(name="broken"))
    assert (len(slow.calls), slow.running) == (1, 0)
