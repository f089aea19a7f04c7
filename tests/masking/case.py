"""What a case of a set is, and what makes one fit to be scored."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

SHORTEST, LONGEST = 40, 1500
"""Characters of a text with secrets."""


@dataclass(frozen=True, slots=True)
class Positive:
    """A text with secrets that must be gone and words that must stay.

    kind: a row of the table of scores. shape: how the secret is written, or where. language: ISO 639-1. secrets: parts
    of the text, each of which must be gone. keeps: parts of it outside the secrets.
    """

    kind: str
    shape: str
    language: str
    text: str
    secrets: tuple[str, ...]
    keeps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Negative:
    """A text that must come back unchanged."""

    shape: str
    language: str
    text: str


def faults(positives: Sequence[Positive], negatives: Sequence[Negative]) -> list[str]:
    """What is wrong with a set, in words."""
    found = [f"{case.kind} / {case.shape} / {case.language}: {each}" for case in positives for each in _faults(case)]
    texts = Counter([case.text for case in positives] + [case.text for case in negatives])
    return found + [f"twice: {text[:60]!r}" for text, count in texts.items() if count > 1]


def _faults(case: Positive) -> Iterable[str]:
    if not SHORTEST <= len(case.text) <= LONGEST:
        yield f"{len(case.text)} characters"
    if not case.secrets:
        yield "no secret"
    yield from (f"no secret of 6 characters in the text: {each!r}" for each in case.secrets if len(each) < 6)
    yield from (f"not in the text: {each!r}" for each in (*case.secrets, *case.keeps) if each not in case.text)
    hidden = [place for each in case.secrets for place in places(case.text, each)]
    for keep in case.keeps:
        shown = places(case.text, keep)
        if any(first < end and start < last for first, last in shown for start, end in hidden):
            yield f"overlaps a secret: {keep!r}"


def places(text: str, part: str) -> list[tuple[int, int]]:
    """Characters [start, end) of every occurrence of a part, also of those that overlap."""
    found: list[tuple[int, int]] = []
    start = text.find(part)
    while start >= 0:
        found.append((start, start + len(part)))
        start = text.find(part, start + 1)
    return found
