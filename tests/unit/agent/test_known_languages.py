from collections.abc import Sequence

import numpy as np

from agent.providers.known_languages import known_languages
from domain.model_ports import TextKind, Vectors
from tests.fakes.embedder import HashEmbedder

KITCHEN = ("kitchen", "küche", "cuisine", "cocina", "厨房")


class FourLanguages(HashEmbedder):
    """Places translations of two sentences together, but in Japanese, which it does not know."""

    async def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        rows = [[1.0, 0.2] if any(word in text.lower() for word in KITCHEN) else [0.2, 1.0] for text in texts]
        return np.array(rows, np.float32)


async def test_a_language_is_known_where_translations_are_near() -> None:
    assert await known_languages(FourLanguages()) == ["English", "German", "French", "Spanish", "Chinese"]


async def test_words_in_common_make_no_language_known() -> None:
    assert await known_languages(HashEmbedder()) == ["English"]
