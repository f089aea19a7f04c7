from datetime import UTC, datetime

import numpy as np
import pytest

from agent.checking.citations import marked
from agent.reasoners.offline.quotable_units import QuotableUnit
from agent.reasoners.offline.quoting import ScoredUnit, choose, newest_first
from tests.fakes.agent import a_passage

OLD, NEW = datetime(2020, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC)
DATED = [
    a_passage("", "old", dated=OLD),
    a_passage("", "new", dated=NEW),
    a_passage("", "undated"),
    a_passage("", "old", dated=OLD),
]


def scored(text: str, passage: int = 0, score: float = 1.0, vector: tuple[float, float] = (1, 0)) -> ScoredUnit:
    return ScoredUnit(QuotableUnit(passage, 0, text, frozenset()), score, np.array(vector, dtype=np.float32))


@pytest.mark.parametrize(
    "other",
    [
        scored("It costs 5 coins.", 1),
        scored("It costs coins.", 1),
        scored("It costs 7 coins.", 2),
        scored("It costs 7 coins.", 3),
        scored("It costs 7 coins.", 1, vector=(0.7, 0.714)),
    ],
    ids=["same numbers", "no numbers", "undated", "same document", "another subject"],
)
def test_what_does_not_contradict_keeps_its_order(other: ScoredUnit) -> None:
    chosen = [scored("It costs 5 coins.", 0), other]
    assert newest_first(chosen, DATED) == (chosen, False)


def test_contradicting_units_move_before_the_others() -> None:
    old, aside, new = scored("5", 0), scored("Aside", 2), scored("7", 1, vector=(0.8, 0.6))
    ordered, conflict = newest_first([old, aside, new], DATED)
    assert conflict
    assert [each.unit.text for each in ordered] == ["7", "5", "Aside"]


def test_what_is_much_worse_than_the_best_is_not_chosen() -> None:
    best, good, poor = scored("a", vector=(1, 0)), scored("b", score=0.86, vector=(0, 1)), scored("c", score=0.84)
    assert choose([best, good, poor], 4) == [best, good]


@pytest.mark.parametrize(
    ("one", "other", "chosen"),
    [
        ("He swims well.", "swims", 1),
        ("swims", "He swims well.", 1),
        ("He swims.", "He floats.", 1),
        ("Open at 9.", "Open at 11.", 2),
    ],
    ids=["part", "whole", "same meaning", "another number"],
)
def test_repeats_are_not_chosen(one: str, other: str, chosen: int) -> None:
    assert len(choose([scored(one), scored(other)], 4)) == chosen


def test_without_candidates_nothing_is_chosen() -> None:
    assert choose([], 4) == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [("One.", "One. [2]"), ("Pack:\n- hat\n- towel", "Pack: [2]\n- hat\n- towel")],
)
def test_the_number_stands_behind_the_first_line(text: str, shown: str) -> None:
    assert marked(text, 2) == shown
