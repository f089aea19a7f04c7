"""Patterns that take linear time whatever a text holds: RE2's, with the classes and the words of Python's `re`.

Python's own backtrack: on a text made for it, one alone keeps the interpreter busy for minutes, deaf to everything.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import accumulate
from typing import Any, Literal

import re2

# the binding itself: what the package puts around it takes longer than most searches
from re2 import _re2

Place = tuple[int, int]
"""Characters [start, end) of a text."""

MEMORY = 64 * 2**20
"""Bytes that an automaton may take: with little, it is built anew again and again."""

Alphabet = Literal["ascii", "latin", "any"]
r"""What a text is written with. In ASCII, and in Latin script with common punctuation and signs, `\w`, `\d` and `\s`
are short lists of characters, which take a tenth of the time to compile that all of Unicode's take."""

_LATIN = (
    r"\x00-\x{24F}\x{2000}-\x{206F}\x{20A0}-\x{20C0}\x{2122}\x{2190}-\x{2422}\x{2500}-\x{2767}\x{2794}-\x{27BF}\x{FE0F}"
    r"\x{1F300}-\x{1F64F}"
)
"""Latin letters with their marks, punctuation, currencies, arrows, signs and faces: blocks that have no letters, digits
and blanks but those that the classes below name."""

ANYWHERE, AT_START, WHOLE = _re2.RE2.Anchor.UNANCHORED, _re2.RE2.Anchor.ANCHOR_START, _re2.RE2.Anchor.ANCHOR_BOTH


class Subject:
    """A text to be searched. text: as characters; data: the same in UTF-8; ascii: whether both have the same places."""

    __slots__ = ("_alphabet", "_wide", "ascii", "data", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.ascii = text.isascii()
        self.data = text.encode("utf-8", "surrogatepass")
        self._wide: _Wide | None = None
        self._alphabet: Alphabet | None = "ascii" if self.ascii else None

    @property
    def alphabet(self) -> Alphabet:
        """Looked for when it is asked for, in a microsecond a page."""
        if self._alphabet is None:
            other = _not_latin().Match(ANYWHERE, self.data, 0, len(self.data))[0][0] >= 0
            self._alphabet = "any" if other else "latin"
        return self._alphabet

    def _shifts(self) -> "_Wide":
        """Made when it is asked for: most texts have no match."""
        if self._wide is None:
            self._wide = _Wide(self.text)
        return self._wide

    def byte(self, position: int) -> int:
        """Where a character begins in the bytes."""
        return position if self.ascii or not position else self._shifts().byte(position)

    def found(self, spans: list[Place]) -> "PatternMatch":
        """The match at places in the bytes."""
        return PatternMatch(self.text, spans if self.ascii else self.characters(spans))

    def characters(self, spans: Iterable[Place]) -> list[Place]:
        """Places in the bytes as places in the text."""
        character = self._shifts().character
        return [(character(start), character(end)) if start >= 0 else (start, end) for start, end in spans]


_SEVERAL_BYTES = re.compile(r"[^\x00-\x7f]")


class _Wide:
    """Where the characters of several bytes stand: each moves what follows."""

    def __init__(self, text: str) -> None:
        wide = [(match.end(), _more(match[0])) for match in _SEVERAL_BYTES.finditer(text)]
        self._more = [0, *accumulate(more for _, more in wide)]
        self._characters = [end for end, _ in wide]
        self._bytes = [end + more for end, more in zip(self._characters, self._more[1:], strict=True)]

    def byte(self, character: int) -> int:
        return character + self._more[bisect_right(self._characters, character)]

    def character(self, byte: int) -> int:
        return byte - self._more[bisect_right(self._bytes, byte)]


def _more(char: str) -> int:
    """Bytes of a character beyond its first."""
    return 1 if char < "\u0800" else 2 if char < "\U00010000" else 3


class _Named(dict[int | str, Place]):
    """Places of groups, by their numbers and their names."""

    def __init__(self, spans: list[Place], names: dict[str, int]) -> None:
        super().__init__(enumerate(spans))
        self.update({name: spans[number] for name, number in names.items()})


class PatternMatch:
    """A match of RE2. A group that took no part in it is an empty text at (-1, -1)."""

    __slots__ = ("_spans", "groups", "string")

    def __init__(self, string: str, spans: list[Place], names: dict[str, int] | None = None) -> None:
        self.string = string
        # a list answers faster: most patterns name nothing, and masking asks for places all the time
        self._spans: Any = _Named(spans, names) if names else spans
        self.groups = len(spans) - 1

    def group(self, number: int | str = 0, /) -> str:
        """A group's text, by its number or its name."""
        start, end = self._spans[number]
        return self.string[start:end] if start >= 0 else ""

    __getitem__ = group

    def span(self, number: int | str = 0, /) -> Place:
        """A group's place."""
        place: Place = self._spans[number]
        return place

    def start(self, number: int | str = 0, /) -> int:
        """Where a group begins."""
        return self.span(number)[0]

    def end(self, number: int | str = 0, /) -> int:
        """Where it ends."""
        return self.span(number)[1]

    def named(self) -> dict[str, str]:
        """The texts of the groups that have names."""
        return {name: self.group(name) for name in self._spans if isinstance(name, str)}

    def parts(self) -> tuple[str, ...]:
        """All groups' texts."""
        return tuple(map(self.group, range(1, self.groups + 1)))


class LinearRegex:
    r"""One pattern, as `re` writes them: `\w`, `\d` and `\s` are Unicode's; `\Z` is the very end,
    and `$` takes a line break before it.

    source: without look-around, back-references and `\b`. before, after: what must stand beside what is found, a sign
    or an end (`^|\W`, `\W|\Z`): seen, not taken. ignore_case: whether small and capital letters are one.
    It is compiled when it is first used, for each alphabet by itself.
    """

    def __init__(self, source: str, *, before: str = "", after: str = "", ignore_case: bool = False) -> None:
        self.source, self.before, self.after, self.ignore_case = source, before, after, ignore_case
        self._compiled: dict[tuple[Alphabet, bool], _Match] = {}
        self._ascii: _Match | None = None
        self._kept: list[_re2.RE2] = []
        self._names: dict[str, int] = {}

    def __repr__(self) -> str:
        return f"LinearRegex({self.source!r}, before={self.before!r}, after={self.after!r})"

    def search(self, text: str) -> PatternMatch | None:
        """The first match."""
        return self._first(ANYWHERE, text)

    def match(self, text: str) -> PatternMatch | None:
        """The match at the beginning."""
        return self._first(AT_START, text)

    def fullmatch(self, text: str) -> PatternMatch | None:
        """The match of the whole text."""
        if self.before or self.after:
            raise ValueError("nothing stands beside a whole text")
        return self._first(WHOLE, text)

    def finditer(self, text: str) -> Iterator[PatternMatch]:
        """The matches one after the other; behind an empty one the search goes on with the next character."""
        subject, start = Subject(text), 0
        while start <= len(text) and (match := self._next(subject, start)) is not None:
            yield match
            start = max(match.end(), match.start() + 1)

    def findall(self, text: str) -> list[str]:
        """The texts of all matches, or of their first group."""
        return [match.group(1 if match.groups else 0) for match in self.finditer(text)]

    def sub(self, by: str | Callable[[PatternMatch], str], text: str) -> str:
        """The text with each match replaced."""
        parts, position = [], 0
        for match in self.finditer(text):
            parts += [text[position : match.start()], by if isinstance(by, str) else by(match)]
            position = match.end()
        return "".join([*parts, text[position:]]) if parts else text

    def split(self, text: str) -> list[str]:
        """What stands between the matches."""
        parts, position = [], 0
        for match in self.finditer(text):
            parts.append(text[position : match.start()])
            position = match.end()
        return [*parts, text[position:]]

    def _first(self, anchor: _re2.RE2.Anchor, text: str) -> PatternMatch | None:
        if text.isascii():  # most texts: nothing is made for those without a match
            data = text.encode()
            spans = (self._ascii or self._program("ascii"))(anchor, data, 0, len(data))
            return PatternMatch(text, self._own(spans), self._names) if spans[0][0] >= 0 else None
        return self._next(Subject(text), 0, anchor)

    def _next(self, subject: Subject, start: int, anchor: _re2.RE2.Anchor = ANYWHERE) -> PatternMatch | None:
        """The first match that begins at a character or later; what stands before is seen."""
        inner = bool(self.before and start)
        compiled = self._compiled.get((subject.alphabet, inner)) or self._program(subject.alphabet, inner=inner)
        spans = compiled(anchor, subject.data, subject.byte(start - inner), len(subject.data))
        if spans[0][0] < 0:
            return None
        spans = self._own(spans)
        return PatternMatch(subject.text, spans if subject.ascii else subject.characters(spans), self._names)

    def _own(self, spans: list[Place]) -> list[Place]:
        """Without what stands beside."""
        return spans[1:] if self.before or self.after else spans

    def _program(self, alphabet: Alphabet, *, inner: bool = False) -> "_Match":
        """inner: for a search that begins behind a character, which is looked at."""
        source = self.source
        if self.before or self.after:
            before = self.before.removeprefix("^|") if inner else self.before
            source = f"(?:{before})({source})(?:{self.after})"
        words = translated(f"(?i){source}" if self.ignore_case else source, alphabet)
        made = _re2.RE2(words.encode("utf-8", "surrogatepass"), options())
        if not made.ok():
            raise re2.error(f"{made.error()!r} in {self!r}")
        shift = int(bool(self.before or self.after))
        self._names = {name.decode(): number - shift for name, number in made.NamedCapturingGroups()}
        self._kept.append(made)  # its bound method does not keep it alive
        search: _Match = made.Match
        self._compiled[alphabet, inner] = search
        if alphabet == "ascii" and not inner:
            self._ascii = search
        return search


_Match = Callable[[_re2.RE2.Anchor, bytes, int, int], list[Place]]


@cache
def _not_latin() -> _re2.RE2:
    """What finds a character that is not among those of _LATIN."""
    return _re2.RE2(f"[^{_LATIN}]".encode(), options())


_BLANKS = r"\t-\r\x1c-\x20"
_MORE_BLANKS = r"\x{85}\x{A0}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}"
_LATIN_LETTERS = r"A-Za-z\x{AA}\x{B2}\x{B3}\x{B5}\x{B9}\x{BA}\x{BC}-\x{BE}\x{C0}-\x{D6}\x{D8}-\x{F6}\x{F8}-\x{24F}"
_CLASSES: dict[Alphabet, dict[str, str]] = {
    "ascii": {"w": "0-9A-Za-z_", "d": "0-9", "s": _BLANKS},
    "latin": {"w": f"0-9_{_LATIN_LETTERS}", "d": "0-9", "s": _BLANKS + _MORE_BLANKS},
    "any": {"w": r"\pL\pN_", "d": r"\p{Nd}", "s": _BLANKS + _MORE_BLANKS + r"\x{1680}\x{3000}"},
}
_LETTERS: dict[Alphabet, tuple[str, str]] = {
    "ascii": ("[A-Za-z]", "[0-9A-Za-z]"),
    "latin": (f"[{_LATIN_LETTERS}]", f"[0-9{_LATIN_LETTERS}]"),
    "any": (r"[\pL\p{Nl}\p{No}]", r"[\pL\pN]"),
}
_ODD = (r"[^\W\d_]", r"[^\W_]")
"""Letters, and letters with digits: written with what they are not."""


_SPECIAL = re.compile(r"[\\\[\]$]")


def translated(source: str, alphabet: Alphabet = "any") -> str:
    r"""A pattern in RE2's syntax that finds what `re` does in texts of that alphabet.

    Raises:
        ValueError: it has what RE2 would read otherwise.
    """
    for odd, letters in zip(_ODD, _LETTERS[alphabet], strict=True):
        source = source.replace(odd, letters)
    classes = _CLASSES[alphabet]
    end = "$" if source.startswith("(?m)") else r"(?:\n?\z)"
    parts, position, inside = [], 0, False
    while special := _SPECIAL.search(source, position):
        start, sign = special.start(), special[0]
        parts.append(source[position:start])
        if sign == "\\":
            part, taken = _escape(source[start + 1 : start + 10], classes, inside=inside)
            position = start + 1 + taken
        elif sign == "[":
            members = _class_starts(source, start)
            part, position = (r"\[", start + 1) if inside else (source[start:members], members)
            inside = True
        else:
            part, position, inside = end if sign == "$" and not inside else sign, start + 1, inside and sign != "]"
        parts.append(part)
    return "".join([*parts, source[position:]])


def _class_starts(source: str, position: int) -> int:
    """Where the members of a class begin behind its bracket; a closing bracket that comes first is one of them."""
    start = position + 1 + (source[position + 1] == "^")
    if source[start] == "]":
        raise ValueError(f"a bracket within a class needs a backslash: {source}")
    return start


def _escape(following: str, classes: dict[str, str], *, inside: bool) -> tuple[str, int]:
    """What stands for a backslash and what follows it, and how much of that it takes."""
    sign = following[0]
    if sign in classes:
        return (classes[sign] if inside else f"[{classes[sign]}]"), 1
    if sign.lower() in classes and not inside:
        return f"[^{classes[sign.lower()]}]", 1
    if sign in "uU":
        digits = 4 if sign == "u" else 8
        return f"\\x{{{following[1 : 1 + digits]}}}", 1 + digits
    if sign == "Z":
        return r"\z", 1
    if sign in "bB123456789" or sign.lower() in classes:
        raise ValueError(f"RE2 has nothing for \\{sign} here")
    return "\\" + sign, 1


def options() -> "re2.Options":
    """As every pattern is compiled: a pattern that grows large is not told to standard error."""
    made = re2.Options()
    made.log_errors = False
    made.max_mem = MEMORY
    return made
