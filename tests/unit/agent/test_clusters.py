"""Questions that ask for the same thing."""

import numpy as np
import pytest
from numpy.typing import NDArray

from agent.questions.clusters import central, clusters


def rows(*degrees: float) -> NDArray[np.float32]:
    angles = np.radians(np.array(degrees))
    return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


@pytest.mark.parametrize(
    ("degrees", "found"),
    [
        ((), []),
        ((0,), [[0]]),
        ((0, 10, 20), [[0, 1, 2]]),
        ((0, 90, 5, 95), [[0, 2], [1, 3]]),
        ((0, 70, 90), [[0], [1, 2]]),
        ((0, 180, 0), [[0, 2], [1]]),
        ((0, 30, 15, 40), [[0, 2], [1, 3]]),
    ],
)
def test_what_is_near_is_one(degrees: tuple[float, ...], found: list[list[int]]) -> None:
    assert clusters(rows(*degrees) if degrees else np.zeros((0, 2), np.float32), 0.92) == found


def test_each_row_is_in_one_cluster_and_the_same_every_time() -> None:
    vectors = np.random.default_rng(7).normal(size=(300, 16)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    found = clusters(vectors)
    assert sorted(row for group in found for row in group) == list(range(300))
    assert found == clusters(vectors)


def test_the_example_is_in_the_middle() -> None:
    assert central(rows(0, 80, 20, 40), [0, 2, 3]) == 2
