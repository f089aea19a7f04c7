"""Rewritten copies of a text in which secrets are easier to find, each with the places in the original."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache

from domain.masking.re2_patterns import Re2Pattern
from domain.patterns import LinearRegex, Place, Subject, translated

_MARKS = {
    **dict.fromkeys("“”„‟«»「」『』《》〝〞", '"'),
    **dict.fromkeys("‘’‚‛‹›`´", "'"),
    **dict.fromkeys("‐‑‒–—―−", "-"),
}
"""Read as one quotation mark and one dash."""

_PIECE = re.compile(r"[^\x00-\x7f]|[\x00-\x7f][\u0300-\u036f]+")
_FOREIGN, _COMBINING = re.compile(r"[^\x00-\x7f]"), re.compile(r"[\u0300-\u036f]")


@lru_cache(maxsize=20_000)
def _plain(piece: str) -> str:
    if unicodedata.category(piece[0]) == "Cs":
        return "\ufffd"  # half of a pair: no encoder takes it
    normal = unicodedata.normalize("NFKC", piece)
    return "".join(_MARKS.get(char, char) for char in normal if unicodedata.category(char) != "Cf")


class View:
    """A rewritten copy of a text; `text` is the copy."""

    __slots__ = ("_ends", "_offsets", "_starts", "text")

    def __init__(self, text: str, starts: list[int], ends: list[int], offsets: list[int]) -> None:
        self.text = text
        self._starts = starts
        self._ends = ends
        self._offsets = offsets

    def origin(self, place: Place) -> Place:
        """The place in the original from which a place in the copy came; at least one character."""
        start, end = place
        first, last = self._piece(start), self._piece(max(start, end - 1))
        return self._at(first, start, 0), self._at(last, max(start, end - 1), 1)

    def _piece(self, position: int) -> int:
        return bisect_right(self._offsets, position) - 1

    def _at(self, piece: int, position: int, after: int) -> int:
        start, end = self._starts[piece], self._ends[piece]
        following = self._offsets[piece + 1] if piece + 1 < len(self._offsets) else len(self.text)
        if following - self._offsets[piece] == end - start:  # copied as it was, or one character for one
            return start + position - self._offsets[piece] + after
        return end if after else start

    def crosses(self, place: Place) -> bool:
        """Whether the original was changed within a place of the copy."""
        start, end = self.origin(place)
        return end - start != place[1] - place[0]


def edited(text: str, changes: Iterable[tuple[Place, str]]) -> View:
    """The view of a text in which places, given in order, are replaced."""
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    offsets: list[int] = []
    length = position = 0

    def add(part: str, start: int, end: int) -> None:
        nonlocal length
        if part:
            parts.append(part)
            starts.append(start)
            ends.append(end)
            offsets.append(length)
            length += len(part)

    for (start, end), by in changes:
        add(text[position:start], position, start)
        add(by, start, end)
        position = end
    add(text[position:], position, len(text))
    return View("".join(parts), starts or [0], ends or [0], offsets or [0])


def same(text: str) -> View:
    """The view that changes nothing."""
    return View(text, [0], [len(text)], [0])


def normalised(text: str) -> View:
    """The text in plain characters: compatibility forms (NFKC) are resolved, zero-width and format characters removed,
    and all quotation marks and dashes written in one form."""
    odd = _odd(text)
    return edited(text, ((match.span(), _plain(match[0])) for match in odd.finditer(text))) if odd else same(text)


def normal(text: str) -> str:
    """The text of `normalised`, without places."""
    odd = _odd(text)
    return odd.sub(lambda match: _plain(match[0]), text) if odd else text


def _odd(text: str) -> re.Pattern[str] | None:
    """The pattern for the pieces of a text that `normalised` changes; None if it changes nothing."""
    if text.isascii():
        return None
    # a single class of characters is searched for several times as fast
    piece = _PIECE if _COMBINING.search(text) else _FOREIGN
    return piece if any(_plain(found) != found for found in set(piece.findall(text))) else None


_MARKUP = re.compile(
    r"</t[dh]>\s*<t[dh][^<>]*>|</tr>\s*<tr[^<>]*>|</?(?:t[dhr]|table|tbody|thead)(?:[^\w<>\n][^<>\n]{0,79})?>|\*{1,3}|`{1,3}|~~|__|</?(?:b|i|em|strong|code|wbr|span|br|u|mark|kbd)(?:[^\w<>\n][^<>\n]{0,79})?>|<!--[^<>\n]{0,80}-->|\{(?:noformat|code|quote|color)[^{}\n]{0,40}\}"
)
MARKED = r"[\w/+=-](?:\*{1,3}[\w/+=*`<-]|`[\w/+=*`<-]|~~|__|</?[a-z])|\{(?:noformat|code|quote|color)"


def _unicode(source: str) -> Re2Pattern:
    return Re2Pattern(translated(source))


_BREAK = _unicode(
    r"[\"']\s?[+.&]?[ \t]*\\?\r?\n?[ \t]*[+.&]?[ \t]?[\"']"  # a string that goes on in a further literal
    r"|\\?\r?\n(?:[ \t]|>|//|#|\*|\|)*"  # a line break
    r"|\*{1,3}|`{1,3}|~~|[\"']"
)
_ONE_WORD = _unicode(r"[\w/+.-]*\d[\w/+.-]*={0,2}[\"'`]?[ \t|]*(?:\r?\n|$)")
"""A line that is the rest of one word."""

BROKEN = (
    r"[\w/+=.-][\"'`]?[ \t]*\\?\r?\n(?:[ \t]|>|//|#|\*|\|)*[\w/+.-]*\d[\w/+.-]*={0,2}[\"'`]?[ \t|]*(?:\r?\n|$)"
    r"|\w[\"'](?:\s?[+.&]?[ \t]*\\?\r?\n?[ \t]*[+.&]?[ \t]?[\"'])?[\w+/-]*\d"
)


def unmarked(text: str) -> View:
    """The text without markup inside words and between cells. Changes nothing unless `MARKED` is in the text."""
    return edited(text, ((match.span(), _as_rows(match)) for match in _MARKUP.finditer(text)))


def _as_rows(match: re.Match[str]) -> str:
    """What takes the place of markup: nothing; `|` and a line break between the cells and rows of a table."""
    if match[0].startswith(("</td", "</th")) and match[0].count("<") == 2:
        return "|"
    return "\n" if match[0].startswith("</tr") and match[0].count("<") == 2 else ""


def _breaks(text: str) -> Iterator[tuple[Place, str]]:
    """Line breaks and joints of string literals inside words, each with its replacement."""
    subject, position = Subject(text), 0
    while (match := _BREAK.search(subject, position)) is not None:
        start, end = match.span()
        within = text[end - 1 : end] not in {'"', "'"} or end - start > 1 or _in_a_word(text, start)
        if within and ("\n" not in text[start:end] or text[start] in "\"'" or _ONE_WORD.begins(subject, end)):
            yield (start, end), _joined(text, start, end)
            position = end
        else:
            position = start + 1


def _in_a_word(text: str, place: int) -> bool:
    """Whether the character stands between two letters or digits."""
    return 0 < place < len(text) - 1 and all(char.isalnum() or char == "_" for char in text[place - 1 : place + 2 : 2])


def _is_part(word: str) -> bool:
    """Whether a word before a line break may be the first part of a token: no word of a sentence, and no number."""
    if len(word) >= 8 and any(map(str.isdigit, word)):
        return True
    mixed = any(map(str.isdigit, word)) or word[-1:] in {"_", "-"} or "_" in word or word.isupper()
    return len(word) >= 3 and mixed and any(map(str.isalpha, word))


def _joined(text: str, start: int, end: int) -> str:
    """The replacement of a break: nothing if the word before it may go on, else the break itself."""
    last = _LAST.search(text[max(0, start - 120) : start])
    goes_on = last is not None and (len(last[0]) >= 40 or _is_part(last[0].rstrip(" \t\"'`")))
    return "" if goes_on or "\n" not in text[start:end] else text[start:end]


_LAST = LinearRegex(r"[\w/+.=-]+[\"'`]?[ \t]*\Z")


def unbroken(text: str) -> View:
    """The text with broken words and string literals joined. Changes nothing unless `BROKEN` is in the text."""
    return edited(text, _breaks(text))
