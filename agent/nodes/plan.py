"""Which tools are called next."""

from dataclasses import replace

from pydantic import ValidationError

from agent.answer_context import AnswerContext, analysis_in, share
from agent.questions.standalone import standalone
from agent.reasoner import PlanInput
from agent.retrieval.selection import best_first, kept
from agent.state import AgentState, Decision, ToolRequest, Update
from agent.tools.base import ToolSpec
from agent.wording import another_pass
from domain.patterns import Linear

FAILED = 5
"""Sentences that failed which a further pass is planned for, at most."""

_ADDRESS = Linear(r"//|@|\w\.[^\W\d_]")
"""In a word that chats make a link of; 3.5 is none."""
_SIGNS = Linear(r"[^\w\s,.'’-]")
_RULES = frozenset(("offline", "patterns"))
"""Who analyses without a model."""


async def plan(state: AgentState, run: AnswerContext) -> Update:
    """Calls for what is needed now. The first pass always searches, whatever the planner says."""
    iteration = state.iteration + 1
    with run.recorder.stage("plan", iteration):
        planned = state.plan if iteration == 1 and state.plan else await _asked(state, run)
        parts = analysis_in(state).sub_questions
        offered = {spec.name: spec for spec in run.toolbox.offered}
        usable = tuple(request for request in planned if request.name in offered)
        if iteration == 1 and not any(_searches(request, offered[request.name]) for request in usable):
            usable = (*usable, *(ToolRequest("hybrid_search", {"query": part.text}, part.number) for part in parts))
        if run.options.mode == "direct" and analysis_in(state).by not in _RULES:
            usable = (ToolRequest("hybrid_search", {"query": standalone(state.question.text, state.question.history)}),)
        for request in planned:
            if request.name not in offered:
                run.recorder.say(f"{request.name} is not offered")
        if usable and iteration > 1:
            _tell(replace(state, iteration=iteration), run)
        # a pass without a search is none
        return {"plan": usable, "iteration": iteration if usable else state.iteration}


def _tell(state: AgentState, run: AnswerContext) -> None:
    """Which pass begins, and what it is for."""
    missing = ", ".join(state.grading.missing[:3]) if state.grading else ""
    missing = shown(run.masker.mask(missing).text)
    text = another_pass(state.iteration, run.options.limits.max_iterations, missing)
    run.recorder.progress(text, share(state, run, 0.0), "plan", state.iteration)


def shown(text: str) -> str:
    """Words that a model wrote, as a line of progress takes them: no addresses, marks or line breaks, and not many."""
    words = " ".join(word for word in text.split() if not _ADDRESS.search(word))
    return " ".join(_SIGNS.sub(" ", words).split())[:80].strip(" ,")


async def _asked(state: AgentState, run: AnswerContext) -> tuple[ToolRequest, ...]:
    again: Decision = "re_retrieve" if state.decision == "re_retrieve" else "refine"
    draft = state.draft
    need = PlanInput(
        question=state.question,
        analysis=analysis_in(state),
        offered=run.toolbox.offered,
        decision=again if state.iteration else None,
        evidence=best_first(kept(list(state.evidence.values()))),
        grading=state.grading,
        failed=tuple(filter(None, draft.left_out))[:FAILED] if draft and not draft.found else (),
    )
    return await run.reasoner.plan(need)


def _searches(request: ToolRequest, spec: ToolSpec) -> bool:
    """Whether a call will surely search: other tools may refuse what they are given."""
    try:
        spec.arguments.model_validate(dict(request.args))
    except ValidationError:
        return False
    return request.name in {"hybrid_search", "vector_search", "keyword_search"}
