"""Sentences of one reply that say different things of one subject, from sources of different dates. Pure."""

import re
from collections.abc import Sequence
from itertools import combinations

from agent.state import CitedClaim
from agent.wording import newer_than
from domain.search import Passage
from domain.text.tokens import Analyzer

SAME_SUBJECT = 0.6
"""Share of their words, numbers apart, that two sentences have in common from which they speak of the same thing."""

_KEY = re.compile(r"\b[A-Z][A-Z0-9_]+-\d+\b")
"""As of a ticket."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def contradictions(claims: Sequence[CitedClaim]) -> list[str]:
    """One line for each pair of sources whose sentences differ only in their numbers, the newer source first."""
    analyzer = Analyzer()
    found: dict[str, None] = {}
    for one, other in combinations(claims, 2):
        pair = _dated_pair(one, other)
        if pair and _differ((one.sentence, other.sentence), pair, analyzer):
            newer, older = sorted(pair, key=lambda passage: str(passage.updated_at), reverse=True)
            found[newer_than(newer, older)] = None
    return list(found)


def _dated_pair(one: CitedClaim, other: CitedClaim) -> tuple[Passage, Passage] | None:
    """The sources of two claims, when each has one and they are different documents of different dates."""
    if len(one.passages) != 1 or len(other.passages) != 1:
        return None
    here, there = one.passages[0], other.passages[0]
    different = here.document_id != there.document_id and here.updated_at != there.updated_at
    return (here, there) if different and here.updated_at and there.updated_at else None


def _differ(sentences: tuple[str, str], sources: tuple[Passage, Passage], analyzer: Analyzer) -> bool:
    """Whether two sentences say different numbers of one thing. What a source's own title has, such as the key of a
    ticket, says which thing that is."""
    both = list(zip(sentences, (source.title for source in sources), strict=True))
    keys = [set(_KEY.findall(text)) & set(_KEY.findall(title)) for text, title in both]
    numbers = [set(_NUMBER.findall(text)) - set(_NUMBER.findall(title)) for text, title in both]
    if (all(keys) and keys[0] != keys[1]) or not all(numbers) or numbers[0] == numbers[1]:
        return False
    words = [set(analyzer.tokens(_NUMBER.sub(" ", text))) for text in sentences]
    return len(words[0] & words[1]) >= SAME_SUBJECT * max(1, min(len(words[0]), len(words[1])))
