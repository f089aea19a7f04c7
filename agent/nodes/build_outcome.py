"""Builds the outcome from the final state. Masking happens later, in domain.masked_answer."""

from collections.abc import Sequence
from dataclasses import replace

from agent.answer_context import AnswerContext, analysis_in, filters_in
from agent.questions.patterns import content_words
from agent.replies.follow_ups import follow_ups
from agent.state import AgentState, NearPassage, ReplyDraft, Update
from agent.tools.index_command import INDEX_COMMAND
from agent.wording import SMALL_TALK, no_document_has, searched_in_vain
from domain.answers import Answer, Declined, NearestDocument, NearQuote, NotFound, Outcome, Question
from domain.errors import KbError, Transient
from domain.masking import Masker
from domain.scope_reason import UNRESTRICTED
from domain.search import Filters
from domain.text.tokens import fold
from domain.translation import translated

SEARCHES = frozenset({"hybrid_search", "vector_search", "keyword_search"})
"""The tools that look through all documents."""

FITTING_GRADE = 0.5
"""The grade from which a passage counts as a source for a part of a question."""


async def build_outcome(state: AgentState, run: AnswerContext) -> Update:
    """What is said in the end: an answer, what was searched in vain, or a word to a greeting.

    Raises:
        Transient: nothing was found, and no search of the documents came to its end.
    """
    with run.recorder.stage("mask", state.iteration):
        analysis = analysis_in(state)
        if analysis.talk != "question":
            return {"outcome": Answer(translated(SMALL_TALK[analysis.talk]), (), 1.0)}
        draft = state.draft or ReplyDraft()
        if draft.found:
            return {"outcome": _answer(state, draft)}
        if done := _index_command_notes(state):
            return {"outcome": Answer(" ".join(done), (), 1.0)}
        return {"outcome": await _not_found(state, draft, run)}


def _answer(state: AgentState, draft: ReplyDraft) -> Outcome:
    notes = [*_index_command_notes(state), analysis_in(state).unmet, *draft.notes, state.question.scope_reason.unknown]
    return Answer(
        text=draft.text,  # was masked when it was shown
        citations=draft.citations,
        confidence=round(min(1.0, max(0.0, draft.confidence)), 3),
        notice=" ".join(map(translated, filter(None, notes))),
        follow_ups=follow_ups(draft.passages, state.evidence.values()),
        partial=_is_partial(state, draft),
    )


def _is_partial(state: AgentState, draft: ReplyDraft) -> bool:
    """Whether none of the cited passages was found for, or fits, one of the parts that the question has."""
    cited = [item for each in draft.passages if (item := state.evidence.get(each.chunk_id))]
    parts = [each.number for each in analysis_in(state).sub_questions]
    return len(parts) > 1 and not all(
        any(item.grades.get(part, 0.0) >= FITTING_GRADE if item.grades else part in item.found_for for item in cited)
        for part in parts
    )


def _index_command_notes(state: AgentState) -> list[str]:
    """What came of a request about the index itself: it is said in the very words, which no model may change."""
    calls = [call for call in state.calls if call.name == INDEX_COMMAND]
    return [call.note for call in calls if call.note] or [call.error for call in calls if call.error][:1]


async def _not_found(state: AgentState, draft: ReplyDraft, run: AnswerContext) -> Outcome:
    question = state.question
    searched = [call for call in state.calls if call.name in SEARCHES]
    if searched and all(call.error for call in searched):
        raise Transient(
            "The documents could not be searched", why=searched[-1].error, next_step="Ask again in a minute."
        )
    count = await run.search.count_documents(question.scope, filters_in(state))
    if not count and not state.evidence:
        return await _nothing_to_search(question, run)
    words = content_words(_unmasked(analysis_in(state).standalone, run.masker))
    terms = ", ".join(word for word in words if fold(word) in _conversation_text(question))
    told = searched_in_vain(
        count, terms, filtered=bool(filters_in(state)), words_alone="dense" in state.missing_rankings
    )
    return NotFound(
        told,
        nearest=await _with_owners(_documents(state.nearest), question, run),
        notice=" ".join(map(translated, filter(None, [analysis_in(state).unmet, *draft.notes]))),
        scope_reason=question.scope_reason,
    )


def _documents(near: Sequence[NearPassage]) -> tuple[NearestDocument, ...]:
    """The documents that come near, each with all that is quoted of it."""
    found: dict[str, list[NearPassage]] = {}
    for each in near:
        found.setdefault(each.passage.document_id, []).append(each)
    return tuple(
        NearestDocument(
            (first := several[0].passage).title,
            first.url,
            first.path,
            first.author,
            first.updated_at,
            document,
            chunk_id=first.chunk_id,
            quotes=tuple(NearQuote(each.words, each.passage.chunk_id) for each in several if each.words),
        )
        for document, several in found.items()
    )


async def _with_owners(
    nearest: tuple[NearestDocument, ...], question: Question, run: AnswerContext
) -> tuple[NearestDocument, ...]:
    """The documents, saying of which an address of the owner is known; of none to who may read what is public alone."""
    if run.owners is None or question.scope_reason != UNRESTRICTED:
        return nearest
    try:
        owned = await run.owners.owned([each.document_id for each in nearest], question.scope)
    except KbError as error:
        run.recorder.say(f"whom the nearest documents belong to could not be read: {error.what}")
        return nearest
    known = {each.document_id for each in owned}
    return tuple(replace(each, addressed=each.document_id in known) for each in nearest)


def _conversation_text(question: Question) -> str:
    """All that was said in the conversation: what a model wrote into the question besides is not shown."""
    turns = (text for turn in question.history for text in (turn.question, turn.reply))
    return " ".join(map(fold, "\n".join([question.text, *turns]).split()))


async def _nothing_to_search(question: Question, run: AnswerContext) -> Declined:
    """What is said where no document could be looked through: other words find none either. It follows from what the
    asker may read alone, so that it says nothing of what they may not."""
    if question.filters and await run.search.count_documents(question.scope, Filters()):
        return Declined(no_document_has(question.filters), cause="filters")
    return Declined(question.scope_reason.nothing, cause="nothing_to_search", scope_reason=question.scope_reason)


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
