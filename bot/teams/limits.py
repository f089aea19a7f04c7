"""How much Teams takes of everything. Pure.

Sizes are of JSON in UTF-16, as Teams measures a message; texts are counted in UTF-16 units (bot.markup.text_length).
"""

import json
from typing import Any

from bot.markup.text_length import units

Json = dict[str, Any]
"""A body, an entity, a card or an element of one."""

CARD = 25 * 1024
"""Bytes of a card. Where Teams states a limit for cards alone, it is 28 KB."""
ENTITY = 20 * 1024
"""Bytes of the entity with label and citations, so that text, card and entity go into one message together."""
TEXT = 7_500
"""Text of a message: 15,000 bytes, and twice that where each character had to be escaped in JSON."""
PLAIN = 5_000
"""The same of a message that has nothing but text, since Teams did not take it with what belongs to it."""
CITATIONS = 20
"""Citations of a message; with more, Teams refuses it."""
CITATION_NAME = 80
CITATION_ABSTRACT = 160
KEYWORDS = 3
KEYWORD = 28
INFORMATIVE = 1024
"""Bytes of what a stream says of its progress."""
SUGGESTIONS = 3
"""Suggested actions that Teams shows."""
BUTTON = 60
"""A button's label; what is longer, a telephone does not show."""
QUESTION = 1_000
"""A question that a button asks."""
RUN = 5_500
"""Text of an element of a card: it fits into one whatever it holds."""


def size(value: object) -> int:
    """The bytes that a value takes as JSON in UTF-16."""
    return 2 * units(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
