"""What comes first: the events of a claim in time beside those of its source. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.checking.alignment import Alignment
from agent.checking.quantities import Quantity
from agent.checking.read_sentence import Reading
from agent.checking.read_words import ReadWord
from agent.checking.statements import Portion, Statement
from agent.checking.vocabulary import same

_STEP = re.compile(r"\s{0,8}(\d{1,2})[.)]\s")
"""The number of an item of a list."""


@dataclass(frozen=True, slots=True)
class Succession:
    """The words of two events of which one comes first."""

    earlier: Sequence[ReadWord]
    later: Sequence[ReadWord]

    def reverses(self, other: "Succession") -> bool:
        """Whether both name the same events, each the other way round."""
        return (
            _any_only(self.earlier, other.later, other.earlier)
            and _any_only(self.later, other.earlier, other.later)
            and not (
                _any_only(self.earlier, other.earlier, other.later)
                and _any_only(self.later, other.later, other.earlier)
            )
        )


def reversed_events(pair: Alignment) -> list[str]:
    """Two events in the other order than the source has them, in words or by the numbers of a list."""
    for ours in _successions(pair.claim):
        said = [theirs for each in pair.source for theirs in _successions(each)]
        if any(ours.reverses(theirs) for theirs in (*said, *_steps(ours, pair.source))):
            return [f"order: {ours.earlier[0].text} / {ours.later[0].text}"]
    return []


def before_its_condition(pair: Alignment) -> list[str]:
    """Something `before` what the source makes its condition: `merged before two approved` for `once two approved`."""
    for order, place in pair.claim.orders:
        if order != "before":
            continue
        clause = pair.claim.clauses[place]
        behind = [each for each in pair.claim.words if each.clause == clause and each.place > place]
        for sentence in pair.sentences:
            conditions = [each for each in sentence.words if each.clause in sentence.conditions]
            rest = [each for each in sentence.words if each.clause not in sentence.conditions]
            if sentence.denials or not conditions or not behind:
                continue
            if _any_only(behind, conditions, rest) and not _any_only(behind, rest, conditions):
                return [f"before its condition: {behind[0].text}"]
    return []


_AT_TIME = frozenset({"p:during", "p:within", "p:while", "p:während", "p:innerhalb"})
_OFF_TIME = frozenset({"p:after", "p:before", "p:nach", "p:vor"})


def beside_in_time(pair: Alignment) -> list[str]:
    """`After` what the source says to be the time in which something holds."""
    for each in pair.claim.statements:
        for part in each.parts:
            if not part.slots & _OFF_TIME or not isinstance(part.said, ReadWord):
                continue
            slots = [
                other.slots
                for sentence in pair.source
                for stated in sentence.statements
                for other in stated.parts
                if isinstance(other.said, ReadWord)
                and same(part.said, other.said)
                and not _holds_a_value(stated, other)
            ]
            if any(slot & _AT_TIME for slot in slots) and not any(slot & part.slots & _OFF_TIME for slot in slots):
                return [f"beside: {part.said.text}"]
    return []


def _holds_a_value(stated: Statement, part: Portion) -> bool:
    """Whether a value stands behind the same preposition: `within 30 days of the trip`."""
    return any(isinstance(each.said, Quantity) and each.slots & part.slots for each in stated.parts)


def _successions(sentence: Reading) -> Iterator[Succession]:
    for order, place in sentence.orders:
        if order in {"before", "after"}:
            yield from _around(sentence, order, place)
    yield from _first_and_then(sentence)


def _around(sentence: Reading, order: str, place: int) -> Iterator[Succession]:
    """Of `A before B`, also of `before B, A`, and of `not A before B`, where B comes first."""
    clause = sentence.clauses[place]
    behind = [each for each in sentence.words if each.clause == clause and each.place > place]
    front = [each for each in sentence.words if each.clause == clause and each.place < place]
    clauses = sorted({each.clause for each in sentence.words}, key=lambda each: (each > clause, abs(each - clause)))
    beside = next((each for each in clauses if each != clause), -1)
    other = front or [each for each in sentence.words if each.clause == beside]
    if not behind or not other:
        return
    denied = any(cue < place and sentence.clauses[cue] == other[0].clause for cue in sentence.denials)
    yield Succession(behind, other) if (order == "after") != denied else Succession(other, behind)


def _first_and_then(sentence: Reading) -> Iterator[Succession]:
    """Of `first A, then B`, and of `A first and B later`."""
    first = next((place for order, place in sentence.orders if order in {"first", "at once"}), -1)
    then = next((place for order, place in sentence.orders if place > first and _follows(order, place, sentence)), -1)
    if first < 0 or then < 0:
        return
    one, two = sentence.clauses[first], sentence.clauses[then]
    if one != two:
        earlier = [each for each in sentence.words if each.clause == one]
        later = [each for each in sentence.words if each.clause == two]
    else:
        earlier = [each for each in sentence.words if each.clause == one and each.place < first]
        later = [each for each in sentence.words if each.clause == one and each.place > first]
    if earlier and later:
        yield Succession(earlier, later)


def _follows(order: str, place: int, sentence: Reading) -> bool:
    """Whether a word of order stands with what comes second: `later`, `after 30 days`."""
    return order in {"then", "last"} or (order == "after" and place + 1 in sentence.places)


def _steps(ours: Succession, source: Sequence[Reading]) -> Iterator[Succession]:
    """The items of a numbered list that hold most of two events."""
    items = [each for each in source if _STEP.match(each.text)]
    if len(items) < 2:
        return
    one, two = (max(items, key=lambda each: _shared(words, each.words)) for words in (ours.earlier, ours.later))
    numbers = [int(found[1]) for each in (one, two) if (found := _STEP.match(each.text))]
    if numbers[0] > numbers[1]:
        yield Succession(two.words, one.words)


def _shared(words: Sequence[ReadWord], others: Sequence[ReadWord]) -> int:
    return sum(any(same(word, other) for other in others) for word in words)


def _any_only(words: Sequence[ReadWord], here: Sequence[ReadWord], there: Sequence[ReadWord]) -> bool:
    """Whether a word is said here and not there."""
    return any(
        any(same(word, other) for other in here) and not any(same(word, other) for other in there) for word in words
    )
