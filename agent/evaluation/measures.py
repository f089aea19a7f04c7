"""Measures of a ranking against judgements."""

from collections.abc import Collection, Mapping, Sequence
from math import ceil, log2


def recall(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """Share of the relevant documents among the first `k`."""
    return len(set(ranking[:k]) & set(gold)) / len(gold)


def all_gold(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """1 when every relevant document is among the first `k`, else 0."""
    return float(set(gold) <= set(ranking[:k]))


def ndcg(ranking: Sequence[str], gold: Mapping[str, int], k: int) -> float:
    """Normalised discounted cumulative gain at `k`, with the grades as gains, as trec_eval computes it."""
    gained = sum(gold.get(document, 0) / log2(place + 2) for place, document in enumerate(ranking[:k]))
    best = sum(grade / log2(place + 2) for place, grade in enumerate(sorted(gold.values(), reverse=True)[:k]))
    return gained / best


def reciprocal_rank(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """1 / place of the first relevant document among the first `k`, else 0."""
    return next((1 / place for place, document in enumerate(ranking[:k], start=1) if document in gold), 0.0)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that `share` of the values, 0 to 1, do not exceed. `values` must not be empty."""
    ordered = sorted(values)
    return ordered[max(0, ceil(share * len(ordered)) - 1)]
