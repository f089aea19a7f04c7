"""Which tools are called next."""

from dataclasses import replace

from pydantic import ValidationError

from agent.reasoner import Need
from agent.run import Run, analysis_in, share
from agent.selection import best_first, kept
from agent.state import AgentState, Decision, ToolRequest, Update
from agent.tools.base import ToolSpec
from domain.answers import Progress


async def plan(state: AgentState, run: Run) -> Update:
    """Calls for what is needed now. The first pass always searches, whatever the planner says."""
    iteration = state.iteration + 1
    with run.recorder.stage("plan", iteration):
        planned = state.plan if iteration == 1 and state.plan else await _asked(state, run)
        offered = {spec.name: spec for spec in run.toolbox.offered}
        usable = tuple(request for request in planned if request.name in offered)
        if iteration == 1 and not any(_searches(request, offered[request.name]) for request in usable):
            usable = (*usable, *_by_default(state))
        for request in planned:
            if request.name not in offered:
                run.recorder.say(f"{request.name} is not offered")
        if usable and iteration > 1:
            _tell(replace(state, iteration=iteration), run)
        # a pass without a search is none
        return {"plan": usable, "iteration": iteration if usable else state.iteration}


def _tell(state: AgentState, run: Run) -> None:
    """Which pass begins, and what it is for."""
    missing = ", ".join(state.grading.missing[:3]) if state.grading else ""
    text = f"Iteration {state.iteration} of {run.options.limits.max_iterations}: "
    text += f"looking for {missing}" if missing else "looking further"
    run.recorder.progress(Progress(text, share(state, run, 0.0), "plan", state.iteration))


async def _asked(state: AgentState, run: Run) -> tuple[ToolRequest, ...]:
    decision: Decision | None = None
    if state.iteration:
        decision = "re_retrieve" if state.decision == "re_retrieve" else "refine"
    need = Need(
        question=state.question,
        analysis=analysis_in(state),
        offered=run.toolbox.offered,
        decision=decision,
        evidence=best_first(kept(list(state.evidence.values()))),
        grading=state.grading,
    )
    return await run.reasoner.plan(need)


def _searches(request: ToolRequest, spec: ToolSpec) -> bool:
    """Whether a call will search; one whose arguments do not fit will not."""
    try:
        spec.arguments.model_validate(dict(request.args))
    except ValidationError:
        return False
    return request.name.endswith("_search") or request.name == "local_file_qa"


def _by_default(state: AgentState) -> tuple[ToolRequest, ...]:
    parts = analysis_in(state).sub_questions
    return tuple(ToolRequest("hybrid_search", {"query": part.text}, part.number) for part in parts)
