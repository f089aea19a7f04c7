"""How much Slack takes of everything. Pure.

Slack does not say what its "characters" are. Here they are UTF-16 units, the stricter way to count: a character
outside the Basic Multilingual Plane, such as most emoji, is two of them.
"""

import json
from collections.abc import Mapping
from typing import Any

Block = dict[str, Any]
"""A block, an element or an object of Block Kit."""

MESSAGE_BLOCKS = 50
"""Blocks of a message, says the Block Kit reference."""
VIEW_BLOCKS = 100
"""Blocks of a modal or a Home tab, says the Block Kit reference."""
MESSAGE_COST = 12_000
"""JSON of all blocks of a message. Slack documents 12,000 characters for markdown blocks alone, and has been seen to
refuse other blocks with `msg_blocks_too_long` from about 13,200 characters on, containers counted in."""
BLOCK_TEXT = 2_900
"""Text of a rich_text block, below the 3,000 that Slack documents for a text object."""
BLOCK_COST = 5_000
"""Text, addresses and containers of a rich_text block: so few that a message holds at least two of them."""
TEXT = 3_000
"""A text object, and the text of a message that stands in notifications."""
HEADER = 150
BUTTON_LABEL = 75
BUTTON_VALUE = 2_000
ACTIONS = 25
MODAL_TITLE = 24
TASK_TITLE = 256
INDENT = 8
"""The deepest indentation of a rich_text_list that Block Kit Builder takes."""
URL = 2_000
"""An address that is linked: it has to fit into a text object together with its label, escaped. Longer ones are shown
as text."""


def units(text: str) -> int:
    """The length of a text in UTF-16 units."""
    return len(text) + sum(char > "\uffff" for char in text)


def head(text: str, limit: int) -> str:
    """The longest beginning of a text of at most `limit` UTF-16 units that splits no character."""
    return text[:limit].encode("utf-16-le", "replace")[: 2 * limit].decode("utf-16-le", "ignore")


def cut(text: str, limit: int) -> str:
    """A text of at most `limit` UTF-16 units; one that is longer ends with an ellipsis."""
    return text if units(text) <= limit else head(text, limit - 1).rstrip() + "…"


def cost(block: Mapping[str, Any]) -> int:
    """What a block takes of a message: its JSON, in UTF-16 units."""
    return units(json.dumps(block, ensure_ascii=False, separators=(",", ":"))) + 1
