"""Whether a sentence says what its source says: not by shared words, but by what denies, obliges, bounds and orders.

The sentence is laid beside the few sentences of the source that it shares most with (`alignment`). Then its denials,
modality, quantifiers, numbers, order in time and roles are compared, what belongs to what, and what it adds. Pure; the
rules know English and German.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from agent.checking.added_checks import (
    added_also,
    added_clause,
    added_words,
    inexact_literals,
    own_circumstance,
    own_exception,
)
from agent.checking.alignment import Alignment, align
from agent.checking.binding_checks import crossed_roles, exchanged_slots, opposite_beside, unbound
from agent.checking.language import detect_language, repeats, rule_language_of
from agent.checking.lexicon import Language
from agent.checking.list_checks import joined_otherwise, own_member
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
from agent.checking.order_checks import before_its_condition, beside_in_time, reversed_events
from agent.checking.read_sentence import Reading
from agent.checking.readings import read, values_in
from agent.checking.role_checks import exchanged_roles, said_apart
from agent.checking.source_text import SourceText
from agent.checking.value_checks import (
    exchanged_values,
    of_another_row,
    order,
    other_side,
    own_comparison,
    own_order,
    own_period,
    own_values,
    values,
)
from domain.search import Passage
from domain.text.sentences import sentences

Verdict = Literal["agrees", "doubtful", "disagrees"]

MAX_SENTENCE_CHARACTERS = 800
"""Characters of a sentence that are read as one: the work grows with the square of its words."""

MAX_PASSAGE_CHARACTERS = 20_000
"""Characters of a passage that are read; those of the index are shorter."""

Check = Callable[[Alignment], list[str]]

_BINDINGS: tuple[Check, ...] = (exchanged_roles, unbound, crossed_roles, exchanged_slots)
CONTRADICTIONS: tuple[Check, ...] = (denials, modality, quantifiers, order, reversed_events, *_BINDINGS)
"""What they find speaks against the source, where the claim is close to its words."""

DOUBTS: tuple[Check, ...] = (
    *(added_words, added_clause, added_also, inexact_literals),
    *(unmatched_denials, denied_words, own_without, own_quantifiers, own_values, own_period, own_order, own_comparison),
    *(exchanged_values, said_apart, opposite_beside),
    *(joined_otherwise, own_member, own_exception, own_circumstance, other_side, before_its_condition, beside_in_time),
)
"""What they find is not clearly said by the source."""


SUPPORTED_LANGUAGES = ("en", "de")
"""The languages that the tables are for."""

UNREAD = "in a language that is not read, and not word for word in the source"
ANOTHER_LANGUAGE = "in another language than its source"
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
    ours = detect_language(claim[:MAX_SENTENCE_CHARACTERS])
    if ours and ours not in SUPPORTED_LANGUAGES:
        return _unread(claim, texts)
    language = rule_language_of(claim, *texts)
    source = source_text(tuple(text[:MAX_PASSAGE_CHARACTERS] for text in texts), language)
    columns = [one.text for one, two in pairwise(source.sentences) if one.row and set(two.text) <= set("|-: ")]
    context = [read(each[:MAX_SENTENCE_CHARACTERS], language) for each in (*around, *columns) if each]
    reading = read(claim[:MAX_SENTENCE_CHARACTERS], language)
    if len(claim) > MAX_SENTENCE_CHARACTERS or not reading.whole:
        return ClaimComparison("doubtful", ("too long",))
    pair = align(reading, source, context)
    if not pair.sentences:  # a word alone, such as Yes, says nothing that could stand there
        return ClaimComparison("disagrees" if len(reading.words) > 1 else "doubtful", (NOT_THERE,))
    theirs = {detect_language(text) for text in texts}
    if ours and "" not in theirs and ours not in theirs:
        wrong = values(pair)
        return ClaimComparison("disagrees" if wrong else "doubtful", (ANOTHER_LANGUAGE, *wrong))
    return _checked(pair)


def _checked(pair: Alignment) -> ClaimComparison:
    others = [*values(pair), *of_another_row(pair), *clear_denials(pair)]
    wrong = [difference for check in CONTRADICTIONS for difference in check(pair)]
    unsure = [difference for check in DOUBTS for difference in check(pair)]
    found = tuple(dict.fromkeys((*wrong, *others, *unsure)))
    if others or (wrong and pair.close):
        return ClaimComparison("disagrees", found)
    return ClaimComparison("doubtful" if found else "agrees", found)


def _unread(claim: str, texts: Sequence[str]) -> ClaimComparison:
    """Of a claim in a language without tables: it agrees only where it repeats a sentence of its source."""
    if any(repeats(claim, text[:MAX_PASSAGE_CHARACTERS]) for text in texts):
        return ClaimComparison("agrees")
    said = [value for text in texts for value in values_in(text[:MAX_PASSAGE_CHARACTERS])]
    wrong = [each for each in values_in(claim) if not any(each.equals(other) for other in said)]
    return ClaimComparison(
        "disagrees" if wrong else "doubtful", (UNREAD, *(f"{each.kind}: {each.value}" for each in wrong))
    )


def _around(passage: Passage) -> str:
    dated = f" {passage.updated_at:%Y-%m-%d}" if passage.updated_at else ""
    return " ".join((passage.title, *passage.heading_path)) + dated


@lru_cache(maxsize=32)
def source_text(texts: tuple[str, ...], language: Language) -> SourceText:
    """Texts, read as one source."""
    return SourceText([each for text in texts for each in readings_of(text, language)])


@lru_cache(maxsize=64)
def readings_of(text: str, language: Language) -> tuple[Reading, ...]:
    """The sentences of a text, read."""
    return tuple(
        read(text[first : min(end, first + MAX_SENTENCE_CHARACTERS)], language)
        for start, end in sentences(text)
        for first in range(start, end, MAX_SENTENCE_CHARACTERS)
    )
