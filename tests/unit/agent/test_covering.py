"""The order in which passages hold the words of a question."""

from hypothesis import given
from hypothesis import strategies as st

from agent.retrieval.covering import COVERED, covering
from domain.text.tokens import Analyzer
from tests.fakes.agent import a_passage

PASSAGES = [
    a_passage("The seal keeper of Skerry is Ole.", "keeper"),
    a_passage("The keeper of the seals retired.", "retired"),
    a_passage("Ole was born in Bergen.", "born"),
    a_passage("Herring is a fish.", "fish"),
]
SCORES = {"keeper-0": 0.9, "retired-0": 0.6, "born-0": 0.5, "fish-0": 0.2}
WEIGHTS = {"seal": 2.0, "keeper": 3.0, "born": 4.0}


def covered(scores: dict[str, float], weights: dict[str, float]) -> dict[str, float]:
    return covering(scores, PASSAGES, weights, Analyzer())


def test_a_passage_with_words_that_those_before_lack_moves_up() -> None:
    assert covered(SCORES, WEIGHTS) == {"keeper-0": 0.9, "born-0": 0.6, "retired-0": 0.5, "fish-0": 0.2}


def test_where_none_adds_a_word_the_order_stays() -> None:
    assert list(covered(SCORES, {"seal": 2.0, "keeper": 3.0})) == list(SCORES)
    assert covered(SCORES, {}) == SCORES


def test_what_is_no_passage_any_more_keeps_its_place() -> None:
    scores = {"keeper-0": 0.9, "gone-0": 0.7, "retired-0": 0.6, "born-0": 0.5}
    assert list(covered(scores, WEIGHTS)) == ["keeper-0", "gone-0", "born-0", "retired-0"]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=COVERED + 5))
def test_nothing_is_lost_the_best_stays_and_scores_fall(values: list[float]) -> None:
    names = [each.chunk_id for each in PASSAGES] + [f"more-{number}" for number in range(len(values))]
    scores = dict(zip(names, sorted(values, reverse=True), strict=False))
    found = covered(scores, WEIGHTS)
    assert found.keys() == scores.keys()
    assert list(found.values()) == list(scores.values())
    assert next(iter(found)) == next(iter(scores))
