"""Applies the rule table. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import re2

from domain.masking.rules import RULES, Rule

_OPEN = (
    "-----begin",
    "password",
    "passwd",
    "passphrase",
    "secret",
    "api_key",
    "api-key",
    "apikey",
    "token",
    "authorization",
)
"""Words after which a secret may stand that is not complete yet."""

PASSES = 5
"""Over a text, at most: where two secrets touch, the second begins at a word only once the first is masked."""


@dataclass(frozen=True, slots=True)
class MaskedText:
    """A text that may be shown. counts: findings by kind; never the values."""

    text: str
    counts: Mapping[str, int] = field(default_factory=dict)


class Masker:
    """Masks secrets. rules: the table; the product's own by default."""

    def __init__(self, rules: Sequence[Rule] = RULES) -> None:
        self._rules = [(rule, re2.compile(rule.pattern)) for rule in rules]

    def mask(self, text: str) -> MaskedText:
        """The text with every finding replaced by the constant name of its kind; line breaks within it stay, so that
        line numbers stay true."""
        counts: Counter[str] = Counter()
        for _ in range(PASSES):
            text, found = self._masked(text)
            counts += found
            if not found:
                break
        return MaskedText(text, dict(counts))

    def _masked(self, text: str) -> tuple[str, Counter[str]]:
        counts: Counter[str] = Counter()
        lowered = text.lower()
        for rule, pattern in self._rules:
            if rule.keywords and not any(keyword in lowered for keyword in rule.keywords):
                continue
            text, counts[rule.kind] = _replaced(text, rule.kind, pattern)
        return text, +counts

    def may_be_open(self, text: str) -> bool:
        """Whether a secret may have begun in the last paragraph of a text that still grows."""
        last = text.rpartition("\n\n")[2].lower() if "-----BEGIN" not in text else text.lower()
        return any(word in last for word in _OPEN)


def _replaced(text: str, kind: str, pattern: "re2._Regexp[str]") -> tuple[str, int]:
    parts, position, found = [], 0, 0
    for match in pattern.finditer(text):
        start, end = match.span(1) if pattern.groups else match.span()
        parts += [text[position:start], f"[masked: {kind}]" + "\n" * text.count("\n", start, end)]
        position, found = end, found + 1
    return "".join([*parts, text[position:]]), found
