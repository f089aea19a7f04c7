"""A linear classifier of a sentence, or of two that follow each other: whether they are addressed to a machine.

Its features are the beginnings of words, signs, the kinds of the words (see word_kinds), sequences of these, and which
two kinds occur together. The weights were learned by benchmarks/learn_injections.py. It takes time linear in the text.
Pure, but for reading the weights once.

It reads the form that `detector` makes of a text: small letters, single blanks, no marks of emphasis.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from domain.injection.word_kinds import KINDS, kind_of

BITS = 16
HASHED = 1 << BITS
"""TextFeatures of words and sequences, by their hashes."""
COUNT = len(KINDS) + 1
WEIGHTS = HASHED + COUNT**2
"""Of all features: behind the hashed ones, those of two kinds that occur together, the lower number first."""
STEM = 5
"""Characters of a word that count."""
MAX_SENTENCE_WORDS = 40
"""Words and signs of a sentence; what is longer counts as several."""
SMOOTHING_FEATURES = 60
"""TextFeatures that are added to those of each sentence, so that few of them do not decide."""
LEVELS = 127
"""Steps in which a weight is stored, to either side of 0."""

Codes = NDArray[np.uint32]
Hashes = NDArray[np.uint64]
Numbers = NDArray[np.intp]
Values = NDArray[np.float64]

_BLANK, _LETTER, _SIGN = 0, 1, 2
_FIRST_ALONE = 0x2E80
"""From here on, scripts mostly do not part words: each character counts as one."""
_MOST_KEPT = 1 << 14
_MIX, _TURN, _SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(29)
_KIND_BITS = 5
_KIND_SHIFT, _KIND_MASK = np.uint64(_KIND_BITS), np.uint64((1 << _KIND_BITS) - 1)
_FIRST, _LAST = 1, 2
"""In place of a word: where a sentence begins, and where it ends."""
_OF_WORDS: Sequence[Sequence[int]] = ((0,), (0, 1), (0, 2), (0, 3), (0, 1, 2))
_OF_KINDS: Sequence[Sequence[int]] = ((0,), (0, 1), (0, 2), (0, 1, 2))
"""Which of the words, or of their kinds, from a place on make a feature."""


@dataclass(frozen=True, slots=True)
class TextFeatures:
    """What stands in a text. buckets: the hashed features; sentences: the sentence of each, from 0; kinds: whether a
    sentence (row) has a word of a kind (column)."""

    buckets: Numbers
    sentences: Numbers
    kinds: NDArray[np.bool_]

    def scores(self, weights: Values) -> Values:
        """Of each sentence, then of each two that follow each other. A feature counts by the root of the number of
        features, so that long sentences weigh no more than short ones."""
        size = len(self.kinds)
        sums = np.bincount(self.sentences, weights[self.buckets], size)
        counts = np.bincount(self.sentences, minlength=size)
        present = np.concatenate([self.kinds, self.kinds[1:] | self.kinds[:-1]]).astype(np.float64)
        together = weights[HASHED:].reshape(COUNT, COUNT)
        several = present.sum(axis=1)
        sums = np.concatenate([sums, sums[1:] + sums[:-1]]) + ((present @ together) * present).sum(axis=1)
        counts = np.concatenate([counts, counts[1:] + counts[:-1]]) + several * (several - 1) / 2
        scores: Values = sums / np.sqrt(counts + SMOOTHING_FEATURES)
        return scores


@cache
def _characters() -> NDArray[np.uint8]:
    """What each character below _FIRST_ALONE is."""
    signs = map(chr, range(_FIRST_ALONE))
    return np.array([_BLANK if each.isspace() else _LETTER if each.isalnum() else _SIGN for each in signs], np.uint8)


@lru_cache(_MOST_KEPT)
def _word(word: str) -> int:
    """The hash of a word's beginning, and behind it, in _KIND_BITS bits, its kind. Numbers are all one."""
    beginning = b"0" if word[0].isdigit() else word[:STEM].encode("utf-8", "surrogatepass")
    return (zlib.crc32(beginning) + 3 << _KIND_BITS) | kind_of(word)


def features_of(text: str) -> TextFeatures | None:
    """The features of a text; None: it has no words."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    characters = np.where(codes < _FIRST_ALONE, _characters()[np.minimum(codes, _FIRST_ALONE - 1)], _SIGN)
    inner, alone = characters == _LETTER, characters == _SIGN
    starts = np.flatnonzero(alone | (inner & ~np.append(False, inner[:-1])))
    ends = np.flatnonzero(alone | (inner & ~np.append(inner[1:], False))) + 1
    if not starts.size:
        return None
    places = zip(starts.tolist(), ends.tolist(), strict=True)
    words = np.array([_word(text[start : min(end, start + 20)]) for start, end in places], np.uint64)
    hashes, kinds = words >> _KIND_SHIFT, words & _KIND_MASK
    sentences = _sentences(codes, starts)
    size = int(sentences[-1]) + 1
    some = kinds > 0
    of_words = _sequences(_framed(hashes, sentences, size, 2), _OF_WORDS, 1)
    of_kinds = _sequences(_framed(kinds[some] + np.uint64(8), sentences[some], size, 1), _OF_KINDS, 101)
    present = np.zeros((size, COUNT), np.bool_)
    present[sentences[some], kinds[some].astype(np.intp)] = True
    found = np.sort(np.concatenate([of_words, of_kinds]))
    once = found[np.append(True, found[1:] != found[:-1])]
    return TextFeatures(once % HASHED, once // HASHED, present)


def _sentences(codes: Codes, starts: Numbers) -> Numbers:
    """The number of the sentence in which each word stands."""
    blank = np.append(codes[1:], ord(" ")) == ord(" ")
    ended = ((codes == ord(".")) | (codes == ord("!")) | (codes == ord("?"))) & blank
    ended |= (codes == ord("\n")) | (codes == ord("。")) | (codes == ord("！")) | (codes == ord("？"))
    number = np.append(0, np.cumsum(ended)[:-1])[starts]
    first = np.flatnonzero(np.append(True, np.diff(number) != 0))
    within = np.arange(starts.size) - np.repeat(first, np.diff(np.append(first, starts.size)))
    numbers: Numbers = np.cumsum(within % MAX_SENTENCE_WORDS == 0) - 1
    return numbers


def _framed(words: Hashes, sentences: Numbers, size: int, marks: int) -> tuple[Hashes, Numbers]:
    """The words with what stands for the beginning of each sentence and, where there are two marks, for its end."""
    numbers = np.arange(size)
    bounds = np.searchsorted(sentences, np.arange(size + 1))
    framed = np.full(words.size + marks * size, _LAST, np.uint64)
    framed[bounds[:-1] + marks * numbers] = _FIRST
    framed[np.arange(words.size) + marks * sentences + 1] = words
    return framed, np.repeat(numbers, np.diff(bounds) + marks)


def _sequences(framed: tuple[Hashes, Numbers], shapes: Sequence[Sequence[int]], salt: int) -> Numbers:
    """The features of sequences: the number of the sentence, then the bucket."""
    words, sentences = framed
    found = []
    for number, offsets in enumerate(shapes, start=salt):
        count = max(0, words.size - offsets[-1])
        same = sentences[:count] == sentences[offsets[-1] :]
        mixed = np.full(count, number, np.uint64)
        for offset in offsets:
            mixed = (mixed ^ words[offset : offset + count]) * _TURN
            mixed ^= mixed >> _SHIFT
        buckets = ((mixed * _MIX) >> np.uint64(64 - BITS)).astype(np.intp)
        found.append((sentences[:count] * HASHED + buckets)[same])
    return np.concatenate(found)


@cache
def _stored() -> tuple[Values, float]:
    """The weights, and the score from which a text is found."""
    return unpacked(files("domain.injection").joinpath("weights.bin").read_bytes())


def packed(weights: Values, threshold: float) -> bytes:
    """What `unpacked` reads: the score of the least finding, the largest weight, and the weights in steps of it."""
    largest = float(np.abs(weights).max())
    head = np.array([threshold, largest], "<f4").tobytes()
    return zlib.compress(head + np.round(weights / largest * LEVELS).astype(np.int8).tobytes(), 9)


def unpacked(stored: bytes) -> tuple[Values, float]:
    """The weights and the score of the least finding."""
    plain = zlib.decompress(stored)
    threshold, largest = np.frombuffer(plain, "<f4", 2)
    return np.frombuffer(plain, np.int8, offset=8).astype(np.float64) * (float(largest) / LEVELS), float(threshold)


def reads_like_an_order(text: str) -> bool:
    """Whether any two sentences that follow each other are likely to be addressed to a machine."""
    features = features_of(text)
    if features is None:
        return False
    weights, threshold = _stored()
    return bool(features.scores(weights).max() >= threshold)
