"""Quoting: which units of passages answer a question, and in what order. No model writes anything here."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from agent.reasoners.offline.quotable_units import QuotableUnit, likely, quotable_units
from agent.retrieval.relevance import coverage
from agent.retrieval.retriever import Retrieved
from agent.wording import quoted_by_words
from domain.errors import Transient
from domain.model_ports import Embedder, Vectors
from domain.search import Passage
from domain.text.tokens import Analyzer

CLOSE_LOOK = 3_000
"""Characters of units that are embedded for one question: about 750 tokens, some 0.1 s on two cores."""

SAME = 0.9
"""Cosine from which two units say the same."""

SAME_SUBJECT = 0.7
"""Cosine from which two units speak of the same thing, so that differing numbers are a contradiction."""

WORTH_ADDING = 0.85
"""Share of the best unit's score that a further one must reach."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class ScoredUnit:
    """A unit, its score for the question, and its vector."""

    unit: QuotableUnit
    score: float
    vector: NDArray[np.float32]


async def score_units(
    embedder: Embedder, retrieved: Retrieved, passages: Sequence[Passage], characters: int = CLOSE_LOOK
) -> tuple[list[ScoredUnit], str]:
    """The most promising units, so many characters of them, with their scores, best first; and what was missing to
    judge them."""
    found = likely(quotable_units(passages, Analyzer(retrieved.stemming)), passages, retrieved.term_idf, characters)
    if retrieved.vector is None:
        return _by_words(found, retrieved), retrieved.degraded
    try:
        vectors = await embedder.embed([_in_context(unit, passages) for unit in found])
    except Transient as error:
        return _by_words(found, retrieved), quoted_by_words(error)
    scores = _scores(found, vectors, retrieved, passages)
    order = sorted(range(len(found)), key=lambda i: (-scores[i], found[i].passage, found[i].start))
    return [ScoredUnit(found[i], scores[i], vectors[i]) for i in order], retrieved.degraded


def _by_words(found: Sequence[QuotableUnit], retrieved: Retrieved) -> list[ScoredUnit]:
    scored = [ScoredUnit(unit, coverage(unit.terms, retrieved.term_idf), np.zeros(1, np.float32)) for unit in found]
    return sorted(scored, key=lambda each: (-each.score, each.unit.passage, each.unit.start))


def _in_context(unit: QuotableUnit, passages: Sequence[Passage]) -> str:
    passage = passages[unit.passage]
    return " > ".join((passage.title, *passage.heading_path[-1:])) + "\n" + unit.text


def _scores(
    found: Sequence[QuotableUnit], vectors: Vectors, retrieved: Retrieved, passages: Sequence[Passage]
) -> list[float]:
    """Cosine with the question, share of the question's words (a heading's count half), and the passage's rank."""
    assert retrieved.vector is not None  # noqa: S101 - the caller looked
    analyzer = Analyzer(retrieved.stemming)
    cosines = vectors @ retrieved.vector
    scores = []
    for unit, cosine in zip(found, cosines, strict=True):
        passage = passages[unit.passage]
        around = unit.terms | frozenset(analyzer.tokens(" ".join((passage.title, *passage.heading_path))))
        words = (coverage(unit.terms, retrieved.term_idf) + coverage(around, retrieved.term_idf)) / 2
        rank = 1 - unit.passage / len(passages)
        scores.append(0.5 * float(cosine) + 0.35 * words + 0.15 * rank)
    return scores


def choose(scored: Sequence[ScoredUnit], limit: int) -> list[ScoredUnit]:
    """The best unit and those nearly as good that add something. scored: best first."""
    chosen: list[ScoredUnit] = []
    for candidate in scored:
        if len(chosen) == limit or (chosen and candidate.score < WORTH_ADDING * chosen[0].score):
            break
        if not any(_repeats(candidate, other) for other in chosen):
            chosen.append(candidate)
    return chosen


def _repeats(one: ScoredUnit, other: ScoredUnit) -> bool:
    if one.unit.text in other.unit.text or other.unit.text in one.unit.text:
        return True
    return float(one.vector @ other.vector) > SAME and _numbers(one) == _numbers(other)


def _numbers(scored: ScoredUnit) -> frozenset[str]:
    return frozenset(_NUMBER.findall(scored.unit.text))


def newest_first(chosen: Sequence[ScoredUnit], passages: Sequence[Passage]) -> tuple[list[ScoredUnit], bool]:
    """Puts contradicting units in the order of their documents' dates; tells whether there are any.

    Units contradict when they speak of the same thing, in different documents, with other numbers.
    """
    first = chosen[0]
    rivals = [other for other in chosen if other is first or _contradict(first, other, passages)]
    if len(rivals) == 1:
        return list(chosen), False
    rivals.sort(key=lambda scored: _date(passages[scored.unit.passage]), reverse=True)
    return [*rivals, *(other for other in chosen if not any(other is rival for rival in rivals))], True


def _contradict(one: ScoredUnit, other: ScoredUnit, passages: Sequence[Passage]) -> bool:
    here, there = passages[one.unit.passage], passages[other.unit.passage]
    return (
        here.document_id != there.document_id
        and bool(here.updated_at and there.updated_at)
        and bool(_numbers(one) and _numbers(other))
        and _numbers(one) != _numbers(other)
        and float(one.vector @ other.vector) > SAME_SUBJECT
    )


def _date(passage: Passage) -> datetime:
    assert passage.updated_at is not None  # noqa: S101 - only dated passages contradict
    return passage.updated_at
