"""The planned calls, side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from agent.answer_context import AnswerContext, analysis_in, context_of, share
from agent.state import AgentState, Evidence, SubQuestion, Update
from agent.tools.reasoning import reranked
from agent.tools.toolbox import ToolOutcome, evidence_of
from agent.wording import counted, searching
from domain.documents import compose
from domain.errors import KbError, Misconfigured, Transient
from domain.injection import injection_in
from domain.masking import Masker
from domain.search import Passage, Ranking

_NO_DOCUMENT_TEXT = {"chunk_id", "document_id", "source", "injection"}
"""Fields of a passage that hold digests, the name that an administrator gave to a source, and words of ours."""

_MASKED_ALONE = [
    each.name
    for each in fields(Passage)
    if each.type in (str, tuple[str, ...]) and each.name not in {"before", "text", "after", *_NO_DOCUMENT_TEXT}
]
"""All other texts of a passage but those that are masked as one sequence."""


async def tool_exec(state: AgentState, run: AnswerContext) -> Update:
    """What the calls found, tagged with the sub-questions it was searched for.

    Raises:
        Misconfigured, Transient: every call so far failed.
    """
    with run.recorder.stage("search", state.iteration):
        names = list(dict.fromkeys(request.name for request in state.plan))
        if names:
            places = {spec.name: spec.place_in_words for spec in run.toolbox.offered}
            text = searching(state.iteration, [places[name] for name in names if name in places])
            run.recorder.progress(text, share(state, run, 0.2), "search", state.iteration, names[0])
        ran = await run.toolbox.run(state.plan, context_of(state, run), state.iteration)
        for each in ran:
            part = each.request.sub_question
            about = f" for part {part}" if part > 1 else ""
            note = f"; {each.call.note}" if each.call.note else ""
            gave = each.call.error or counted({"result": each.call.results})
            run.recorder.say(f"{each.call.name}{about}: {gave}{note}")
        clean = marked(without_secrets(evidence_of(ran, state.iteration), run.masker))
        found = await _second_look(state, run, clean)
        new = len(found.keys() - state.evidence.keys())
        documents = len({item.passage.document_id for item in found.values()})
        run.recorder.say(f"found {counted({'new passage': new})} in {counted({'document': documents})}")
        calls = tuple(each.call for each in ran)
        _fail_if_nothing_worked(ran, state)
        missing = frozenset[Ranking]().union(*(each.result.missing for each in ran))
        update: Update = {"evidence": found, "calls": calls, "missing_rankings": missing}
        parts = [part for each in ran for part in each.result.parts]
        if parts and len(analysis_in(state).sub_questions) == 1:
            divided = tuple(SubQuestion(number, part) for number, part in enumerate(parts[:4], start=1))
            update["analysis"] = replace(analysis_in(state), sub_questions=divided)
        return update


def without_secrets(found: Mapping[str, Evidence], masker: Masker) -> dict[str, Evidence]:
    """The evidence with its secrets masked, before anything thinks about it: what a model never saw it cannot say."""
    return {key: replace(item, passage=_clean(item.passage, masker)) for key, item in found.items()}


def marked(found: Mapping[str, Evidence]) -> dict[str, Evidence]:
    """The evidence with what is addressed to machines marked, whichever tool brought it: pages that are read now were
    never indexed, and relations of the knowledge graph stand in no chunk."""
    return {
        key: replace(item, passage=replace(item.passage, injection=_injection(item))) for key, item in found.items()
    }


def _injection(item: Evidence) -> str:
    passage = item.passage
    whole = compose(passage.title, passage.heading_path, "\n".join([passage.text, *item.states]))
    return passage.injection or injection_in(whole)


def _clean(passage: Passage, masker: Masker) -> Passage:
    # a secret may begin in one chunk and end in the next
    texts = tuple(part.text for part in masker.secrets_in([*passage.before, passage.text, *passage.after]))
    place = len(passage.before)
    clean: dict[str, Any] = {"before": texts[:place], "text": texts[place], "after": texts[place + 1 :]}
    for name in _MASKED_ALONE:
        value = getattr(passage, name)
        several = (value,) if isinstance(value, str) else value
        masked = tuple(masker.secrets(each).text for each in several)
        clean[name] = masked[0] if isinstance(value, str) else masked
    return replace(passage, **clean)


async def _second_look(state: AgentState, run: AnswerContext, found: dict[str, Evidence]) -> Mapping[str, Evidence]:
    """The best candidates with scores blended with the reranker's, where there is one and enough to rank."""
    wanted = run.options.rerank
    if not (run.options.features.rerank and run.reranker and len(found) >= wanted.minimum):
        return found
    context = replace(context_of(state, run), evidence=found)
    try:
        result = await reranked(run.reranker, context.question, context, wanted.candidates, wanted.blend)
    except KbError as error:
        run.recorder.say(f"not reranked: {error.what}")
        return found
    run.recorder.say(result.note)
    scores = {item.passage.chunk_id: item.score for item in result.found}
    return {
        key: replace(item, scores={state.iteration: scores.get(key, item.score * 0.5)}) for key, item in found.items()
    }


def _fail_if_nothing_worked(ran: Sequence[ToolOutcome], state: AgentState) -> None:
    """What broke is what the asker should hear of, when no call worked and nothing was found before. A call that was
    refused broke nothing."""
    broken = [each.failure for each in ran if isinstance(each.failure, Misconfigured | Transient)]
    calls = (*state.calls, *(each.call for each in ran))
    if broken and not state.evidence and all(call.error for call in calls):
        raise broken[0]
