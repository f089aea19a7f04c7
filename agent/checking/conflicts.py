"""Sentences of two documents that say different things of the same subject: another number, the contrary, another
duty. Pure.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import Literal

from agent.checking.alignment import Alignment, align
from agent.checking.claim_comparison import MAX_SENTENCE_CHARACTERS
from agent.checking.differing_values import other_value
from agent.checking.language import rule_language_of
from agent.checking.meaning_checks import denials, modality
from agent.checking.read_sentence import Reading
from agent.checking.readings import read
from agent.checking.same_subject import (
    OTHER_WAY,
    SAME_SUBJECT,
    StatedSentence,
    answers,
    own_names,
    own_subjects,
    parallel,
    related,
    share,
    stated_sentences,
)
from agent.checking.source_text import SourceText
from domain.knowledge_graph import Precedence
from domain.search import Passage

MIN_AGREEING_SHARE = 0.7
"""Share of the words of both that must agree where only a denial, a duty or a day differs."""

MAX_SENTENCES = 60
"""Sentences that are compared with each other: those that hold most of the question."""

MIN_QUESTION_SHARE = 0.4
"""Share of the question's words that a sentence, with its title and headings, must hold."""

MIN_ANSWERING_SHARE = 0.6
"""The same share, from which two sentences speak of the same thing where one document replaces the other."""

Reason = Precedence | Literal["is newer than", ""]
"""Why one document counts before another; empty: nothing tells."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two sentences that cannot both hold: the one that counts first."""

    first: int
    """Position of its passage."""
    first_sentence: str
    second: int
    second_sentence: str
    difference: str
    """In words for the trace."""
    reason: Reason


def find_conflicts(
    passages: Sequence[Passage], question: str, precedence: Mapping[tuple[str, str], Precedence] = MappingProxyType({})
) -> list[Conflict]:
    """What the passages say differently of what the question asks for: of each two documents one conflict, that whose
    sentences hold most of the question.

    precedence: what documents say of each other, see GraphSearch.precedence.
    """
    asked = read(question[:MAX_SENTENCE_CHARACTERS], rule_language_of(question))
    stated = [each for passage in passages if not passage.injection for each in stated_sentences(passage)]
    words = {(each.passage.document_id, each.reading.tokens) for each in stated}
    said = [(answers(each, asked), each) for each in stated]
    said = sorted((each for each in said if each[0] >= MIN_QUESTION_SHARE), key=lambda each: -each[0])[:MAX_SENTENCES]
    best: dict[frozenset[str], Conflict] = {}
    for (_, one), (_, other) in combinations(said, 2):  # sorted by how much of the question they hold
        ids = one.passage.document_id, other.passage.document_id
        if ids[0] == ids[1] or frozenset(ids) in best:
            continue
        if (ids[0], other.reading.tokens) in words or (ids[1], one.reading.tokens) in words:
            continue  # both documents say it: no difference
        follows = ids in precedence or ids[::-1] in precedence
        if differs := difference_between(one, other, asked if follows else None):
            reason, way = _order(one.passage, other.passage, precedence)
            pair = [(passages.index(each.passage), each.sentence) for each in (one, other)][::way]
            best[frozenset(ids)] = Conflict(*pair[0], *pair[1], differs, reason)
    return list(best.values())


def _order(
    one: Passage, other: Passage, precedence: Mapping[tuple[str, str], Precedence]
) -> tuple[Reason, Literal[1, -1]]:
    """Why one counts before the other, and -1 where it is the second that counts."""
    ids = one.document_id, other.document_id
    if (ids in precedence) != (ids[::-1] in precedence):
        return (precedence[ids], 1) if ids in precedence else (precedence[ids[::-1]], -1)
    if one.updated_at and other.updated_at and one.updated_at.date() != other.updated_at.date():
        return "is newer than", 1 if one.updated_at > other.updated_at else -1
    return "", 1


def difference_between(here: StatedSentence, there: StatedSentence, asked: Reading | None) -> str:
    """What two sentences of different documents say differently of the same thing, in words for the trace; empty where
    nothing is found.

    asked: the question, where one document replaces the other: then both need only answer it.
    """
    if here.reading.language != there.reading.language:
        return ""
    if asked and min(answers(here, asked), answers(there, asked)) >= MIN_ANSWERING_SHARE and related(here, there):
        return other_value(here, there, alike=False)
    shares = share(here, there), share(there, here)
    if max(shares) < SAME_SUBJECT or min(shares) < OTHER_WAY or parallel(here, there) or own_subjects(here, there):
        return ""
    alike = min(shares) >= MIN_AGREEING_SHARE
    return other_value(here, there, alike=alike) or (_contrary(here, there) if alike else "")


# the contrary


def _contrary(one: StatedSentence, other: StatedSentence) -> str:
    readings = one.reading, other.reading
    if all(each.denials for each in readings) or any(
        each.conditional or "except" in each.quantifiers for each in readings
    ):
        return ""
    if own_names(one, other, len(one.reading.clauses)) and own_names(other, one, len(other.reading.clauses)):
        return ""
    found = [
        _against(align(a.reading, SourceText([b.reading]), [b.title, b.headings]))
        for a, b in ((one, other), (other, one))
    ]
    return found[0][0] if all(found) else ""


def _against(pair: Alignment) -> list[str]:
    return [*denials(pair), *modality(pair)]
