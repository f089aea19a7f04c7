"""How good an outcome is against the facts and sources of its question. Pure."""

from collections.abc import Iterable, Sequence
from typing import Literal

from agent.checking.markers import without_markers
from agent.evaluation.fact_questions import FactQuestion
from agent.evaluation.process_measures import evidence_measures, stage_times
from agent.replies.answer_quality import answer_quality
from domain.answers import Answer, Failed, NotFound, Outcome

Verdict = Literal["right", "partly", "wrong", "declined", "failed", "answered"]
"""Of an answerable question: right (all facts and no wrong wording), partly (some facts), wrong (no fact, or a wrong
wording) or declined. Of an unanswerable one: answered or declined. Of both: failed, where something broke."""

Scores = dict[str, float]
"""By the name of the measure; what does not apply to a question is left out."""


def plain(text: str) -> str:
    """The text as facts are compared: without case, marks of formatting and repeated spaces."""
    return " ".join(text.casefold().replace("*", "").replace("`", "").split())


def holds(text: str, wording: str) -> bool:
    """Whether a plain text holds a wording in whole words."""
    wanted, start = plain(wording), 0
    while wanted and (at := text.find(wanted, start)) >= 0:
        end = at + len(wanted)
        if not _in_word(text[at - 1 : at]) and not _in_word(text[end : end + 1]):
            return True
        start = at + 1
    return False


def _in_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


def facts_held(question: FactQuestion, reply: str) -> float:
    """The share of the question's facts that a reply holds; 0 where there is none."""
    text = plain(without_markers(reply))
    held = [any(holds(text, wording) for wording in wordings) for wordings in question.facts]
    return sum(held) / len(held) if held else 0.0


def verdict_of(question: FactQuestion, outcome: Outcome) -> Verdict:
    """What the outcome amounts to."""
    if isinstance(outcome, Failed):
        return "failed"
    if not isinstance(outcome, Answer):
        return "declined"
    if not question.answerable:
        return "answered"
    text, share = plain(without_markers(outcome.text)), facts_held(question, outcome.text)
    if share == 0 or any(holds(text, each) for each in question.wrong):
        return "wrong"
    return "right" if share == 1 else "partly"


def scores_of(question: FactQuestion, outcome: Outcome) -> Scores:
    """Shares from 0 to 1, and counts.

    facts: facts contained. near_facts: of a question that was declined, those in the words quoted of near documents.
    citation_precision: cited documents that are sources. citation_recall: sources that are cited. hops: of a question
    with several sources, those whose passages are in the evidence. supported: statements that the quoted words say
    (agent.replies.answer_quality). requests and tokens: to and of a model. Besides what
    agent.evaluation.process_measures says of evidence, searching again and time by stage.
    """
    trace = outcome.trace
    scores: Scores = stage_times(trace) | {"requests": trace.model_calls, "tokens": trace.tokens}
    if isinstance(outcome, Answer):
        scores["supported"] = answer_quality(question.text, outcome.text, outcome.citations).supported
    if not question.answerable:
        return scores
    cited = {each.path for each in outcome.citations} if isinstance(outcome, Answer) else set()
    scores["facts"] = facts_held(question, outcome.text) if isinstance(outcome, Answer) else 0.0
    if isinstance(outcome, NotFound):
        scores["near_facts"] = facts_held(
            question, " ".join(quote.words for each in outcome.nearest for quote in each.quotes)
        )
    if question.sources:
        if cited:
            scores["citation_precision"] = sum(_is_source(path, question.sources) for path in cited) / len(cited)
        scores["citation_recall"] = _found(question.sources, cited)
        scores |= evidence_measures(trace, set(question.sources), lambda note: sources_among(question, [note.path]))
    if len(question.sources) > 1:
        scores["hops"] = _found(question.sources, {each.path for each in trace.evidence})
    return scores


def _is_source(path: str, sources: Sequence[str]) -> bool:
    return any(path == each or path.endswith("/" + each) for each in sources)


def sources_among(question: FactQuestion, paths: Iterable[str]) -> frozenset[str]:
    """The sources of a question that paths lead to."""
    known = list(paths)
    return frozenset(each for each in question.sources if any(_is_source(path, [each]) for path in known))


def _found(sources: Sequence[str], paths: Iterable[str]) -> float:
    known = list(paths)
    return sum(any(_is_source(path, [source]) for path in known) for source in sources) / len(sources)
