"""The outcome, masked wherever text leaves."""

from dataclasses import replace

from agent.follow_ups import follow_ups
from agent.patterns import content_words
from agent.run import Run, analysis_in, filters_in
from agent.selection import best_first
from agent.state import AgentState, Draft, Update
from domain.answers import Answer, Citation, Nearest, NotFound, Outcome

REPLIES = {
    "greeting": "Hello. Ask me about anything that stands in the company's documents, for example: How do I reset my"
    " password?",
    "thanks": "You're welcome. Ask on whenever you need something.",
    "capabilities": "I answer questions from the company's indexed documents, with numbered references to where each"
    " statement stands. Ask in your own words; follow-up questions work. Narrow a search by #label, space:NAME,"
    ' source:NAME, in document "TITLE", before:2026-01-31 or after:2026-01-31. When nothing is found I say so.',
}


async def mask(state: AgentState, run: Run) -> Update:
    """What is said in the end: an answer, what was searched in vain, or a word to a greeting."""
    with run.recorder.stage("mask", state.iteration):
        analysis = analysis_in(state)
        if analysis.talk != "question":
            return {"outcome": Answer(REPLIES[analysis.talk], (), 1.0)}
        draft = state.draft or Draft()
        outcome = _answer(state, draft, run) if draft.found else await _not_found(state, draft, run)
        return {"outcome": outcome}


def _answer(state: AgentState, draft: Draft, run: Run) -> Outcome:
    notes = [*_unmet(state), *draft.notes]
    if draft.uncited:
        notes.append("Sentences without a number are not taken from a source.")
    return Answer(
        text=draft.text,  # masked as it was shown
        citations=tuple(masked_citation(each, run) for each in draft.citations),
        confidence=round(min(1.0, max(0.0, draft.confidence)), 3),
        notice=run.masker.mask(" ".join(notes)).text,
        follow_ups=tuple(run.masker.mask(each).text for each in follow_ups(draft.passages, state.evidence.values())),
    )


def _unmet(state: AgentState) -> list[str]:
    unmet = analysis_in(state).unmet
    return [f"No document you may read has {unmet}: everything was searched."] if unmet else []


def masked_citation(citation: Citation, run: Run) -> Citation:
    """Every text of a reference, masked."""

    def masked(text: str) -> str:
        return run.masker.mask(text).text

    return replace(
        citation,
        title=masked(citation.title),
        url=masked(citation.url),
        path=masked(citation.path),
        section=masked(citation.section),
        quote=masked(citation.quote),
    )


async def _not_found(state: AgentState, draft: Draft, run: Run) -> Outcome:
    words = analysis_in(state).standalone
    count = await run.search.documents(state.question.scope, filters_in(state))
    terms = run.masker.mask(", ".join(content_words(words))).text
    documents = f"{count:,} document" + ("" if count == 1 else "s")
    narrowed = " under the filters given" if filters_in(state) else ""
    by_words = f"by words ({terms})" if terms else "by words (there are none in the question)"
    degraded = any(call.note.startswith("Searched by words alone") for call in state.calls)
    by_meaning = " alone: the embedding model is away" if degraded else " and by meaning"
    nearest: dict[str, Nearest] = {}
    for item in best_first(list(state.evidence.values())):
        passage = item.passage
        title, url, path, owner = (
            run.masker.mask(each).text for each in (passage.title, passage.url, passage.path, passage.author)
        )
        nearest.setdefault(passage.document_id, Nearest(title, url, path, owner, passage.updated_at))
    return NotFound(
        f"{documents}{narrowed}, {by_words}{by_meaning}",
        nearest=tuple(nearest.values())[:3],
        notice=run.masker.mask(" ".join([*_unmet(state), *draft.notes])).text,
    )
