"""The outcome. What leaves of it is masked as a whole, by domain.masking.shown."""

from agent.follow_ups import follow_ups
from agent.narrowing import in_words
from agent.patterns import content_words
from agent.run import Run, analysis_in, filters_in
from agent.selection import best_first
from agent.state import AgentState, Draft, Update
from agent.tools.index import INDEX_COMMAND
from domain.answers import Answer, Declined, Nearest, NotFound, Outcome, Question
from domain.masking import Masker
from domain.search import Filters

REPLIES = {
    "greeting": "Hello. Ask me about anything that stands in the company's documents, for example: How do I reset my"
    " password?",
    "thanks": "You're welcome. Ask on whenever you need something.",
    "capabilities": "I answer questions from the company's indexed documents, with numbered references to where each"
    " statement stands. Ask in your own words; follow-up questions work. Narrow a search by #label, space:NAME,"
    " source:NAME, in document TITLE, before:2026-01-31 or after:2026-01-31. When nothing is found I say so.",
}


async def mask(state: AgentState, run: Run) -> Update:
    """What is said in the end: an answer, what was searched in vain, or a word to a greeting."""
    with run.recorder.stage("mask", state.iteration):
        analysis = analysis_in(state)
        if analysis.talk != "question":
            return {"outcome": Answer(REPLIES[analysis.talk], (), 1.0)}
        draft = state.draft or Draft()
        if draft.found:
            return {"outcome": _answer(state, draft)}
        if done := _administered(state):
            return {"outcome": Answer(" ".join(done), (), 1.0)}
        return {"outcome": await _not_found(state, draft, run)}


def _answer(state: AgentState, draft: Draft) -> Outcome:
    notes = [*_administered(state), *_unmet(state), *draft.notes]
    if draft.uncited:
        notes.append("Sentences without a number are not taken from a source.")
    if unknown := state.question.reach.unknown:
        notes.append(unknown)
    return Answer(
        text=draft.text,  # masked as it was shown
        citations=draft.citations,
        confidence=round(min(1.0, max(0.0, draft.confidence)), 3),
        notice=" ".join(notes),
        follow_ups=follow_ups(draft.passages, state.evidence.values()),
    )


def _administered(state: AgentState) -> list[str]:
    """What came of a request about the index itself: it is said in the very words, which no model may change."""
    calls = [call for call in state.calls if call.name == INDEX_COMMAND]
    return [call.note for call in calls if call.note] or [call.error for call in calls if call.error][:1]


def _unmet(state: AgentState) -> list[str]:
    unmet = analysis_in(state).unmet
    return [unmet] if unmet else []


async def _not_found(state: AgentState, draft: Draft, run: Run) -> Outcome:
    question = state.question
    count = await run.search.documents(question.scope, filters_in(state))
    if not count and not state.evidence:
        return await _nothing_to_search(question, run)
    words = analysis_in(state).standalone
    terms = ", ".join(content_words(_unmasked(words, run.masker)))
    documents = f"{count:,} document" + ("" if count == 1 else "s")
    narrowed = " under the filters given" if filters_in(state) else ""
    by_words = f"by words ({terms})" if terms else "by words (there are none in the question)"
    degraded = any(call.note.startswith("Searched by words alone") for call in state.calls)
    by_meaning = " alone: the embedding model is away" if degraded else " and by meaning"
    nearest: dict[str, Nearest] = {}
    for item in best_first(list(state.evidence.values())):
        passage = item.passage
        near = Nearest(passage.title, passage.url, passage.path, passage.author, passage.updated_at)
        nearest.setdefault(passage.document_id, near)
    return NotFound(
        f"{documents}{narrowed}, {by_words}{by_meaning}",
        nearest=tuple(nearest.values())[:3],
        notice=" ".join([*_unmet(state), *draft.notes]),
        reach=question.reach,
    )


async def _nothing_to_search(question: Question, run: Run) -> Declined:
    """What is said where no document could be looked through: other words find none either. It follows from what the
    asker may read alone, so that it says nothing of what they may not."""
    if question.filters and await run.search.documents(question.scope, Filters()):
        asked = in_words(question.filters) or "the id given"
        return Declined(f"No document that you may read has {asked}. Leave that out or change it.", cause="filters")
    return Declined(question.reach.nothing, cause="nothing_to_search", reach=question.reach)


def _unmasked(words: str, masker: Masker) -> str:
    """What is left of a question without all that is masked in it, taken out before it is cut into words: the parts
    of an address or a number no longer look like one."""
    masked, left, position = masker.mask(words), "", 0
    if masked.withheld:
        return ""
    for found in masked.findings:
        left += words[position : found.start] + " "
        position = found.end
    return left + words[position:]
