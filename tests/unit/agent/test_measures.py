from math import log2

import pytest

from agent.evaluation.measures import all_gold, ndcg, percentile, recall, reciprocal_rank
from agent.evaluation.retrieval_runs import measures

RANKING = ["x", "a", "y", "b", "z"]
GOLD = {"a": 1, "b": 2, "c": 1}


@pytest.mark.parametrize(("k", "share"), [(1, 0), (2, 1 / 3), (3, 1 / 3), (4, 2 / 3), (99, 2 / 3)])
def test_recall_is_the_share_found(k: int, share: float) -> None:
    assert recall(RANKING, GOLD, k) == pytest.approx(share)


@pytest.mark.parametrize(("gold", "k", "all_found"), [("ab", 4, 1.0), ("ab", 3, 0.0), ("abc", 5, 0.0), ("x", 1, 1.0)])
def test_all_gold_wants_every_one(gold: str, k: int, all_found: float) -> None:
    assert all_gold(RANKING, gold, k) == all_found


@pytest.mark.parametrize(("k", "value"), [(1, 0.0), (2, 1 / 2), (5, 1 / 2)])
def test_reciprocal_rank_looks_at_the_first_one(k: int, value: float) -> None:
    assert reciprocal_rank(RANKING, GOLD, k) == value


def test_reciprocal_rank_of_nothing_is_zero() -> None:
    assert reciprocal_rank([], GOLD, 5) == 0.0
    assert reciprocal_rank(["x"], GOLD, 5) == 0.0


def test_ndcg_discounts_the_grades_by_place() -> None:
    gained = 1 / log2(3) + 2 / log2(5)
    best = 2 / log2(2) + 1 / log2(3) + 1 / log2(4)
    assert ndcg(RANKING, GOLD, 5) == pytest.approx(gained / best)
    assert gained / best == pytest.approx(0.476626, abs=1e-6)


def test_ndcg_is_cut_on_both_sides() -> None:
    assert ndcg(RANKING, GOLD, 2) == pytest.approx(0.630930 / 2.630930, abs=1e-6)


@pytest.mark.parametrize(
    ("ranking", "value"), [(["b", "a", "c"], 1.0), (["b", "c", "a"], 1.0), (["x"], 0.0), ([], 0.0)]
)
def test_ndcg_goes_from_nothing_to_perfect(ranking: list[str], value: float) -> None:
    assert ndcg(ranking, GOLD, 10) == pytest.approx(value)


@pytest.mark.parametrize(("share", "value"), [(0.0, 1), (0.1, 1), (0.5, 5), (0.51, 6), (0.9, 9), (0.95, 10), (1.0, 10)])
def test_percentile_is_a_value_that_was_there(share: float, value: float) -> None:
    assert percentile([3, 1, 2, 10, 9, 8, 7, 6, 5, 4], share) == value


def test_percentile_of_one_value_is_that_value() -> None:
    assert percentile([7.5], 0.95) == 7.5


def test_all_measures_of_one_ranking() -> None:
    found = measures(["x", "a", "y", "z", "b"], {"a": 1, "b": 1})
    assert {name: value for name, value in found.items() if name != "ndcg@10"} == {
        "recall@2": 0.5,
        "recall@5": 1.0,
        "recall@10": 1.0,
        "recall@20": 1.0,
        "mrr@10": 0.5,
        "all_gold@5": 1.0,
        "all_gold@10": 1.0,
        "all_gold@20": 1.0,
    }
    assert found["ndcg@10"] == pytest.approx((1 / log2(3) + 1 / log2(6)) / (1 + 1 / log2(3)))
