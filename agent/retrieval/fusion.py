"""Putting several rankings together, and choosing for diversity."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from domain.search import Hit, Retrieval

Weights = Mapping[Retrieval, float]


def normalised(scores: Mapping[Retrieval, Mapping[str, float]], weights: Weights) -> dict[str, float]:
    """Convex sum of min-max normalised scores, by chunk id, best first.

    Each retrieval's scores over all candidates are spread over 0 to 1; a candidate that a retrieval could not score
    gets 0 from it. Results are in 0..1 when the weights add up to 1.
    """
    fused: dict[str, float] = {}
    for retrieval, scored in scores.items():
        for chunk_id, share in zip(scored, min_max(list(scored.values())), strict=True):
            fused[chunk_id] = fused.get(chunk_id, 0.0) + weights[retrieval] * share
    return best_first(fused)


def min_max(scores: Sequence[float]) -> list[float]:
    """`scores` from 0 for the lowest to 1 for the highest; where all are the same, each is 1 when above 0, else 0."""
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    if not high > low:
        return [float(score > 0) for score in scores]
    return [(score - low) / (high - low) for score in scores]


def reciprocal_rank(rankings: Mapping[Retrieval, Sequence[Hit]], weights: Weights, k: int) -> dict[str, float]:
    """Weighted reciprocal rank fusion (Cormack, Clarke and Büttcher 2009), by chunk id, best first: the sum of
    weight / (k + rank), scaled so that rank 1 everywhere gives 1 when the weights add up to 1."""
    fused: dict[str, float] = {}
    for retrieval, hits in rankings.items():
        for rank, hit in enumerate(hits, start=1):
            fused[hit.chunk_id] = fused.get(hit.chunk_id, 0.0) + weights[retrieval] * (k + 1) / (k + rank)
    return best_first(fused)


@dataclass(frozen=True, slots=True)
class GraphHit:
    """A document that the knowledge graph leads to, by the chunk that it is shown by."""

    chunk_id: str
    document_id: str
    score: float
    """Score of the graph, 0 to 1."""
    besides: float = 0.0
    """Score of the chunk by the other rankings, 0 to 1."""
    cosine: float | None = None
    """Cosine with the question, where it was measured."""


def spread(score: float | None, scores: Iterable[float]) -> float:
    """Where a score lies between the lowest and the highest of `scores`, 0 to 1; 0 for none or a lower one."""
    known = list(scores)
    low, high = min(known, default=0.0), max(known, default=0.0)
    return min(1.0, max(0.0, (score - low) / (high - low))) if score is not None and high > low else 0.0


def with_graph(fused: Mapping[str, float], graph_hits: Sequence[GraphHit], share: float) -> dict[str, float]:
    """Convex sum of what retrieval makes of the chunks and of where the graph leads, by chunk id, best first. Chunks to
    which the graph does not lead get 0 from it. share: of the graph, 0 to 1."""
    summed = {chunk_id: (1 - share) * score for chunk_id, score in fused.items()}
    for each in graph_hits:
        summed[each.chunk_id] = (1 - share) * fused.get(each.chunk_id, each.besides) + share * each.score
    return best_first(summed)


def with_graph_ranks(
    fused: Mapping[str, float], graph_hits: Sequence[GraphHit], share: float, k: int
) -> dict[str, float]:
    """Weighted reciprocal rank fusion with where the graph leads, best first, as a further list. fused: what
    `reciprocal_rank` made of the others. share: weight of the graph, the others have the rest."""
    summed = {chunk_id: (1 - share) * score for chunk_id, score in fused.items()}
    for rank, each in enumerate(graph_hits, start=1):
        summed[each.chunk_id] = summed.get(each.chunk_id, 0.0) + share * (k + 1) / (k + rank)
    return best_first(summed)


def best_first(fused: Mapping[str, float]) -> dict[str, float]:
    """Scores by chunk id, the highest first, of equal ones by id."""
    return dict(sorted(fused.items(), key=lambda item: (-item[1], item[0])))


def diverse(relevance: Sequence[float], vectors: NDArray[np.float32], diversity: float, limit: int) -> list[int]:
    """Maximal marginal relevance (Carbonell and Goldstein 1998).

    Args:
        relevance: how well each candidate answers, 0 to 1.
        vectors: one L2-normalised row a candidate, shape (candidates, dimensions).
        diversity: 0 for relevance alone, 1 for distance from what is chosen alone.
        limit: how many to choose.

    Returns:
        Positions of the chosen candidates, in the order of choice.
    """
    remaining = list(range(len(relevance)))
    similarity = vectors @ vectors.T
    chosen: list[int] = []
    while remaining and len(chosen) < limit:
        nearest = similarity[:, chosen].max(axis=1) if chosen else np.zeros(len(relevance))
        gain = [(1 - diversity) * relevance[i] - diversity * float(nearest[i]) for i in remaining]
        chosen.append(remaining.pop(int(np.argmax(gain))))
    return chosen
