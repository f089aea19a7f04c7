"""Putting a reranker's scores together with those of retrieval."""

from collections.abc import Sequence


def blend(retrieval: Sequence[float], rerank: Sequence[float], weight: float) -> list[float]:
    """Convex sum of retrieval scores, min-max normalised, and a reranker's scores.

    Args:
        retrieval: of each candidate, on any scale; higher is better. Where all are the same, each counts as 1 when
            above 0, else as 0.
        rerank: of the same candidates in the same order, 0 to 1; they are taken as they are.
        weight: share of `rerank`, 0 to 1.

    Returns:
        One score in 0..1 for each candidate, in order.

    Raises:
        ValueError: there are not as many of one as of the other, or `weight` is not in 0..1.
    """
    if not 0 <= weight <= 1:
        raise ValueError(f"the weight of a reranker is between 0 and 1, not {weight}")
    pairs = zip(_spread(retrieval), rerank, strict=True)
    return [(1 - weight) * first + weight * second for first, second in pairs]


def _spread(scores: Sequence[float]) -> list[float]:
    """`scores` from 0 for the lowest to 1 for the highest."""
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    if not high > low:
        return [float(score > 0) for score in scores]
    return [(score - low) / (high - low) for score in scores]
