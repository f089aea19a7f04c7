"""Text that UTF-8 and the database can hold."""

import re

_SURROGATE = re.compile("[\ud800-\udfff]")


def encodable(text: str) -> str:
    """The text without lone surrogates, which some PDF and HTML parsers leave and tokenizers and JSON refuse.

    Each is replaced by one character, so that offsets into the text stay true.
    """
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def storable(text: str) -> str:
    """The text with what PostgreSQL has no text for replaced, character by character: NUL, and lone surrogates."""
    return encodable(text).replace("\0", "\N{REPLACEMENT CHARACTER}")
