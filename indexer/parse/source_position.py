"""Finds text again in the source that it was read from."""

from domain.documents import Span
from indexer.parse.outline import NOWHERE

FARTHEST = 300
"""Lines that a block is looked for ahead of the one before it."""


class SourcePositions:
    """Finds blocks in the source, in reading order: the line numbers of docutils are now the first, now the last."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._next = 0

    def of(self, first: str, last: str) -> Span:
        """From the line where `first` begins to the line where `last` ends."""
        start = self._find(first.strip().partition("\n")[0], self._next)
        if start is None:
            return NOWHERE
        end = self._find(last.strip().rpartition("\n")[2], start + first.strip().count("\n") * (first is last))
        self._next = (start if end is None else end) + 1
        return Span(start + 1, self._next)

    def _find(self, line: str, start: int) -> int | None:
        ahead = range(start, min(start + FARTHEST, len(self._lines)))
        return next((index for index in ahead if line[:60].strip() in self._lines[index]), None)
