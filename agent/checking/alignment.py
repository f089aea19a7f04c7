"""A claim laid beside the sentences of its source that it rests on, word by word. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from agent.checking.quantities import Quantity
from agent.checking.readings import Reading, ReadWord

ALIGNED = 3
"""Sentences of the source that one sentence of a reply may rest on."""

LOOSE = 0.3
"""Share of a claim's words from which on, where the source does not hold them, it is said in other words. A denial, an
`only` or a `before` that the other sentence lacks then mostly belongs to the wording."""

CLOSE = 0.2
"""The same share up to which a contradiction is clear; above, it may lie in the wording."""

ALIKE = 5
"""Letters that two words must share to be held for forms of one."""

_PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non", "non-", "de", "miss")
_NEGATING = {prefix[0] for prefix in _PREFIXES}


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
    source: Sequence[Reading]
    """All sentences of the cited passages."""
    context: Sequence[Reading]
    """Titles, headings, names of columns, the question: words may come from there, too."""

    @cached_property
    def matches(self) -> tuple[WordMatch, ...]:
        """The words of the claim that the aligned sentences hold, in the claim's order."""
        return tuple(match for word in self.claim.words if (match := self._match(word)))

    def _match(self, word: ReadWord) -> WordMatch | None:
        found = [
            WordMatch(word, other[0], position, other[1])
            for position, sentence in enumerate(self.sentences)
            if (other := find(word, sentence))
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
        return self._own > LOOSE * len(self.claim.words)

    @cached_property
    def close(self) -> bool:
        """Whether the claim has hardly a word of its own."""
        return self._own <= CLOSE * len(self.claim.words)

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
        return any((hit := find(word, each)) and not hit[1] for each in self.context)

    @cached_property
    def names(self) -> frozenset[str]:
        """The words that the source writes like names."""
        return frozenset(word.text for each in self.source for word in each.words if word.name)

    @cached_property
    def quantifiers(self) -> frozenset[str]:
        """The quantifiers of the aligned sentences."""
        return frozenset(kind for each in self.sentences for kind in each.quantifiers)


def align(claim: Reading, source: Sequence[Reading], context: Sequence[Reading]) -> Alignment:
    """Finds the sentences that hold most of the claim: the best one, then those that hold what is still missing."""
    words = [{n for n, word in enumerate(claim.words) if find(word, each)} for each in source]
    values = [{n for n, value in enumerate(claim.quantities) if _says(each, value)} for each in source]
    chosen: list[int] = []
    while len(chosen) < min(ALIGNED, len(source)):
        held = set().union(*(words[n] for n in chosen)), set().union(*(values[n] for n in chosen))
        gains = [
            (len(words[n] - held[0]) + 1.5 * len(values[n] - held[1]) - 0.01 * len(each.words), -n)
            for n, each in enumerate(source)
            if n not in chosen
        ]
        gain, position = max(gains)
        if gain <= (0.9 if chosen else 0.0):
            break
        chosen.append(-position)
    return Alignment(claim, [source[n] for n in chosen], source, context)


def _says(sentence: Reading, value: Quantity) -> bool:
    return any(value.equals(each) for each in sentence.quantities)


def find(word: ReadWord, sentence: Reading) -> tuple[ReadWord, bool] | None:
    """The word of a sentence that says the same as `word`, or the opposite, and whether it is the opposite."""
    if known := sentence.by_stem.get(word.stem):
        return known, False
    opposite = None
    for other in sentence.words:
        relation = side(word, other)
        if relation > 0:
            return other, False
        if relation < 0:
            opposite = opposite or other
    if opposite:
        return opposite, True
    if len(word.text) < ALIKE:
        return None
    return next(((other, False) for other in sentence.words if _alike(word.text, other.text)), None)


def side(word: ReadWord, other: ReadWord) -> int:
    """1 for synonyms, -1 for opposites, 0 for neither."""
    if word.concepts and other.concepts:
        best = max((one[1] * two[1] for one in word.concepts for two in other.concepts if one[0] == two[0]), default=0)
        if best:
            return best
    one, two = word.text, other.text
    if len(one) == len(two):
        return 0
    longer, shorter = (one, two) if len(one) > len(two) else (two, one)
    return -1 if longer[0] in _NEGATING and _negates(longer, shorter) else 0


def same(word: ReadWord, other: ReadWord) -> bool:
    """Whether two words may say the same."""
    return word.stem == other.stem or side(word, other) > 0 or _alike(word.text, other.text)


def _negates(word: str, plain: str) -> bool:
    """Whether a longer word is another with a prefix that turns it round (unpaid, inactive, disconnect)."""
    if len(plain) < 4:
        return False
    stem = plain[: max(4, len(plain) - 3)]
    return stem in word and any(word.startswith(prefix + stem) for prefix in _PREFIXES)


def _alike(one: str, other: str) -> bool:
    """Whether two words begin alike (approve, approval), or one is a part of a compound."""
    shorter, longer = (one, other) if len(one) <= len(other) else (other, one)
    if len(shorter) < ALIKE:
        return False
    if shorter[0] == longer[0] and longer.startswith(shorter[: max(ALIKE, len(shorter) - 3)]):
        return True
    return shorter in longer and (len(longer) > 2 * ALIKE - 1 or longer.endswith(shorter))


Said = Sequence[ReadWord | Quantity]


def around(sentence: Reading, number: int, count: int) -> list[ReadWord]:
    """The words nearest to a quantity, given by its position: those of its own clause, where it has any."""
    place, clause = sentence.places[number], sentence.value_clauses[number]
    own = [word for word in sentence.words if word.clause == clause] or sentence.words
    return sorted(own, key=lambda word: abs(word.place - place))[:count]


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
