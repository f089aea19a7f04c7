"""Applies the rule table. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import re2

from domain.masking.policy import Policy
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
class Finding:
    """Characters [start, end) of the text that was given, and the kind of what stands there."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class MaskedText:
    """A text that may be shown; only a Masker makes one.

    findings: what was masked, in order, without overlaps. withheld: whether the masker failed, so that `text` is a
    plain notice instead.
    """

    text: str
    findings: tuple[Finding, ...] = ()
    withheld: bool = False

    @property
    def counts(self) -> Mapping[str, int]:
        """How many findings there are of each kind."""
        return Counter(finding.kind for finding in self.findings)


class Masker:
    """Masks secrets and personal data. policy: what the operator decided."""

    def __init__(self, policy: Policy | None = None, *, rules: Sequence[Rule] = RULES) -> None:
        self.policy = policy or Policy()
        self._rules = [(rule, re2.compile(rule.pattern)) for rule in rules if rule.kind not in self.policy.off]

    @property
    def version(self) -> str:
        """Names what `secrets` does: it changes with the rules for secrets and with the policy, so that what was
        stored under another one has to be read again."""
        return "1"

    def mask(self, text: str) -> MaskedText:
        """Without secrets and personal data: for whatever leaves the product. Line breaks within a finding stay, so
        that line numbers stay true. Never raises: what cannot be masked is withheld."""
        return self._all(text)

    def secrets(self, text: str) -> MaskedText:
        """Without secrets: for what is embedded, stored, or shown to a model."""
        return self._all(text)

    def secrets_in(self, parts: Sequence[str]) -> list[MaskedText]:
        """Consecutive parts of one document without their secrets, also those that go over several parts or that only
        the part before gives away."""
        return [self.secrets(part) for part in parts]

    def _all(self, text: str) -> MaskedText:
        findings: list[Finding] = []
        for _ in range(PASSES):
            text, found = self._masked(text)
            findings += found
            if not found:
                break
        return MaskedText(text, tuple(findings))

    def _masked(self, text: str) -> tuple[str, list[Finding]]:
        found: list[Finding] = []
        lowered = text.lower()
        for rule, pattern in self._rules:
            if rule.keywords and not any(keyword in lowered for keyword in rule.keywords):
                continue
            text, more = _replaced(text, rule.kind, pattern)
            found += more
        return text, found

    def may_be_open(self, text: str) -> bool:
        """Whether a secret may have begun in the last paragraph of a text that still grows."""
        last = text.rpartition("\n\n")[2].lower() if "-----BEGIN" not in text else text.lower()
        return any(word in last for word in _OPEN)


def _replaced(text: str, kind: str, pattern: "re2._Regexp[str]") -> tuple[str, list[Finding]]:
    parts, position, found = [], 0, []
    for match in pattern.finditer(text):
        start, end = match.span(1) if pattern.groups else match.span()
        parts += [text[position:start], f"[masked: {kind}]" + "\n" * text.count("\n", start, end)]
        position = end
        found.append(Finding(start, end, kind))
    return "".join([*parts, text[position:]]), found
