"""Sentences with the titles and headings they stand under, and whether two of different documents speak of the same
thing. Pure.

Two sentences do when most of their words are the same and neither names what the other document does not have. What a
document's title says (a year, a key) tells which thing it speaks of; it is no value.
"""

import re
from dataclasses import dataclass
from itertools import pairwise

from agent.checking.claim_comparison import MAX_PASSAGE_CHARACTERS, MAX_SENTENCE_CHARACTERS, readings_of
from agent.checking.language import rule_language_of
from agent.checking.quantities import Quantity
from agent.checking.read_sentence import Reading
from agent.checking.read_words import ReadWord
from agent.checking.readings import read, values_in
from agent.checking.vocabulary import stands_in
from domain.search import Passage

SAME_SUBJECT = 0.6
"""Share of the words of one of two sentences that the other must hold."""

OTHER_WAY = 0.35
"""The same share of the other one: it may say more."""

MIN_SHARED_WORDS = 3
"""Words that two sentences must share; one less where one is a row of a table."""

MIN_RELATED_SHARE = 0.5
"""Share of the words of either that the other document must hold there."""

_LIST_MARK = re.compile(r"\s{0,20}(?:\d{1,3}[.)]|[-*])\s{1,20}")


@dataclass(frozen=True, slots=True)
class StatedSentence:
    """A sentence of a document, with what it is read beside."""

    sentence: str
    passage: Passage
    reading: Reading
    title: Reading
    headings: Reading
    own: tuple[Quantity, ...]
    """Numbers and codes of the title: they say which thing the document is about."""

    def has(self, word: ReadWord) -> bool:
        """Whether the sentence, the title or a heading has a word."""
        return any(stands_in(word, each) for each in (self.reading, self.title, self.headings))

    @property
    def quantities(self) -> list[tuple[int, Quantity]]:
        """The values, with their positions in the sentence."""
        found = enumerate(self.reading.quantities)
        return [(n, value) for n, value in found if not any(value.equals(each) for each in self.own)]


def stated_sentences(passage: Passage) -> list[StatedSentence]:
    """The sentences of a passage, without those that name the columns of a table."""
    text = passage.text[:MAX_PASSAGE_CHARACTERS]
    found = readings_of(text, rule_language_of(text[:MAX_SENTENCE_CHARACTERS]))
    headers = {id(one) for one, two in pairwise(found) if one.row and set(two.text) <= set("|-: ")}
    return [_stated(reading.text, passage) for reading in found if id(reading) not in headers]


def _stated(sentence: str, passage: Passage) -> StatedSentence:
    text = _LIST_MARK.sub("", sentence)[:MAX_SENTENCE_CHARACTERS]
    language = rule_language_of(text)
    title = read(passage.title[:MAX_SENTENCE_CHARACTERS], language)
    headings = read(" ".join(passage.heading_path)[:MAX_SENTENCE_CHARACTERS], language)
    return StatedSentence(sentence, passage, read(text, language), title, headings, tuple(values_in(passage.title)))


def parallel(one: StatedSentence, other: StatedSentence) -> bool:
    """Whether the titles of two documents say that they are of one kind about different things (`Session 1`, `Session
    2`; `Medical leave policy`, `Parental leave policy`): they agree in part, and each has what the other has not."""
    if not any(stands_in(word, other.title) for word in one.title.words):
        return False
    return _only_here(one, other) and _only_here(other, one)


def _only_here(one: StatedSentence, other: StatedSentence) -> bool:
    words = [word for word in one.title.words if not other.has(word)]
    numbers = [value for value in one.own if not _is_version(value)]
    return bool(words) or any(not any(value.equals(each) for each in other.own) for value in numbers)


def _is_version(value: Quantity) -> bool:
    """Whether it is a date, a year, or a number such as 2.1: of two versions one follows the other."""
    return value.kind == "date" or "." in value.text or 1900 <= value.raw < 2100


def answers(side: StatedSentence, asked: Reading) -> float:
    """Share of the question's words that a sentence with its title and headings holds; 0 where the sentence itself
    holds none."""
    if not any(stands_in(word, side.reading) for word in asked.words):
        return 0.0
    return sum(side.has(word) for word in asked.words) / len(asked.words)


def share(one: StatedSentence, other: StatedSentence) -> float:
    """Share of the words of one that the other holds; 0 where these are too few."""
    words = [word for word in one.reading.words if not word.code]
    held = [word for word in words if stands_in(word, other.reading)]
    row = one.reading.row or other.reading.row
    return len(held) / len(words) if len(held) >= (MIN_SHARED_WORDS - 1 if row else MIN_SHARED_WORDS) else 0.0


def related(one: StatedSentence, other: StatedSentence) -> bool:
    """Whether half of the words of either stand in the other, its title or a heading."""
    shares = (
        sum(there.has(word) for word in here.reading.words) / max(1, len(here.reading.words))
        for here, there in ((one, other), (other, one))
    )
    return max(shares) >= MIN_RELATED_SHARE


def own_subjects(one: StatedSentence, other: StatedSentence) -> bool:
    """Whether the first words of two sentences name different things (`Platform on-call`, `Firmware on-call`)."""
    return all(
        here.reading.words and not there.has(here.reading.words[0]) for here, there in ((one, other), (other, one))
    )


def own_names(one: StatedSentence, other: StatedSentence, place: int) -> bool:
    """Whether a sentence names, before one of its tokens, what neither the other sentence nor its document's title
    has."""
    return any(
        (word.name or word.code) and word.place < place and not _begins_a_cell(word, one) and not other.has(word)
        for word in one.reading.words
    )


def _begins_a_cell(word: ReadWord, side: StatedSentence) -> bool:
    """Whether a word is the first of a cell, and its capital says nothing."""
    return side.reading.row and not any(
        each.clause == word.clause and each.place < word.place for each in side.reading.words
    )
