"""Amounts that a sentence works out of others that it names, and days by a rule of its source. Pure."""

import calendar
from collections.abc import Callable, Collection, Sequence
from datetime import date
from itertools import combinations, product
from math import isclose

from agent.checking.quantities import Quantity
from domain.patterns import Linear
from domain.text.weekdays import WEEK, days_named

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
_NTH = Linear(
    r"(?P<nth>first|second|third|fourth|last|ersten?|zweiten?|dritten?|vierten?|letzten?) "
    r"(?P<day>(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)s? "
    r"(?:of|in|im|des|jedes) (?:(?:each|every|the|a|jeden|jedes|eines) )?(?P<span>month|quarter|monat|quartal)",
    before=r"^|\W",
    ignore_case=True,
)
"""`the first Thursday of each quarter`."""
_EVERY = Linear(
    r"(?:every|each|jeden) (?P<one>(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag"
    r"|mittwoch)|(?P<some>(?:mon|tues|wednes|thurs|fri|satur|sun)days|(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs)",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
"""`every Tuesday`, `on Tuesdays`."""
_PLACES = {"fi": 1, "er": 1, "se": 2, "zw": 2, "th": 3, "dr": 3, "fo": 4, "vi": 4, "la": -1, "le": -1}
"""By what a word for it begins with, which of the days it is; -1 for the last."""
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
    """Whether all that a sentence says and its source does not is a day to come that follows from a rule in the source:
    `on the first Thursday of each quarter`, `every Tuesday`. Whether it is the one that is asked for is not looked at.

    unsaid: what stands in no source, as `unbacked` gives it. claimed: all values of the sentence.
    """
    days = [each for each in claimed if each.kind == "date" and any(item.casefold() in each.text for item in unsaid)]
    weekdays = {int(each.value[0]) for each in claimed if each.kind == "weekday" and not isinstance(each.value, str)}
    return (
        bool(days)
        and all(any(item.casefold() in each.text for each in days) for item in unsaid)
        and all(_is_to_come(each, today, weekdays, source) for each in days)
    )


def _is_to_come(day: Quantity, today: date, weekdays: Collection[int], source: str) -> bool:
    """Whether it is a whole date after today that a rule of the source leads to, and one of the days of the week that
    are named, if any are."""
    try:
        found = date(*(int(part) for part in day.value))
    except ValueError:  # without a year or a day, or none that there is
        return False
    return found > today and (not weekdays or found.weekday() in weekdays) and _follows(found, source)


def _follows(day: date, source: str) -> bool:
    """Whether a text has a rule for days of which this is one."""
    for match in _NTH.finditer(source):
        named = match.named()
        place, months = _PLACES[named["nth"][:2].lower()], 3 if named["span"][:1] in "qQ" else 1
        since = (day.month - 1) % months  # months of the span before that of the day
        left = calendar.monthrange(day.year, day.month)[1] - day.day
        here = since == months - 1 and left < 7 if place < 0 else since == 0 and (day.day - 1) // 7 + 1 == place
        if here and WEEK[day.weekday()] in days_named(named["day"]):
            return True
    some = (days_named(match.named().get("one") or match.named()["some"]) for match in _EVERY.finditer(source))
    return any(WEEK[day.weekday()] in days for days in some)
