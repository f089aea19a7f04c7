"""A text without what was found in it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import re2

from domain.masking.text_views import View, edited
from domain.patterns import options

WITHHELD = "[withheld: this text could not be checked for secrets]"
"""Stands for a text that the masker could not go through."""


_PLACEHOLDER = re2.compile(r"\[masked: ([^\[\]\n]{1,80})\]", options())
"""What `rendered` puts in the place of a finding."""


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


def without_masks(text: str) -> str:
    """A text without what stands in the place of findings: that is nothing to search for."""
    return " ".join(_PLACEHOLDER.sub(" ", text).split()) if "[masked: " in text else text


def masked_kinds(text: str) -> tuple[str, ...]:
    """The kinds of what was masked in a text, each once."""
    return tuple(dict.fromkeys(_PLACEHOLDER.findall(text)))


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """In order, those that overlap as one, of the kind of the one that begins first; of those that begin together,
    of the one given first."""
    done: list[Finding] = []
    for each in sorted(findings, key=lambda finding: finding.start):
        last = done[-1] if done else None
        if last is not None and each.start < last.end:
            done[-1] = Finding(last.start, max(last.end, each.end), last.kind)
        else:
            done.append(each)
    return done


def rendered(text: str, findings: Sequence[Finding]) -> View:
    """The text with a constant in the place of each finding; the line breaks within it follow, so that the lines
    after it keep their numbers."""
    return edited(text, (((each.start, each.end), _mask(text, each)) for each in findings))


def _mask(text: str, finding: Finding) -> str:
    return f"[masked: {finding.kind}]" + "\n" * text.count("\n", finding.start, finding.end)
