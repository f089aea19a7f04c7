"""What every text that matches a regular expression must contain, read off the expression.

A conservative reader of RE2's syntax: concatenation needs all of its parts, alternation any of its branches;
optional parts and character classes need nothing. Whatever it does not understand makes it say that nothing is
needed, never too much. It takes patterns that RE2 accepts; what it says of others means nothing.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AllOf(Generic[T]):
    """Each of the parts is needed; there are two or more."""

    parts: "tuple[Tree[T], ...]"


@dataclass(frozen=True, slots=True)
class AnyOf(Generic[T]):
    """At least one of the parts is needed; there are two or more."""

    parts: "tuple[Tree[T], ...]"


Tree: TypeAlias = T | AllOf[T] | AnyOf[T]


@dataclass(frozen=True, slots=True)
class RequiredLiteral:
    """A string that occurs, in this place one after the other."""

    text: str
    ignore_case: bool = False
    """Letters may be of either case."""
    line_start: bool = False
    """Whether nothing stands before it in its line."""
    line_end: bool = False
    """Whether nothing stands behind it in its line."""


def all_of(parts: Iterable[Tree[T] | None]) -> Tree[T] | None:
    """What needs each of the parts; None, for nothing needed, among them changes nothing."""
    found = tuple(dict.fromkeys(part for part in parts if part is not None))
    return AllOf(found) if len(found) > 1 else next(iter(found), None)


def any_of(parts: Iterable[Tree[T] | None]) -> Tree[T] | None:
    """What needs any of the parts; None among them means that nothing is needed."""
    found = dict.fromkeys(parts)
    given = tuple(part for part in found if part is not None)
    if len(given) < len(found):
        return None
    return AnyOf(given) if len(given) > 1 else next(iter(given), None)


def required_literals(pattern: str, *, ignore_case: bool = False) -> Tree[RequiredLiteral] | None:
    """What each line that matches `pattern`, matched line by line, must contain; None when that cannot be said."""
    try:
        return _need(_Reader(pattern, ignore_case).pattern())
    except _NotUnderstoodError:
        return None


class _NotUnderstoodError(Exception):
    """The pattern uses what this reader does not know."""


@dataclass(frozen=True, slots=True)
class _Char:
    """A character that stands there."""

    char: str
    ignore_case: bool


@dataclass(frozen=True, slots=True)
class _Gap:
    """Anything at all, or nothing; somewhere in it, what is needed."""

    need: Tree[RequiredLiteral] | None = None


_EDGE = "the edge of a line"
_Item: TypeAlias = _Char | _Gap | str  # str: _EDGE

_MAX_DEPTH = 40
_COUNT = re.compile(r"\{(\d+)(?:,\d*)?\}")
_GROUP = re.compile(r"\?P?<\w+>")
_FLAGS = re.compile(r"\?([imsU]*)(?:-([imsU]+))?([:)])")
_ONE_OF_ONE = re.compile(r"\[([^\\^\[\]])\]")
_PROPERTY = re.compile(r"\{[^}]{0,60}\}|.", re.DOTALL)
_HEX = re.compile(r"\{([0-9A-Fa-f]{1,8})\}|([0-9A-Fa-f]{2})")
_CONTROLS = {"a": "\a", "f": "\f", "t": "\t", "n": "\n", "r": "\r", "v": "\v"}


class _Reader:
    """Reads a pattern from left to right.

    ignore_case: the flag at the beginning; a pattern may change it on the way.
    """

    def __init__(self, pattern: str, ignore_case: bool) -> None:
        self._text = pattern
        self._at = 0
        self._depth = 0
        self._quoted = False
        self._ignore_case = ignore_case

    def pattern(self) -> list[_Item]:
        items = self._alternation()
        if self._at < len(self._text):
            raise _NotUnderstoodError
        return items

    def _alternation(self) -> list[_Item]:
        """Up to the group's end. Flags set in a branch hold in the ones after it."""
        branches = [self._branch()]
        while self._take("|"):
            branches.append(self._branch())
        if len(branches) == 1:
            return branches[0]
        return [_Gap(any_of(_need(branch) for branch in branches))]

    def _branch(self) -> list[_Item]:
        items: list[_Item] = []
        while self._at < len(self._text) and (self._quoted or self._text[self._at] not in "|)"):
            if not self._quoted and self._take("\\Q"):
                self._quoted = True
            elif self._quoted and self._take("\\E"):
                self._quoted = False
                self._refuse_repetition()  # of a character that was read before the quotation ended
            else:
                items += self._repeatable()
        return items

    def _repeatable(self) -> list[_Item]:
        """An atom with its marks of repetition. Of a quotation, a mark holds for the last character."""
        atom = self._char(self._next()) if self._quoted else self._atom()
        if self._quoted and self._take("\\E"):
            self._quoted = False
        return self._repeated(atom) if not self._quoted and self._at_repetition() else atom

    def _atom(self) -> list[_Item]:
        if self._take("("):
            return self._group()
        if self._take("\\"):
            return self._escape()
        if self._text[self._at] == "[":
            return self._class()
        char = self._next()
        if char == ".":
            return [_Gap()]
        if char in "^$":
            return [_EDGE]
        if char in "*+?" or (char == "{" and self._text.startswith(",", self._at)):
            raise _NotUnderstoodError
        return self._char(char)

    def _group(self) -> list[_Item]:
        before = self._ignore_case
        if flags := _FLAGS.match(self._text, self._at):
            self._at = flags.end()
            self._ignore_case = ("i" in flags[1] or before) and "i" not in (flags[2] or "")
            if flags[3] == ")":  # for the rest of the group around
                self._refuse_repetition()
                return []
        elif name := _GROUP.match(self._text, self._at):
            self._at = name.end()
        elif self._text.startswith("?", self._at):
            raise _NotUnderstoodError
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise _NotUnderstoodError
        items = self._alternation()
        self._depth -= 1
        self._ignore_case = before
        if not self._take(")"):
            raise _NotUnderstoodError
        return items

    def _escape(self) -> list[_Item]:
        char = self._next()
        if char in "pP":
            self._match(_PROPERTY)
        if char in "dDsSwWCpP":
            return [_Gap()]
        if char in "bB":
            return []  # says nothing that holds for letters beyond ASCII
        if char in "Az":
            return [_EDGE]
        if char == "x":
            code = self._match(_HEX)
            return self._char(chr(int(code[1] or code[2], 16)))
        if char in _CONTROLS:
            return self._char(_CONTROLS[char])
        if not char.isascii() or char.isalnum():
            raise _NotUnderstoodError
        return self._char(char)

    def _class(self) -> list[_Item]:
        if single := _ONE_OF_ONE.match(self._text, self._at):
            self._at = single.end()
            return self._char(single[1])
        self._at += 1
        self._take("^")
        self._take("]")  # at the beginning it stands for itself
        while not self._take("]"):
            if self._take("\\"):
                self._next()
            elif self._text.startswith("[:", self._at) and ":]" in self._text[self._at :]:
                self._at = self._text.index(":]", self._at) + 2
            else:
                self._next()
        return [_Gap()]

    def _repeated(self, atom: list[_Item]) -> list[_Item]:
        """What is there at least once is needed, though nobody knows beside what."""
        needed = True
        while self._at_repetition():
            if count := _COUNT.match(self._text, self._at):
                self._at = count.end()
                needed = needed and int(count[1]) > 0
            else:
                needed = self._next() == "+" and needed
            self._take("?")  # as few as possible
        return [_Gap(_need(atom) if needed else None)]

    def _at_repetition(self) -> bool:
        return self._text.startswith(("*", "+", "?"), self._at) or bool(_COUNT.match(self._text, self._at))

    def _refuse_repetition(self) -> None:
        if self._at_repetition():  # it would hold for what stands further left
            raise _NotUnderstoodError

    def _char(self, char: str) -> list[_Item]:
        return [_Char(char, self._ignore_case)]

    def _match(self, expected: re.Pattern[str]) -> re.Match[str]:
        found = expected.match(self._text, self._at)
        if found is None:
            raise _NotUnderstoodError
        self._at = found.end()
        return found

    def _next(self) -> str:
        if self._at >= len(self._text):
            raise _NotUnderstoodError
        self._at += 1
        return self._text[self._at - 1]

    def _take(self, expected: str) -> bool:
        if not self._text.startswith(expected, self._at):
            return False
        self._at += len(expected)
        return True


def _need(items: Iterable[_Item]) -> Tree[RequiredLiteral] | None:
    """What a sequence needs: each stretch of characters that follow each other, and what its gaps need."""
    needs: list[Tree[RequiredLiteral] | None] = []
    stretch: list[_Char] = []
    begins_line = False
    for item in (*items, _Gap()):
        if isinstance(item, _Char):
            stretch.append(item)
            continue
        if stretch:
            text, folded = "".join(each.char for each in stretch), any(each.ignore_case for each in stretch)
            needs.append(RequiredLiteral(text, folded, begins_line, item == _EDGE))
        stretch, begins_line = [], item == _EDGE
        needs.append(item.need if isinstance(item, _Gap) else None)
    return all_of(needs)
