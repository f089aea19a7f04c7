"""Questions that ask for the same thing, found by the cosines of their vectors. Pure and deterministic."""

import numpy as np
from numpy.typing import NDArray

SAME = 0.55
"""The cosine with a cluster's centre from which a question belongs to it. docs/gaps.md has measurements."""


def clusters(vectors: NDArray[np.float32], same: float = SAME) -> list[list[int]]:
    """Groups of rows, each group and the groups in the order of their first rows.

    Leader clustering: each row in turn joins the cluster whose centre (the normalised mean of its rows) is nearest, if
    its cosine is `same` at least, and begins a new one otherwise. For n rows and k clusters it takes n * k products.

    vectors: shape (n, dimensions), rows of length 1.
    """
    found: list[list[int]] = []
    sums = np.zeros_like(vectors)  # row k: the sum of the rows of cluster k
    lengths = np.ones(len(vectors), dtype=vectors.dtype)
    for row, vector in enumerate(vectors):
        cosines = sums[: len(found)] @ vector / lengths[: len(found)]
        best = int(np.argmax(cosines)) if found else 0
        if not found or cosines[best] < same:
            best = len(found)
            found.append([])
        found[best].append(row)
        sums[best] += vector
        lengths[best] = max(float(np.linalg.norm(sums[best])), 1e-6)
    return found


def central(vectors: NDArray[np.float32], rows: list[int]) -> int:
    """The one of these rows that is nearest to the mean of all of them; of equals the first."""
    centre = vectors[rows].mean(axis=0)
    return rows[int(np.argmax(vectors[rows] @ centre))]
