"""Texts made against patterns: what a pattern repeats, repeated, with what comes before it, and an end that is wrong.

They are drawn from the pattern's own syntax tree, so that each of its repetitions meets the characters that it takes.
"""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from random import Random
from re import _constants as tokens  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from domain.masking.re2_patterns import Re2Pattern
from domain.patterns import LinearRegex, Subject

PACKAGES = ("domain", "net", "agent", "bot", "indexer", "storage", "config")
ENDS = ("", "\x00", "!", "\n", " ", "é")
MATCHED = {"PATTERNS", "_SCRIPT", "_CURLY", "_C"}
"""Tables of patterns that are tried at the beginning of a line alone."""
OTHERS = "aZ 0.-_\n/:'\"#\t*`|=@,;(<[{é\\"
MOST = 24
"""Attacks on one pattern."""


@dataclass(frozen=True)
class Attack:
    """A text of any length: the beginning, then what is repeated, then the end."""

    begin: str
    pump: str
    end: str

    def text(self, length: int) -> str:
        """About so many characters."""
        return self.begin + self.pump * max(1, (length - len(self.begin)) // len(self.pump)) + self.end


@dataclass(frozen=True)
class Searched:
    """A pattern of the product. name: module and variable. source: as `re` reads it. search: all matches in a text."""

    name: str
    source: str
    search: Callable[[str], object]


def patterns(packages: Iterable[str] = PACKAGES, only: Sequence[str] = ()) -> list[Searched]:
    """Every pattern that a module keeps in a variable, by itself or in a table, each once. only: what the names of the
    modules begin with; all of them without."""
    found: dict[int, Searched] = {}
    for top in packages:
        package = importlib.import_module(top)
        for module in pkgutil.walk_packages(package.__path__, f"{top}."):
            if not module.name.endswith("__main__") and module.name.startswith(tuple(only) or ""):
                loaded = importlib.import_module(module.name)
                text = inspect.getsource(loaded)
                for name, value in vars(loaded).items():
                    for one in _within(value) if re.search(rf"\b{name}\b.* = ", text) else ():
                        found.setdefault(id(one), _searched(f"{module.name}.{name}", one, _uses(text, name)))
    return sorted(found.values(), key=lambda each: (each.name, each.source))


def _within(value: object, depth: int = 0) -> Iterator[Any]:
    if isinstance(value, LinearRegex | Re2Pattern) or (
        isinstance(value, re.Pattern) and isinstance(value.pattern, str)
    ):
        yield value
    elif depth < 4 and isinstance(value, tuple | list | frozenset | dict):
        for each in (*value, *(value.values() if isinstance(value, dict) else ())):
            yield from _within(each, depth + 1)
    elif depth < 4 and is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _within(getattr(value, field.name), depth + 1)


def _uses(text: str, name: str) -> set[str]:
    """The methods that a module calls of a pattern: all, where it stands in a table."""
    if name in MATCHED:
        return {"match"}
    return set(re.findall(rf"\b{name}\.(match|fullmatch|search|finditer|findall|sub|split)\(", text)) or {"finditer"}


def _searched(name: str, pattern: Any, uses: set[str]) -> Searched:
    if isinstance(pattern, Re2Pattern):
        return Searched(name, pattern.source, lambda text: _gone_through(pattern.every(Subject(text))))
    source = pattern.source if isinstance(pattern, LinearRegex) else pattern.pattern

    def search(text: str) -> None:
        for use in uses & {"match", "fullmatch", "search"}:
            getattr(pattern, use)(text)
        if uses - {"match", "fullmatch", "search"}:
            _gone_through(pattern.finditer(text))

    return Searched(name, source, search)


def _gone_through(matches: Iterable[object]) -> None:
    """None is kept: the collector of garbage would look at all of them, and that time is not the pattern's."""
    for _ in matches:
        pass


def attacks(source: str, seed: int = 1) -> list[Attack]:
    """What a pattern's own repetitions take, again and again."""
    rng = Random(ascii((seed, source)))
    try:
        tree = list(
            parser.parse(source.replace(r"\pL\p{Nl}\p{No}", "a-zé").replace(r"\pL", "a-zé").replace(r"\pN", "0-9"))
        )
    except re.error:
        return [Attack("", pump, end) for pump in ("a", "a ", "0", "-", "a.", " ", "\n") for end in ENDS[:3]]
    made = dict.fromkeys(_made(rng, tree))
    kept = [each for each in made if each.pump]
    rng.shuffle(kept)
    return kept[:MOST]


def _made(rng: Random, tree: list[Any]) -> Iterator[Attack]:
    whole = "".join(_one(rng, *node) for node in tree)
    for end in ENDS:
        yield Attack("", whole, end)
    for before, body in _repeated(rng, tree, ""):
        for _ in range(3):
            pump = _sample(rng, body)
            for begin in {before, ""}:
                yield Attack(begin, pump, rng.choice(ENDS))
        yield Attack("", before + _sample(rng, body), rng.choice(ENDS))


def _repeated(rng: Random, tree: Iterable[Any], before: str) -> Iterator[tuple[str, Any]]:
    """What each repetition repeats, wherever it stands, and a text that leads to it."""
    for kind, value in tree:
        if kind in (tokens.MAX_REPEAT, tokens.MIN_REPEAT, tokens.POSSESSIVE_REPEAT):
            if value[1] is tokens.MAXREPEAT or value[1] >= 8:
                yield before, value[2]
            yield from _repeated(rng, value[2], before)
        elif kind is tokens.SUBPATTERN:
            yield from _repeated(rng, value[3], before)
        elif kind is tokens.BRANCH:
            for branch in value[1]:
                yield from _repeated(rng, branch, before)
        elif kind in (tokens.ASSERT, tokens.ASSERT_NOT):
            yield from _repeated(rng, value[1], before)
        before += _one(rng, kind, value)


def _sample(rng: Random, tree: Iterable[Any]) -> str:
    return "".join(_one(rng, *node) for node in tree)


def _one(rng: Random, kind: Any, value: Any) -> str:  # noqa: PLR0911 - one for each kind of node
    match kind:
        case tokens.LITERAL:
            return chr(value)
        case tokens.NOT_LITERAL | tokens.ANY:
            return rng.choice("aZ0 -é")
        case tokens.IN:
            return _member(rng, value)
        case tokens.MAX_REPEAT | tokens.MIN_REPEAT | tokens.POSSESSIVE_REPEAT:
            return "".join(_sample(rng, value[2]) for _ in range(max(value[0], rng.randint(0, 1))))
        case tokens.SUBPATTERN:
            return _sample(rng, value[3])
        case tokens.BRANCH:
            return _sample(rng, rng.choice(value[1]))
        case _:
            return ""


def _member(rng: Random, members: list[Any]) -> str:
    """A character of a class."""
    if members[0][0] is tokens.NEGATE:
        fitting = [char for char in OTHERS if not any(_holds(each, char) for each in members[1:])]
        return rng.choice(fitting or ["~"])
    kind, value = rng.choice(members)
    if kind is tokens.RANGE:
        return chr(rng.choice(value))
    if kind is tokens.CATEGORY:
        return rng.choice([char for char in OTHERS if _holds((kind, value), char)])
    return chr(value)


_CATEGORIES = {
    tokens.CATEGORY_DIGIT: r"\d",
    tokens.CATEGORY_NOT_DIGIT: r"\D",
    tokens.CATEGORY_SPACE: r"\s",
    tokens.CATEGORY_NOT_SPACE: r"\S",
    tokens.CATEGORY_WORD: r"\w",
    tokens.CATEGORY_NOT_WORD: r"\W",
}


def _holds(member: Any, char: str) -> bool:
    kind, value = member
    if kind is tokens.CATEGORY:
        return re.match(_CATEGORIES[value], char) is not None
    return value[0] <= ord(char) <= value[1] if kind is tokens.RANGE else chr(value) == char
