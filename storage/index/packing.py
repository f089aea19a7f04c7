"""Posting lists as bytes: what is stored for a term, and how lists are joined and cut."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ENTRY = np.dtype([("chunk", "<i4"), ("frequency", "<u2"), ("length", "<u2")])
"""One chunk that holds a term: its number, how often it holds it, how many tokens it has. 8 bytes."""

MEMBER = np.dtype([("chunk", "<i4"), ("length", "<i4")])
"""One chunk of a segment and its number of tokens, also when no term of it is kept. 8 bytes."""

Entries = NDArray[np.void]
Members = NDArray[np.void]


@dataclass(frozen=True, slots=True)
class PostingList:
    """A term's entries in all segments of an index."""

    runs: tuple[Entries, ...]
    """Chunks that hold the term, and chunks that did until they were removed; in each run by ascending number."""
    removed: NDArray[np.int32]
    """Numbers of removed chunks."""

    @property
    def holding(self) -> int:
        """How many chunks of the index hold the term."""
        left = sum(map(len, self.runs)) - len(self.removed)
        return left if left > 0 else len(self.chunks())

    @property
    def nbytes(self) -> int:
        """Bytes that it takes in memory, its objects included."""
        return OBJECTS + sum(run.nbytes for run in self.runs) + self.removed.nbytes

    def chunks(self) -> NDArray[np.int32]:
        """The numbers of those chunks, in no order."""
        numbers = np.concatenate([run["chunk"] for run in self.runs])
        return numbers[~among(numbers, self.removed)] if len(self.removed) else numbers


def joined(added: Sequence[bytes], removed: Sequence[bytes] = ()) -> PostingList:
    """A term's list. Short entries become one run, for each run costs a search some microseconds.

    Args:
        added: the packed entries of each segment that adds chunks, one at least, none of them empty.
        removed: of each that takes chunks away.
    """
    short = [raw for raw in added if len(raw) < LONG_RUN]
    runs = [unpack([raw], ENTRY) for raw in added if len(raw) >= LONG_RUN] + ([unpack(short, ENTRY)] if short else [])
    return PostingList(tuple(map(_ascending, runs)), unpack(removed, ENTRY)["chunk"].copy())


def _ascending(run: Entries) -> Entries:
    """The run in order. It nearly always is: numbers rise, but two writers may take turns."""
    numbers = run["chunk"]
    return run if (numbers[1:] > numbers[:-1]).all() else run[np.argsort(numbers, kind="stable")]


OBJECTS = 512
"""Bytes that the objects of a list of one run take."""

LONG_RUN = 2**17
"""Bytes from which the entries of a segment are a run of their own."""


def among(numbers: NDArray[np.int32], few: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Which of many chunk numbers are among a few others, of which there is one at least."""
    highest = int(few.max())
    if highest > TABLE * len(numbers):
        return np.isin(numbers, few)
    wanted = np.zeros(highest + 2, bool)  # the last one stands for all numbers that are higher
    wanted[few] = True
    return wanted.take(numbers, mode="clip")


TABLE = 64
"""A table with a byte for each chunk number is made up to so many bytes for each number that is looked up: quicker than
sorting."""

MAX_COUNT = np.iinfo(np.uint16).max


def pack(tokens_of: Mapping[int, Sequence[str]]) -> tuple[dict[str, Entries], Members]:
    """Posting lists and members of one segment.

    Args:
        tokens_of: the tokens of each chunk, by chunk number.

    Returns:
        Entries for each term in ascending chunk number, and the members.

    Raises:
        ValueError: a chunk has more than 65,535 tokens, which no chunk within a model's reach has.
    """
    lists: dict[str, list[tuple[int, int, int]]] = {}
    members = []
    for chunk, tokens in sorted(tokens_of.items()):
        if len(tokens) > MAX_COUNT:
            raise ValueError(f"chunk {chunk} has {len(tokens)} tokens, more than {MAX_COUNT}")
        members.append((chunk, len(tokens)))
        for term, frequency in Counter(tokens).items():
            lists.setdefault(term, []).append((chunk, frequency, len(tokens)))
    return {term: np.array(rows, ENTRY) for term, rows in lists.items()}, np.array(members, MEMBER)


def unpack(raw: Iterable[bytes], dtype: np.dtype[np.void]) -> NDArray[np.void]:
    """The rows of several packed lists, one after the other."""
    return np.frombuffer(b"".join(raw), dtype)


def cancel(added: NDArray[np.void], removed: NDArray[np.void]) -> tuple[NDArray[np.void], NDArray[np.void]]:
    """What is left of the additions and removals of some segments, once each removal has taken its addition along.

    Chunk numbers are never used twice, so that the order of the two does not matter.
    """
    gone = np.isin(added["chunk"], removed["chunk"])
    met = np.isin(removed["chunk"], added["chunk"])
    return added[~gone], removed[~met]
