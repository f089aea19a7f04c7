"""Late interaction over the local model: how well each word of a question is met by some word of a passage.

The score is that of ColBERT (Khattab and Zaharia 2020), as a mean instead of a sum: over the question's tokens, the
highest cosine with any token of the passage.
"""

import re
from collections.abc import Callable, Sequence

import numpy as np

from agent.providers.minilm import MiniLM
from domain.documents import compose
from domain.model_ports import Reranker, Vectors
from domain.search import Passage
from domain.text.tokens import ENGLISH_STOP_WORDS

QUESTION_TOKENS = 64
"""Tokens of a question that are compared at most."""

FLOOR = 0.3
"""Mean best cosine that counts as no likeness at all. Measured on 50 questions of HotpotQA: passages taken at random
have 0.19 in the middle and 0.32 at the 95th percentile, those that hold the answer 0.65, and 0.46 at the 5th."""

_WORD = re.compile(r"\w+(?:['’]\w+)*")


class MaxSimReranker(Reranker):
    """Reranks by the token vectors of all-MiniLM-L6-v2.

    Stop words and punctuation of the question are left out where anything else is left. A question without any token,
    and a passage without any, score 0.

    Args:
        model: gives the token vectors; reranking takes its turns beside embedding.
        floor: mean best cosine that becomes 0; one of 1 stays 1, and those between lie on a line.
        question_tokens: tokens of a question that are compared at most, from its beginning.
    """

    def __init__(self, model: MiniLM, *, floor: float = FLOOR, question_tokens: int = QUESTION_TOKENS) -> None:
        self._model, self._floor, self._question_tokens = model, floor, question_tokens

    @property
    def name(self) -> str:
        """The method and the model."""
        return f"maxsim/{self._model.identity.name}"

    async def scores(self, question: str, passages: Sequence[Passage]) -> list[float]:
        """One score in 0..1 for each passage, in order.

        A passage is read as it was embedded: title, headings and text, up to the model's window.
        """
        if not passages:
            return []
        asked = await self._question(question)
        texts = [compose(each.title, each.heading_path, each.text) for each in passages]
        return await self._model.map_tokens(texts, _against(asked, self._floor))

    async def _question(self, question: str) -> Vectors:
        """The vectors of the tokens that are compared, shape (tokens, 384)."""
        (rows,) = await self._model.map_tokens([question], np.copy)
        ranges = self._model.offsets([question])[0][: len(rows)]
        rows_asked: Vectors = rows[content_tokens(question, ranges)[: self._question_tokens]]
        return rows_asked


def content_tokens(text: str, ranges: Sequence[tuple[int, int]]) -> list[int]:
    """Which tokens carry what `text` is about.

    Args:
        ranges: the [start, end) character range of each token.

    Returns:
        Indices into `ranges`: the tokens of words other than stop words, or else of words, or else all of them.
    """
    of_words, of_content = set[int](), set[int]()
    words = [(match.span(), match.group().casefold() in ENGLISH_STOP_WORDS) for match in _WORD.finditer(text)]
    for (start, end), stop in words:
        inside = {index for index, (first, last) in enumerate(ranges) if start <= first and last <= end}
        of_words |= inside
        of_content |= set() if stop else inside
    return sorted(of_content or of_words or range(len(ranges)))


def _against(asked: Vectors, floor: float) -> Callable[[Vectors], float]:
    """Scores the token vectors of a passage, shape (tokens, 384), against those of a question."""

    def score(found: Vectors) -> float:
        if not len(asked) or not len(found):
            return 0.0
        mean = float((asked @ found.T).max(axis=1).mean())
        return min(1.0, max(0.0, (mean - floor) / (1 - floor)))

    return score
