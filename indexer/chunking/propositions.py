"""Propositions: the sentence-level units of a chunk that are embedded each by itself, so that a question meets the
one sentence that answers it."""

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass
from unicodedata import east_asian_width

from domain.documents import Block, BlockKind, Chunk, compose, digest
from domain.text.sentences import LIST_ITEM, sentences

PROPOSITIONS_REVISION = 1
"""Raise it whenever the same chunk would give other units than before."""

MIN_WIDTH = 25
"""Columns. A narrower unit says too little and is left out; an East Asian wide character takes two."""

MAX_JOINED = 400
"""The most characters of a unit to which sentences that refer back were added."""

_WORD = re.compile(r"[^\W\d_]{2}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_FIRST_WORD = re.compile(r"[\"'“„‘«‹(\[*_]*([^\W\d_]+)")
_REFERRING_WORDS = (
    "it its this that these those they their them he his she her such otherwise instead",
    "es dies diese dieser dieses er cela ceci celui celle ils elles esto este esta ello questo questa это этот эта",
)
_REFERRING = frozenset(word for line in _REFERRING_WORDS for word in line.split())


@dataclass(frozen=True, slots=True)
class SentenceUnit:
    """A statement in a chunk.

    start, end: its characters in the chunk's text, end exclusive. text: what is embedded for it.
    """

    start: int
    end: int
    text: str

    @property
    def text_hash(self) -> bytes:
        """16 bytes over `text`, as `Chunk.text_hash` has them: equal hashes have equal vectors."""
        return digest("text", self.text)


def code_lines(blocks: Iterable[Block]) -> frozenset[str]:
    """The lines of code in a document, without the blanks around them, for `sentence_units`."""
    code = (block for block in blocks if block.kind is BlockKind.CODE)
    lines = (line.strip() for block in code for line in f"{block.header}\n{block.text}".split("\n"))
    return frozenset(filter(None, lines))


def sentence_units(chunk: Chunk, code: Set[str] = frozenset()) -> list[SentenceUnit]:
    """The units of `chunk`, in order; they do not overlap.

    A unit is a sentence, with those behind it that refer back to it ("It …", "This …"); a table row and the beginning
    of a list item are never joined to what is before. Code is left out: chunks of it, and in other chunks the lines
    that are in `code`. So is what is under 25 columns wide or has no word. What is embedded is the title and the last
    heading, a line break, and the unit.
    """
    if chunk.kind is BlockKind.CODE:
        return []
    places = [place for place in sentences(chunk.text) if not _all_code(chunk.text, *place, code)]
    return [
        SentenceUnit(start, end, compose(chunk.title, chunk.heading_path[-1:], chunk.text[start:end]))
        for start, end in _joined(chunk.text, places)
        if _width(chunk.text[start:end]) >= MIN_WIDTH and _WORD.search(chunk.text[start:end])
    ]


def _joined(text: str, places: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The places; a sentence that refers back is joined with the one before it."""
    found: list[tuple[int, int]] = []
    for start, end in places:
        word = _FIRST_WORD.match(text, start, end)
        refers_back = word is not None and word[1].lower() in _REFERRING
        if found and refers_back and _follows(text, found[-1], start):
            begin = found[-1][0]
            if end - begin <= MAX_JOINED:
                found[-1] = (begin, end)
                continue
        found.append((start, end))
    return found


def _follows(text: str, before: tuple[int, int], start: int) -> bool:
    """Whether the sentence at `start` stands right behind the one before, as running text does."""
    between = text[before[1] : start]
    if between.strip() or between.count("\n") > 1:
        return False  # code stood there, or a paragraph ended
    starts_line = "\n" in between
    is_row = text.startswith("|", before[0]) or text.startswith("|", start)
    return not is_row and not (starts_line and LIST_ITEM.match(text, start))


def _all_code(text: str, start: int, end: int, code: Set[str]) -> bool:
    """Whether every line that text[start:end] touches is one of `code`."""
    if not code:
        return False
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    lines = text[first : last if last >= 0 else len(text)].split("\n")
    return all(line.strip() in code for line in lines if line.strip())


def _width(text: str) -> int:
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)
