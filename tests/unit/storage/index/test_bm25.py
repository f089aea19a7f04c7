"""The best of many scores, and what of a question each chunk holds, held to what is plain to see."""

import numpy as np
import pytest

from storage.index import bm25
from storage.index.packing import ENTRY, LONG_RUN, OBJECTS, PostingList, joined


@pytest.mark.parametrize("size", [0, 1, 300, 40_000])
@pytest.mark.parametrize("limit", [1, 60, 500])
@pytest.mark.parametrize("distinct", [3, 10**9])
def test_the_best_are_those_of_a_sort(size: int, limit: int, distinct: int) -> None:
    """distinct: few different values make ties, at which the lower number comes first."""
    chance = np.random.default_rng(size + limit)
    numbers = np.sort(chance.choice(10**6, size, replace=False)).astype(np.int32)
    values = chance.integers(distinct, size=size) / 7 - 1
    found, scores = bm25.Scores(values, numbers).best(limit)
    order = sorted(range(size), key=lambda place: (-values[place], numbers[place]))[:limit]
    assert found.tolist() == numbers[order].tolist()
    assert scores.tolist() == values[order].tolist()


@pytest.mark.parametrize("size", [0, 1, 300, 40_000])
@pytest.mark.parametrize("limit", [1, 60, 50_000])
@pytest.mark.parametrize("distinct", [3, 10**9])
def test_by_address_the_best_are_those_with_a_score(size: int, limit: int, distinct: int) -> None:
    chance = np.random.default_rng(size + limit)
    values = chance.integers(distinct, size=size) / 7
    found, scores = bm25.Scores(values, first=17).best(limit)
    order = sorted(np.flatnonzero(values).tolist(), key=lambda place: (-values[place], place))[:limit]
    assert found.tolist() == [place + 17 for place in order]
    assert scores.tolist() == values[order].tolist()


@pytest.mark.parametrize(
    "scores",
    [
        bm25.Scores(np.array([2.0, 0.0, 3.0]), first=5),
        bm25.Scores(np.array([2.0, 3.0]), np.array([5, 7], np.int32)),
    ],
)
def test_scores_of_some_chunks_and_scores_of_those_alone(scores: bm25.Scores) -> None:
    asked = [9, 7, 6, 5, 2**31 - 1, 0]
    assert scores.of(asked) == {9: 0, 7: 3, 6: 0, 5: 2, 2**31 - 1: 0, 0: 0}
    few = scores.among(np.array([7, 6, 0, 99], np.int32))
    assert few.of(asked) == {9: 0, 7: 3, 6: 0, 5: 0, 2**31 - 1: 0, 0: 0}
    assert [each.tolist() for each in few.best(12)] == [[7], [3.0]]
    assert scores.among(np.array([7, 5], np.int32)).of(asked) == {9: 0, 7: 3, 6: 0, 5: 2, 2**31 - 1: 0, 0: 0}
    assert scores.of([]) == {}


def test_fewer_have_a_score_than_are_wanted() -> None:
    values = np.zeros(256 * 40)
    values[5] = 1
    assert [each.tolist() for each in bm25.Scores(values).best(12)] == [[5], [1.0]]


def entries(*numbers: int) -> PostingList:
    return joined([np.array([(number, 1, 1)], ENTRY).tobytes() for number in numbers])


@pytest.mark.parametrize("far", [99, 2**31 - 1])
def test_what_each_chunk_holds_in_segments_of_any_order(far: int) -> None:
    lists = {"one": entries(3, 8, 9), "two": entries(9, 20, far - 1, 3), "three": entries(8)}
    weights = {"one": 1.0, "two": 2.0, "three": 4.0, "nowhere": 1.0, "everywhere": -1.0}
    wanted = [20, 9, 1, 8, far]
    held = {20: 2.0, 9: 3.0, 1: 0.0, 8: 5.0, far: 0.0}
    assert bm25.coverage(wanted, lists, weights).tolist() == [held[number] / 8 for number in wanted]
    assert bm25.coverage([], lists, weights).tolist() == []


def test_long_entries_of_segments_are_runs_in_order_and_score_as_one() -> None:
    size = LONG_RUN // ENTRY.itemsize
    chance = np.random.default_rng(1)
    numbers = chance.permutation(2 * size + 3).astype(np.int32)
    rows = np.array([(number, 1 + number % 3, 5 + number % 7) for number in numbers.tolist()], ENTRY)
    segments = [rows[:size], np.sort(rows[size : 2 * size]), rows[2 * size : 2 * size + 2], rows[2 * size + 2 :]]
    found = joined([each.tobytes() for each in segments], [rows[:5].tobytes()])
    assert [len(run) for run in found.runs] == [size, size, 3]
    assert all((np.diff(run["chunk"]) > 0).all() for run in found.runs)
    assert (found.holding, found.nbytes) == (2 * size - 2, OBJECTS + rows.nbytes + 5 * 4)
    assert set(found.chunks().tolist()) == set(numbers[5:].tolist())
    one = PostingList((np.sort(rows),), found.removed)
    collection = bm25.Collection(2 * size, 16 * size)
    values = [bm25.scores(["a"], {"a": each}, {"a": 1.5}, collection).of(numbers.tolist()) for each in (found, one)]
    assert values[0] == values[1]
    assert bm25.coverage(numbers[:9].tolist(), {"a": found}, {"a": 1.0}).tolist() == [1.0] * 9
