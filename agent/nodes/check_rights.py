"""The last look at rights before a reply is shown: what may not be read any more goes out of it."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from agent.answer_context import AnswerContext, analysis_in
from agent.replies.near_passages import near_passages
from agent.routing import after_rights
from agent.state import AgentState, ClosedEvidence, Evidence, NearPassage, ReplyDraft, Update
from agent.wording import SOURCE_GONE, not_rechecked


async def check_rights(state: AgentState, run: AnswerContext) -> Update:
    """Takes out of the evidence what is closed by now, and writes the reply from the rest where it was made from that.

    Raises:
        Transient: the index does not say who may read what.
    """
    draft, known = state.draft or ReplyDraft(), state.evidence
    near = () if draft.found else await _near(known, state, run)
    shown = (*draft.passages, *draft.named) if draft.found else tuple(each.passage for each in near)
    closed = await run.rights.closed([item.passage for item in known.values()], shown)
    left = {key: item for key, item in known.items() if key not in closed}
    gone = ClosedEvidence({key: item for key, item in known.items() if key in closed})
    question = replace(
        state.question, scope=run.rights.scope, scope_reason=run.rights.scope_reason or state.question.scope_reason
    )
    chosen = tuple(key for key in state.chosen if key in left)
    update: Update = {"question": question, "evidence": gone, "chosen": chosen}
    affected = draft.found and not left.keys() >= set(state.chosen)
    if affected:
        run.recorder.say("the reply is written again: not all of its sources may be read any more")
        update["draft"] = draft = rewritten(left, run)
    update["checked"] = after_rights(affected=affected, found=draft.found, left=bool(left), anew=state.anew)
    update["anew"] = state.anew or update["checked"] == "synthesize"
    if update["checked"] == "build_outcome":
        update["draft"] = _with_remarks(draft, run)
        near = tuple(each for each in near if each.passage.chunk_id not in closed)
        if not draft.found and not near and left:  # there was an answer until now, or all that came near is closed
            near = await _near(left, state, run)
            passages = [each.passage for each in near]
            closed = await run.rights.closed(passages, passages)
            near = tuple(each for each in near if each.passage.chunk_id not in closed)
        update["nearest"] = tuple(_as_checked(each, run.rights.unchecked) for each in near)
    return update


async def _near(evidence: Mapping[str, Evidence], state: AgentState, run: AnswerContext) -> tuple[NearPassage, ...]:
    return await near_passages(analysis_in(state).standalone, list(evidence.values()), run.reasoner, run.masker)


def _as_checked(near: NearPassage, unchecked: Collection[str]) -> NearPassage:
    """Named alone where its source was to be asked for its rights, and could not be in time."""
    return replace(near, words="") if near.passage.url in unchecked else near


def rewritten(left: Mapping[str, Evidence], run: AnswerContext) -> ReplyDraft:
    """The same reply, each sentence checked against the evidence that is left; what that does not back is gone."""
    reply = run.replies[-1]
    closed = [place for place, item in enumerate(reply.inputs.evidence, start=1) if item.key not in left]
    run.replies.append(reply.without(closed, run.options.support))
    return run.replies[-1].writer.draft


def _with_remarks(draft: ReplyDraft, run: AnswerContext) -> ReplyDraft:
    """With what a reader should know of this check."""
    urls = [passage.url for passage in draft.passages]
    unchecked = [n for n, url in enumerate(urls, start=1) if url in run.rights.unchecked]
    taken_back = not draft.text.startswith(run.recorder.written)
    remarks = [SOURCE_GONE] * taken_back + [not_rechecked(unchecked)] * bool(unchecked and draft.found)
    return replace(draft, notes=(*draft.notes, *remarks))
