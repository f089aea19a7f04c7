"""Text that UTF-8 can express."""

import re

_SURROGATE = re.compile("[\ud800-\udfff]")


def encodable(text: str) -> str:
    """The text without lone surrogates, which some PDF and HTML parsers leave and tokenizers and JSON refuse.

    Each is replaced by one character, so that offsets into the text stay true.
    """
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)
