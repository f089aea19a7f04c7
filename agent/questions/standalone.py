"""Follow-up questions made so that they can be searched by themselves. Pure."""

import re
from collections.abc import Sequence

from domain.answers import Turn
from domain.patterns import Linear
from domain.text.tokens import Analyzer

_ANALYZER = Analyzer()
_LEANS_BACK = re.compile(r"\b(?:it|its|they|them|theirs?|he|she|him|his|hers?|these|those)\b", re.IGNORECASE)
_DUMMY_IT = re.compile(
    r"\b(?:is|was) it (?=possible|allowed|permitted|necessary|mandatory|required|ok|okay|true)", re.IGNORECASE
)
_OPENS = Linear(r"\A\s*(?:and|or|but|also)[\s,]+", ignore_case=True)
_CONTINUES = re.compile(r"\s*(?:and|or|but|what about|how about|also|why)\b", re.IGNORECASE)


def standalone(text: str, history: Sequence[Turn]) -> str:
    """The question so that it can be searched by itself: one that leans on earlier turns takes along the nearest
    question that stands alone."""
    if not leans(text):
        return text
    subject = next((turn.question for turn in reversed(history) if not leans(turn.question)), "")
    return f"{subject.rstrip(' ?!.')}: {_OPENS.sub('', text)}" if subject else text


def leans(text: str) -> bool:
    """Whether a question says little without the one before: it points back, goes on, or has no word of its own."""
    points_back = _LEANS_BACK.search(_DUMMY_IT.sub("", text))
    return bool(points_back or _CONTINUES.match(text)) or not _ANALYZER.tokens(text)
