"""Counts the tokens of any part of a text, by counting each different word of the text once."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from domain.model_ports import TokenCounter

WIDEST_TOKEN = 20
"""Characters. A token of more, such as WordPiece's one unknown token for a word of any length, counts as several:
otherwise one part could hold a whole file of base64."""

_WORD = re.compile(r"\S+")
_LONGEST_WORD = 1000  # characters tokenised at once; tokenisers are slow on longer words
_SHELF = 4000  # characters of words that make one text for the counter
_WHOLE = 4  # tokens of a word that is not looked into
_GRAPHEME = 32  # characters that a border moves at most to keep a visible character whole
_FLAGS = 256  # letters of flags in a row, looked at to find where one begins

_Parts = list[tuple[int, int]]
"""(start, tokens) of the parts of a word."""


@dataclass(frozen=True, slots=True)
class MeasuredText:
    """A text and its length up to each place where it may be cut.

    starts: where each counted part begins, ascending: a word, or a token of a word of many tokens.
    totals: the tokens before each start, and those of the whole text at the end.
    """

    text: str
    starts: list[int]
    totals: list[int]

    def before(self, at: int) -> int:
        """Tokens of text[:at]."""
        return self.totals[bisect_left(self.starts, at)]

    def size(self, start: int = 0, end: int | None = None) -> int:
        """Tokens of text[start:end]; those of neighbouring ranges add up to those of both."""
        return (self.totals[-1] if end is None else self.before(end)) - self.before(start)

    def borders(self, start: int, end: int) -> list[int]:
        """The starts of the parts inside text[start:end]."""
        return self.starts[bisect_left(self.starts, start + 1) : bisect_left(self.starts, end)]

    def beginning(self, size: int) -> str:
        """The longest beginning of at most `size` tokens, cut between words where there are several."""
        if self.totals[-1] <= size:
            return self.text
        kept = bisect_left(self.totals, size + 1) - 1
        end = whole(self.text, self.starts[kept])
        return self.text[:end].rstrip()


def measure(texts: Sequence[str], counter: TokenCounter) -> list[MeasuredText]:
    """Each of `texts`, measured. The counter is called once, with the words of all of them."""
    words = _parts_of_words({word for text in texts for word in text.split()}, counter)
    return [_measured(text, words) for text in texts]


def whole(text: str, at: int) -> int:
    """`at`, or the nearest place before it where no visible character is cut in two."""
    for place in range(at, max(0, at - _GRAPHEME), -1):
        if not _continues(text, place):
            return place
    return at


def _measured(text: str, words: dict[str, _Parts]) -> MeasuredText:
    starts: list[int] = []
    totals = [0]
    total = 0
    for match in _WORD.finditer(text):
        first = match.start()
        for offset, tokens in words[match.group()]:
            starts.append(first + offset)
            total += tokens
            totals.append(total)
    return MeasuredText(text, starts, totals)


def _parts_of_words(words: set[str], counter: TokenCounter) -> dict[str, _Parts]:
    """What each word counts, and where a long one may be cut."""
    slices = {word: _slices(word) for word in words if len(word) > _LONGEST_WORD}
    pieces = [*(word for word in words if word not in slices), *(s for parts in slices.values() for s in parts)]
    starts = _token_starts(sorted(set(pieces)), counter)
    found = {word: _parts(len(word), starts[word]) for word in words if word not in slices}
    for word, parts in slices.items():
        tokens: list[int] = []
        first = 0
        for part in parts:
            tokens.extend(first + start for start in starts[part] or [0])
            first += len(part)
        found[word] = _parts(len(word), tokens)
    return found


def _slices(word: str) -> list[str]:
    """A very long word in slices that leave visible characters whole."""
    cuts = [0]
    while cuts[-1] + _LONGEST_WORD < len(word):
        cuts.append(whole(word, cuts[-1] + _LONGEST_WORD))
    return [word[start:end] for start, end in pairwise([*cuts, len(word)])]


def _token_starts(words: Sequence[str], counter: TokenCounter) -> dict[str, list[int]]:
    """Where the tokens of each word begin."""
    shelves = list(_shelves(words))
    starts: dict[str, list[int]] = {}
    for shelf, offsets in zip(shelves, counter.offsets([" ".join(shelf) for shelf in shelves]), strict=True):
        places = iter([start for start, _ in offsets])
        place = next(places, None)
        first = 0
        for word in shelf:
            end = first + len(word)
            starts[word] = []
            while place is not None and place < end:
                starts[word].append(max(0, place - first))
                place = next(places, None)
            first = end + 1
    return starts


def _shelves(words: Sequence[str]) -> Iterator[list[str]]:
    """The words in groups: a call for each word would cost more than its tokens."""
    shelf: list[str] = []
    length = 0
    for word in words:
        shelf.append(word)
        length += len(word) + 1
        if length > _SHELF:
            yield shelf
            shelf, length = [], 0
    yield shelf


def _parts(length: int, starts: list[int]) -> _Parts:
    """The parts of a word of `length` characters whose tokens begin at `starts`."""
    if len(starts) <= _WHOLE and length <= WIDEST_TOKEN * _WHOLE:
        return [(0, max(len(starts), -(-length // WIDEST_TOKEN)))]
    cuts = [0, *starts[1:], length]
    return [
        (at, 1)
        for start, end in pairwise(cuts)
        for at in range(start, max(end, start + 1), WIDEST_TOKEN)  # several tokens may share one character
    ]


def _continues(text: str, at: int) -> bool:
    """Whether the character at `at` belongs to the one before it: an accent, a part of an emoji, half of a pair."""
    if not 0 < at < len(text) or text[at] < "\u0300":
        return False
    here, before = text[at], text[at - 1]
    if before == "\u200d" or here == "\u200d" or "\U0001f3fb" <= here <= "\U0001f3ff":
        return True
    if "\U0001f1e6" <= here <= "\U0001f1ff":
        first = at  # two letters make a flag: how many stand directly before this one
        while first > max(0, at - _FLAGS) and "\U0001f1e6" <= text[first - 1] <= "\U0001f1ff":
            first -= 1
        return (at - first) % 2 == 1
    if "\udc00" <= here <= "\udfff":
        return "\ud800" <= before <= "\udbff"
    return unicodedata.category(here) in {"Mn", "Mc", "Me"} or "\u1160" <= here <= "\u11ff"
