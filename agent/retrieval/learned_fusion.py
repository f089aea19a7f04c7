"""Fusion with learned weights: a linear score over what each ranking makes of a candidate. Pure.

The weights are those of `python -m benchmarks.learn_fusion`; docs/decisions/fusion.md says what they were learned on.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from operator import mul

from agent.retrieval.fusion import GraphHit, best_first, min_max
from domain.search import Hits

MAX_WINDOWS = 50
"""Best candidates of which the passages beside them are looked at."""

OWN_SHARE = 0.6
"""Share of a passage's own cosine in that of its window; the mean of the passages beside it has the rest."""


@dataclass(frozen=True, slots=True)
class FusionWeights:
    """The weight of each feature; together 1."""

    lexical: float
    """BM25, spread over 0 to 1 among the candidates."""
    dense: float
    """The cosine, spread in the same way."""
    coverage: float
    """The share of the weight of the question's words that the passage holds, spread in the same way."""
    window: float
    """The cosine of the passage and those beside it, spread in the same way."""
    graph: float
    """The score of the knowledge graph, which is 0 to 1 by itself."""


ALONE = FusionWeights(lexical=0.04, dense=0.32, coverage=0.36, window=0.28, graph=0.0)
"""Where the graph leads nowhere, or not surely."""

WITH_GRAPH = FusionWeights(lexical=0.05, dense=0.2, coverage=0.11, window=0.09, graph=0.55)
"""Where it leads somewhere."""

SURE, SEVERAL = 0.35, 3
"""Score of the graph's best hit, or number of its hits, from which the graph counts. A question for one document often
holds a word that happens to be a name."""

Windows = Mapping[str, Sequence[float]]
"""Cosines of the passages beside a candidate, by its chunk's id; none for a passage that stands alone."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """What the rankings make of the candidates of one question, by chunk id, in one order."""

    lexical: Mapping[str, float]
    dense: Mapping[str, float]
    coverage: Mapping[str, float]
    graph: Mapping[str, float]

    @classmethod
    def of(cls, hits: Hits, graph_hits: Sequence[GraphHit]) -> "Candidates":
        """Those of both retrievals and of the graph. What only the graph leads to has the cosine that was measured
        there, or else the lowest one, and shares no word."""
        scores = hits.scores
        lowest = min(scores["dense"].values(), default=0.0)
        led = {each.chunk_id: lowest if each.cosine is None else each.cosine for each in graph_hits}
        chunk_ids = dict.fromkeys([*scores["dense"], *scores["lexical"], *led])
        dense = {each: scores["dense"].get(each, led.get(each, lowest)) for each in chunk_ids}
        lexical = {each: scores["lexical"].get(each, 0.0) for each in chunk_ids}
        graph = {each.chunk_id: each.score for each in graph_hits}
        coverage = {each: hits.coverage.get(each, 0.0) for each in chunk_ids}
        return cls(lexical, dense, coverage, graph)

    @property
    def weights(self) -> FusionWeights:
        """Those that fit what there is. Where the graph leads to little, and not surely, it does not count."""
        return WITH_GRAPH if graph_counts(self.graph.values()) else ALONE

    def features(self, windows: Windows) -> tuple[list[float], ...]:
        """Each feature of all candidates, in the order of FusionWeights, spread over 0 to 1; the graph's as it is."""
        around = [_window(cosine, windows.get(each, ())) for each, cosine in self.dense.items()]
        spread = (self.lexical.values(), self.dense.values(), self.coverage.values(), around)
        return (*(min_max(list(each)) for each in spread), [self.graph.get(each, 0.0) for each in self.dense])

    def fused(self, windows: Windows, weights: FusionWeights) -> dict[str, float]:
        """The weighted sums by chunk id, best first."""
        wanted = astuple(weights)
        rows = zip(*self.features(windows), strict=True)
        return best_first({each: sum(map(mul, wanted, row)) for each, row in zip(self.dense, rows, strict=True)})


def graph_counts(scores: Iterable[float]) -> bool:
    """Whether what the graph leads to counts. scores: of the graph's hits, 0 for what is none."""
    hits = [each for each in scores if each > 0]
    return len(hits) >= SEVERAL or max(hits, default=0.0) >= SURE


def _window(own: float, beside: Sequence[float]) -> float:
    return OWN_SHARE * own + (1 - OWN_SHARE) * sum(beside) / len(beside) if beside else own
