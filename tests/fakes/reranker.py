"""A small reranker without a model: the share of the question's words that a passage has."""

import re
from collections.abc import Sequence

from domain.documents import compose
from domain.model_ports import Reranker
from domain.search import Passage
from domain.text.tokens import ENGLISH_STOP_WORDS


def overlap(question: str, text: str) -> float:
    """0 to 1; stop words do not count where there are others."""
    words = _words(question)
    asked = words - ENGLISH_STOP_WORDS or words
    return len(asked & _words(text)) / len(asked) if asked else 0.0


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


class OverlapReranker(Reranker):
    """Scores by `overlap`, with title and headings."""

    @property
    def name(self) -> str:
        return "overlap"

    async def scores(self, question: str, passages: Sequence[Passage]) -> list[float]:
        return [overlap(question, compose(each.title, each.heading_path, each.text)) for each in passages]
