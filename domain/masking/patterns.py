"""Patterns of RE2 over a text that is encoded once: searched for one by one, or many in one pass."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate

import re2

# the binding itself: what the package puts around it takes longer than most searches
from re2 import _re2

from domain.masking.rule import Place

MEMORY = 64 * 2**20
"""Bytes that an automaton may take: with little, it is built anew again and again."""

_SEVERAL_BYTES = re.compile(r"[^\x00-\x7f]")

_ANYWHERE = _re2.RE2.Anchor.UNANCHORED


class Subject:
    """A text to be searched. text: as characters; data: the same in UTF-8; ascii: whether both have the same places."""

    __slots__ = ("_wide", "ascii", "data", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.data = text.encode()
        self.ascii = len(self.data) == len(text)
        self._wide: _Wide | None = None

    def _shifts(self) -> "_Wide":
        """Made when it is asked for: most texts have no match."""
        if self._wide is None:
            self._wide = _Wide(self.text)
        return self._wide

    def byte(self, position: int) -> int:
        """Where a character begins in the bytes."""
        return position if self.ascii or not position else self._shifts().byte(position)

    def characters(self, spans: Iterable[Place]) -> list[Place]:
        """Places in the bytes as places in the text."""
        character = self._shifts().character
        return [(character(start), character(end)) if start >= 0 else (start, end) for start, end in spans]


class _Wide:
    """Where the characters of several bytes stand: each moves what follows."""

    def __init__(self, text: str) -> None:
        wide = [(match.end(), len(match[0].encode()) - 1) for match in _SEVERAL_BYTES.finditer(text)]
        self._more = [0, *accumulate(more for _, more in wide)]
        self._characters = [end for end, _ in wide]
        self._bytes = [end + more for end, more in zip(self._characters, self._more[1:], strict=True)]

    def byte(self, character: int) -> int:
        return character + self._more[bisect_right(self._characters, character)]

    def character(self, byte: int) -> int:
        return byte - self._more[bisect_right(self._bytes, byte)]


class Found:
    """A match; see domain.masking.rule.Match."""

    __slots__ = ("_spans", "groups", "string")

    def __init__(self, string: str, spans: list[Place]) -> None:
        self.string = string
        self._spans = spans
        self.groups = len(spans) - 1

    def group(self, number: int = 0, /) -> str:
        """A group's text; empty where it took no part."""
        start, end = self._spans[number]
        return self.string[start:end] if start >= 0 else ""

    def span(self, number: int = 0, /) -> Place:
        """A group's place; (-1, -1) where it took no part."""
        return self._spans[number]

    def start(self, number: int = 0, /) -> int:
        """Where a group begins."""
        return self._spans[number][0]

    def end(self, number: int = 0, /) -> int:
        """Where it ends."""
        return self._spans[number][1]


class Pattern:
    """One pattern in RE2's syntax."""

    def __init__(self, pattern: str) -> None:
        # kept: what is bound below does not keep it alive
        self._pattern = _re2.RE2(pattern.encode(), options())
        if not self._pattern.ok():
            raise re2.error(self._pattern.error())
        self._match = self._pattern.Match

    def search(self, subject: Subject, position: int = 0) -> Found | None:
        """The first match that begins at a character or later; what stands before is seen."""
        data = subject.data
        spans = self._match(_ANYWHERE, data, subject.byte(position), len(data))
        if spans[0][0] < 0:
            return None
        return Found(subject.text, spans if subject.ascii else subject.characters(spans))

    def every(self, subject: Subject) -> Iterator[Found]:
        """The matches in a text one after the other; none of them is empty."""
        position = 0
        while (match := self.search(subject, position)) is not None:
            yield match
            position = match.end()

    def occurs(self, text: str) -> bool:
        """Whether a text holds it: for texts that are short, and searched for nothing else."""
        data = text.encode()
        return bool(self._match(_ANYWHERE, data, 0, len(data))[0][0] >= 0)


class PatternSet:
    """Patterns in RE2's syntax, numbered in their order."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self._set = _re2.Set(_ANYWHERE, options())
        self._size = 0
        for pattern in patterns:
            if self._set.Add(pattern.encode()) < 0:
                raise re2.error(f"not a pattern: {pattern}")
            self._size += 1
        if self._size and not self._set.Compile():
            raise re2.error("too many patterns for one set")

    def found(self, data: bytes) -> list[int]:
        """The numbers of those that are in a text, given in UTF-8."""
        return list(self._set.Match(data)) if self._size else []


def options() -> "re2.Options":
    """As every pattern is compiled: a pattern that grows large is not told to standard error."""
    made = re2.Options()
    made.log_errors = False
    made.max_mem = MEMORY
    return made
