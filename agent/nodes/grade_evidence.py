"""How good the evidence is, and what to do about it."""

from collections.abc import Sequence
from dataclasses import replace

from agent.answer_context import AnswerContext, analysis_in, share
from agent.reasoner import Grades
from agent.retrieval.selection import average, best_first, kept
from agent.routing import decide
from agent.state import AgentState, Evidence, Grading, Update
from agent.wording import weighing


async def grade_evidence(state: AgentState, run: AnswerContext) -> Update:
    """Grades what was not graded yet, and decides: answer, look for what is missing, or search another way."""
    with run.recorder.stage("grade", state.iteration):
        if state.grading and not state.plan:
            run.recorder.say("nothing more can be searched")
            return {"decision": "generate"}
        analysis, everything = analysis_in(state), list(state.evidence.values())
        limits, features = run.options.limits, run.options.features
        if run.options.mode == "direct":
            return {"grading": Grading(0.0, skipped=True), "decision": "generate"}
        known = [item for item in everything if item.grades]
        ungraded = [item for item in everything if not item.grades]
        skip = features.grading_skip and state.iteration == 1
        if skip and await run.reasoner.conclusive(analysis, everything):
            run.recorder.say("the evidence is conclusive: not graded")
            return {"grading": Grading(1.0, skipped=True), "decision": "generate"}
        if everything:
            run.recorder.progress(weighing(len(everything)), share(state, run, 0.7), "grade", state.iteration)
        judged = await run.reasoner.grade(analysis, ungraded, best_first(kept(known))) if ungraded else Grades({})
        graded = {item.key: _with_grades(item, judged) for item in ungraded}
        grading = _grading(state, judged, [*known, *graded.values()], kept(list(graded.values())))
        decision = decide(grading, state.iteration, limits)
        run.recorder.say(
            f"iteration {state.iteration}: {len(kept([*known, *graded.values()]))} of {len(everything)} passages are"
            f" of use, average {grading.average:.2f}{_sure(grading)}: {decision.replace('_', ' ')}"
        )
        if grading.missing and decision != "generate":
            run.recorder.say("missing: " + ", ".join(grading.missing[:5]))
        return {"evidence": graded, "grading": grading, "decision": decision}


def _sure(grading: Grading) -> str:
    return "" if grading.confidence is None else f", confidence {grading.confidence:.2f}"


def _with_grades(item: Evidence, judged: Grades) -> Evidence:
    grades = {number: grade for (number, key), grade in judged.grades.items() if key == item.key}
    return replace(item, grades=grades or dict.fromkeys(item.found_for, 0.0))


def _grading(state: AgentState, judged: Grades, everything: Sequence[Evidence], new: Sequence[Evidence]) -> Grading:
    before = state.grading
    # evidence is only added: what answered before still counts
    old, now = before.confidence if before else None, judged.confidence
    stands = old is not None and (now is None or old > now)
    return Grading(
        average=round(average(everything, analysis_in(state)), 3),
        missing=before.missing if before and (stands or not judged.grades) else judged.missing,
        tasks=judged.tasks,
        gained=bool(new),
        confidence=old if stands else now,
    )
