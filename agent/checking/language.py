"""Which language a text is in, as far as the comparison can read it. Pure."""

import re
from functools import lru_cache

from agent.checking.lexicon import Language
from domain.text.languages import written_in
from domain.text.sentences import sentences
from domain.text.tokens import Analyzer

_GERMAN = re.compile(
    r"\b(?:der|die|das|und|ist|nicht|eine?[nmrs]?|wird|werden|für|mit|von|vom|auf|den|dem|des|im|zum?|zur|bei|beim|nach"
    r"|sind|keine?[nmrs]?|sich|wer|wenn|als|aus|am|nur|auch|kann|muss|darf|dürfen|können|müssen|pro|bis|ab|über|um|man"
    r"|oder|hat|haben|es|wie|zwischen)\b|[äöüß]",
    re.IGNORECASE,
)
_ENGLISH = re.compile(
    r"\b(?:the|and|is|not|an?|for|with|of|to|in|on|are|be|by|at|no|it|that|has|have|from|who|must|may|can|or|its?|their"
    r"|they|you|your|only|after|before|per|if|than|was|were|does|do)\b",
    re.IGNORECASE,
)
_ANALYZER = Analyzer("none")


def rule_language_of(*texts: str) -> Language:
    """English unless more of the first text's small words are German; where they are as many, the next one tells."""
    for text in texts:
        german, english = _small_words(text)
        if german != english:
            return "german" if german > english else "english"
    return "english"


@lru_cache(maxsize=256)
def _small_words(text: str) -> tuple[int, int]:
    """How many are German and how many English."""
    return len(_GERMAN.findall(text)), len(_ENGLISH.findall(text))


@lru_cache(maxsize=256)
def detect_language(text: str) -> str:
    """The language of a text by its code, as the product tells it; empty where no word tells (a table, a name)."""
    german, english = _small_words(text)
    found = written_in(text)
    if found != "en" or english:
        return found
    return "de" if german else ""


def repeats(claim: str, text: str) -> bool:
    """Whether a claim has the words of one sentence of a text, all in their order, cut as the index cuts them."""
    return tuple(_ANALYZER.tokens(claim)) in _sentences(text)


@lru_cache(maxsize=64)
def _sentences(text: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(_ANALYZER.tokens(text[start:end])) for start, end in sentences(text))
