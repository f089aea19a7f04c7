"""Lines that match a pattern, out of chunks in the order of their documents."""

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import re2

from domain.errors import Refused
from domain.search import MAX_PATTERN, GrepHit, GrepRequest

Regex: TypeAlias = Any
"""A compiled pattern of re2."""

_MEMORY = 1 << 20  # bytes of a compiled pattern and of what it keeps while matching
_WITHIN_LINE = re.compile(r"\\A|\\z|\(\?[imsU]*-")  # what may match a line by itself, yet not within its text


@dataclass(frozen=True, slots=True)
class ReadChunk:
    """A chunk as it was read."""

    chunk_id: str
    document_id: str
    path: str
    ordinal: int
    text: str
    first_line: int
    last_line: int
    """As in domain.documents.Span, with `first_line`."""

    @property
    def numbered(self) -> bool:
        """Whether its lines are those of the document, one for one."""
        return self.first_line > 0 and self.text.count("\n") == self.last_line - self.first_line


@dataclass(frozen=True, slots=True)
class GrepLimits:
    """How much one search by pattern may read: chunks, bytes of text, and seconds of matching."""

    chunks: int = 5_000
    bytes: int = 20_000_000
    seconds: float = 5.0


def compiled(request: GrepRequest) -> tuple[Regex, Regex | None]:
    """The pattern for a line, and one that matches every text of which a line matches; None where there is no such.

    Raises Refused when the pattern is empty, too long, or not RE2.
    """
    if not 0 < len(request.pattern) <= MAX_PATTERN:
        raise Refused(
            "The pattern is empty" if not request.pattern else f"The pattern has {len(request.pattern)} characters",
            next_step=f"Give one of 1 to {MAX_PATTERN} characters.",
        )
    options = re2.Options()
    options.max_mem = _MEMORY
    options.log_errors = False
    options.case_sensitive = not request.ignore_case
    try:
        line = re2.compile(request.pattern, options)
        text = None if _WITHIN_LINE.search(request.pattern) else re2.compile(f"(?m){request.pattern}", options)
    except re2.error as error:
        (reason,) = error.args
        why = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
        raise Refused("The pattern is not RE2", why=why, next_step="Correct it, or escape its signs.") from error
    except UnicodeEncodeError as error:
        raise Refused("The pattern is not Unicode text", why=str(error), next_step="Correct it.") from error
    return line, text


class LineFinder:
    """Collects matching lines, each line of a document once.

    limit: lines wanted; it goes on to the end of the document in which there are more. Chunks come in the order of
    path, document and ordinal, so that the earliest lines are found first.
    """

    def __init__(self, request: GrepRequest, limits: GrepLimits) -> None:
        self._line, self._text = compiled(request)
        self._limit = max(0, request.limit)
        self._limits = limits
        self._found: list[GrepHit] = []
        self._seen: set[int] = set()
        self._before: tuple[ReadChunk, set[int]] | None = None
        self._bytes = 0
        self._seconds = 0.0
        self.read = 0
        self.stopped = False

    def take(self, chunks: Sequence[ReadChunk]) -> None:
        """Looks for lines in further chunks, until a limit stops it."""
        for chunk in chunks:
            begun = time.monotonic()
            if self._is_full(chunk):
                self.stopped = True
                return
            self._chunk(chunk)
            self.read += 1
            self._bytes += len(chunk.text.encode())
            self._seconds += time.monotonic() - begun

    def hits(self) -> tuple[tuple[GrepHit, ...], bool]:
        """The first lines up to the limit, by path and line, and whether these are all that were found."""
        ordered = sorted(self._found, key=lambda hit: (hit.path, hit.document_id, hit.line))
        return tuple(ordered[: self._limit]), len(ordered) <= self._limit

    def _is_full(self, chunk: ReadChunk) -> bool:
        is_same = self._before is not None and self._before[0].document_id == chunk.document_id
        return (
            (len(self._found) > self._limit and not is_same)
            or self._bytes > self._limits.bytes
            or self._seconds > self._limits.seconds
        )

    def _chunk(self, chunk: ReadChunk) -> None:
        before, self._before = self._before, None
        if before is None or before[0].document_id != chunk.document_id:
            self._seen.clear()
        lines: set[int] = set()
        if self._text is None or self._text.search(chunk.text):
            repeated = partial(_repeats, before, chunk)
            for place, hit in self._matches(chunk):
                lines.add(place)
                if not self._is_known(chunk, hit) and not repeated(place, hit.end):
                    self._found.append(hit)
        self._before = (chunk, lines)

    def _matches(self, chunk: ReadChunk) -> Iterator[tuple[int, GrepHit]]:
        """The first match of each line that has one, with the line's place in the chunk."""
        for place, line in enumerate(chunk.text.split("\n")):
            if match := self._line.search(line):
                number = chunk.first_line + place if chunk.numbered else chunk.first_line
                ids = (chunk.chunk_id, chunk.document_id, chunk.path)
                yield place, GrepHit(*ids, number, line, match.start(), match.end())

    def _is_known(self, chunk: ReadChunk, hit: GrepHit) -> bool:
        """Whether this line of the document was found before; now it is."""
        if not chunk.numbered:
            return False
        known = hit.line in self._seen
        self._seen.add(hit.line)
        return known


def _repeats(before: tuple[ReadChunk, set[int]] | None, chunk: ReadChunk, place: int, end: int) -> bool:
    """Whether a match lies in what the chunk repeats of the one before, and its line was found there.

    place: of the line in the chunk. end: of the match in the line. Lines that both number are told apart by number.
    """
    if before is None or not before[1] or (before[0].numbered and chunk.numbered):
        return False
    last = before[0]
    if last.document_id != chunk.document_id or last.ordinal + 1 != chunk.ordinal:
        return False
    shared = overlap(last.text, chunk.text)
    begin = len("\n".join(["", *chunk.text.split("\n")[:place]]))
    if begin + end > shared:
        return False
    return last.text.count("\n", 0, len(last.text) - shared + begin) in before[1]


def overlap(before: str, after: str) -> int:
    """Characters at the end of `before` that `after` begins with, at most all but one of either."""
    longest = min(len(before), len(after)) - 1
    return next((size for size in range(longest, 0, -1) if before.endswith(after[:size])), 0)
