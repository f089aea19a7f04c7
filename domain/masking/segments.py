"""Cuts a text that may still grow into segments that can be masked each by itself.

A place to cut depends on what stands before it alone, so that a text gives the same segments in one piece and in many.
"""

import re
from collections.abc import Callable

from domain.patterns import Linear, PatternMatch

_STOP = re.compile(r"[\n。！？.!?…](?:(?<=[\n。！？])|[\"')\]*_`]*[ \t])")
"""A class of characters comes first: so the search skips whatever else there is."""

_WORD_ENDS = re.compile(r"(?:[^\W\d_]{4}|\[\d{1,3}\])[\"')\]*_`]*$")
"""Before a stop that ends a sentence; `Tel.` and `No.` do not."""
_FENCE = Linear(r"[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})")
_KEY_BEGINS = Linear(r"BEGIN[A-Z0-9 ]{0,40}PRIVATE KEY")
_KEY_ENDS = Linear(r"END[A-Z0-9 ]{0,40}PRIVATE KEY")
_KEY_LINE = Linear(r"[\s>|\"'+,;\\#*/`]*(?:[A-Za-z0-9+/=]{1,}|[\w-]{1,20}: ?.{0,80})?[\s\"'+,;\\]*")
_WAITS = re.compile(
    r"(?i)(?:[:：=]|->|=>|→|(?:^|\W)(?:is|are|as|ist|lautet|est|es|é|è|to|jest|brzmi|luidt)|是|は|です。?|니다\.?|는|은)[\s*_`\"'>]*$"
)

_STATEFUL = re.compile(r"```|~~~|PRIVATE KEY")
"""In a line that may be the border of a block of code or of a key."""

DEEPEST = 200
"""Characters before the border of a block of code in its line, at most."""

AT_ONCE = 1_000
"""Characters that are looked at together, at most, before each line is by itself."""

Segment = tuple[str, bool]
"""A segment, and whether nothing is announced in it."""


class Segments:
    """Takes a text in pieces, gives the segments that are complete. loud: whether something is announced in a
    text; what is not is cut at every sentence and line, everything else at the end of its paragraph, its block of
    code or its key."""

    def __init__(self, loud: Callable[[str], bool]) -> None:
        self._is_loud = loud
        self._buffer = ""
        self._begun = 0
        self._line = 0
        self._noisy = 0
        self._seen = 0
        self._fence = ""
        self._key = False
        self._loud = False
        self._waits = False
        self._cut_quiet = False

    def feed(self, piece: str) -> list[Segment]:
        """Takes more of the text; the segments that are complete now."""
        self._buffer += piece
        cuts: list[tuple[int, bool]] = []
        while (stop := self._next_stop()) is not None:
            if end := self._quiet_lines():
                cuts.append((end, True))
                self._begun = self._line = self._seen = end
                continue
            start, self._seen = stop
            if self._line_ends(self._seen) if self._buffer[start] == "\n" else self._sentence_ends(start, self._seen):
                cuts.append((self._seen, self._cut_quiet))
                self._begun = self._seen
        if not self._buffer:
            return []
        # a stop may begin in what was looked at: its end has not come yet
        self._seen = max(self._seen, self._begun, len(self._buffer) - 12, self._line)
        return self._taken(cuts)

    @property
    def pending(self) -> int:
        """Characters of the segment that is not complete."""
        return len(self._buffer)

    def finish(self) -> list[Segment]:
        """What is left."""
        rest, self._buffer = self._buffer, ""
        return [(rest, not (self._loud or self._is_loud(rest)))] if rest else []

    def _taken(self, cuts: list[tuple[int, bool]]) -> list[Segment]:
        parts: list[Segment] = []
        gone = 0
        for end, quiet in cuts:
            parts.append((self._buffer[gone:end], quiet))
            gone = end
        self._buffer = self._buffer[gone:]
        self._begun = 0
        self._line = max(0, self._line - gone)
        self._noisy = max(0, self._noisy - gone)
        self._seen = max(0, self._seen - gone)
        return parts

    @property
    def _goes_on(self) -> bool:
        """Whether only a line can end the segment: no sentence within one."""
        return bool(self._loud or self._waits or self._fence or self._key)

    def _next_stop(self) -> tuple[int, int] | None:
        """Where the next line or sentence ends that may end the segment, with the blank behind it."""
        if self._goes_on:
            start = self._buffer.find("\n", self._seen)
            return (start, start + 1) if start >= 0 else None
        stop = _STOP.search(self._buffer, self._seen)
        return stop.span() if stop else None

    def _quiet_lines(self) -> int:
        """Where lines end of which none announces anything, from the one that begins here; 0 where one may.

        A single look says what a look at each line would: what is in a line is in all of them together, too.
        """
        begun = self._begun
        if begun != self._line or begun < self._noisy or self._goes_on:
            return 0
        end = self._buffer.find("\n\n", begun, begun + AT_ONCE) + 1 or self._buffer.rfind("\n", begun, begun + AT_ONCE)
        lines = self._buffer[begun : end + 1]
        if end < 0 or _STATEFUL.search(lines) or self._is_loud(lines):
            self._noisy = end
            return 0
        return end + 1

    def _sentence_ends(self, stop: int, end: int) -> bool:
        if self._buffer[stop] not in "。！？" and not _WORD_ENDS.search(self._buffer[max(0, stop - 12) : stop]):
            return False
        if _border(self._buffer[self._line : min(end, self._line + DEEPEST)]):
            return False
        return self._is_quiet(end)

    def _is_quiet(self, end: int) -> bool:
        self._loud = self._is_loud(self._buffer[self._begun : end])
        self._cut_quiet = not self._loud
        return not self._loud

    def _line_ends(self, end: int) -> bool:
        line, self._line = self._buffer[self._line : end], end
        if self._in_code(line):
            if self._fence:
                return False
            self._cut_quiet = not self._is_loud(self._buffer[self._begun : end])
            return True
        if self._is_key(line):
            return False
        if not line.strip(" \t\r\n>"):
            self._cut_quiet = not self._loud
            self._loud = self._loud and self._waits
            return not self._waits
        self._waits = False
        if not self._loud and self._is_quiet(end):
            return True
        self._waits = _WAITS.search(line[-40:]) is not None
        return False

    def _in_code(self, line: str) -> bool:
        """Whether a line stands in a block of code; its borders do."""
        fence = _border(line)
        if self._fence:
            if fence and fence[1].startswith(self._fence) and not line[fence.end() :].strip():
                self._fence, self._loud, self._waits = "", False, False
            return True
        if fence:
            self._fence = fence[1]
        return fence is not None

    def _is_key(self, line: str) -> bool:
        """Whether a line belongs to a private key that is written out."""
        if "PRIVATE KEY" in line and _KEY_BEGINS.search(line):
            self._key = self._loud = True
        was = self._key
        if was and (_KEY_ENDS.search(line) or not (_KEY_BEGINS.search(line) or _KEY_LINE.fullmatch(line))):
            self._key = False
        return was


def _border(line: str) -> PatternMatch | None:
    """How a line begins that may be the border of a block of code."""
    return _FENCE.match(line) if "```" in line or "~~~" in line else None
