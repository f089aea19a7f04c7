"""Fusion with learned weights."""

from dataclasses import astuple

import pytest

from agent.retrieval.fusion import GraphHit
from agent.retrieval.learned_fusion import ALONE, OWN_SHARE, WITH_GRAPH, Candidates, FusionWeights
from domain.search import Hits

HITS = Hits(
    {},
    {"lexical": {"a": 8.0, "b": 4.0, "c": 0.0}, "dense": {"a": 0.7, "b": 0.5, "c": 0.3}},
    coverage={"a": 1.0, "b": 0.5, "c": 0.0},
)


@pytest.mark.parametrize("weights", [ALONE, WITH_GRAPH])
def test_weights_add_up(weights: FusionWeights) -> None:
    assert sum(astuple(weights)) == pytest.approx(1.0)


def test_the_best_of_all_rankings_has_the_score_one() -> None:
    found = Candidates.of(HITS, [])
    assert found.weights == ALONE
    assert found.fused({}, ALONE) == pytest.approx({"a": 1.0, "b": 0.5, "c": 0.0})


def test_what_stands_beside_a_passage_counts() -> None:
    found = Candidates.of(HITS, [])
    only = FusionWeights(lexical=0, dense=0, coverage=0, window=1, graph=0)
    windows = {"c": (0.9, 0.7), "a": (0.1,)}
    cosines = {"a": OWN_SHARE * 0.7 + (1 - OWN_SHARE) * 0.1, "b": 0.5, "c": OWN_SHARE * 0.3 + (1 - OWN_SHARE) * 0.8}
    low, high = min(cosines.values()), max(cosines.values())
    expected = {key: (value - low) / (high - low) for key, value in cosines.items()}
    assert found.fused(windows, only) == pytest.approx(expected)
    assert list(found.fused(windows, only)) == ["b", "c", "a"]


def test_what_only_the_graph_leads_to() -> None:
    found = Candidates.of(HITS, [GraphHit("d", "D", 0.8, cosine=0.6), GraphHit("e", "E", 0.4)])
    assert found.weights == WITH_GRAPH
    scores = found.fused({}, FusionWeights(lexical=0, dense=0.5, coverage=0, window=0, graph=0.5))
    assert scores == pytest.approx({"d": 0.4 + 0.375, "a": 0.5, "b": 0.25, "e": 0.2, "c": 0.0})
