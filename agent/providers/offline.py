"""The reasoner without a model: it finds what passages say, quotes it, and knows when they say nothing."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from agent.citations import cite
from agent.extract import Unit, likely, units
from agent.relevance import coverage, joint_coverage, relevance
from agent.retrieval import Retrieved
from domain.answers import Answer, Citation, NotFound
from domain.errors import Transient
from domain.ports import Embedder, Vectors
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

NOTICE = "Quoted from the sources without a language model; a model endpoint gives fuller answers."
CONFLICT = "The sources differ; the newest stands first."

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Scored:
    """A unit, its score for the question, and its vector."""

    unit: Unit
    score: float
    vector: NDArray[np.float32]


class OfflineReasoner:
    """Answers by quoting.

    embedder: compares sentences with the question. max_units: quoted at most. min_relevance: below it nothing is
    found, 0 to 1.
    """

    def __init__(self, embedder: Embedder, *, max_units: int = 4, min_relevance: float = 0.3) -> None:
        self._embedder = embedder
        self._max_units = max_units
        self._min_relevance = min_relevance

    def judge(self, retrieved: Retrieved, passages: Sequence[Passage]) -> float:
        """How likely, 0 to 1, the passages answer the question."""
        analyzer = Analyzer(retrieved.stemming)
        terms = [frozenset(analyzer.tokens(_whole(passage))) for passage in passages]
        covered = joint_coverage(terms, retrieved.term_idf)
        if retrieved.vector is None:
            return covered  # words alone: the share of the question that the best passages hold
        cosine = max((float(passage.vector @ retrieved.vector) for passage in passages), default=0.0)
        return relevance(covered, cosine)

    async def compose(self, retrieved: Retrieved, passages: Sequence[Passage]) -> Answer | NotFound:
        """The best of what the passages say, or that they say nothing to the point."""
        confidence = self.judge(retrieved, passages)
        if not passages or confidence < self._min_relevance:
            return NotFound("")
        scored, degraded = await self._look(retrieved, passages)
        chosen = choose(scored, self._max_units)
        if not chosen:
            return NotFound("")
        ordered, conflict = newest_first(chosen, passages)
        text, citations = write(ordered, passages)
        notice = " ".join(part for part in (CONFLICT if conflict else "", degraded, NOTICE) if part)
        return Answer(text, citations, round(confidence, 3), notice)

    async def _look(self, retrieved: Retrieved, passages: Sequence[Passage]) -> tuple[list[Scored], str]:
        """The most promising units with their scores, best first; and what was missing to judge them."""
        found = likely(units(passages, Analyzer(retrieved.stemming)), passages, retrieved.term_idf, CLOSE_LOOK)
        if retrieved.vector is None:
            return _by_words(found, retrieved), retrieved.degraded
        try:
            vectors = await self._embedder.embed([_in_context(unit, passages) for unit in found])
        except Transient as error:
            return _by_words(found, retrieved), f"Quoted by words alone: {error.what[0].lower()}{error.what[1:]}."
        return _by_meaning(found, vectors, retrieved, passages), retrieved.degraded


def _by_words(found: Sequence[Unit], retrieved: Retrieved) -> list[Scored]:
    scored = [Scored(unit, coverage(unit.terms, retrieved.term_idf), np.zeros(1, np.float32)) for unit in found]
    return sorted(scored, key=lambda each: (-each.score, each.unit.passage, each.unit.start))


def _by_meaning(
    found: Sequence[Unit], vectors: Vectors, retrieved: Retrieved, passages: Sequence[Passage]
) -> list[Scored]:
    scores = _scores(found, vectors, retrieved, passages)
    order = sorted(range(len(found)), key=lambda i: (-scores[i], found[i].passage, found[i].start))
    return [Scored(found[i], scores[i], vectors[i]) for i in order]


def _whole(passage: Passage) -> str:
    return "\n".join((passage.title, *passage.heading_path, passage.text))


def _in_context(unit: Unit, passages: Sequence[Passage]) -> str:
    passage = passages[unit.passage]
    return " > ".join((passage.title, *passage.heading_path[-1:])) + "\n" + unit.text


def _scores(found: Sequence[Unit], vectors: Vectors, retrieved: Retrieved, passages: Sequence[Passage]) -> list[float]:
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


def choose(scored: Sequence[Scored], limit: int) -> list[Scored]:
    """The best unit and those nearly as good that add something. scored: best first."""
    chosen: list[Scored] = []
    for candidate in scored:
        if len(chosen) == limit or (chosen and candidate.score < WORTH_ADDING * chosen[0].score):
            break
        if not any(_repeats(candidate, other) for other in chosen):
            chosen.append(candidate)
    return chosen


def _repeats(one: Scored, other: Scored) -> bool:
    if one.unit.text in other.unit.text or other.unit.text in one.unit.text:
        return True
    return float(one.vector @ other.vector) > SAME and _numbers(one) == _numbers(other)


def _numbers(scored: Scored) -> frozenset[str]:
    return frozenset(_NUMBER.findall(scored.unit.text))


def newest_first(chosen: Sequence[Scored], passages: Sequence[Passage]) -> tuple[list[Scored], bool]:
    """Puts contradicting units in the order of their documents' dates; tells whether there are any.

    Units contradict when they speak of the same thing, in different documents, with other numbers.
    """
    first = chosen[0]
    rivals = [other for other in chosen if other is first or _contradict(first, other, passages)]
    if len(rivals) == 1:
        return list(chosen), False
    rivals.sort(key=lambda scored: _date(passages[scored.unit.passage]), reverse=True)
    return [*rivals, *(other for other in chosen if not any(other is rival for rival in rivals))], True


def _contradict(one: Scored, other: Scored, passages: Sequence[Passage]) -> bool:
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


def write(chosen: Sequence[Scored], passages: Sequence[Passage]) -> tuple[str, tuple[Citation, ...]]:
    """The answer's text with `[n]` behind each quotation, and its references in the order of their numbers."""
    numbers: dict[int, int] = {}
    quotes: dict[int, list[str]] = {}
    paragraphs = []
    for scored in chosen:
        n = numbers.setdefault(scored.unit.passage, len(numbers) + 1)
        quotes.setdefault(scored.unit.passage, []).append(scored.unit.text)
        paragraphs.append(_marked(scored.unit.text, n))
    citations = tuple(cite(n, passages[place], quotes[place]) for place, n in numbers.items())
    return "\n\n".join(paragraphs), citations


def _marked(text: str, n: int) -> str:
    """`[n]` goes behind the first line of several: what follows is a list or code that belongs to it."""
    first, line_break, rest = text.partition("\n")
    return f"{first} [{n}]{line_break}{rest}"
