"""Blocks of Block Kit that all of our messages and views are made of, and what a message is. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.markup.text_length import head
from bot.slack.limits import ACTIONS, BUTTON_LABEL, BUTTON_VALUE, SlackBlock
from bot.slack.mrkdwn import address, escaped, fallback, link, mrkdwn, plain_text

_NAME = 150
"""Characters of a title, an owner or a section in a line of ours."""


@dataclass(frozen=True, slots=True)
class SlackMessage:
    """One message.

    text: for notifications, screen readers, and where the blocks cannot be shown: escaped, at most 3,000 characters,
    nothing in it is live. blocks: at most 48, which leaves a caller room for two.
    """

    text: str
    blocks: tuple[SlackBlock, ...]


def section(text: str, accessory: SlackBlock | None = None) -> SlackBlock:
    """A section of mrkdwn that is escaped already."""
    return {"type": "section", "text": mrkdwn(text), **({"accessory": accessory} if accessory else {})}


def context(text: str) -> SlackBlock:
    """Small print, of mrkdwn that is escaped already."""
    return {"type": "context", "elements": [mrkdwn(text)]}


def button_row(buttons: Sequence[SlackBlock]) -> list[SlackBlock]:
    """A row of buttons; no block for none, which Slack refuses."""
    return [{"type": "actions", "elements": list(buttons[:ACTIONS])}] if buttons else []


def button(label: str, action: str, value: str, style: str = "") -> SlackBlock:
    """A button. label: 75 characters of it are shown. value: what comes back, at most 2,000 characters."""
    shown = plain_text(label, BUTTON_LABEL)
    styled = {"style": style} if style else {}
    return {"type": "button", "text": shown, "action_id": action, "value": head(value, BUTTON_VALUE), **styled}


def text_message(text: str) -> SlackMessage:
    """A message of one line of ours that is escaped already."""
    return SlackMessage(text, (section(text),))


def document(title: str, url: str, path: str) -> str:
    """A document in mrkdwn: its title as a link where it has a web address, else title and path."""
    if address(url):
        return link(url, title or path or url, _NAME)
    named = escaped(title or path, _NAME)
    return f"{named} ({escaped(path, _NAME)})" if path and path != title else named


def name(text: str, limit: int = _NAME) -> str:
    """A name, a title or a short text in mrkdwn, on one line; what looks like an address in it is code."""
    return fallback(" ".join(text.split()), limit)
