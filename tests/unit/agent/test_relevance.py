import pytest

from agent.retrieval.relevance import BEST, LEAST_WEIGHT, coverage, joint_coverage, relevance


def test_coverage_is_the_share_of_the_weight() -> None:
    assert coverage({"walrus", "other"}, {"walrus": 3.0, "noon": 1.0}) == pytest.approx(0.75)


@pytest.mark.parametrize(("terms", "share"), [(set(), 0.0), ({"walrus", "noon"}, 1.0), ({"other"}, 0.0)])
def test_coverage_goes_from_nothing_to_all(terms: set[str], share: float) -> None:
    assert coverage(terms, {"walrus": 3.0, "noon": 1.0}) == share


def test_a_question_without_terms_is_covered_by_nothing() -> None:
    assert coverage({"walrus"}, {}) == 0.0


@pytest.mark.parametrize("idf", [0.0, -2.0, LEAST_WEIGHT])
def test_a_common_word_still_counts_a_little(idf: float) -> None:
    assert coverage({"common"}, {"common": idf, "rare": 1.5}) == pytest.approx(0.25)


def test_passages_cover_together_what_none_does_alone() -> None:
    assert joint_coverage([{"a"}, {"b"}], {"a": 1.0, "b": 1.0}) == 1.0


def test_only_the_best_passages_count() -> None:
    others = [{"x"}] * BEST
    assert joint_coverage([*others, {"a"}], {"a": 1.0}) == 0.0
    assert joint_coverage([*others[1:], {"a"}], {"a": 1.0}) == 1.0
    assert joint_coverage([], {"a": 1.0}) == 0.0


@pytest.mark.parametrize(
    ("covered", "cosine", "likely"), [(0.0, 1.0, 0.5), (0.0, 0.0, 0.014774), (1.0, 1.0, 0.924142), (1.0, 0.0, 0.154465)]
)
def test_relevance_is_the_fitted_curve(covered: float, cosine: float, likely: float) -> None:
    assert relevance(covered, cosine) == pytest.approx(likely, abs=1e-6)


def test_relevance_rises_with_either() -> None:
    assert relevance(0.6, 0.5) > relevance(0.5, 0.5)
    assert relevance(0.5, 0.6) > relevance(0.5, 0.5)
