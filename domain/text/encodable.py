"""Text that UTF-8 and the database can hold."""

import re
from collections.abc import Callable, Mapping

_SURROGATE = re.compile("[\ud800-\udfff]")


def encodable(text: str) -> str:
    """The text without lone surrogates, which some PDF and HTML parsers leave and tokenizers and JSON refuse.

    Each is replaced by one character, so that offsets into the text stay true.
    """
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def storable(text: str) -> str:
    """The text with what PostgreSQL has no text for replaced, character by character: NUL, and lone surrogates."""
    return encodable(text).replace("\0", "\N{REPLACEMENT CHARACTER}")


def with_texts(value: object, change: Callable[[str], str]) -> object:
    """A value of JSON with each of its texts changed, but for names of members."""
    match value:
        case str():
            return change(value)
        case list() | tuple():
            return [with_texts(each, change) for each in value]
        case Mapping():
            return {name: with_texts(each, change) for name, each in value.items()}
        case _:
            return value
