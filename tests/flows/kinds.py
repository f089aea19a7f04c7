"""A canary of every kind that the masker knows, made from the examples of its rules, and a sieve that finds what is
left of them in a text."""

import random
import re
import string
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from domain.masking import RULES, MaskedText, Masker

MASKER = Masker()

PIECE = 8
"""Characters of a value that must not be seen together."""
HEX_PIECE = 12
"""The same, if they could be part of a digest: of 8 in the hundred thousand that a database holds, 4 % of runs found
some in a canary by chance."""

KEPT = (0, 4, 5, 6, 8, 10, 12, 16, 24, 40)
"""Characters at the beginning of a value that are left as they are, tried one after the other: what a token begins with
says what it is."""

_WORD = re.compile(r"[A-Za-z0-9]{4,}")
_HEX = frozenset("0123456789abcdef")


@dataclass(frozen=True)
class Canary:
    """A value in its context.

    kind: as the mask names it. text: the value with its context. values: what is masked of the text. personal: whether
    it is personal data, else it is a secret.
    """

    kind: str
    text: str
    values: tuple[str, ...]
    personal: bool

    @property
    def one_line(self) -> bool:
        """Whether it fits into a title."""
        return "\n" not in self.text.strip()


@cache
def canaries() -> tuple[Canary, ...]:
    """One for each example of each rule, no two values alike where the rule lets them differ."""
    rng = random.Random(11)
    made = []
    for rule in RULES:
        for example in rule.examples:
            text = varied(example, rng)
            values = tuple(text[found.start : found.end] for found in MASKER.mask(text).findings)
            made.append(Canary(rule.kind, text, values, rule.personal))
    return tuple(made)


def varied(example: str, rng: random.Random) -> str:
    """The example with other letters and digits where its values stand; as it is, where none are taken for the same."""
    wanted = MASKER.mask(example)
    for kept in KEPT:
        for _ in range(4):
            other = _other(example, wanted, kept, rng)
            if MASKER.mask(other) == MaskedText(wanted.text, wanted.findings):
                return other
    return example


def _other(example: str, masked: MaskedText, kept: int, rng: random.Random) -> str:
    text = example
    for found in masked.findings:
        start = min(found.start + kept, found.end)
        changed = _WORD.sub(lambda word: _letters(word[0], rng), text[start : found.end])
        text = text[:start] + changed + text[found.end :]
    return text


def _letters(word: str, rng: random.Random) -> str:
    """Other letters and digits of the same classes."""
    lower = "abcdef" if set(word) <= _HEX else string.ascii_lowercase
    classes = (string.digits, lower, string.ascii_uppercase)
    return "".join(rng.choice(next(each for each in classes if letter in each)) for letter in word)


class Sieve:
    """Finds canaries in texts, in whatever case: short values as words, others by any PIECE characters of theirs, or
    any HEX_PIECE where the piece is hexadecimal.

    caught: which canaries. neutral: gives texts whose pieces say nothing about a canary.
    """

    def __init__(self, caught: Callable[[Canary], bool], neutral: Callable[[], Iterable[str]]) -> None:
        self._caught = caught
        self._neutral = neutral

    def _values(self) -> list[tuple[str, Canary]]:
        return [(value.lower(), canary) for canary in filter(self._caught, canaries()) for value in canary.values]

    @cached_property
    def _pieces(self) -> dict[str, Canary]:
        found = {piece: canary for value, canary in self._values() if not _is_short(value) for piece in pieces(value)}
        for text in self._neutral():
            for piece in pieces(text.lower()):
                found.pop(piece, None)
        return found

    @cached_property
    def _long(self) -> set[str]:
        return {piece for value, _ in self._values() for piece in pieces(value, HEX_PIECE)}

    @cached_property
    def _words(self) -> dict[str, Canary]:
        return {value: canary for value, canary in self._values() if _is_short(value)}

    @cached_property
    def _short(self) -> re.Pattern[str]:
        words = "|".join(sorted(map(re.escape, self._words)))
        return re.compile(rf"(?<![\w.])(?:{words or '(?!)'})(?!\w)", re.ASCII)

    def leaks(self, text: str) -> list[str]:
        """The kinds of the canaries of which something stands in the text, each with the first such place."""
        low, known = text.lower(), self._pieces
        found: dict[Canary, str] = {}
        for place, piece in enumerate(pieces(low)):
            if piece in known and (set(piece) - _HEX or low[place : place + HEX_PIECE] in self._long):
                found.setdefault(known[piece], low[max(0, place - 40) : place + 40])
        for match in self._short.finditer(low):
            found.setdefault(self._words[match[0]], low[max(0, match.start() - 40) : match.end() + 40])
        return [f"{canary.kind}: …{place}…" for canary, place in found.items()]


def pieces(text: str, size: int = PIECE) -> Iterator[str]:
    """Every `size` characters of a text that stand together, in order."""
    return (text[start : start + size] for start in range(len(text) - size + 1))


def _is_short(value: str) -> bool:
    return len(value) < (HEX_PIECE if set(value) <= _HEX else PIECE)


def framed(canary: Canary, *shapes: str) -> str | None:
    """The canary in the first of the shapes, each with `{}` for its text, in which the masker finds it; None where it
    finds it in none."""
    for shape in shapes:
        text = shape.format(canary.text)
        masked = MASKER.mask(text).text
        if not any(value in masked for value in canary.values):
            return text
    return None
