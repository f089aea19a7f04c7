"""How well evidence covers a question, without a model."""

from collections.abc import Collection, Mapping, Sequence
from math import exp

COVERAGE_WEIGHT = 2.5
COSINE_WEIGHT = 4.2
BIAS = -4.2
"""A logistic fit on five public sets, each question once with its relevant documents in the index and once without
them; docs/benchmarks.md, "Refusal", has the details."""

BEST = 3
"""Passages that cover a question together: the parts of one answer often stand in several."""


LEAST_WEIGHT = 0.5
"""Weight of a question's term that is in every other chunk or more. BM25's idf is about zero or negative there: in an
index of a page or two that is every word, and all of them would count for nothing."""


def coverage(terms: Collection[str], idf: Mapping[str, float]) -> float:
    """Share, 0 to 1, of the question's weight that `terms` hold: the sum of the idf of its terms among them over
    the sum of all of its terms' idf. A question without terms is covered by nothing."""
    weights = {term: max(LEAST_WEIGHT, weight) for term, weight in idf.items()}
    whole = sum(weights.values())
    return sum(weight for term, weight in weights.items() if term in terms) / whole if whole else 0.0


def joint_coverage(passages: Sequence[Collection[str]], idf: Mapping[str, float]) -> float:
    """What the best few passages, each given as its terms, cover together. passages: best first."""
    return coverage(set().union(*passages[:BEST]), idf)


def relevance(covered: float, cosine: float) -> float:
    """How likely, 0 to 1, the evidence answers the question.

    Args:
        covered: the share of the question that the evidence holds, from `joint_coverage`.
        cosine: of question and passage, the best there is.
    """
    return 1 / (1 + exp(-(BIAS + COVERAGE_WEIGHT * covered + COSINE_WEIGHT * cosine)))
