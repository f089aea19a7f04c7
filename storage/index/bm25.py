"""BM25Okapi exactly as the package rank-bm25 (0.2.2) defines it, over posting lists.

A term's idf is ln(N - n + 0.5) - ln(n + 0.5); where that is negative, `EPSILON` times the mean idf of the whole
vocabulary stands in. A chunk's score for a term that it holds f times is
idf * f * (K1 + 1) / (f + K1 * (1 - B + B * length / mean length)), summed over the question's terms, repeats
included.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from storage.index.packing import Entries, PostingList

K1 = 1.5
B = 0.75
EPSILON = 0.25


@dataclass(frozen=True, slots=True)
class Collection:
    """What BM25 needs to know of the whole index."""

    chunks: int
    """N of BM25's formula."""
    tokens: int
    """The sum of all lengths."""

    @property
    def mean_length(self) -> float:
        """Tokens a chunk has on average."""
        return self.tokens / self.chunks


def raw_idf(holding: int, chunks: int) -> float:
    """Idf before the floor: negative when more than half of the chunks hold the term."""
    return log(chunks - holding + 0.5) - log(holding + 0.5)


def mean_idf(terms_by_frequency: Mapping[int, int], chunks: int) -> float:
    """Mean idf of the vocabulary, from how many terms are held by how many chunks."""
    total = sum(raw_idf(holding, chunks) * terms for holding, terms in terms_by_frequency.items())
    return total / sum(terms_by_frequency.values())


@dataclass(frozen=True, slots=True)
class Scores:
    """BM25 scores of chunks, by number."""

    values: NDArray[np.float64]
    """Shape (chunks,)."""
    numbers: NDArray[np.int32] | None = None
    """The chunk of each value, ascending. None: the first value is that of chunk `first`, the next one that of the
    chunk after it, and so on; 0 stands for a chunk without a score."""
    first: int = 0

    def best(self, limit: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """The chunks with the `limit` highest scores, and these: best first, lower chunk number first among equals."""
        if self.numbers is not None:
            return _highest(self.numbers, self.values, limit)
        places = _promising(self.values, limit)
        return _highest((places + self.first).astype(np.int32), self.values[places], limit)

    def among(self, chunk_nos: NDArray[np.int32]) -> "Scores":
        """The scores of those of some chunks that have one. chunk_nos: each once."""
        wanted = np.sort(chunk_nos)
        places, there = self._places(wanted)
        return Scores(self.values[places[there]], wanted[there])

    def of(self, chunk_nos: Sequence[int]) -> dict[int, float]:
        """Scores of some chunks; 0 for those that share no word with the question."""
        places, there = self._places(np.array(chunk_nos, np.int32))
        found = np.zeros(len(places))
        found[there] = self.values[places[there]]
        return dict(zip(chunk_nos, found.tolist(), strict=True))

    def _places(self, wanted: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Where the values of chunks are, and which of them have one."""
        if self.numbers is None:
            places = wanted.astype(np.int64) - self.first
            there = (places >= 0) & (places < len(self.values))
            there[there] = self.values[places[there]] != 0
            return places, there
        places = np.searchsorted(self.numbers, wanted).astype(np.int64)
        there = places < len(self.numbers)
        there[there] = self.numbers[places[there]] == wanted[there]
        return places, there


NO_SCORES = Scores(np.empty(0, np.float64), np.empty(0, np.int32))


def scores(
    terms: Sequence[str], lists: Mapping[str, PostingList], idf: Mapping[str, float], collection: Collection
) -> Scores:
    """Scores of every chunk that holds any of `terms`. A removed chunk has none: it is removed from the lists of all
    its terms.

    Args:
        terms: the question's tokens in order, repeats included.
        lists: the posting list of each term that any chunk holds.
        idf: after the floor.
        collection: size and length of the whole index.
    """
    found = [(run, idf[term]) for term in terms if term in lists for run in lists[term].runs]
    if not found:
        return NO_SCORES
    first = min(int(run["chunk"][0]) for run, _ in found)
    last = max(int(run["chunk"][-1]) for run, _ in found)
    parts = _contributions(found, collection.mean_length)
    removed = np.concatenate([lists[term].removed for term in terms if term in lists])
    if last - first > 16 * sum(len(run) for run, _ in found) + 1024:
        numbers, values = zip(*parts, strict=True)
        chunks, inverse = np.unique(np.concatenate(numbers), return_inverse=True)
        sums = np.bincount(inverse, np.concatenate(values)).astype(np.float64)
        held = np.isin(chunks, removed, invert=True)
        return Scores(sums[held], chunks[held].astype(np.int32))
    totals = np.zeros(last - first + 1, np.float64)  # by address: quicker than sorting while the numbers lie close
    for each, part in parts:
        np.add.at(totals, each - first, part)
    removed = removed[(removed >= first) & (removed <= last)] - first
    totals[removed] = 0
    if all(weight > 0 for _, weight in found):
        return Scores(totals, first=first)
    held = np.zeros(len(totals), bool)  # 0 may be a score
    for run, _ in found:
        held[run["chunk"] - first] = True
    held[removed] = False
    where = np.flatnonzero(held)
    return Scores(totals[where], (where + first).astype(np.int32))


AT_ONCE = 2**15
"""Entries whose contributions are computed together: what they take stays in the processor's cache."""


def _contributions(
    found: Iterable[tuple[Entries, float]], mean_length: float
) -> Iterator[tuple[NDArray[np.int32], NDArray[np.float64]]]:
    """Chunks, and what a term adds to the score of each. found: runs with the idf of their terms."""
    for run, idf in found:
        for start in range(0, len(run), AT_ONCE):
            some = run[start : start + AT_ONCE]
            yield some["chunk"], _contribution(some, idf, mean_length)


def _contribution(entries: Entries, idf: float, mean_length: float) -> NDArray[np.float64]:
    """What a term adds to the score of each chunk that holds it, by the formula above; computed in place, for half of
    the time would go into new arrays."""
    frequency = entries["frequency"].astype(np.float64)
    norm = entries["length"] * (K1 * B / mean_length)
    norm += K1 * (1 - B)
    norm += frequency
    frequency *= idf * (K1 + 1)
    frequency /= norm
    return frequency


def coverage(
    chunk_nos: Sequence[int], lists: Mapping[str, PostingList], weights: Mapping[str, float]
) -> NDArray[np.float64]:
    """Which share of the weight of the question's terms each chunk holds, 0 to 1, however often.

    Args:
        chunk_nos: chunks that are in the index.
        lists: the posting list of each term that any chunk holds.
        weights: idf of every term of the question; a term without any weight counts for nothing.

    Returns:
        Shape (chunks,).
    """
    held = np.zeros(len(chunk_nos))
    told = {term: weight for term, weight in weights.items() if weight > 0}
    if not len(chunk_nos) or not told:
        return held
    wanted = np.array(chunk_nos, np.int32)
    for term, weight in told.items():
        for run in lists[term].runs if term in lists else ():
            held += weight * _holds(run["chunk"], wanted)
    return held / sum(told.values())


def _holds(numbers: NDArray[np.int32], wanted: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Which of some chunks are among ascending numbers, of which there is one at least."""
    if len(wanted) * BISECTED < len(numbers):  # searchsorted makes a copy first
        places = np.array([bisect_left(numbers.data, number) for number in wanted.tolist()])
    else:
        places = np.searchsorted(numbers, wanted)
    return np.asarray(numbers[np.minimum(places, len(numbers) - 1)] == wanted)


BISECTED = 1_000
"""Numbers that are copied in the time in which one is looked up by `bisect`."""


BLOCK = 256
"""Values of which the highest is looked at first."""


def _promising(values: NDArray[np.float64], limit: int) -> NDArray[np.int64]:
    """Places of positive values, among them the `limit` highest."""
    blocks = len(values) // BLOCK
    if limit >= blocks:
        return np.flatnonzero(values > 0)
    highest = values[: blocks * BLOCK].reshape(blocks, BLOCK).max(axis=1)
    floor = np.partition(highest, blocks - limit)[blocks - limit]  # so many blocks have a value that is no lower
    chosen = np.flatnonzero(highest >= floor)
    places = (chosen[:, np.newaxis] * BLOCK + np.arange(BLOCK)).ravel()
    places = np.concatenate([places, np.arange(blocks * BLOCK, len(values))])
    kept = values[places]
    return np.asarray(places[(kept >= floor) & (kept > 0)])


def _highest(
    chunks: NDArray[np.int32], values: NDArray[np.float64], limit: int
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """The `limit` highest values with their chunks, best first, lower chunk number first among equals."""
    if limit < len(values):
        threshold = np.partition(values, len(values) - limit)[len(values) - limit]
        keep = values >= threshold
        chunks, values = chunks[keep], values[keep]
    order = np.lexsort((chunks, -values))[:limit]
    return chunks[order], values[order]
