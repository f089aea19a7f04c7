"""Numbers with their bounds and what they measure, and order in time, beside those of the source. Pure."""

from agent.checking.alignment import Alignment, around, overlap, said_behind, said_elsewhere, same
from agent.checking.lexicon import Bound
from agent.checking.quantities import Quantity
from agent.checking.readings import Reading, ReadWord

REACH = 3
"""Tokens behind a word of order that it orders."""

_OPPOSITE_ORDERS = {
    frozenset(("before", "after")),
    frozenset(("until", "from")),
    frozenset(("before", "from")),
    frozenset(("after", "until")),
    frozenset(("first", "last")),
}
_DIRECTION = {"before": -1, "until": -1, "after": 1, "from": 1, "first": 0, "last": 2}
_OPPOSITE_BOUNDS = {
    frozenset(("at least", "at most")),
    frozenset(("more than", "less than")),
    frozenset(("more than", "at most")),
    frozenset(("at least", "less than")),
}


def values(pair: Alignment) -> list[str]:
    """Numbers, dates, times and codes that the source does not say, bounds otherwise, or of something else."""
    wrong = []
    for position, value in enumerate(pair.claim.quantities):
        equal = [
            (sentence, number)
            for sentence in pair.sentences
            for number, each in enumerate(sentence.quantities)
            if value.equals(each)
        ]
        if not equal:
            if value.unit != "ordinal" and not any(
                value.equals(each) for one in pair.context for each in one.quantities
            ):
                wrong.append(f"{value.kind}: {value.value}")
            continue
        bounds = [sentence.quantities[number].bound for sentence, number in equal]
        if all(_bounds_differ(value.bound, each) for each in bounds):
            wrong.append(f"bound: {value.bound or 'exactly'} / {bounds[0] or 'exactly'}")
        if value.kind != "code" and _measures_another(position, equal[0], pair):
            wrong.append(f"number of something else: {value.value}")
    return wrong


def _bounds_differ(ours: Bound, theirs: Bound) -> bool:
    if frozenset((ours, theirs)) in _OPPOSITE_BOUNDS:
        return True
    return ours in {"at least", "more than", "less than"} and not theirs


def _measures_another(position: int, equal: tuple[Reading, int], pair: Alignment) -> bool:
    """Whether the words beside a number of the claim stand in the source beside another number of its kind."""
    value = pair.claim.quantities[position]
    near, ours = around(pair.claim, position, 4), around(*equal, 5)
    for other in pair.source:
        for number, each in enumerate(other.quantities):
            rival = each.kind == value.kind and each.unit == value.unit and not value.equals(each)
            if rival and not any(each.equals(own) for own in pair.claim.quantities):
                theirs = around(other, number, 5)
                if _only_in(near, theirs, ours) > _only_in(near, ours, theirs) + 1:
                    return True
    return False


def exchanged_values(pair: Alignment) -> list[str]:
    """Two numbers of one unit in the other order than in the source, before the same words."""
    claim = pair.claim
    for one, value in enumerate(claim.quantities):
        for other in range(one + 1, len(claim.quantities)):
            if (value.kind, value.unit) != (claim.quantities[other].kind, claim.quantities[other].unit):
                continue
            for sentence in pair.sentences:
                first, second = _place(value, sentence), _place(claim.quantities[other], sentence)
                if 0 <= second < first and _same_words(claim, claim.places[other], sentence, first):
                    return [f"numbers exchanged: {value.text}, {claim.quantities[other].text}"]
    return []


def _place(value: Quantity, sentence: Reading) -> int:
    places = zip(sentence.quantities, sentence.places, strict=True)
    return next((place for each, place in places if value.equals(each)), -1)


def _same_words(claim: Reading, place: int, sentence: Reading, spot: int) -> bool:
    ours = [each for each in said_behind(claim, place, REACH + 2) if isinstance(each, ReadWord)]
    return overlap(ours, said_behind(sentence, spot, REACH + 2))


def _only_in(words: list[ReadWord], here: list[ReadWord], there: list[ReadWord]) -> int:
    return sum(_in(word, here) and not _in(word, there) for word in words)


def _in(word: ReadWord, words: list[ReadWord]) -> bool:
    return any(same(word, other) for other in words)


def order(pair: Alignment) -> list[str]:
    """`Before` where the source says `after`, and things that follow each other the other way round."""
    return [
        difference
        for order_of, place in pair.claim.orders
        for sentence in pair.sentences
        for difference in _order_in(order_of, place, sentence, pair.claim)
    ]


def _order_in(ours: str, place: int, sentence: Reading, claim: Reading) -> list[str]:
    behind = said_behind(claim, place, REACH)
    if any(
        ours == same_one and overlap(behind, said_behind(sentence, spot, REACH)) for same_one, spot in sentence.orders
    ):
        return []
    wrong = []
    for theirs, spot in sentence.orders:
        ordered = said_behind(sentence, spot, REACH)
        if overlap(behind, ordered):
            if frozenset((ours, theirs)) in _OPPOSITE_ORDERS:
                wrong.append(f"order: {ours} / {theirs}")
        elif _DIRECTION[ours] == _DIRECTION[theirs]:
            rest, other_rest = said_elsewhere(claim, place, REACH), said_elsewhere(sentence, spot, REACH)
            # `after 30 days` names no thing that comes first
            events = [each for each in ordered if isinstance(each, ReadWord)]
            if overlap(behind, other_rest) and overlap(rest, events):
                wrong.append(f"order: exchanged around {ours}")
    return wrong


def own_order(pair: Alignment) -> list[str]:
    """An order in time that no word of the source states."""
    if any(each.orders for each in pair.sentences):
        return []
    return [
        f"order of its own: {each}"
        for each, place in pair.claim.orders
        if each in {"before", "after"}
        and any(isinstance(one, ReadWord) for one in said_behind(pair.claim, place, REACH))
    ]


def own_comparison(pair: Alignment) -> list[str]:
    """A comparison that the source does not make in words: at best it follows from numbers."""
    if pair.claim.than < 0 or any(each.than >= 0 for each in pair.sentences):
        return []
    return [] if any(value.bound for value in pair.claim.quantities) else ["a comparison of its own"]
