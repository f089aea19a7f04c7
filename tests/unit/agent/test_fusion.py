import numpy as np
import pytest

from agent.retrieval.fusion import Weights, diverse, normalised, reciprocal_rank
from domain.search import Hit, Retrieval

HALVES: Weights = {"lexical": 0.5, "dense": 0.5}


def hits(*chunk_ids: str) -> tuple[Hit, ...]:
    return tuple(Hit(chunk_id, f"doc-{chunk_id}", 1.0) for chunk_id in chunk_ids)


def test_normalised_spreads_each_retrieval_before_it_adds() -> None:
    scores: dict[Retrieval, dict[str, float]] = {
        "lexical": {"a": 0.0, "b": 5.0, "c": 10.0},
        "dense": {"a": 0.9, "b": 0.5, "c": 0.7},
    }
    fused = normalised(scores, {"lexical": 0.25, "dense": 0.75})
    assert fused == pytest.approx({"a": 0.75, "c": 0.625, "b": 0.125})
    assert list(fused) == ["a", "c", "b"]


def test_a_chunk_that_one_retrieval_could_not_score_gets_nothing_from_it() -> None:
    fused = normalised({"lexical": {"a": 4.0, "b": 2.0}, "dense": {"a": 0.1, "b": 0.2, "c": 0.3}}, HALVES)
    assert fused == pytest.approx({"a": 0.5, "c": 0.5, "b": 0.25})


@pytest.mark.parametrize(("score", "share"), [(3.0, 1.0), (0.0, 0.0), (-1.0, 0.0)])
def test_equal_scores_count_in_full_when_there_is_anything_to_them(score: float, share: float) -> None:
    assert normalised({"lexical": {"a": score, "b": score}}, {"lexical": 1.0}) == {"a": share, "b": share}


def test_equally_good_chunks_come_in_a_steady_order() -> None:
    assert list(normalised({"lexical": {"z": 1.0, "a": 1.0, "m": 1.0}}, {"lexical": 1.0})) == ["a", "m", "z"]
    assert list(reciprocal_rank({"lexical": hits("z", "a"), "dense": hits("a", "z")}, HALVES, 60)) == ["a", "z"]


@pytest.mark.parametrize("scored", [{}, {"lexical": {}}, {"lexical": {}, "dense": {}}])
def test_nothing_fuses_to_nothing(scored: dict[Retrieval, dict[str, float]]) -> None:
    assert normalised(scored, HALVES) == {}


def test_reciprocal_rank_is_one_for_the_first_everywhere() -> None:
    fused = reciprocal_rank({"lexical": hits("a", "b"), "dense": hits("a", "c", "b")}, HALVES, 60)
    assert fused == pytest.approx({"a": 1.0, "b": 0.5 * 61 / 62 + 0.5 * 61 / 63, "c": 0.5 * 61 / 62})
    assert list(fused) == ["a", "b", "c"]


def test_reciprocal_rank_weighs_the_rankings() -> None:
    rankings: dict[Retrieval, tuple[Hit, ...]] = {"lexical": hits("a", "b"), "dense": hits("b", "a")}
    assert list(reciprocal_rank(rankings, {"lexical": 0.8, "dense": 0.2}, 60)) == ["a", "b"]
    assert list(reciprocal_rank(rankings, {"lexical": 0.2, "dense": 0.8}, 60)) == ["b", "a"]


def test_a_small_k_favours_the_first_places() -> None:
    rankings: dict[Retrieval, tuple[Hit, ...]] = {"lexical": hits("a", "b"), "dense": hits("x", "b")}
    assert next(iter(reciprocal_rank(rankings, HALVES, 60))) == "b"
    assert reciprocal_rank(rankings, HALVES, 0) == pytest.approx({"a": 0.5, "b": 0.5, "x": 0.5})


TWINS_AND_A_STRANGER = np.array([[1, 0], [1, 0], [0, 1]], dtype=np.float32)


@pytest.mark.parametrize(("diversity", "order"), [(0.0, [0, 1, 2]), (0.5, [0, 2, 1]), (1.0, [0, 2, 1])])
def test_diversity_puts_a_stranger_before_a_twin(diversity: float, order: list[int]) -> None:
    assert diverse([0.9, 0.8, 0.5], TWINS_AND_A_STRANGER, diversity, 3) == order


def test_a_little_diversity_does_not_outweigh_relevance() -> None:
    assert diverse([0.9, 0.8, 0.1], TWINS_AND_A_STRANGER, 0.2, 3) == [0, 1, 2]


@pytest.mark.parametrize(("limit", "chosen"), [(0, []), (2, [0, 2]), (9, [0, 2, 1])])
def test_diverse_keeps_to_its_limit(limit: int, chosen: list[int]) -> None:
    assert diverse([0.9, 0.8, 0.5], TWINS_AND_A_STRANGER, 0.5, limit) == chosen
