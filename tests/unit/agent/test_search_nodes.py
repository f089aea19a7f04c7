"""The nodes that understand a question, plan its searches and grade what they found, each by itself."""

from dataclasses import replace

import pytest

from agent.answer_context import AnswerContext
from agent.nodes.analyze_and_route import analyze_and_route
from agent.nodes.build_outcome import build_outcome
from agent.nodes.grade_evidence import grade_evidence
from agent.nodes.plan import MAX_FAILED, plan
from agent.nodes.synthesize import synthesize
from agent.options import AgentOptions, Features
from agent.routing import SearchLimits
from agent.state import AgentState, Grading, ReplyDraft, ToolRequest
from domain.answers import Question, ToolCall
from domain.search import Filters
from tests.fakes.agent import ASKED, HYBRID, MEMBER, a_run, a_state, an_analysis, an_evidence, by_key, told
from tests.fakes.knowledge import MemoryKnowledge
from tests.fakes.reasoner import ScriptedReasoner


def asked(text: str = ASKED, filters: Filters | None = None) -> AgentState:
    return AgentState(Question(text, MEMBER, filters or Filters()))


# -- analyze_and_route


async def test_the_first_time_the_question_is_understood(knowledge: MemoryKnowledge) -> None:
    reasoner = ScriptedReasoner(first=(HYBRID,))
    run = a_run(knowledge, reasoner)
    update = await analyze_and_route(asked(), run)
    assert update["analysis"].standalone == ASKED
    assert update["plan"] == (HYBRID,)
    assert [event.percent for event in told(run)] == [5]
    assert [stage.stage for stage in run.recorder.stages] == ["analyze"]


async def test_later_the_same_question_goes_another_way(knowledge: MemoryKnowledge) -> None:
    reasoner = ScriptedReasoner()
    state = a_state(iteration=1, analysis=replace(an_analysis(), intent="exact"), plan=(HYBRID,))
    update = await analyze_and_route(state, a_run(knowledge, reasoner))
    assert (update["analysis"].intent, update["analysis"].vague, update["plan"]) == ("conceptual", True, ())
    assert reasoner.asked == []


@pytest.mark.parametrize(("label", "kept"), [("zoo", True), ("nowhere", False)])
async def test_filters_that_no_document_meets_are_dropped(
    knowledge: MemoryKnowledge, label: str, *, kept: bool
) -> None:
    reasoner = ScriptedReasoner()
    run = a_run(knowledge, reasoner)
    found = (await analyze_and_route(asked(f"When is the walrus fed #{label}?"), run))["analysis"]
    assert bool(found.filters) == kept
    assert reasoner.questions[0].filters == found.filters, "who analyses is told what narrows the search"
    assert found.standalone == "When is the walrus fed?"
    assert found.unmet == ("" if kept else 'There is no label "nowhere" that you can see; I searched without it.')


# -- plan


async def test_the_plan_that_came_with_the_analysis_is_taken(knowledge: MemoryKnowledge) -> None:
    reasoner = ScriptedReasoner()
    update = await plan(a_state(plan=(HYBRID,)), a_run(knowledge, reasoner))
    assert update == {"plan": (HYBRID,), "iteration": 1}
    assert reasoner.asked == []


@pytest.mark.parametrize(
    "planned",
    [
        (),
        (ToolRequest("decompose_query", {"question": ASKED}),),
        (ToolRequest("unheard_of", {}),),
        (ToolRequest("hybrid_search", {"query": ""}),),
    ],
)
async def test_the_first_pass_always_searches_every_part(
    knowledge: MemoryKnowledge, planned: tuple[ToolRequest, ...]
) -> None:
    state = a_state(analysis=an_analysis("x", "one", "two"))
    update = await plan(state, a_run(knowledge, ScriptedReasoner(plans=[planned])))
    searched = {(each.name, each.args["query"], each.sub_question) for each in update["plan"] if each.args.get("query")}
    assert searched == {("hybrid_search", "one", 1), ("hybrid_search", "two", 2)}
    assert all(each.name != "unheard_of" for each in update["plan"])


async def test_a_later_pass_asks_for_what_is_missing(knowledge: MemoryKnowledge) -> None:
    reasoner = ScriptedReasoner(plans=[(HYBRID,)])
    poor, good = an_evidence("poor", grades={1: 0.1}), an_evidence("good", grades={1: 0.5})
    grading = Grading(0.5, missing=("noon", "fish"))
    state = a_state(iteration=1, evidence=by_key(poor, good), grading=grading, decision="refine")
    run = a_run(knowledge, reasoner)
    assert (await plan(state, run))["iteration"] == 2
    (need,) = reasoner.needs
    assert (need.decision, need.evidence, need.grading) == ("refine", [good], grading)
    assert [event.text for event in told(run)] == ["Iteration 2 of 3: looking for noon, fish"]
    assert need.failed == ()


async def test_a_later_pass_is_told_which_searches_failed(knowledge: MemoryKnowledge) -> None:
    reasoner = ScriptedReasoner(plans=[(HYBRID,)])
    calls = (
        ToolCall("hybrid_search", {"query": "walrus"}, 1.0, results=2),
        ToolCall("grep_search", {"pattern": "seal"}, 1.0, results=0, error="The database is away"),
        ToolCall("grep_search", {"pattern": "otter"}, 1.0, results=0),
    )
    await plan(a_state(iteration=1, grading=Grading(0.5), calls=calls), a_run(knowledge, reasoner))
    assert reasoner.needs[0].searched == (
        "hybrid_search(walrus): 2 found",
        "grep_search(seal): failed",
        "grep_search(otter): 0 found",
    )


async def test_a_pass_after_a_reply_that_failed_is_for_what_it_said(knowledge: MemoryKnowledge) -> None:
    reasoner = ScriptedReasoner(plans=[(HYBRID,)])
    draft = ReplyDraft(left_out=tuple(f"It weighs {n} kg." for n in range(MAX_FAILED + 1)))
    await plan(a_state(iteration=1, grading=Grading(0.9), draft=draft), a_run(knowledge, reasoner))
    assert reasoner.needs[0].failed == draft.left_out[:MAX_FAILED]


async def test_a_pass_without_a_search_is_none(knowledge: MemoryKnowledge) -> None:
    update = await plan(a_state(iteration=1, grading=Grading(0.1)), a_run(knowledge, ScriptedReasoner()))
    assert update == {"plan": (), "iteration": 1}


# -- grade_evidence


async def test_only_what_is_new_is_graded(knowledge: MemoryKnowledge) -> None:
    old, new = an_evidence("old", grades={1: 0.9}), an_evidence("new")
    reasoner = ScriptedReasoner(grades=[0.5], missing=("fish",))
    update = await grade_evidence(
        a_state(iteration=1, plan=(HYBRID,), evidence=by_key(old, new)), a_run(knowledge, reasoner)
    )
    assert {key: dict(item.grades) for key, item in update["evidence"].items()} == {"new-0": {1: 0.5}}
    assert (update["grading"].average, update["grading"].missing, update["grading"].gained) == (0.7, ("fish",), True)
    assert update["decision"] == "generate"


@pytest.mark.parametrize(("sure", "missing"), [(0.9, ()), (0.5, ("when",)), (0.2, ("fish",))])
async def test_what_is_missing_is_told_by_the_surest_grading(
    knowledge: MemoryKnowledge, sure: float, missing: tuple[str, ...]
) -> None:
    """A pass that finds nothing new does not know what the ones before have answered."""
    reasoner = ScriptedReasoner(grades=[0.5], missing=("when",) if sure < 0.9 else (), confidence=sure)
    before = Grading(0.5, missing=("fish",), confidence=0.4)
    state = a_state(iteration=2, plan=(HYBRID,), evidence=by_key(an_evidence("new")), grading=before)
    update = await grade_evidence(state, a_run(knowledge, reasoner))
    assert (update["grading"].missing, update["grading"].confidence) == (missing, max(sure, 0.4))


async def test_what_is_known_is_shown_best_first(knowledge: MemoryKnowledge) -> None:
    fair, good, poor = (an_evidence(name, grades={1: grade}) for name, grade in (("f", 0.5), ("g", 0.9), ("p", 0.1)))
    reasoner = ScriptedReasoner(grades=[0.5])
    evidence = by_key(fair, poor, good, an_evidence("new"))
    await grade_evidence(a_state(iteration=1, plan=(HYBRID,), evidence=evidence), a_run(knowledge, reasoner))
    assert reasoner.known == [good, fair]


@pytest.mark.parametrize(("grade", "decision"), [(0.5, "refine"), (0.2, "re_retrieve"), (0.8, "generate")])
async def test_the_grade_decides(knowledge: MemoryKnowledge, grade: float, decision: str) -> None:
    run = a_run(knowledge, ScriptedReasoner(grades=[grade]))
    update = await grade_evidence(a_state(iteration=1, plan=(HYBRID,), evidence=by_key(an_evidence("a"))), run)
    assert update["decision"] == decision


async def test_what_the_grader_forgot_counts_as_nothing(knowledge: MemoryKnowledge) -> None:
    item = an_evidence("a", found_for=())
    run = a_run(knowledge, ScriptedReasoner(grades=[0.9]))
    update = await grade_evidence(a_state(iteration=1, plan=(HYBRID,), evidence=by_key(item)), run)
    assert (update["grading"].average, update["decision"]) == (0.0, "re_retrieve")


@pytest.mark.parametrize(
    ("features", "iteration", "skipped"),
    [(Features(), 1, True), (Features(), 2, False), (Features(grading_skip=False), 1, False)],
)
async def test_conclusive_evidence_of_the_first_pass_is_not_graded(
    knowledge: MemoryKnowledge, features: Features, iteration: int, *, skipped: bool
) -> None:
    reasoner = ScriptedReasoner(surely=True, grades=[0.5])
    state = a_state(iteration=iteration, plan=(HYBRID,), evidence=by_key(an_evidence("a")))
    update = await grade_evidence(state, a_run(knowledge, reasoner, AgentOptions(features=features)))
    assert update["grading"].skipped == skipped
    assert ("grade" in reasoner.asked) != skipped


async def test_in_direct_mode_nothing_is_graded(knowledge: MemoryKnowledge) -> None:
    reasoner = ScriptedReasoner()
    state = a_state(iteration=1, plan=(HYBRID,), evidence=by_key(an_evidence("a")))
    update = await grade_evidence(state, a_run(knowledge, reasoner, AgentOptions().direct()))
    assert (update["decision"], reasoner.asked) == ("generate", [])


async def test_where_nothing_more_can_be_searched_the_reply_is_written(knowledge: MemoryKnowledge) -> None:
    state = a_state(iteration=1, grading=Grading(0.1), evidence=by_key(an_evidence("a", grades={1: 0.1})))
    assert (await grade_evidence(state, a_run(knowledge, ScriptedReasoner())))["decision"] == "generate"


# -- what all share


async def test_a_node_that_needs_an_analysis_says_so(knowledge: MemoryKnowledge) -> None:
    run: AnswerContext = a_run(knowledge, ScriptedReasoner(), AgentOptions(limits=SearchLimits()))
    for node in (plan, grade_evidence, synthesize, build_outcome):
        with pytest.raises(ValueError, match="not analysed"):
            await node(asked(), run)
