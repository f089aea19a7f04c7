"""Putting a reranker's scores together with those of retrieval."""

from collections.abc import Sequence

from agent.retrieval.fusion import min_max


def blend(retrieval: Sequence[float], rerank: Sequence[float], weight: float) -> list[float]:
    """Convex sum of retrieval scores, min-max normalised, and a reranker's scores.

    Args:
        retrieval: of each candidate, on any scale; higher is better.
        rerank: of the same candidates in the same order, 0 to 1; they are taken as they are.
        weight: share of `rerank`, 0 to 1.

    Returns:
        One score in 0..1 for each candidate, in order.

    Raises:
        ValueError: there are not as many of one as of the other, or `weight` is not in 0..1.
    """
    if not 0 <= weight <= 1:
        raise ValueError(f"the weight of a reranker is between 0 and 1, not {weight}")
    pairs = zip(min_max(retrieval), rerank, strict=True)
    return [(1 - weight) * first + weight * second for first, second in pairs]
