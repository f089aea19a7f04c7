"""Common words of English: those that the tokenizer of the local embedding model knows as a whole."""

from collections.abc import Container
from functools import cache

from agent.providers.minilm_files import packaged_model
from domain.errors import Misconfigured

MIN_LETTERS = 4
"""Letters of a word that counts."""

FREQUENT = 12_000
"""Of the tokenizer's words, the most frequent first, so many count that have MIN_LETTERS letters: later, most are
names."""


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
    words = [word for word in text.split() if word.isascii() and word.isalpha()]
    return frozenset(
        word
        for place, word in enumerate(words)
        if len(word) > MIN_LETTERS or (len(word) == MIN_LETTERS and place < FREQUENT)
    )
