"""all-MiniLM-L6-v2's tokenizer as a measure of text, with or without the model."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from tokenizers import Tokenizer

from agent.providers.minilm_files import checked_tokenizer, packaged_model
from domain.model_ports import TokenCounter
from domain.text.encodable import encodable

TEXTS_AT_ONCE = 256
"""Texts tokenized in one go: until they are done, the tokenizer keeps far more of each token than its number."""


def open_tokenizer(model_dir: Path) -> Tokenizer:
    """The tokenizer of the model in `model_dir`, neither truncating nor padding: as shipped it does both at 128.

    Raises:
        Misconfigured: it is missing or another one.
    """
    tokenizer = Tokenizer.from_file(str(checked_tokenizer(model_dir)))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


class WordPieces(TokenCounter):
    """Counts in WordPiece tokens.

    Args:
        tokenizer: see `open_tokenizer`.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer

    @classmethod
    @cache
    def packaged(cls) -> "WordPieces":
        """The installed model's. Raises Misconfigured when it is not installed."""
        return cls(open_tokenizer(packaged_model()))

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """For each text, the [start, end) character range of each token; nothing is cut off."""
        ranges: list[list[tuple[int, int]]] = []
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            some = [encodable(text) for text in texts[start : start + TEXTS_AT_ONCE]]
            ranges += [found.offsets for found in self._tokenizer.encode_batch(some, add_special_tokens=False)]
        return ranges
