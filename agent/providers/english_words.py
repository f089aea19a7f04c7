"""Common words of English: those that the tokenizer of the local embedding model knows as a whole."""

from collections.abc import Container
from functools import cache

from agent.providers.minilm_files import packaged_model
from domain.errors import Misconfigured

SHORTEST = 5
"""Letters of a word that counts: many of the shorter ones are names."""


class EnglishWords(Container[str]):
    """Some 18,000 words in small letters, read from the installed model when one is first asked for; none where it is
    not installed."""

    def __contains__(self, word: object) -> bool:
        return word in _words()


@cache
def _words() -> frozenset[str]:
    try:
        text = (packaged_model() / "vocab.txt").read_text("utf-8")
    except (Misconfigured, OSError):
        return frozenset()
    return frozenset(word for word in text.split() if len(word) >= SHORTEST and word.isascii() and word.isalpha())
