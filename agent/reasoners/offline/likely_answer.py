"""How likely the unit that scores best answers a question, also where it says so in other words. Pure.

Coverage of words and nearness of whole passages, by which evidence is judged first, decline a question that is asked in
other words than the page has ("By when must figures be in?"). A unit that holds a value of the kind that is asked for,
and is far ahead of all others, answers it nevertheless.
"""

from collections.abc import Sequence
from math import exp
from typing import NamedTuple

from agent.questions.expected import Expected
from agent.questions.patterns import content_words
from agent.reasoners.offline.quoting import ScoredUnit, with_heading
from agent.retrieval.relevance import coverage
from agent.retrieval.retriever import Retrieved
from agent.state import Evidence
from domain.search import Passage
from domain.text.tokens import Analyzer

MANY_WORDS = 12
"""Words of a question from which more of them tell nothing."""


class UnitFeatures(NamedTuple):
    """What tells whether a unit answers a question."""

    cosine: float
    """Of the unit below its headings, and the question."""
    coverage: float
    """Share of the question's weight that the unit and its headings hold, 0 to 1."""
    margin: float
    """How far its score is above that of the next unit; 0 where there is none."""
    holds_value: float
    """1 where a value of some kind is asked for and it holds one."""
    any_value: float
    """1 where no kind of value is asked for."""
    words: float
    """Words of the question, up to MANY_WORDS, as a share of these."""


WEIGHTS = UnitFeatures(cosine=0.69, coverage=2.54, margin=6.27, holds_value=1.56, any_value=1.19, words=1.05)
BIAS = -4.38
"""A logistic fit, made by `python -m benchmarks.learn_quoting`; see docs/benchmarks.md, "Answers without a model"."""

GRADED = 0.7
"""What whoever graded the evidence makes of all of it, and of a passage, from which the best unit of that is quoted."""

LIKELY = 0.55
"""From here on it is quoted."""


def features_of(
    units: Sequence[ScoredUnit], passages: Sequence[Passage], measure: Retrieved, wanted: Expected, question: str
) -> UnitFeatures:
    """Of the best of the units. units: best first, one at least."""
    best = units[0]
    unit, passage = best.unit, passages[best.unit.passage]
    above = " ".join((passage.title, *passage.heading_path, unit.heading))
    held = unit.terms | measure.widened(Analyzer(measure.stemming).tokens(above))
    shown = f"{unit.heading}\n{with_heading(unit, passage, wanted, measure)}"
    return UnitFeatures(
        cosine=measure.likeness(best.vector),
        coverage=coverage(held, measure.term_idf),
        margin=best.score - units[1].score if len(units) > 1 else 0.0,
        holds_value=float(wanted.value is not None and wanted.holds_value(shown)),
        any_value=float(wanted.value is None),
        words=min(len(content_words(question)), MANY_WORDS) / MANY_WORDS,
    )


def likelihood(features: UnitFeatures) -> float:
    """How likely, 0 to 1, such a unit answers the question."""
    return 1 / (1 + exp(-BIAS - sum(weight * value for weight, value in zip(WEIGHTS, features, strict=True))))


def of_a_sure_grader(named: Sequence[ScoredUnit], items: Sequence[Evidence], sure: float | None) -> list[ScoredUnit]:
    """The best unit of a passage that is well graded, where whoever graded it is sure that the evidence answers."""
    return [each for each in named if items[each.unit.passage].grade >= GRADED][:1] if (sure or 0.0) >= GRADED else []
