"""Quoting: which units of passages answer a question, and in what order. No model writes anything here."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agent.checking.conflicts import Conflict
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


def with_both_sides(
    chosen: Sequence[ScoredUnit], scored: Sequence[ScoredUnit], conflicts: Sequence[Conflict]
) -> list[ScoredUnit]:
    """The chosen units, and beside each that tells one side of a conflict the unit that tells the other, the one that
    counts first. conflicts: with positions among the passages."""
    ordered = list(chosen)
    for conflict in conflicts:
        sides = [
            next((each for each in (*ordered, *scored) if each.unit.passage == place and said in each.unit.text), None)
            for place, said in ((conflict.first, conflict.first_sentence), (conflict.second, conflict.second_sentence))
        ]
        pair = [each for each in sides if each]
        places = [place for place, unit in enumerate(ordered) if any(unit is each for each in pair)]
        if len(pair) == 2 and places:
            rest = [unit for unit in ordered if not any(unit is each for each in pair)]
            ordered = [*rest[: places[0]], *pair, *rest[places[0] :]]
    return ordered


def replaced_last(
    chosen: Sequence[ScoredUnit], passages: Sequence[Passage], precedence: Collection[tuple[str, str]]
) -> list[ScoredUnit]:
    """The units, those of documents last before which another of theirs counts. precedence: as GraphSearch gives it."""
    documents = [passages[each.unit.passage].document_id for each in chosen]
    last = {second for first, second in precedence if first in documents}
    return [unit for _, unit in sorted(zip(documents, chosen, strict=True), key=lambda each: each[0] in last)]
