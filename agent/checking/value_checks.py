"""Numbers with their bounds and what they measure, and order in time, beside those of the source. Pure."""

from collections.abc import Mapping, Sequence

from agent.checking.alignment import Alignment, Said, overlap, said_before, said_behind, said_elsewhere
from agent.checking.arithmetic_checks import worked_out
from agent.checking.quantities import Quantity
from agent.checking.read_sentence import Reading
from agent.checking.read_words import ReadWord
from domain.patterns import LinearRegex
from domain.text.tables import cells_of

MAX_ORDERED_TOKENS = 8
"""Tokens behind a word of order that it orders."""

CONTEXT_TOKENS = 5
"""Tokens before and behind a number that say what it is."""

_WORD = LinearRegex(r"[^\W\d_]{2,}")

_OPPOSITE_ORDERS = {
    frozenset(("before", "after")),
    frozenset(("until", "from")),
    frozenset(("before", "from")),
    frozenset(("after", "until")),
    frozenset(("first", "last")),
}
_DIRECTION = {"before": -1, "until": -1, "after": 1, "from": 1, "first": 0, "last": 2}
_LARGER = frozenset(
    {
        "more",
        "later",
        "longer",
        "larger",
        "beyond",
        "above",
        "otherwise",
        "higher",
        "sonst",
        "spater",
        "darub",
        "grosser",
    }
)
"""Stems of words that speak of what is beyond a bound."""

_AHEAD = frozenset({"ahead", "beforehand", "advance", "earlier", "vorher", "vorab", "zuvor", "voraus"})

_OPPOSITE_BOUNDS = {
    frozenset(("at least", "at most")),
    frozenset(("more than", "less than")),
    frozenset(("more than", "at most")),
    frozenset(("at least", "less than")),
}


def values(pair: Alignment) -> list[str]:
    """Numbers, dates, times and codes that the source does not say, says with the opposite bound, or of something
    else."""
    wrong = []
    for value in pair.claim.quantities:
        equal = _equal(value, pair)
        if not equal:
            own = _in_words_alone(value) or _is_factor(value, pair)
            if not own and not _in_context(value, pair) and not _is_worked_out(value, pair):
                wrong.append(f"{value.kind}: {value.value}")
            continue
        bounds = [sentence.quantities[number].bound for sentence, number in equal]
        beyond = any(word.text in _LARGER for each in pair.sentences for word in each.words)
        opposite = all(frozenset((value.bound, each)) in _OPPOSITE_BOUNDS for each in bounds)
        if opposite and not (beyond and value.bound == "more than"):
            wrong.append(f"bound: {value.bound} / {bounds[0]}")
    return wrong


def own_values(pair: Alignment) -> list[str]:
    """Numbers in words (`twice`, `two of them`), and those of `2 × €75`, that the source does not say."""
    if not pair.close:
        return []
    doubtful = []
    for value in pair.claim.quantities:
        equal = _equal(value, pair)
        if (
            not equal
            and value.unit != "ordinal"
            and value.text != "single"
            and (value.unit, value.raw) != ("times", 1.0)
            and (_in_words_alone(value) or _is_factor(value, pair))
            and not _in_context(value, pair)
        ):
            doubtful.append(f"{value.kind} of its own: {value.text}")
    return doubtful


def _equal(value: Quantity, pair: Alignment) -> list[tuple[Reading, int]]:
    return [
        (sentence, number)
        for sentence in pair.sentences
        for number, each in enumerate(sentence.quantities)
        if value.equals(each)
    ]


def _in_context(value: Quantity, pair: Alignment) -> bool:
    return any(value.equals(each) for one in pair.context for each in one.quantities)


def of_another_row(pair: Alignment) -> list[str]:
    """A number of a row of a table that the claim says of what has a row of its own: the extension of somebody, said of
    their deputy, who stands in that row, too."""
    rows = [each for each in pair.source if each.row]
    own = [each for each in rows if _is_about(pair.claim, each)]
    for value in pair.claim.quantities if own else ():
        said = [each for each in pair.source if any(value.equals(other) for other in each.quantities)]
        if said and all(each.row and each not in own and _names_another(pair.claim, each) for each in said):
            return [f"of another row: {value.text}"]
    return []


def _is_about(claim: Reading, row: Reading) -> bool:
    """Whether the claim names what stands in the first cell, in two words at least."""
    first = _words_of(cells_of(row.text)[0])
    return len(first) > 1 and first <= _named(claim)


def _names_another(claim: Reading, row: Reading) -> bool:
    """Whether the claim names what stands in another cell than the first, and no word of that."""
    first, *others = map(_words_of, cells_of(row.text))
    named = _named(claim)
    return first.isdisjoint(named) and any(len(words) > 1 and words <= named for words in others)


def _words_of(cell: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(cell)}


def _named(claim: Reading) -> set[str]:
    return {*claim.tokens, *(token.removesuffix("'s").removesuffix("’s") for token in claim.tokens)}


def _is_worked_out(value: Quantity, pair: Alignment) -> bool:
    claim = pair.claim
    return worked_out(
        claim.text, value, claim.quantities, lambda each: bool(_equal(each, pair)) or _in_context(each, pair)
    )


def _is_factor(value: Quantity, pair: Alignment) -> bool:
    return value.unit == "times" and f"{value.text}×" in pair.claim.text.replace(" ", "")


def _in_words_alone(value: Quantity) -> bool:
    return value.kind == "number" and not value.text[:1].isdigit()


def exchanged_values(pair: Alignment) -> list[str]:
    """Two numbers of one unit in the other order than in the source, beside the words of each other."""
    claim = pair.claim
    if any(_turned_range(claim, place, pair.sentences) for place in claim.ranges):
        return ["range: exchanged"]
    for one, value in enumerate(claim.quantities):
        for other in range(one + 1, len(claim.quantities)):
            if (value.kind, value.unit) != (claim.quantities[other].kind, claim.quantities[other].unit):
                continue
            for sentence in pair.sentences:
                spots = _place(value, sentence), _place(claim.quantities[other], sentence)
                turned = 0 <= spots[1] < spots[0] and _beside_the_other(claim, claim.places[one], sentence, spots)
                if turned and _beside_the_other(claim, claim.places[other], sentence, spots[::-1]):
                    return [f"numbers exchanged: {value.text}, {claim.quantities[other].text}"]
    return []


def _turned_range(claim: Reading, place: int, sentences: Sequence[Reading]) -> bool:
    """Whether the values on both sides of a `to` stand in the source on the other sides of one."""
    ends = [found for each in sentences for spot in each.ranges for found in _ends(each, spot)]
    return any(
        low.equals(last) and high.equals(first) and not low.equals(first)
        for low, high in _ends(claim, place)
        for first, last in ends
    )


def _ends(sentence: Reading, place: int) -> list[tuple[Quantity, Quantity]]:
    """The values on both sides of a token; none where there are none."""
    values = dict(zip(sentence.places, sentence.quantities, strict=True))
    return [(values[place - 1], values[place + 1])] if place - 1 in values and place + 1 in values else []


def _place(value: Quantity, sentence: Reading) -> int:
    places = zip(sentence.quantities, sentence.places, strict=True)
    return next((place for each, place in places if value.equals(each)), -1)


def _beside_the_other(claim: Reading, place: int, sentence: Reading, spots: tuple[int, int]) -> bool:
    """Whether what stands before or behind a number of the claim stands in the source there at the other's place."""
    for said in (said_before, said_behind):
        ours, own, others = (
            said(claim, place, CONTEXT_TOKENS),
            said(sentence, spots[0], CONTEXT_TOKENS),
            said(sentence, spots[1], CONTEXT_TOKENS),
        )
        words = [each for each in ours if isinstance(each, ReadWord) and not overlap([each], own)]
        if overlap(words, others):
            return True
    return False


def order(pair: Alignment) -> list[str]:
    """`Before` where the source says `after`, and things that follow each other the other way round."""
    return [
        difference
        for order_of, place in pair.claim.orders
        if order_of in _DIRECTION and not pair.loose
        for sentence in pair.sentences
        for difference in _order_in(order_of, place, sentence, pair.claim)
    ]


def _order_in(ours: str, place: int, sentence: Reading, claim: Reading) -> list[str]:
    behind = _ordered(claim, place)
    if any(ours == same_one and overlap(behind, _ordered(sentence, spot)) for same_one, spot in sentence.orders):
        return []
    if sentence.waits or _COMPLEMENT & {*sentence.tokens}:
        return []
    wrong = []
    for theirs, spot in sentence.orders:
        ordered = _ordered(sentence, spot)
        if overlap(behind, ordered):
            if frozenset((ours, theirs)) in _OPPOSITE_ORDERS:
                wrong.append(f"order: {ours} / {theirs}")
        elif _DIRECTION[ours] == _DIRECTION.get(theirs) and _orders_an_event(claim, place):
            rest, other_rest = (
                said_elsewhere(claim, place, MAX_ORDERED_TOKENS),
                said_elsewhere(sentence, spot, MAX_ORDERED_TOKENS),
            )
            # `after 30 days` names no thing that comes first
            events = [each for each in ordered if isinstance(each, ReadWord)]
            if overlap(behind, other_rest) and overlap(rest, events):
                wrong.append(f"order: exchanged around {ours}")
    return wrong


def _ordered(sentence: Reading, place: int) -> Said:
    """What a word of order orders: a time or a number right behind it, else the words of its clause."""
    said = said_behind(sentence, place, MAX_ORDERED_TOKENS)
    values = [each for each in said if isinstance(each, Quantity)]
    return values[:1] if values and not _orders_an_event(sentence, place) else said


def own_order(pair: Alignment) -> list[str]:
    """`After` something that the source only says to come `ahead` or `before`, without a word for what."""
    return [
        f"order of its own: {each}"
        for each, place in pair.claim.orders
        if each == "after" and _orders_an_event(pair.claim, place) and any(map(_is_ahead, pair.sentences[:1]))
    ]


def _is_ahead(sentence: Reading) -> bool:
    return any(word.text in _AHEAD for word in sentence.words)


def _orders_an_event(sentence: Reading, place: int) -> bool:
    """Whether a word of order stands before an event: `after the test`, and not `after 30 days`."""
    words = [each.place for each in said_behind(sentence, place, MAX_ORDERED_TOKENS) if isinstance(each, ReadWord)]
    values = [spot for spot in sentence.places if place < spot]
    return bool(words) and min(words) < min(values, default=words[0] + 1)


_SIDES: Mapping[str, int] = {
    **dict.fromkeys(("at most", "less than", "until", "before"), -1),
    **dict.fromkeys(("at least", "more than", "after", "from"), 1),
}
_COMPLEMENT = frozenset(
    """afterwards then thereafter otherwise later longer more beyond above danach dann sonst darüber später länger mehr
    ahead vorher zuvor voraus""".split()  # noqa: SIM905 - as read
)
"""Words that speak of what is beyond a value, or before it."""
TOKENS_BEFORE_VALUE = 3
"""Tokens before a value in which its word of order stands."""


def other_side(pair: Alignment) -> list[str]:
    """A value that the claim takes for the end where the source takes it for the beginning: `after 14 days` for `within
    14 days`. Also a time of day before or after which the claim puts what the source puts at it."""
    said = (pair.claim, *pair.sentences)
    if not pair.close or any(each.denials or _COMPLEMENT & {*each.tokens} for each in said):
        return []
    for number, value in enumerate(pair.claim.quantities):
        equal = _equal(value, pair)
        ours, order = _side(pair.claim, number)
        if not ours or not equal:
            continue
        if any(abs(sentence.places[position] - spot) == 1 for sentence, position in equal for spot in sentence.ranges):
            continue
        theirs = [_side(sentence, position) for sentence, position in equal]
        turned = all(side == -ours and (order or ordered) for side, ordered in theirs)
        if turned or (order and value.kind == "time" and not any(side for side, _ in theirs)):
            return [f"side of {value.text}"]
    return []


def _side(sentence: Reading, number: int) -> tuple[int, bool]:
    """-1 for a value up to which something holds, 1 for one from which it does, 0 for neither; and whether a word of
    order says so."""
    place, bound = sentence.places[number], sentence.quantities[number].bound
    near = {each for each, spot in sentence.orders if 0 < place - spot <= TOKENS_BEFORE_VALUE}
    side = next((_SIDES[each] for each in ("until", "before", "after", "from") if each in near), 0)
    return (side, True) if side else (_SIDES.get(bound, 0), False)


def own_period(pair: Alignment) -> list[str]:
    """`Every month` where the source says `every quarter`."""
    theirs = {each for sentence in pair.sentences for each in sentence.periods}
    own = sorted(pair.claim.periods - theirs)
    return [f"period: {each}" for each in own if theirs]


def own_comparison(pair: Alignment) -> list[str]:
    """A comparison that the source does not make in words: at best it follows from numbers."""
    if pair.claim.than < 0 or any(each.than >= 0 for each in pair.sentences):
        return []
    return [] if any(value.bound for value in pair.claim.quantities) else ["a comparison of its own"]
