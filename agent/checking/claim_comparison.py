"""Whether a sentence says what its source says: not by shared words, but by what denies, obliges, bounds and orders.

The sentence is laid beside the few sentences of the source that it shares most with (`alignment`). Then its denials,
modality, quantifiers, numbers, order in time and roles are compared, and what it adds. Pure; the rules
know English and German.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from agent.checking.added_checks import added_also, added_clause, added_words, inexact_literals
from agent.checking.alignment import Alignment, align
from agent.checking.language import language_of
from agent.checking.lexicon import Language
from agent.checking.meaning_checks import (
    clear_denials,
    denials,
    denied_words,
    modality,
    own_quantifiers,
    own_without,
    quantifiers,
    unmatched_denials,
)
from agent.checking.order_checks import reversed_events
from agent.checking.readings import Reading, read
from agent.checking.role_checks import exchanged_parts, exchanged_roles, exchanged_sides, said_apart
from agent.checking.value_checks import (
    exchanged_values,
    order,
    own_comparison,
    own_order,
    own_period,
    own_values,
    values,
)
from domain.search import Passage
from domain.text.sentences import sentences

Verdict = Literal["agrees", "doubtful", "disagrees"]

LONGEST = 800
"""Characters of a sentence that are read as one: the work grows with the square of its words."""

MOST = 20_000
"""Characters of a passage that are read; those of the index are shorter."""

Check = Callable[[Alignment], list[str]]

CONTRADICTIONS: tuple[Check, ...] = (denials, modality, quantifiers, order, reversed_events, exchanged_roles)
"""What they find speaks against the source, where the claim is close to its words."""

DOUBTS: tuple[Check, ...] = (
    *(added_words, added_clause, added_also, inexact_literals),
    *(unmatched_denials, denied_words, own_without, own_quantifiers, own_values, own_period, own_order, own_comparison),
    *(exchanged_values, said_apart, exchanged_parts, exchanged_sides),
)
"""What they find is not clearly said by the source."""


NOT_THERE = "nothing of it is in the source"


@dataclass(frozen=True, slots=True)
class ClaimComparison:
    """How a sentence of a reply stands to the passages it cites."""

    verdict: Verdict
    differences: tuple[str, ...] = ()
    """What differs, in words for the trace."""


def compare_claim(claim: str, passages: Sequence[Passage], question: str = "") -> ClaimComparison:
    """Compares one sentence with the passages it cites.

    question: what is asked; its words need not stand in the source.
    """
    return compare_texts(claim, [each.text for each in passages], [*map(_around, passages), question])


def compare_texts(claim: str, texts: Sequence[str], around: Sequence[str] = ()) -> ClaimComparison:
    """Compares one sentence with plain texts. around: titles and headings, which it may take words from."""
    if len(claim) > LONGEST:
        return ClaimComparison("doubtful", ("too long",))
    language = language_of(claim)
    source = [each for text in texts for each in readings_of(text[:MOST], language)]
    columns = [one.text for one, two in pairwise(source) if one.row and set(two.text) <= set("|-: ")]
    context = [read(each[:LONGEST], language) for each in (*around, *columns) if each]
    reading = read(claim, language)
    if not reading.whole:
        return ClaimComparison("doubtful", ("too long",))
    pair = align(reading, source, context)
    if not pair.sentences:  # a word alone, such as Yes, says nothing that could stand there
        return ClaimComparison("disagrees" if len(reading.words) > 1 else "doubtful", (NOT_THERE,))
    others = [*values(pair), *clear_denials(pair)]
    wrong = [difference for check in CONTRADICTIONS for difference in check(pair)]
    unsure = [difference for check in DOUBTS for difference in check(pair)]
    found = tuple(dict.fromkeys((*wrong, *others, *unsure)))
    if others or (wrong and pair.close):
        return ClaimComparison("disagrees", found)
    return ClaimComparison("doubtful" if found else "agrees", found)


def _around(passage: Passage) -> str:
    dated = f" {passage.updated_at:%Y-%m-%d}" if passage.updated_at else ""
    return " ".join((passage.title, *passage.heading_path)) + dated


@lru_cache(maxsize=64)
def readings_of(text: str, language: Language) -> tuple[Reading, ...]:
    """The sentences of a text, read."""
    return tuple(
        read(text[first : min(end, first + LONGEST)], language)
        for start, end in sentences(text)
        for first in range(start, end, LONGEST)
    )
