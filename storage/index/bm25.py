"""BM25Okapi exactly as the package rank-bm25 (0.2.2) defines it, over posting lists.

A term's idf is ln(N - n + 0.5) - ln(n + 0.5); where that is negative, `EPSILON` times the mean idf of the whole
vocabulary stands in. A chunk's score for a term that it holds f times is
idf * f * (K1 + 1) / (f + K1 * (1 - B + B * length / mean length)), summed over the question's terms, repeats
included.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from storage.index.packing import Entries

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


def scores(
    terms: Sequence[str], lists: Mapping[str, Entries], idf: Mapping[str, float], collection: Collection
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Scores of every chunk that holds any of `terms`.

    Args:
        terms: the question's tokens in order, repeats included.
        lists: the live entries of each term that occurs at all.
        idf: after the floor.
        collection: size and length of the whole index.

    Returns:
        Chunk numbers, ascending, and their scores, both of shape (chunks found,).
    """
    found = [term for term in terms if term in lists]
    if not found:
        return np.empty(0, np.int32), np.empty(0, np.float64)
    numbers = [lists[term]["chunk"] for term in found]
    parts = [_contribution(lists[term], idf[term], collection.mean_length) for term in found]
    first, last = min(int(each.min()) for each in numbers), max(int(each.max()) for each in numbers)
    if last - first <= 16 * sum(map(len, numbers)) + 1024:
        return _sum_by_address(numbers, parts, first, last)
    distinct, inverse = np.unique(np.concatenate(numbers), return_inverse=True)
    return distinct.astype(np.int32), np.bincount(inverse, weights=np.concatenate(parts)).astype(np.float64)


def _contribution(entries: Entries, idf: float, mean_length: float) -> NDArray[np.float64]:
    frequency = entries["frequency"].astype(np.float64)
    norm = K1 * (1 - B + B * entries["length"] / mean_length)
    return np.asarray(idf * (frequency * (K1 + 1) / (frequency + norm)))


def _sum_by_address(
    numbers: Sequence[NDArray[np.int32]], parts: Sequence[NDArray[np.float64]], first: int, last: int
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Adds up the parts of each chunk by direct address: quicker than sorting while the numbers lie close."""
    places = np.concatenate(numbers) - first
    totals = np.bincount(places, weights=np.concatenate(parts), minlength=last - first + 1)
    if all(part[0] > 0 for part in parts):  # a term's contributions have the sign of its idf
        where = np.flatnonzero(totals != 0)  # of truth values: of numbers it takes five times as long
    else:
        held = np.zeros(len(totals), bool)
        held[places] = True
        where = np.flatnonzero(held)
    return (where + first).astype(np.int32), totals[where].astype(np.float64)


def coverage(
    chunk_nos: Sequence[int], lists: Mapping[str, Entries], weights: Mapping[str, float]
) -> NDArray[np.float64]:
    """Which share of the weight of the question's terms each chunk holds, 0 to 1, however often.

    Args:
        chunk_nos: the chunks.
        lists: the live entries of each term that occurs at all.
        weights: idf of every term of the question; a term without any weight counts for nothing.

    Returns:
        Shape (chunks,).
    """
    held = np.zeros(len(chunk_nos))
    told = {term: weight for term, weight in weights.items() if weight > 0}
    wanted = np.array(chunk_nos, np.int32)
    for term, weight in told.items():
        if term in lists:
            held += weight * _among(lists[term]["chunk"], wanted)
    return held / sum(told.values()) if told else held


def _among(numbers: NDArray[np.int32], wanted: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Which of the few `wanted` are among `numbers`, of which there is one at least."""
    if not (numbers[1:] > numbers[:-1]).all():  # several segments one after the other
        return np.isin(wanted, numbers, kind="table")
    places = np.searchsorted(numbers, wanted)
    return np.asarray(numbers[np.minimum(places, len(numbers) - 1)] == wanted)


BLOCK = 256
"""Values of which the highest is looked at first."""


def best(
    chunks: NDArray[np.int32], values: NDArray[np.float64], limit: int
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """The `limit` highest values, best first, lower chunk number first among equals."""
    blocks = len(values) // BLOCK
    if limit < blocks:  # as many blocks as are wanted have a value that is no lower than this floor
        highest = values[: blocks * BLOCK].reshape(blocks, BLOCK).max(axis=1)
        keep = values >= np.partition(highest, blocks - limit)[blocks - limit]
        chunks, values = chunks[keep], values[keep]
    if limit < len(values):
        threshold = np.partition(values, len(values) - limit)[len(values) - limit]
        keep = values >= threshold
        chunks, values = chunks[keep], values[keep]
    order = np.lexsort((chunks, -values))[:limit]
    return chunks[order], values[order]
