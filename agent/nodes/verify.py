"""Whether the sources support what was written. What was shown stays: a doubt becomes a note."""

from dataclasses import replace

from agent.contradictions import contradictions
from agent.run import Run
from agent.state import AgentState, Draft, Update


async def verify(state: AgentState, run: Run) -> Update:
    """The graded check of every cited sentence that is not a quotation."""
    with run.recorder.stage("verify", state.iteration):
        draft = state.draft or Draft()
        if draft.dropped:
            run.recorder.say(f"{draft.dropped} sentences left out: their numbers, names or ids stand in no source")
        differing = contradictions(state.claims)
        draft = replace(draft, notes=(*draft.notes, *differing))
        if not (draft.found and state.claims and run.options.features.verification):
            return {"draft": draft}
        run.recorder.progress("Checking each sentence against its source", 90, "verify", state.iteration)
        support = await run.reasoner.check(state.claims)
        weak = [
            claim.sentence for claim, value in zip(state.claims, support, strict=True) if value < run.options.support
        ]
        run.recorder.say(f"{len(state.claims) - len(weak)} of {len(state.claims)} cited sentences are supported")
        share = sum(support) / len(support)
        notes = draft.notes
        if weak:
            quoted = "; ".join(f"“{_short(sentence)}”" for sentence in weak[:3])
            notes = (*notes, f"Check these against the source, which supports them weakly: {quoted}")
        confidence = draft.confidence * (0.5 + 0.5 * share)
        return {"draft": replace(draft, notes=notes, confidence=round(confidence, 3))}


def _short(sentence: str) -> str:
    words = " ".join(sentence.split())
    return words if len(words) <= 120 else words[:119] + "…"
