"""Questions in the words that are understood best: question words as they are spelled, suggestions in English. Pure."""

from functools import cache
from re import escape

from agent.wording import SUGGESTION
from domain.patterns import Linear
from domain.translation import TRANSLATED, catalogue

_FIRST = Linear(r"\A[a-z]{3,5}", after=r" ")

_SPELLED = {
    typed: word
    for word in ("what", "when", "where", "which", "whose")
    for typed in (
        *(word[:place] + word[place + 1 :] for place in range(1, len(word))),
        *(word[:place] + word[place + 1] + word[place] + word[place + 2 :] for place in range(len(word) - 1)),
    )
}
_WORDS = frozenset("wer wen wem was were whos".split())  # noqa: SIM905 - a list of words reads best as one
"""What is a word of its own."""


def with_spelled_opening(text: str) -> str:
    """The question with its first word as it is spelled, where it is a question word in small letters that lacks one or
    has two exchanged: "wat is the limit" asks what it is."""
    return _FIRST.sub(lambda match: match[0] if match[0] in _WORDS else _SPELLED.get(match[0], match[0]), text)


def suggestion_in_english(text: str) -> str:
    """A question that was suggested in another language, in English; any other as it is."""
    for pattern in _suggestions():
        if match := pattern.fullmatch(text.strip()):
            return SUGGESTION.format(**match.named())
    return text


@cache
def _suggestions() -> tuple[Linear, ...]:
    templates = (escape(catalogue(language)[SUGGESTION]) for language in TRANSLATED)
    return tuple(
        Linear(each.replace(r"\{section\}", "(?P<section>.{1,300})").replace(r"\{title\}", "(?P<title>.{1,300})"))
        for each in templates
    )
