"""Amounts that a sentence works out of others that it names, and days by a rule of its source. Pure."""

from collections.abc import Callable, Collection, Sequence
from datetime import date
from itertools import combinations, product
from math import isclose

from agent.checking.quantities import Quantity
from domain.patterns import Linear

MOST = 6
"""Amounts that one may be worked out of."""

_SAYS_SO = Linear(
    r"total|together|altogether|sum|overall|in all|difference|plus|minus|more|less|fewer|cheaper|dearer|higher|lower"
    r"|longer|shorter|faster|slower|before|after|earlier|later|vor|nach|früher|später|left|remain(?:s|ing)?|insgesamt|zusammen|summe|gesamt\w{0,20}|differenz"
    r"|\w{0,20}unterschied|mehr|weniger|teurer|billiger|günstiger|länger|kürzer|noch|übrig",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
_RULE = Linear(
    r"every|each|daily|weekly|fortnightly|monthly|quarterly|yearly|annually"
    r"|(?:first|second|third|fourth|last) (?:working |business )?(?:\w{3,6}day|day|week)"
    r"|jede[nrsm]?|täglich|wöchentlich|monatlich|vierteljährlich|jährlich"
    r"|(?:erste|zweite|dritte|letzte)[nrsm]? (?:\w{1,10}tag|mittwoch|sonnabend|woche)",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
"""What says that something happens again."""
_SIGNS = frozenset("=+−")
_TIMES = Linear(r"(\d{1,2}) ?× ?[€$£]?(\d[\d.,]{0,15})", before=r"^|\W")


def worked_out(text: str, value: Quantity, claimed: Sequence[Quantity], is_said: Callable[[Quantity], bool]) -> bool:
    """Whether an amount of a sentence is the sum or the difference of others of its unit that the sentence names, and a
    source says: of two of them, or of all, each as often as it is named: `€29 + €58 + €29 − €23 = €93`. Also a share of
    one, or one with it (19 % VAT), a time so long before or after another, and nothing in a sum.

    text: of the sentence, which must say that something is worked out. claimed: all its values. is_said: whether a
    source says one.
    """
    if value.kind not in {"number", "time"} or not (_SAYS_SO.search(text) or not _SIGNS.isdisjoint(text)):
        return False
    said = [each for each in claimed if is_said(each)]
    if value.kind == "time":
        return _is_later_or_earlier(value, said)
    if value.raw == 0:
        return "+" in text
    amounts = _amounts(text, value, said)
    shares = [each.raw / 100 for each in said if each.unit == "percent"]
    if any(
        isclose(value.raw, amount * of, abs_tol=0.005) for amount in amounts for p in shares for of in (p, 1 + p, 1 - p)
    ):
        return True
    pairs = [*combinations(amounts, 2), amounts if len(amounts) <= MOST else ()]
    return any(
        isclose(abs(sum(sign * amount for sign, amount in zip(signs, some, strict=True))), value.raw, abs_tol=0.005)
        for some in pairs
        if some
        for signs in product((1, -1), repeat=len(some))
    )


def _is_later_or_earlier(value: Quantity, said: Sequence[Quantity]) -> bool:
    """Whether a time of day lies as long before or after one that is said as another value says."""
    times = [each.minutes for each in said if each.kind == "time"]
    spans = [each.value[0] / 60 for each in said if each.unit == "second" and not isinstance(each.value, str)]
    return any(
        (time + sign * span - value.minutes) % (24 * 60) == 0 for time in times for span in spans for sign in (1, -1)
    )


def _amounts(text: str, value: Quantity, said: Sequence[Quantity]) -> tuple[float, ...]:
    """The amounts of a value's unit that it may be worked out of; of `2 × €75` twice the amount, once."""
    times = {match[2].rstrip(".,"): float(match[1]) for match in _TIMES.finditer(text)}
    found: list[float] = []
    for each in said:
        amount = each.raw * times.get(each.text, 1.0)
        alike = (each.kind, each.unit) == (value.kind, value.unit) and not each.equals(value)
        if alike and not (each.text in times and amount in found):
            found.append(amount)
    return tuple(found)


def comes_by_a_rule(unsaid: Sequence[str], claimed: Sequence[Quantity], source: str, today: date) -> bool:
    """Whether all that a sentence says and its source does not is a day to come, while the source tells a rule for such
    days: `on the first Thursday of each quarter`. Whether the day follows from the rule is not worked out here.

    unsaid: what stands in no source, as `unbacked` gives it. claimed: all values of the sentence.
    """
    days = [each for each in claimed if each.kind == "date" and any(item.casefold() in each.text for item in unsaid)]
    weekdays = {int(each.value[0]) for each in claimed if each.kind == "weekday" and not isinstance(each.value, str)}
    return (
        bool(days)
        and all(any(item.casefold() in each.text for each in days) for item in unsaid)
        and all(_is_to_come(each, today, weekdays) for each in days)
        and bool(_RULE.search(source))
    )


def _is_to_come(day: Quantity, today: date, weekdays: Collection[int]) -> bool:
    """Whether it is a whole date after today, and one of the days of the week that are named, if any are."""
    try:
        found = date(*(int(part) for part in day.value))
    except ValueError:  # without a year or a day, or none that there is
        return False
    return found > today and (not weekdays or found.weekday() in weekdays)
