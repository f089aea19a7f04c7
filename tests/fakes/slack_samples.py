"""Blocks and views of Slack for the tests of the local Slack."""

from typing import Any

Body = dict[str, Any]
BUTTON = {"type": "button", "action_id": "more", "value": "1", "text": {"type": "plain_text", "text": "More"}}
ACTIONS = {"type": "actions", "block_id": "buttons", "elements": [BUTTON]}
MODAL = {"type": "modal", "callback_id": "ask", "title": {"type": "plain_text", "text": "Ask"}, "blocks": []}
ASKS = {
    "type": "input",
    "block_id": "question",
    "label": {"type": "plain_text", "text": "Question"},
    "element": {"type": "plain_text_input", "action_id": "typed"},
}
FORM = {**MODAL, "submit": {"type": "plain_text", "text": "Send"}, "blocks": [ASKS]}
