"""A masked text: constants stand in the place of what was found."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import re2

from domain.masking.text_views import View, edited
from domain.patterns import options

WITHHELD = "[withheld: this text could not be checked for secrets]"
"""Takes the place of a text that could not be masked."""


_PLACEHOLDER = re2.compile(r"\[masked: ([^\[\]\n]{1,80})\]", options())
"""What `rendered` writes in the place of a finding."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Characters [start, end) of the original text, and the kind of secret or personal data that they are."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class MaskedText:
    """A text that may be shown; only a Masker makes one."""

    text: str
    findings: tuple[Finding, ...] = ()
    """What was masked, in order, without overlaps."""
    withheld: bool = False
    """Whether the masker failed: then `text` is WITHHELD."""

    @property
    def counts(self) -> Mapping[str, int]:
        """How many findings there are of each kind."""
        return Counter(finding.kind for finding in self.findings)


def without_masks(text: str) -> str:
    """A text without its masks, for searching: nobody looks for `[masked: …]`."""
    return " ".join(_PLACEHOLDER.sub(" ", text).split()) if "[masked: " in text else text


def count_masks(text: str) -> int:
    """How many masks stand in a text."""
    return len(_PLACEHOLDER.findall(text))


def masked_kinds(text: str) -> tuple[str, ...]:
    """The kinds of what was masked in a text, each once."""
    return tuple(dict.fromkeys(_PLACEHOLDER.findall(text)))


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """The findings in order, with overlapping ones joined. A joined one has the kind of the one that begins first; of
    those that begin together, of the one given first."""
    done: list[Finding] = []
    for each in sorted(findings, key=lambda finding: finding.start):
        last = done[-1] if done else None
        if last is not None and each.start < last.end:
            done[-1] = Finding(last.start, max(last.end, each.end), last.kind)
        else:
            done.append(each)
    return done


def rendered(text: str, findings: Sequence[Finding]) -> View:
    """The text with a mask in the place of each finding. The line breaks of the finding follow the mask, so that later
    lines keep their numbers."""
    masks = (f"[masked: {each.kind}]" + "\n" * text.count("\n", each.start, each.end) for each in findings)
    return edited(text, zip(((each.start, each.end) for each in findings), masks, strict=True))
