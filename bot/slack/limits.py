"""How much Slack takes of everything, in characters as bot.markup.text_length counts them. Pure."""

import json
from collections.abc import Mapping
from typing import Any

from bot.markup.text_length import units

SlackBlock = dict[str, Any]
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
PLAIN = 3_500
"""Text of a message without blocks; Slack recommends 4,000 at most."""
HEADER = 150
BUTTON_LABEL = 75
BUTTON_VALUE = 2_000
ACTIONS = 25
MODAL_TITLE = 24
TASK_TITLE = 256
INDENT = 8
"""The deepest indentation of a rich_text_list that Block Kit Builder takes."""


def json_length(block: Mapping[str, Any]) -> int:
    """What a block takes of a message: its JSON, in UTF-16 units."""
    return units(json.dumps(block, ensure_ascii=False, separators=(",", ":"))) + 1
