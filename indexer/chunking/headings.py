"""The document's title and the headings above the text of a chunk, shortened to the room that there is."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import takewhile

from indexer.chunking.token_lengths import MeasuredText

BETWEEN_HEADINGS = " > "
"""What stands between headings, as domain.documents.compose has it."""
_CUT = "…"


@dataclass(frozen=True, slots=True)
class ChunkHeading:
    """A title and a heading path as a chunk shows them. size: their tokens, with what stands between them."""

    title: str
    path: tuple[str, ...]
    size: int


def shared_headings(path: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """The headings that both paths begin with."""
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(path, other, strict=False))
    return tuple(heading for heading, _ in pairs)


class HeadingFitter:
    """Shortens the title and heading paths of a document to what a chunk has room for.

    measured: the title, every heading and BETWEEN_HEADINGS, by their text. room: tokens that title and path may have
    together.
    """

    def __init__(self, title: str, measured: Mapping[str, MeasuredText], room: int) -> None:
        self._title = title
        self._measured = measured
        self._between = measured[BETWEEN_HEADINGS].size()
        self._room = room
        self._known: dict[tuple[str, ...], ChunkHeading] = {}

    def head(self, path: tuple[str, ...]) -> ChunkHeading:
        """Title and `path`, shortened when they are longer than the room.

        The title keeps its beginning and at least half the room, the last heading comes next, then the inner
        headings before the outer ones.
        """
        if path not in self._known:
            size = self.size((self._title, *path))
            self._known[path] = ChunkHeading(self._title, path, size) if size <= self._room else self._shortened(path)
        return self._known[path]

    def size(self, parts: tuple[str, ...]) -> int:
        """Tokens of `parts` and the separators between them."""
        sizes = [self._measured[part].size() for part in parts if part]
        return sum(sizes) + self._between * max(0, len(sizes) - 1)

    def line(self, headings: tuple[str, ...]) -> MeasuredText:
        """`headings` as a line of text."""
        return MeasuredText(BETWEEN_HEADINGS.join(filter(None, headings)), [0], [0, self.size(headings)])

    def _shortened(self, path: tuple[str, ...]) -> ChunkHeading:
        title_room = max(self._room // 2, self._room - self._between - self.size(path[-1:]))
        title, size = self._cut(self._title, title_room if path else self._room)
        kept: list[str] = []
        for heading in reversed(path):
            room = self._room - size - self._between
            shown, length = self._cut(heading, room) if not kept else (heading, self.size((heading,)))
            if length > room or not shown:
                break
            kept.insert(0, shown)
            size += self._between + length
        return ChunkHeading(title, tuple(kept), size)

    def _cut(self, text: str, room: int) -> tuple[str, int]:
        """`text` or as much of its beginning as `room` holds, and its tokens."""
        if not text or self._measured[text].size() <= room:
            return text, self.size((text,))
        beginning = self._measured[text].beginning(room - 1)
        return (beginning + _CUT, room) if beginning else ("", 0)
