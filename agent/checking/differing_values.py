"""Values of two sentences about the same thing: whether both can hold. Pure."""

from itertools import product

from agent.checking.alignment import around
from agent.checking.lexicon import Bound
from agent.checking.quantities import Quantity
from agent.checking.read_words import ReadWord
from agent.checking.same_subject import StatedSentence, own_names
from agent.checking.vocabulary import same

CONTEXT_WORDS = 4
"""Words next to a number that say what it measures."""


def other_value(one: StatedSentence, other: StatedSentence, *, alike: bool) -> str:
    """Two values of one kind that are said of the same and cannot both hold, for the trace; empty where there are none.

    alike: whether the sentences agree so far that another day is another value, and no other event.
    """
    for (here, mine), (there, theirs) in product(one.quantities, other.quantities):
        if (mine.kind, mine.unit) != (theirs.kind, theirs.unit) or mine.kind == "code":
            continue
        if mine.kind == "date" and not (alike and _says_nothing_but_days(one, other)):
            continue
        if _apart(mine, one, theirs, other) and _measure_the_same(one, here, other, there):
            return f"{mine.text} / {theirs.text}"
    return ""


def _says_nothing_but_days(*sides: StatedSentence) -> bool:
    return all(value.kind == "date" for each in sides for _, value in each.quantities)


def _apart(mine: Quantity, one: StatedSentence, theirs: Quantity, other: StatedSentence) -> bool:
    """Whether two values exclude each other, and neither sentence has a value of that kind in common."""
    ours, others = (
        [value for _, value in each.quantities if (value.kind, value.unit) == (mine.kind, mine.unit)]
        for each in (one, other)
    )
    if any(value.equals(each) for value, each in product(ours, others)):
        return False
    row = one.reading.row or other.reading.row  # a cell of a table seldom says that it is a bound
    return (row or _excludes(mine, theirs)) and (mine.kind != "time" or len(ours) == len(others))


_LOWEST: frozenset[Bound] = frozenset(("at least", "more than"))
_HIGHEST: frozenset[Bound] = frozenset(("at most", "less than"))


def _excludes(one: Quantity, other: Quantity) -> bool:
    """Whether two values of one kind cannot both be meant: `at most 90` and `60` can, and `at most 90` and `at least
    100` are hardly said of the same."""
    if "about" in {one.bound, other.bound} or isinstance(one.value, str) or isinstance(other.value, str):
        return False
    if one.bound == other.bound:
        return True
    if one.bound and other.bound:
        return False
    low, high = sorted((one, other), key=lambda each: each.value)
    return low.bound not in _LOWEST and high.bound not in _HIGHEST


def _measure_the_same(one: StatedSentence, here: int, other: StatedSentence, there: int) -> bool:
    """Whether the words next to two values agree, of plain numbers the very next word, and not each sentence names
    before its value what the other does not know."""
    if own_names(one, other, one.reading.places[here]) or own_names(other, one, other.reading.places[there]):
        return False
    mine = one.reading.quantities[here]
    if mine.unit or mine.kind != "number":
        ours, theirs = around(one.reading, here, CONTEXT_WORDS), around(other.reading, there, CONTEXT_WORDS)
    else:
        ours, theirs = _counted(one, here), _counted(other, there)
    return any(same(word, their) for word, their in product(ours, theirs))


def _counted(side: StatedSentence, number: int) -> list[ReadWord]:
    """What a plain number counts: the word behind it."""
    place = side.reading.places[number]
    return [word for word in side.reading.words if 0 < word.place - place <= 2][:1]
