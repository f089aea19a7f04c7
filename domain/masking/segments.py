"""Cuts a text that may still grow into segments, each of which can be masked by itself.

Where it cuts depends only on the text before, so a text gives the same segments in one piece and in many.
"""

import re
from collections.abc import Callable

from domain.patterns import LinearRegex, PatternMatch

_STOP = re.compile(r"[\n。！？.!?…](?:(?<=[\n。！？])|[\"')\]*_`]*[ \t])")
"""The pattern begins with a class of characters: so the search skips all other characters quickly."""

_WORD_ENDS = re.compile(r"(?:[^\W\d_]{4}|\[\d{1,3}\])[\"')\]*_`]*$")
"""What stands before a stop that ends a sentence: four letters or a citation. `Tel.` and `No.` end none."""

_FENCE = LinearRegex(r"[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})")
_KEY_BEGINS = LinearRegex(r"BEGIN[A-Z0-9 ]{0,40}PRIVATE KEY")
_KEY_ENDS = LinearRegex(r"END[A-Z0-9 ]{0,40}PRIVATE KEY")
_KEY_LINE = LinearRegex(r"[\s>|\"'+,;\\#*/`]*(?:[A-Za-z0-9+/=]{1,}|[\w-]{1,20}: ?.{0,80})?[\s\"'+,;\\]*")
_WAITS = re.compile(
    r"(?i)(?:[:：=]|->|=>|→|(?:^|\W)(?:is|are|as|ist|lautet|est|es|é|è|to|jest|brzmi|luidt)|是|は|です。?|니다\.?|는|은)[\s*_`\"'>]*$"
)

_STATEFUL = re.compile(r"```|~~~|PRIVATE KEY")
"""Occurs in every line that opens or closes a block of code or a private key."""

MAX_FENCE_CHARACTERS = 200
"""The fence of a block of code begins within so many characters of its line."""

AT_ONCE = 1_000
"""Up to so many characters of whole lines are checked together first: most of them hold nothing."""

Segment = tuple[str, bool]
"""A segment, and whether it is clean: no rule can find anything in it."""


class Segments:
    """Takes a text in pieces, and gives the segments that are complete.

    A clean text is cut after every sentence and line; a suspicious one at the end of its paragraph, block of code or
    private key. is_suspicious: whether a rule may find something in a text.
    """

    def __init__(self, is_suspicious: Callable[[str], bool]) -> None:
        self._is_suspicious = is_suspicious
        self._buffer = ""
        self._begun = 0
        self._line = 0
        self._suspicious_until = 0
        self._seen = 0
        self._fence = ""
        self._key = False
        self._suspicious = False
        self._waits = False
        self._cut_clean = False

    def feed(self, piece: str) -> list[Segment]:
        """Adds a piece of the text; returns the segments that are complete now."""
        self._buffer += piece
        cuts: list[tuple[int, bool]] = []
        while (stop := self._next_stop()) is not None:
            if end := self._clean_lines():
                cuts.append((end, True))
                self._begun = self._line = self._seen = end
                continue
            start, self._seen = stop
            if self._line_ends(self._seen) if self._buffer[start] == "\n" else self._sentence_ends(start, self._seen):
                cuts.append((self._seen, self._cut_clean))
                self._begun = self._seen
        if not self._buffer:
            return []
        # the last 12 characters are searched again: a stop may begin there whose end has not come yet
        self._seen = max(self._seen, self._begun, len(self._buffer) - 12, self._line)
        return self._taken(cuts)

    @property
    def pending(self) -> int:
        """How many characters wait for the end of their segment."""
        return len(self._buffer)

    def finish(self) -> list[Segment]:
        """Returns the rest as the last segment."""
        rest, self._buffer = self._buffer, ""
        return [(rest, not (self._suspicious or self._is_suspicious(rest)))] if rest else []

    def _taken(self, cuts: list[tuple[int, bool]]) -> list[Segment]:
        parts: list[Segment] = []
        gone = 0
        for end, clean in cuts:
            parts.append((self._buffer[gone:end], clean))
            gone = end
        self._buffer = self._buffer[gone:]
        self._begun = 0
        self._line = max(0, self._line - gone)
        self._suspicious_until = max(0, self._suspicious_until - gone)
        self._seen = max(0, self._seen - gone)
        return parts

    @property
    def _goes_on(self) -> bool:
        """Whether only the end of a line can end the segment, not the end of a sentence."""
        return bool(self._suspicious or self._waits or self._fence or self._key)

    def _next_stop(self) -> tuple[int, int] | None:
        """Start and end of the next stop (line break, or end of a sentence with its blank) that may end the segment."""
        if self._goes_on:
            start = self._buffer.find("\n", self._seen)
            return (start, start + 1) if start >= 0 else None
        stop = _STOP.search(self._buffer, self._seen)
        return stop.span() if stop else None

    def _clean_lines(self) -> int:
        """The end of the clean lines from here on; 0 where one of them may be suspicious. One check of all lines is
        enough: what is in a line is in all of them together, too."""
        begun = self._begun
        if begun != self._line or begun < self._suspicious_until or self._goes_on:
            return 0
        end = self._buffer.find("\n\n", begun, begun + AT_ONCE) + 1 or self._buffer.rfind("\n", begun, begun + AT_ONCE)
        lines = self._buffer[begun : end + 1]
        if end < 0 or _STATEFUL.search(lines) or self._is_suspicious(lines):
            self._suspicious_until = end
            return 0
        return end + 1

    def _sentence_ends(self, stop: int, end: int) -> bool:
        if self._buffer[stop] not in "。！？" and not _WORD_ENDS.search(self._buffer[max(0, stop - 12) : stop]):
            return False
        if _fence_in(self._buffer[self._line : min(end, self._line + MAX_FENCE_CHARACTERS)]):
            return False
        return self._is_clean(end)

    def _is_clean(self, end: int) -> bool:
        self._suspicious = self._is_suspicious(self._buffer[self._begun : end])
        self._cut_clean = not self._suspicious
        return not self._suspicious

    def _line_ends(self, end: int) -> bool:
        line, self._line = self._buffer[self._line : end], end
        if self._in_code(line):
            if self._fence:
                return False
            self._cut_clean = not self._is_suspicious(self._buffer[self._begun : end])
            return True
        if self._is_key(line):
            return False
        if not line.strip(" \t\r\n>"):
            self._cut_clean = not self._suspicious
            self._suspicious = self._suspicious and self._waits
            return not self._waits
        self._waits = False
        if not self._suspicious and self._is_clean(end):
            return True
        self._waits = _WAITS.search(line[-40:]) is not None
        return False

    def _in_code(self, line: str) -> bool:
        """Whether a line belongs to a block of code, its fences included."""
        fence = _fence_in(line)
        if self._fence:
            if fence and fence[1].startswith(self._fence) and not line[fence.end() :].strip():
                self._fence, self._suspicious, self._waits = "", False, False
            return True
        if fence:
            self._fence = fence[1]
        return fence is not None

    def _is_key(self, line: str) -> bool:
        """Whether a line belongs to a private key in PEM form."""
        if "PRIVATE KEY" in line and _KEY_BEGINS.search(line):
            self._key = self._suspicious = True
        was = self._key
        if was and (_KEY_ENDS.search(line) or not (_KEY_BEGINS.search(line) or _KEY_LINE.fullmatch(line))):
            self._key = False
        return was


def _fence_in(line: str) -> PatternMatch | None:
    """The fence of a block of code at the beginning of a line; None without one."""
    return _FENCE.match(line) if "```" in line or "~~~" in line else None
