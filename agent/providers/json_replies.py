"""The JSON object in a model's reply, whatever stands around it."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from json import JSONDecoder

from domain.text.encodable import with_texts

MAX_REPLY_CHARACTERS = 400_000
"""Characters of a reply that are looked at. No object that is asked for comes near."""

MAX_DEPTH = 100
"""Nested brackets that a repair follows."""

# a quotation mark alone begins a string that does not end
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"|[{}\[\],:"]|[^\s{}\[\],:"]++', re.DOTALL)
_BRACE = re.compile(r"[{}]")
_WORDS = frozenset({"true", "false", "null"})
_CLOSING = {"{": "}", "[": "]"}

_Object = dict[str, object]


class _NotJson(ValueError):
    """A number that JSON does not have."""


def _no_constant(name: str) -> object:
    raise _NotJson(name)


# strict=False: models put line breaks into strings, where there is only one way to read them
_DECODER = JSONDecoder(strict=False, parse_constant=_no_constant)


def object_of(text: str, clean: Callable[[str], str] = str) -> _Object | None:
    """The JSON object that `text` holds: alone, in a code fence, or with prose around it.

    Repaired are commas in front of a closing bracket, and a cut end: the member or element that the end cuts through
    is dropped, and open brackets are closed. Nothing else is guessed.

    Returns:
        None when there is none, when it is broken in another way, or when there are several different ones and not
        exactly one of them stands in a code fence. Empty objects count only when there is no other.

    Time and memory are linear in the length of `text`, whatever it holds. clean: is applied to every string in it.
    """
    text = text[:MAX_REPLY_CHARACTERS]
    fenced = [found for block in _fenced(text) if (found := _only(block)) is not None]
    found = fenced[0] if len(fenced) == 1 else _only(text)
    return None if found is None else {name: with_texts(value, clean) for name, value in found.items()}


def _fenced(text: str) -> Iterator[str]:
    """What stands between lines of three backticks."""
    inside: list[str] | None = None
    for line in text.splitlines(keepends=True):
        if not line.lstrip().startswith("```"):
            if inside is not None:
                inside.append(line)
        elif inside is None:
            inside = []
        else:
            yield "".join(inside)
            inside = None


def _only(text: str) -> _Object | None:
    """The one object of `text`; None when there is none, or one that is broken, or several different ones."""
    only: _Object | None = None
    for each in _objects(text):
        if each is None or (only and each and each != only):
            return None
        only = only or each
    return only


def _objects(text: str) -> Iterator[_Object | None]:
    """The outermost objects in their order; None, at the end, for one that is broken."""
    place = text.find("{")
    while place >= 0:
        read = _read(text, place) or _repaired(text, place)
        if read is not None:
            yield read[0]
            place = text.find("{", read[1])
            continue
        if _begins_an_object(text, place):
            yield None
            return
        # braces of prose or code; what is inside of them is not the reply
        end = _balanced(text, place)
        if end is None:
            yield None
            return
        place = text.find("{", end)


def _read(text: str, place: int) -> tuple[_Object, int] | None:
    """The object at `place` and where it ends."""
    try:
        value, end = _DECODER.raw_decode(text, place)
    except (ValueError, RecursionError):
        return None
    return value, end


def _begins_an_object(text: str, place: int) -> bool:
    """Whether a key follows the brace at `place`."""
    return text[place + 1 : place + 1_000].lstrip().startswith('"')


def _balanced(text: str, place: int) -> int | None:
    """Where the bracket that closes the one at `place` ends; strings are not heeded."""
    depth = 0
    for brace in _BRACE.finditer(text, place):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.end()
    return None


class _Repair:
    """What has been read of a broken object, and how far it is whole."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._open: list[str] = []
        self._whole: tuple[int, tuple[str, ...]] | None = None

    def take(self, part: str) -> bool:
        """Adds a part. False when the brackets do not fit or are nested too deep."""
        if part in "}]":
            return self._close(part)
        if part in "{[":
            self._open.append(_CLOSING[part])
        elif part == ",":
            self._mark()  # in front of the comma
        self.parts.append(part)
        # a number may have been cut
        if (part[0] == '"' or part in _WORDS) and (self._open[-1] == "]" or self.parts[-2] == ":"):
            self._mark()
        return len(self._open) <= MAX_DEPTH

    def closed(self) -> bool:
        """Whether the outermost bracket is closed."""
        return bool(self.parts) and not self._open

    def cut_back(self) -> str:
        """What was whole, with its brackets closed; empty when nothing was."""
        if self._whole is None:
            return ""
        length, still_open = self._whole
        return " ".join([*self.parts[:length], *reversed(still_open)])

    def _close(self, part: str) -> bool:
        if not self._open or self._open.pop() != part:
            return False
        if self.parts[-1] == ",":
            self.parts.pop()
        self.parts.append(part)
        self._mark()
        return True

    def _mark(self) -> None:
        self._whole = len(self.parts), tuple(self._open)


def _repaired(text: str, place: int) -> tuple[_Object, int] | None:
    """The object at `place` without needless commas, and closed where its end is missing; and where it ends."""
    if not _begins_an_object(text, place):
        return None
    repair = _Repair()
    for token in _TOKEN.finditer(text, place):
        if token[0] == '"':
            break
        if not repair.take(token[0]):
            return None
        if repair.closed():
            return _whole(repair.parts, token.end())
    return _whole([repair.cut_back()], len(text))


def _whole(parts: Sequence[str], end: int) -> tuple[_Object, int] | None:
    joined = " ".join(parts)
    try:
        value = json.loads(joined, strict=False, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return None
    return value, end
