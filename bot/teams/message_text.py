"""What a person reads of a message in Teams. Pure."""

import html
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from bot.teams.json_reading import each_table, table, text

MENTIONS = 200
"""So many are looked at in one message."""

_AT = re.compile(r"</?at(?:\s[^<>]*)?>", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>|</(?:p|div|li)>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z][^<>]*>", re.IGNORECASE)
_BLANKS = re.compile(r"[^\S\n]+")
_LINES = re.compile(r" ?\n[ \n]*\n ?| ?\n ?")


def words_of(activity: Mapping[str, Any], bot: str) -> str:
    """The words of a message: without the mentions of `bot`, with those of others by name, on as many lines as it has
    paragraphs or line breaks, without more than one blank between words."""
    words = _without_mentions(activity, bot)
    if activity.get("textFormat") == "xml":
        words = _TAG.sub("", _BREAK.sub("\n", words))
    plain = html.unescape(_AT.sub("", words))
    return _LINES.sub(lambda found: "\n\n" if found[0].count("\n") > 1 else "\n", _BLANKS.sub(" ", plain)).strip()


def is_mentioned(activity: Mapping[str, Any], bot: str) -> bool:
    """Whether a message mentions `bot`."""
    return any(who == bot for who, _, _ in _mentions(activity))


def _without_mentions(activity: Mapping[str, Any], bot: str) -> str:
    """Each entity stands for one place in the text, in their order: names alone would not say who is meant."""
    words, done = text(activity.get("text")), 0
    for who, name, written in _mentions(activity):
        place = words.find(written, done)
        place = words.find(written) if place < 0 else place
        if written and place >= 0:
            other = "" if who == bot else f"@{name}"
            words = f"{words[:place]}{other}{words[place + len(written) :]}"
            done = place + len(other)
    return words


def _mentions(activity: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Id and name of each who is mentioned, and how that is written in the text."""
    for entity in islice(each_table(activity.get("entities")), MENTIONS):
        if entity.get("type") == "mention":
            who, written = table(entity.get("mentioned")), text(entity.get("text"))
            yield text(who.get("id")), text(who.get("name")) or _AT.sub("", written), written
