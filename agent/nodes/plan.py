"""Which tools are called next."""

from collections.abc import Collection
from dataclasses import replace

from pydantic import ValidationError

from agent.answer_context import AnswerContext, analysis_in, share
from agent.questions.listings import listing_of
from agent.questions.patterns import administration
from agent.reasoner import PlanInput
from agent.retrieval.selection import best_first, kept
from agent.state import LIST_ENTRIES, AgentState, Analysis, Decision, ToolRequest, Update
from agent.tools.base import ToolSpec
from agent.tools.documents import PAGED
from agent.tools.index_command import INDEX_COMMAND
from agent.tools.search import HYDE_SEARCH
from agent.wording import another_pass
from domain.answers import ToolCall
from domain.patterns import LinearRegex

MAX_FAILED = 5
"""Sentences that failed which a further pass is planned for, at most."""

MAX_SEARCHED = 12
"""Calls that a planner is told of, the last ones."""
SEARCHED_CHARACTERS = 150
"""Of their arguments."""

_ADDRESS = LinearRegex(r"//|@|\w\.[^\W\d_]")
"""In a word that chats make a link of; 3.5 is none."""
_SIGNS = LinearRegex(r"[^\w\s,.'’-]")


async def plan(state: AgentState, run: AnswerContext) -> Update:
    """Calls for what is needed now. The first pass always searches, whatever the planner says."""
    iteration = state.iteration + 1
    with run.recorder.stage("plan", iteration):
        analysis, offered = analysis_in(state), {spec.name: spec for spec in run.toolbox.offered}
        if run.options.mode == "direct":
            return {"plan": one_search(analysis, offered), "iteration": iteration}
        planned = state.plan if iteration == 1 and state.plan else await _ask_planner(state, run)
        usable = tuple(request for request in planned if request.name in offered)
        if iteration == 1 and not any(_searches(request, offered[request.name]) for request in usable):
            parts = analysis.sub_questions
            usable = (*usable, *(ToolRequest("hybrid_search", {"query": part.text}, part.number) for part in parts))
        for request in planned:
            if request.name not in offered:
                run.recorder.say(f"{request.name} is not offered")
        hypothetical = any(request.name == HYDE_SEARCH for request in usable)
        if hypothetical and not analysis.vague:
            run.recorder.say(f"{HYDE_SEARCH} is for vague questions")
            usable = tuple(request for request in usable if request.name != HYDE_SEARCH)
        elif iteration == 1 and analysis.vague and HYDE_SEARCH in offered and not hypothetical:
            usable = (*usable, ToolRequest(HYDE_SEARCH, {"query": analysis.standalone}, 1))
        if usable and iteration > 1:
            _tell(replace(state, iteration=iteration), run)
        # a pass without a search does not count
        return {"plan": usable, "iteration": iteration if usable else state.iteration}


def one_search(analysis: Analysis, offered: Collection[str]) -> tuple[ToolRequest, ...]:
    """The one search of direct mode, whatever a reasoner would plan: for the asker's words. Where these ask for a count
    or a list, the list of documents is looked up beside it; a request about the index itself searches nothing."""
    text = analysis.asked or analysis.standalone
    about_the_index = administration(text)
    if about_the_index and INDEX_COMMAND in offered:
        return (ToolRequest(INDEX_COMMAND, about_the_index, 1),)
    listed = LIST_ENTRIES in offered and listing_of(text) is not None
    beside = (ToolRequest(LIST_ENTRIES, {"question": text}, 1),) if listed else ()
    return (*beside, ToolRequest("hybrid_search", {"query": text}, 1))


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


async def _ask_planner(state: AgentState, run: AnswerContext) -> tuple[ToolRequest, ...]:
    again: Decision = "re_retrieve" if state.decision == "re_retrieve" else "refine"
    draft = state.draft
    need = PlanInput(
        question=state.question,
        analysis=analysis_in(state),
        offered=run.toolbox.offered,
        decision=again if state.iteration else None,
        evidence=best_first(kept(list(state.evidence.values()))),
        grading=state.grading,
        read=tuple(
            {_document(call): call.note for call in state.calls if call.name in PAGED and call.results}.values()
        ),
        searched=tuple(dict.fromkeys(map(_call_summary, state.calls)))[-MAX_SEARCHED:],
        failed=tuple(filter(None, draft.left_out))[:MAX_FAILED] if draft and not draft.found else (),
    )
    return await run.reasoner.plan(need)


def _call_summary(call: ToolCall) -> str:
    """A call and how much it found, as a planner reads it."""
    wanted = ", ".join(str(value) for value in call.args.values())[:SEARCHED_CHARACTERS]
    return f"{call.name}({wanted}): {'failed' if call.error else f'{call.results} found'}"


def _document(call: ToolCall) -> object:
    return call.args.get("path") or call.args.get("document")


def _searches(request: ToolRequest, spec: ToolSpec) -> bool:
    """Whether a call will surely search: other tools may refuse what they are given."""
    try:
        spec.arguments.model_validate(dict(request.args))
    except ValidationError:
        return False
    return request.name in {"hybrid_search", "vector_search", "keyword_search"}
