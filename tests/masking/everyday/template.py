"""The small template language that the cases are written in.

A block of cases is one text. `=== shape | language` opens a case; in its body `<<name>>` is a made value that is a
secret, `<<=name>>` a made value that is none, `<<p:..>>` is drawn from a pattern, `<<name#1>>` is the same value each
time in one case, `[~words~]` are words that must survive, and `\\+` at the end of a line joins it to the next one.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from tests.masking.case import Negative, Positive
from tests.masking.everyday.drawing import draw

Maker = Callable[[Random, str], str | tuple[str, tuple[str, ...]]]

_FIELD = re.compile(r"<<(=?)(p:[^>]+?|[a-z][a-z0-9_]*)(#\d)?>>|\[~(.+?)~\]", re.DOTALL)
_QUOTED = re.compile(r"[ \t>#|*/]*")


@dataclass(frozen=True, slots=True)
class Filled:
    """A template with its values put in."""

    text: str
    secrets: tuple[str, ...]
    keeps: tuple[str, ...]


def blocks(source: str) -> list[tuple[str, str, str]]:
    """Split a block of cases into (shape, language, body)."""
    found: list[tuple[str, str, str]] = []
    for part in re.split(r"(?m)^=== ", source)[1:]:
        head, _, body = part.partition("\n")
        shape, _, language = head.partition(" | ")
        found.append((shape.strip(), language.strip() or "en", body.replace("\\+\n", "").strip("\n")))
    return found


class _Filler:
    """Fills one template."""

    def __init__(self, makers: dict[str, Maker], rng: Random, language: str) -> None:
        self._makers = makers
        self._rng = rng
        self._language = language
        self._seen: dict[str, tuple[str, tuple[str, ...]]] = {}
        self._secrets: list[str] = []
        self._keeps: list[str] = []

    def _value(self, name: str, label: str | None) -> tuple[str, tuple[str, ...]]:
        """Make a value, or give the one already made under this label."""
        key = name + (label or "")
        if label and key in self._seen:
            return self._seen[key]
        made = draw(name[2:], self._rng) if name[:2] == "p:" else self._makers[name](self._rng, self._language)
        pair = (made, (made,)) if isinstance(made, str) else made
        self._seen[key] = pair
        return pair

    def fill(self, body: str) -> Filled:
        """Put values into the fields and take the keep marks out."""
        out: list[str] = []
        last = 0
        for match in _FIELD.finditer(body):
            out.append(body[last : match.start()])
            last = match.end()
            if match[4] is not None:
                out.append(match[4])
                self._keeps.append(match[4])
                continue
            text, pieces = self._value(match[2], match[3])
            start = "".join(out).rpartition("\n")[2]
            if "\n" in text and _QUOTED.fullmatch(start):
                text = text.replace("\n", "\n" + start)
            out.append(text)
            if not match[1]:
                self._secrets.extend(piece for piece in pieces if piece not in self._secrets)
        out.append(body[last:])
        return Filled("".join(out), tuple(self._secrets), tuple(self._keeps))


def fill(body: str, makers: dict[str, Maker], rng: Random, language: str) -> Filled:
    """Fill one template."""
    return _Filler(makers, rng, language).fill(body)


def make_positives(kind: str, source: str, makers: dict[str, Maker], rng: Random) -> list[Positive]:
    """Make the positives of one kind; a shape that names CRLF gets such line ends."""
    cases: list[Positive] = []
    for shape, language, body in blocks(source):
        done = fill(body, makers, rng, language)
        text = done.text.replace("\n", "\r\n") if "CRLF" in shape else done.text
        cases.append(Positive(kind, shape, language, text, done.secrets, done.keeps))
    return cases


def make_negatives(source: str, makers: dict[str, Maker], rng: Random) -> list[Negative]:
    """Make negatives."""
    return [
        Negative(shape, language, fill(body, makers, rng, language).text) for shape, language, body in blocks(source)
    ]
