"""The planned calls, side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from agent.answer_context import AnswerContext, analysis_in, context_of, share
from agent.retrieval.reranking import passage_without_secrets, rerank_scores
from agent.state import AgentState, Evidence, SubQuestion, Update
from agent.tools.base import ToolContext
from agent.tools.toolbox import ToolOutcome, evidence_of
from agent.wording import counted, searching
from domain.documents import compose
from domain.errors import KbError, Misconfigured, Transient
from domain.injection import injection_in
from domain.masking import Masker
from domain.search import Passage, Ranking


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
        ran = await run.toolbox.run(state.plan, _tool_context(state, run), state.iteration)
        for each in ran:
            part = each.request.sub_question
            about = f" for part {part}" if part > 1 else ""
            note = f"; {each.call.note}" if each.call.note else ""
            gave = each.call.error or counted({"result": each.call.results})
            run.recorder.say(f"{each.call.name}{about}: {gave}{note}")
        clean = with_injection_flags(without_secrets(evidence_of(ran, state.iteration), run.masker))
        found = await _rerank(state, run, clean)
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
    return {key: replace(item, passage=passage_without_secrets(item.passage, masker)) for key, item in found.items()}


def with_injection_flags(found: Mapping[str, Evidence]) -> dict[str, Evidence]:
    """The evidence with what is addressed to machines marked, whichever tool brought it: pages that are read now were
    never indexed, and relations of the knowledge graph stand in no chunk."""
    return {
        key: replace(item, passage=replace(item.passage, injection=_injection(item))) for key, item in found.items()
    }


def _injection(item: Evidence) -> str:
    """What the index says of a passage is not asked again: the detector costs most when it is first used."""
    passage, states = item.passage, "\n".join(item.stated_relations)
    if passage.injection is not None:
        return passage.injection or (injection_in(states) if states else "")
    return injection_in(compose(passage.title, passage.heading_path, f"{passage.text}\n{states}"))


def _tool_context(state: AgentState, run: AnswerContext) -> ToolContext:
    """As every node has it; where candidates are ranked anew, each search gives as many as the reranker takes."""
    context = context_of(state, run)
    if not _reranks(run):
        return context
    return replace(context, top_k=max(context.top_k, run.options.rerank.candidates))


def _reranks(run: AnswerContext) -> bool:
    return run.options.features.rerank and run.reranker is not None


async def _rerank(state: AgentState, run: AnswerContext, found: dict[str, Evidence]) -> Mapping[str, Evidence]:
    """The best of each part of the question by scores blended with the reranker's, cut to as many as one search
    gives; with them what was asked for by its name and what the knowledge graph states."""
    if not _reranks(run):
        return found
    scores: dict[str, float] = {}
    for number in sorted(frozenset[int]().union(*(item.found_for for item in found.values()))):
        part = {key: (item.passage, item.score) for key, item in found.items() if number in item.found_for}
        ranked = await _part_scores(analysis_in(state).sub_question(number).text, part, run)
        for key in list(ranked)[: run.options.top_k]:
            scores[key] = max(scores.get(key, 0.0), ranked[key])
    kept = {key for key, item in found.items() if key in scores or item.names or item.stated_relations}
    return {
        key: replace(item, scores={state.iteration: scores.get(key, item.score * 0.5)})
        for key, item in found.items()
        if key in kept
    }


async def _part_scores(
    query: str, candidates: Mapping[str, tuple[Passage, float]], run: AnswerContext
) -> Mapping[str, float]:
    """The candidates' scores, best first: the reranker's where it answers and there are enough of them to rank."""
    by_retrieval = dict(sorted(((key, score) for key, (_, score) in candidates.items()), key=lambda pair: -pair[1]))
    if run.reranker is None or len(candidates) < run.options.rerank.minimum:
        return by_retrieval
    try:
        scores = await rerank_scores(run.reranker, query, candidates, run.options.rerank)
    except KbError as error:
        run.recorder.say(f"not reranked: {error.what}")
        return by_retrieval
    run.recorder.say(f"reranked by {run.reranker.name}")
    return scores


def _fail_if_nothing_worked(ran: Sequence[ToolOutcome], state: AgentState) -> None:
    """What broke is what the asker should hear of, when no call worked and nothing was found before. A call that was
    refused broke nothing."""
    broken = [each.failure for each in ran if isinstance(each.failure, Misconfigured | Transient)]
    calls = (*state.calls, *(each.call for each in ran))
    if broken and not state.evidence and all(call.error for call in calls):
        raise broken[0]
