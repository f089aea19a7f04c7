"""The last look at rights before a reply is shown: what may not be read any more goes out of it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from agent.answer_context import AnswerContext
from agent.routing import after_rights
from agent.state import AgentState, ClosedEvidence, Evidence, ReplyDraft, Update
from agent.wording import SOURCE_GONE, not_rechecked
from domain.search import Passage

NEAREST = 3
"""Documents that are named where nothing was found."""


async def check_rights(state: AgentState, run: AnswerContext) -> Update:
    """Takes out of the evidence what is closed by now, and writes the reply from the rest where it was made from that.

    Raises:
        Transient: the index does not say who may read what.
    """
    draft, known = state.draft or ReplyDraft(), state.evidence
    shown = (*draft.passages, *draft.named) if draft.found else _nearest(known)
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
    if update["checked"] == "mask":
        update["draft"] = _with_remarks(draft, run)
        update["nearest"] = () if draft.found else await _still_open(_nearest(left), shown, run)
    return update


def _nearest(evidence: Mapping[str, Evidence]) -> tuple[Passage, ...]:
    """One passage each of the documents that come near, by grade and retrieval's score together: where nothing answers,
    they tell more than either."""
    found: dict[str, Passage] = {}
    for item in sorted(evidence.values(), key=lambda item: (-item.grade - item.score, item.iteration, item.key)):
        found.setdefault(item.passage.document_id, item.passage)
    return tuple(found.values())[:NEAREST]


async def _still_open(near: tuple[Passage, ...], checked: Sequence[Passage], run: AnswerContext) -> tuple[Passage, ...]:
    """Those of the nearest passages that may be read. checked: for which that is known."""
    if {each.chunk_id for each in near} <= {each.chunk_id for each in checked}:
        return near
    closed = await run.rights.closed(near, near)
    return tuple(each for each in near if each.chunk_id not in closed)


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
