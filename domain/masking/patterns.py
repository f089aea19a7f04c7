"""Patterns of RE2 over a text that is encoded once: searched for one by one, or many in one pass."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate

import re2

from domain.masking.rule import Place

MEMORY = 64 * 2**20
"""Bytes that an automaton may take: with little, it is built anew again and again."""


class Subject:
    """A text to be searched. text: as characters; data: the same in UTF-8."""

    __slots__ = ("_bytes", "data", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.data = text.encode()
        self._bytes: Sequence[int] | None = range(len(text) + 1) if len(self.data) == len(text) else None

    @property
    def _begins(self) -> Sequence[int]:
        """The byte at which each character begins; made when it is asked for: most texts have no match."""
        if self._bytes is None:
            wide = (1 + (char > "\x7f") + (char > "\u07ff") + (char > "\uffff") for char in self.text)
            self._bytes = list(accumulate(wide, initial=0))
        return self._bytes

    def byte(self, position: int) -> int:
        """Where a character begins in the bytes."""
        return self._begins[position] if position else 0

    def character(self, byte: int) -> int:
        """Which character begins at a byte."""
        begins = self._begins
        return byte if isinstance(begins, range) else bisect_left(begins, byte)


class Found:
    """A match; see domain.masking.rule.Match."""

    __slots__ = ("_spans", "groups", "string")

    def __init__(self, subject: Subject, spans: Iterable[Place]) -> None:
        self.string = subject.text
        self._spans = [(-1, -1) if span[0] < 0 else tuple(map(subject.character, span)) for span in spans]
        self.groups = len(self._spans) - 1

    def group(self, number: int = 0, /) -> str:
        """A group's text; empty where it took no part."""
        start, end = self._spans[number]
        return self.string[start:end] if start >= 0 else ""

    def span(self, number: int = 0, /) -> Place:
        """A group's place; (-1, -1) where it took no part."""
        start, end = self._spans[number]
        return start, end

    def start(self, number: int = 0, /) -> int:
        """Where a group begins."""
        return self._spans[number][0]

    def end(self, number: int = 0, /) -> int:
        """Where it ends."""
        return self._spans[number][1]


class Pattern:
    """One pattern in RE2's syntax."""

    def __init__(self, pattern: str) -> None:
        self._pattern = re2.compile(pattern, options())
        self._numbers = range(self._pattern.groups + 1)

    def search(self, subject: Subject, position: int) -> Found | None:
        """The first match that begins at a character or later; what stands before is seen."""
        match = self._pattern.search(subject.data, subject.byte(position))
        return None if match is None else Found(subject, [match.span(number) for number in self._numbers])


class PatternSet:
    """Patterns in RE2's syntax, numbered in their order."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self._set = re2.Set.SearchSet(options())
        self._size = sum(1 for pattern in patterns if self._set.Add(pattern) >= 0)
        if self._size:
            self._set.Compile()

    def found(self, text: str) -> list[int]:
        """The numbers of those that are in the text."""
        return (self._set.Match(text) or []) if self._size else []


def options() -> "re2.Options":
    """As every pattern is compiled: a pattern that grows large is not told to standard error."""
    made = re2.Options()
    made.log_errors = False
    made.max_mem = MEMORY
    return made
