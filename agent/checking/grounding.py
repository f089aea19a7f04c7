"""Whether what a model says of a question speaks of it at all. Pure."""

from domain.text.tokens import Analyzer

_WORDS = Analyzer()


def grounded(text: str, said: str) -> bool:
    """Whether `text` has a telling word of what was said. Where nothing telling was said, every text will do."""
    known = set(_WORDS.tokens(said))
    return not known or not known.isdisjoint(_WORDS.tokens(text))
