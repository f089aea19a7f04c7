"""The small template language of this set.

A template holds fields: `{name}` is filler, `{!name}` a secret, `{*name}` a secret given piece by piece
(split at white space, marks and invisible characters), `{%name}` the base64 lines of a key block.
`#1` after a name makes a second, different value. Unknown filler names are left as they stand.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from random import Random

from tests.masking.case import Negative, Positive

Gen = Callable[[Random], str]
Row = tuple[str, str, str, str]  # shape, language, template, keeps (divided by "|")
NegRow = tuple[str, str, str]  # shape, language, template

_FIELD = re.compile(r"\{([!*%]?)([a-z][a-z0-9_]*)(#\d)?\}")
_SPLIT = re.compile(r"\\n|\\r|[\s\"'`*>|\\+&\u200b\u200c\u200d\u2060\ufeff\u00ad]+|<[^>]*>")
_LINE = re.compile(r"[A-Za-z0-9+/=]{6,}")
_CHARS = {
    "hex": "0123456789abcdef",
    "heu": "0123456789ABCDEF",
    "an": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
    "al": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    "lo": "abcdefghijklmnopqrstuvwxyz0123456789",
    "up": "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
    "us": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
    "bs": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    "bt": "abcdefghijklmnopqrstuvwxyz234567",
    "bu": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
    "dig": "0123456789",
}
_SIZED = re.compile(r"(hex|heu|an|al|lo|up|us|bs|bt|bu|dig)(\d+)")


def chars(rng: Random, kind: str, size: int) -> str:
    """Random characters of an alphabet, with a letter or digit at both ends and, from 8 on, a digit within."""
    pool = _CHARS[kind]
    out = [rng.choice(pool) for _ in range(size)]
    plain = [c for c in pool if c not in "-_+/"]
    out[0] = rng.choice([c for c in plain if c != "0"])
    out[-1] = rng.choice(plain)
    digits = [c for c in pool if c.isdigit()]
    if size >= 8 and digits and not any(c.isdigit() for c in out):
        out[rng.randrange(1, size - 1)] = rng.choice(digits)
    return "".join(out)


def value_of(name: str, rng: Random, registry: Mapping[str, Gen]) -> str | None:
    """The value of a field name, or None where the name is unknown."""
    if name in registry:
        return registry[name](rng)
    sized = _SIZED.fullmatch(name)
    return chars(rng, sized[1], int(sized[2])) if sized else None


def _pieces(mark: str, value: str) -> list[str]:
    if mark == "%":
        lines = re.split(r"\\r|\\n|\r|\n|<br>", value)
        stripped = (line.strip(" \t>|\"',+#*\\;") for line in lines)
        return [line for line in stripped if _LINE.fullmatch(line) and not line.isalpha()]
    if mark == "*":
        return [part for part in _SPLIT.split(value) if len(part) >= 6 and part != "glpat-"]
    return [value]


def fill(template: str, rng: Random, registry: Mapping[str, Gen]) -> tuple[str, tuple[str, ...]]:
    """Fill a template; gives the text and its secrets."""
    memo: dict[str, str] = {}
    secrets: list[str] = []

    def put(match: re.Match[str]) -> str:
        mark, name, number = match[1], match[2], match[3] or ""
        key = name + number
        if key not in memo:
            made = value_of(name, rng, registry)
            if made is None:
                if mark:
                    raise KeyError(f"no generator {name!r} in {template[:60]!r}")
                return match[0]
            memo[key] = made
        if mark:
            secrets.extend(part for part in _pieces(mark, memo[key]) if part not in secrets)
        return memo[key]

    return _FIELD.sub(put, template), tuple(secrets)


def build(kind: str, rows: Iterable[Row], seed: int, registry: Mapping[str, Gen]) -> list[Positive]:
    """One positive for each row, each with its own random stream."""
    out = []
    for number, (shape, language, template, keeps) in enumerate(rows):
        rng = Random(f"{seed}/{kind}/{number}/{shape}")
        text, secrets = fill(template.strip("\n"), rng, registry)
        words = tuple(keep for keep in keeps.split("|") if keep)
        out.append(Positive(kind, shape, language, text, secrets, words))
    return out


def build_negatives(rows: Iterable[NegRow], seed: int, registry: Mapping[str, Gen]) -> list[Negative]:
    """One negative for each row."""
    out = []
    for number, (shape, language, template) in enumerate(rows):
        rng = Random(f"{seed}/negative/{number}/{shape}")
        text, _ = fill(template.strip("\n"), rng, registry)
        out.append(Negative(shape, language, text))
    return out
