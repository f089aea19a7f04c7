"""What a reader sees of a message."""

from collections.abc import Iterator
from typing import Any

from tests.fakes.teams.checks import ROOT
from tests.fakes.teams.records import Body, Message


def plain(message: Message) -> str:
    """All text of a message that can be seen, of its cards and citations too."""
    cards = [each.get("content") for each in message.body.get("attachments") or []]
    return "\n".join([message.text, *(words for card in cards for words in _words(card)), *_cited(message)])


def citations(message: Message) -> list[Body]:
    """The citations, as they were sent."""
    roots = [each for each in message.body.get("entities") or [] if each.get("type") == ROOT]
    return [claim for root in roots for claim in root.get("citation") or []]


def labelled(message: Message) -> bool:
    """Whether it says that it was written by a machine."""
    roots = [each for each in message.body.get("entities") or [] if each.get("type") == ROOT]
    return any("AIGeneratedContent" in (root.get("additionalType") or []) for root in roots)


def notified(message: Message) -> list[str]:
    """Whom it pings."""
    found = [each for each in message.body.get("entities") or [] if each.get("type") == "mention"]
    return [str(each.get("mentioned", {}).get("id")) for each in found]


def _cited(message: Message) -> list[str]:
    shown = [each.get("appearance") or {} for each in citations(message)]
    return [f"{each.get('name')}: {each.get('abstract')}" for each in shown]


def _words(node: Any) -> Iterator[str]:
    if isinstance(node, list):
        for each in node:
            yield from _words(each)
    elif isinstance(node, dict):
        yield from (str(node[name]) for name in ("text", "title", "value", "label") if isinstance(node.get(name), str))
        for value in node.values():
            if isinstance(value, list | dict):
                yield from _words(value)
