"""Compares two runs over the same questions by a paired bootstrap. Pure.

The samples are drawn from the questions, with both runs' values of a question kept together (Efron and Tibshirani 1993,
chapter 16; for rankings Sakai 2006): what a question is hard for, it is hard for in both.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SAMPLES = 10_000
"""Bootstrap samples."""

INTERVAL = 0.95
"""Share of the samples within the interval that is given."""

Measured = Mapping[str, Mapping[str, float]]
"""The measures of each question, by its id."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One measure of two runs, over the questions of which both have it."""

    measure: str
    questions: int
    first: float
    """Mean of the first run."""
    second: float
    low: float
    """The difference second - first lies between this and `high` in 95 % of the samples."""
    high: float
    p: float
    """Share of the samples, on both sides, in which the difference is 0 or has the other sign; 0 to 1."""
    higher: int
    """Questions of which the second run's value is higher."""
    lower: int

    @property
    def difference(self) -> float:
        """Second - first."""
        return self.second - self.first


def compare(first: Measured, second: Measured, seed: int = 0) -> list[Comparison]:
    """Each measure that both runs have of some question, in the order of the first run. seed: of the samples."""
    both = [name for name in first if name in second]
    measures = dict.fromkeys(measure for name in both for measure in first[name] if measure in second[name])
    return [_compared(measure, both, first, second, seed) for measure in measures]


def _compared(measure: str, names: Sequence[str], first: Measured, second: Measured, seed: int) -> Comparison:
    pairs = np.array(
        [
            (first[name][measure], second[name][measure])
            for name in names
            if measure in first[name] and measure in second[name]
        ],
        dtype=np.float64,
    )
    differences = pairs[:, 1] - pairs[:, 0]
    low, high, p = interval(differences, seed)
    return Comparison(
        measure,
        len(pairs),
        float(pairs[:, 0].mean()),
        float(pairs[:, 1].mean()),
        low,
        high,
        p,
        int((differences > 0).sum()),
        int((differences < 0).sum()),
    )


def interval(differences: NDArray[np.float64], seed: int = 0) -> tuple[float, float, float]:
    """The percentile interval of the mean of paired differences, and its p-value; see Comparison. differences: one a
    question, at least one."""
    random = np.random.default_rng(seed)
    count = len(differences)
    means = np.empty(SAMPLES)
    for start in range(0, SAMPLES, 500):  # not all at once: 10,000 samples of 10,000 questions would take 800 MB
        drawn = random.integers(0, count, size=(min(500, SAMPLES - start), count))
        means[start : start + len(drawn)] = differences[drawn].mean(axis=1)
    tail = (1 - INTERVAL) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    p = min(1.0, 2 * min(float((means <= 0).mean()), float((means >= 0).mean())))
    return float(low), float(high), p
