"""Amounts that a sentence works out of others that it names. Pure."""

import re
from collections.abc import Callable, Sequence
from itertools import combinations, product
from math import isclose

from agent.checking.quantities import Quantity
from domain.patterns import Linear

MOST = 6
"""Amounts that one may be worked out of."""

_SAYS_SO = Linear(
    r"total|together|altogether|sum|overall|in all|difference|plus|minus|more|less|fewer|cheaper|dearer|higher|lower"
    r"|longer|shorter|faster|slower|left|remain(?:s|ing)?|insgesamt|zusammen|summe|gesamt\w{0,20}|differenz"
    r"|\w{0,20}unterschied|mehr|weniger|teurer|billiger|günstiger|länger|kürzer|noch|übrig",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
_SIGNS = frozenset("=+−")
_TIMES = re.compile(r"\b(\d{1,2}) ?× ?[€$£]?(\d[\d.,]{0,15})")


def worked_out(text: str, value: Quantity, claimed: Sequence[Quantity], is_said: Callable[[Quantity], bool]) -> bool:
    """Whether an amount of a sentence is the sum or the difference of others of its unit that the sentence names, and a
    source says: of two of them, or of all, each as often as it is named: `€29 + €58 + €29 − €23 = €93`.

    text: of the sentence, which must say that something is worked out. claimed: all its values. is_said: whether a
    source says one.
    """
    if value.kind != "number" or not (_SAYS_SO.search(text) or not _SIGNS.isdisjoint(text)):
        return False
    amounts = _amounts(text, value, [each for each in claimed if is_said(each)])
    pairs = [*combinations(amounts, 2), amounts if len(amounts) <= MOST else ()]
    return any(
        isclose(abs(sum(sign * amount for sign, amount in zip(signs, some, strict=True))), value.raw, abs_tol=0.005)
        for some in pairs
        if some
        for signs in product((1, -1), repeat=len(some))
    )


def _amounts(text: str, value: Quantity, said: Sequence[Quantity]) -> tuple[float, ...]:
    """The amounts of a value's unit that it may be worked out of; of `2 × €75` twice the amount, once."""
    times = {amount.rstrip(".,"): float(number) for number, amount in _TIMES.findall(text)}
    found: list[float] = []
    for each in said:
        amount = each.raw * times.get(each.text, 1.0)
        alike = (each.kind, each.unit) == (value.kind, value.unit) and not each.equals(value)
        if alike and not (each.text in times and amount in found):
            found.append(amount)
    return tuple(found)
