import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.retrieval.score_blending import blend

SHARES = st.floats(0, 1)
CANDIDATES = st.lists(st.tuples(st.floats(-1e6, 1e6), SHARES), max_size=20)


def test_retrieval_is_spread_before_it_is_added() -> None:
    assert blend([2.0, 12.0, 7.0], [1.0, 0.0, 0.5], 0.5) == pytest.approx([0.5, 0.5, 0.5])
    assert blend([2.0, 12.0, 7.0], [0.9, 0.1, 0.1], 0.25) == pytest.approx([0.225, 0.775, 0.4])


def test_the_weight_decides_between_the_two() -> None:
    retrieval, rerank = [3.0, 1.0, 2.0], [0.1, 0.3, 0.2]
    assert blend(retrieval, rerank, 0.0) == pytest.approx([1.0, 0.0, 0.5])
    assert blend(retrieval, rerank, 1.0) == rerank


def test_equal_retrieval_scores_leave_the_order_to_the_reranker() -> None:
    assert blend([4.0, 4.0], [0.2, 0.8], 0.5) == pytest.approx([0.6, 0.9])
    assert blend([0.0, 0.0], [0.2, 0.8], 0.5) == pytest.approx([0.1, 0.4])


def test_no_candidates_have_no_scores() -> None:
    assert blend([], [], 0.5) == []


@pytest.mark.parametrize("weight", [-0.1, 1.1, float("nan")])
def test_a_weight_outside_0_to_1_is_refused(weight: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        blend([1.0], [1.0], weight)


def test_each_candidate_needs_both_scores() -> None:
    with pytest.raises(ValueError, match=r"shorter|longer"):
        blend([1.0, 2.0], [1.0], 0.5)


@given(CANDIDATES, SHARES)
def test_scores_stay_within_0_to_1_and_a_better_candidate_is_never_behind(
    candidates: list[tuple[float, float]], weight: float
) -> None:
    found = blend([first for first, _ in candidates], [second for _, second in candidates], weight)
    assert all(0 <= score <= 1 + 1e-12 for score in found)
    for mine, my_score in zip(candidates, found, strict=True):
        for other, other_score in zip(candidates, found, strict=True):
            if mine[0] >= other[0] and mine[1] >= other[1]:
                assert my_score >= other_score - 1e-12
