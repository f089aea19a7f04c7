"""Short names that a text introduces beside the long ones: `Customer Data Platform (CDP)`. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

CONFIDENCE = 0.9
"""Confidence, 0 to 1, that both names mean the same thing."""

_SHORT = re.compile(r"\(([A-Z][A-Za-z0-9&]{1,9})s?\)")
_LONG = re.compile(r"(?<![\w(])([A-Z][A-Z0-9&]{1,9}) \(([^()\n]{6,100})\)")
_WORD = re.compile(r"[^\W_][\w'’]*")
_SMALL = frozenset({"of", "the", "and", "for", "in", "on", "to", "a", "an", "&", "de", "la", "et"})


@dataclass(frozen=True, slots=True)
class IntroducedAlias:
    """A short name, the place of its first character in the text, and the long name."""

    short: str
    short_at: int
    long: str


def introduced_aliases(text: str) -> list[IntroducedAlias]:
    """The short names that `text` introduces, with their long names, in the order of the text."""
    if "(" not in text:
        return []
    found = []
    for match in _SHORT.finditer(text):
        at = _long_before(text, match.start(), match[1])
        if at is not None:
            found.append(IntroducedAlias(match[1], match.start(1), text[at : match.start()].rstrip()))
    for match in _LONG.finditer(text):
        at = _long_before(match[2], len(match[2]), match[1])
        if at == 0:
            found.append(IntroducedAlias(match[1], match.start(1), match[2].strip()))
    return sorted(found, key=lambda each: each.short_at)


def _long_before(text: str, end: int, short: str) -> int | None:
    """Where the long form that ends at `end` begins, in the same sentence; None when the words there do not spell
    `short`."""
    begin = max(0, end - 120)
    words = list(_WORD.finditer(text, begin, end))
    line = max(text.rfind(mark, begin, end) for mark in (".", "\n", ";", ":", "("))
    words = [word for word in words if word.start() > line][-2 * len(short) - 2 :]
    letters = [letter.lower() for letter in short if letter.isalnum()]
    for size in range(2, len(words) + 1):
        chosen = words[-size:]
        if chosen[0].group().lower() not in _SMALL and letters in _initials([word.group() for word in chosen]):
            return chosen[0].start()
    return None


def _initials(words: list[str]) -> Iterator[list[str]]:
    """The ways to shorten words to letters: the first letter of each; the same without small words; the same with the
    capitals inside words, as in `PostgreSQL`."""
    yield [word[0].lower() for word in words]
    yield [word[0].lower() for word in words if word.lower() not in _SMALL]
    yield [letter.lower() for word in words for letter in (word[0], *re.findall(r"(?<=[a-z])[A-Z]", word))]
