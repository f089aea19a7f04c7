"""Patterns of RE2 over a text that is encoded once: searched for one by one, or many in one pass."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial

import re2
from re2 import _re2

from domain.patterns import ANYWHERE, AT_START, PatternMatch, Place, Subject, options


class Re2Pattern:
    """One pattern in RE2's syntax. It is compiled when it is first used: most are for texts that hold a certain word."""

    def __init__(self, pattern: str) -> None:
        self.source = pattern

    @cached_property
    def _pattern(self) -> _re2.RE2:
        made = _re2.RE2(self.source.encode(), options())
        if not made.ok():
            raise re2.error(made.error())
        return made

    @cached_property
    def _match(self) -> Callable[[_re2.RE2.Anchor, bytes, int, int], list[Place]]:
        found: Callable[[_re2.RE2.Anchor, bytes, int, int], list[Place]] = self._pattern.Match
        return found

    @cached_property
    def first(self) -> Callable[[bytes, int, int], list[Place]]:
        """Gives the places of the first match and of its groups in UTF-8, between two bytes; (-1, -1) for none."""
        return partial(self._match, ANYWHERE)

    def search(self, subject: Subject, position: int = 0) -> PatternMatch | None:
        """The first match that begins at a character or later; what stands before is seen."""
        data = subject.data
        spans = self.first(data, subject.byte(position) if position else 0, len(data))
        return subject.found(spans) if spans[0][0] >= 0 else None

    def begins(self, subject: Subject, position: int) -> bool:
        """Whether a match begins at a character."""
        data = subject.data
        return bool(self._match(AT_START, data, subject.byte(position), len(data))[0][0] >= 0)

    def every(self, subject: Subject) -> Iterator[PatternMatch]:
        """The matches in a text one after the other; none of them is empty."""
        position = 0
        while (match := self.search(subject, position)) is not None:
            yield match
            position = match.end()

    def occurs(self, text: str) -> bool:
        """Whether a text holds it: for texts that are short, and searched for nothing else."""
        data = text.encode("utf-8", "surrogatepass")
        return bool(self._match(ANYWHERE, data, 0, len(data))[0][0] >= 0)


class PatternSet:
    """Patterns in RE2's syntax, numbered in their order."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self._set = _re2.Set(ANYWHERE, options())
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
