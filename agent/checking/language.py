"""Whether a text is English or German. Pure."""

import re

from agent.checking.lexicon import Language

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


def language_of(text: str) -> Language:
    """English unless more of a text's small words are German."""
    return "german" if len(_GERMAN.findall(text)) > len(_ENGLISH.findall(text)) else "english"
