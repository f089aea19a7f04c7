"""The best of many scores, and what of a question each chunk holds, held to what is plain to see."""

import numpy as np
import pytest

from storage.index import bm25
from storage.index.packing import ENTRY, Entries


@pytest.mark.parametrize("size", [0, 1, 300, 5_000, 40_000])
@pytest.mark.parametrize("limit", [1, 12, 60, 500])
@pytest.mark.parametrize("distinct", [3, 10**9])
def test_the_best_are_those_of_a_sort(size: int, limit: int, distinct: int) -> None:
    """distinct: few different values make ties, at which the lower number comes first."""
    chance = np.random.default_rng(size + limit)
    numbers = np.sort(chance.choice(10**6, size, replace=False)).astype(np.int32)
    values = chance.integers(distinct, size=size) / 7 - 1
    found, scores = bm25.best(numbers, values, limit)
    order = sorted(range(size), key=lambda place: (-values[place], numbers[place]))[:limit]
    assert found.tolist() == numbers[order].tolist()
    assert scores.tolist() == values[order].tolist()


def entries(*numbers: int) -> Entries:
    return np.array([(number, 1, 1) for number in numbers], ENTRY)


def test_what_each_chunk_holds_in_segments_of_any_order() -> None:
    lists = {"one": entries(3, 8, 9), "two": entries(9, 20, 3), "three": entries(8)}
    weights = {"one": 1.0, "two": 2.0, "three": 4.0, "nowhere": 1.0, "everywhere": -1.0}
    wanted = [20, 9, 1, 8, 99]
    held = {20: 2.0, 9: 3.0, 1: 0.0, 8: 5.0, 99: 0.0}
    assert bm25.coverage(wanted, lists, weights).tolist() == [held[number] / 8 for number in wanted]
    assert bm25.coverage([], lists, weights).tolist() == []
