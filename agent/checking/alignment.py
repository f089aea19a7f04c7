"""A claim laid beside the sentences of its source that it rests on, word by word. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from agent.checking.quantities import Quantity
from agent.checking.read_sentence import Reading
from agent.checking.read_words import ReadWord
from agent.checking.source_text import SourceText
from agent.checking.vocabulary import Found, Vocabulary, same

MAX_SOURCE_SENTENCES = 3
"""Sentences of the source that one sentence of a reply may rest on."""

LOOSE_SHARE = 0.3
"""Share of a claim's words from which on, where the source does not hold them, it is said in other words. A denial, an
`only` or a `before` that the other sentence lacks then mostly belongs to the wording."""

CLOSE_SHARE = 0.2
"""The same share up to which a contradiction is clear; above, it may lie in the wording."""


@dataclass(frozen=True, slots=True)
class WordMatch:
    """A word of the claim and the source's word for it."""

    claim: ReadWord
    source: ReadWord
    sentence: int
    """Position among the aligned sentences."""
    opposite: bool
    """Whether the two words are opposites."""

    @property
    def clause(self) -> tuple[int, int]:
        """The aligned sentence and its clause in which the source's word stands."""
        return self.sentence, self.source.clause


@dataclass(frozen=True)
class Alignment:
    """A claim beside its source."""

    claim: Reading
    sentences: Sequence[Reading]
    """The aligned sentences: the best first."""
    text: SourceText
    """All sentences of the cited passages."""
    context: Sequence[Reading]
    """Titles, headings, names of columns, the question: words may come from there, too."""
    numbers: Sequence[int]
    """Of the aligned sentences, their numbers in the source."""

    @property
    def source(self) -> Sequence[Reading]:
        """All sentences of the cited passages."""
        return self.text.sentences

    def found(self, word: ReadWord) -> Found:
        """What the source has for a word of the claim."""
        return self.text.words.found(word)

    @cached_property
    def _context_words(self) -> Vocabulary:
        return Vocabulary(self.context)

    @cached_property
    def matches(self) -> tuple[WordMatch, ...]:
        """The words of the claim that the aligned sentences hold, in the claim's order."""
        return tuple(match for word in self.claim.words if (match := self._match(word)))

    def _match(self, word: ReadWord) -> WordMatch | None:
        by_sentence = self.found(word).by_sentence
        found = [
            WordMatch(word, other[0], position, other[1])
            for position, number in enumerate(self.numbers)
            if (other := by_sentence.get(number))
        ]
        return next((each for each in found if not each.opposite), found[0] if found else None)

    @cached_property
    def held(self) -> frozenset[int]:
        """The places of the claim's words that the aligned sentences or the context hold."""
        matched = {match.claim.place for match in self.matches}
        return frozenset(word.place for word in self.claim.words if word.place in matched or self.in_context(word))

    @cached_property
    def loose(self) -> bool:
        """Whether the claim has so many words of its own that a small difference says little."""
        return self._own > LOOSE_SHARE * len(self.claim.words)

    @cached_property
    def close(self) -> bool:
        """Whether the claim has hardly a word of its own."""
        return self._own <= CLOSE_SHARE * len(self.claim.words)

    @property
    def _own(self) -> int:
        return len(self.claim.words) - len(self.held)

    def own_share(self, clause: int) -> float:
        """Share of the words of one clause that the source does not hold."""
        words = [word for word in self.claim.words if word.clause == clause]
        own = sum(word.place not in self.held for word in words)
        return own / max(1, len(words))

    def in_context(self, word: ReadWord) -> bool:
        """Whether the context holds a word."""
        return bool(self._context_words.found(word).same)

    @cached_property
    def names(self) -> frozenset[str]:
        """The words that the source writes like names."""
        return self.text.names

    @cached_property
    def quantifiers(self) -> frozenset[str]:
        """The quantifiers of the aligned sentences."""
        return frozenset(kind for each in self.sentences for kind in each.quantifiers)


def align(claim: Reading, text: SourceText, context: Sequence[Reading]) -> Alignment:
    """Finds the sentences that hold most of the claim: the best one, then those that hold what is still missing."""
    source = text.sentences
    words: list[set[int]] = [set() for _ in source]
    for n, word in enumerate(claim.words):
        for number in text.words.found(word).by_sentence:
            words[number].add(n)
    values = [{n for n, value in enumerate(claim.quantities) if _says(each, value)} for each in source]
    chosen: list[int] = []
    held_words: set[int] = set()
    held_values: set[int] = set()
    while len(chosen) < min(MAX_SOURCE_SENTENCES, len(source)):
        gains = [
            (len(words[n] - held_words) + 1.5 * len(values[n] - held_values) - 0.01 * len(each.words), -n)
            for n, each in enumerate(source)
            if n not in chosen
        ]
        gain, position = max(gains)
        if gain <= (0.9 if chosen else 0.0):
            break
        chosen.append(-position)
        held_words |= words[-position]
        held_values |= values[-position]
    return Alignment(claim, [source[n] for n in chosen], text, context, chosen)


def _says(sentence: Reading, value: Quantity) -> bool:
    return any(value.equals(each) for each in sentence.quantities)


def around(sentence: Reading, number: int, count: int) -> list[ReadWord]:
    """The words nearest to a quantity, given by its position: those of its own clause, where it has any."""
    place, clause = sentence.places[number], sentence.value_clauses[number]
    own = [word for word in sentence.words if word.clause == clause] or sentence.words
    return sorted(own, key=lambda word: abs(word.place - place))[:count]


Said = Sequence[ReadWord | Quantity]


def said_behind(sentence: Reading, place: int, reach: int) -> Said:
    """What a sentence says in so many tokens behind a token, in the same clause."""
    clause = sentence.clauses[place]
    return [
        each for each, spot in _said(sentence) if place < spot <= place + reach and sentence.clauses[spot] == clause
    ]


def said_elsewhere(sentence: Reading, place: int, reach: int) -> Said:
    """What a sentence says outside of that."""
    behind = said_behind(sentence, place, reach)
    return [each for each, _ in _said(sentence) if not any(each is other for other in behind)]


def said_before(sentence: Reading, place: int, reach: int) -> Said:
    """What a sentence says in so many tokens before a token."""
    return [each for each, spot in _said(sentence) if place - reach <= spot < place]


def _said(sentence: Reading) -> list[tuple[ReadWord | Quantity, int]]:
    values = list(zip(sentence.quantities, sentence.places, strict=True))
    return [*((word, word.place) for word in sentence.words), *values]


def overlap(ours: Said, theirs: Said) -> bool:
    """Whether both hold one thing."""
    return any(_equal(one, other) for one in ours for other in theirs)


def _equal(one: ReadWord | Quantity, other: ReadWord | Quantity) -> bool:
    if isinstance(one, Quantity):
        return isinstance(other, Quantity) and one.equals(other)
    return isinstance(other, ReadWord) and same(one, other)
