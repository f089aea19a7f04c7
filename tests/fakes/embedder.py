"""A small deterministic embedder: texts with words in common are near each other."""

import re
from collections.abc import Iterator, Sequence
from zlib import crc32

import numpy as np

from domain.model_ports import Embedder, EmbedderIdentity, TextKind, TokenCounter, Vectors

_TOKEN = re.compile(r"\w+|[^\w\s]")
_SUFFIX = re.compile(r"(?<=\w{3})(?:ings?|ed|es|s)$")

WORD_WEIGHT = 1.0
TRIGRAM_WEIGHT = 0.3


class HashEmbedder(Embedder, TokenCounter):
    """Counts words and their character trigrams in a few hashed dimensions.

    Args:
        dimensions: numbers in one vector.
        max_tokens: words and punctuation marks that one vector covers.
    """

    def __init__(self, dimensions: int = 64, max_tokens: int = 256) -> None:
        self._identity = EmbedderIdentity(f"hash/{dimensions}", dimensions, max_tokens)

    @property
    def identity(self) -> EmbedderIdentity:
        return self._identity

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        return [[match.span() for match in _TOKEN.finditer(text)] for text in texts]

    async def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        return self.vectors(texts)

    def vectors(self, texts: Sequence[str]) -> Vectors:
        rows = np.zeros((len(texts), self._identity.dimensions), dtype=np.float32)
        rows[:, 0] = 0.01  # an empty text has a direction too
        for row, text in zip(rows, texts, strict=True):
            for feature, weight in _features(_TOKEN.findall(text)[: self._identity.max_tokens]):
                number = crc32(feature.encode("utf-8", "replace"))
                # a sign of its own for each feature keeps strangers in one dimension from adding up
                row[number % len(row)] += weight if number & 1 << 31 else -weight
        vectors: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return vectors


def _features(tokens: Sequence[str]) -> Iterator[tuple[str, float]]:
    for token in tokens:
        word = _SUFFIX.sub("", token.lower())
        yield word, WORD_WEIGHT
        for start in range(len(word) - 2):
            yield f"#{word[start : start + 3]}", TRIGRAM_WEIGHT
