"""Whether the sources support what was written. What was shown stays: a doubt becomes a note."""

from dataclasses import replace

from agent.answer_context import AnswerContext
from agent.checking.contradictions import contradictions
from agent.state import AgentState, ReplyDraft, Update
from agent.wording import CHECKING, weakly_supported


async def verify(state: AgentState, run: AnswerContext) -> Update:
    """The graded check of every cited sentence that is not a quotation."""
    with run.recorder.stage("verify", state.iteration):
        draft = state.draft or ReplyDraft()
        if draft.dropped:
            run.recorder.say(f"{draft.dropped} sentences left out: their numbers, names or ids stand in no source")
        differing = contradictions(state.claims)
        draft = replace(draft, notes=(*draft.notes, *differing))
        if not (draft.found and state.claims and run.options.features.verification):
            return {"draft": draft}
        run.recorder.progress(CHECKING, 90, "verify", state.iteration)
        support = await run.reasoner.check(state.claims)
        weak = [
            claim.sentence for claim, value in zip(state.claims, support, strict=True) if value < run.options.support
        ]
        run.recorder.say(f"{len(state.claims) - len(weak)} of {len(state.claims)} cited sentences are supported")
        share = sum(support) / len(support)
        notes = draft.notes
        if weak:
            notes = (*notes, weakly_supported(weak))
        confidence = draft.confidence * (0.5 + 0.5 * share)
        return {"draft": replace(draft, notes=notes, confidence=round(confidence, 3))}
