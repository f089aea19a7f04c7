"""What a sentence reckons out of amounts that it names and a source says, and days by a rule of its source. Pure."""

import calendar
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date
from math import isclose

from agent.checking.quantities import Quantity
from domain.patterns import Linear
from domain.text.weekdays import WEEK, days_named

_AMOUNT = r"[€$£¥]?\s?\d[\d.,]*"
_BESIDE = r"[^\d+=×−–]{0,25}"
"""A unit, or what an amount is for, between two signs."""
_TERM = rf"(?:\d{{1,2}}\s?×\s?)?{_AMOUNT}{_BESIDE}"
_EQUATION = Linear(rf"(?P<left>{_TERM}(?:[+−–-]\s?{_TERM})*)=\s?(?P<right>{_AMOUNT})")
"""`€29 + €58 − €23 = €64`, `2 × €75 = €150`."""
_OF_EQUATION = Linear(rf"(?P<sign>[+−–-])?\s?(?:(?P<times>\d{{1,2}})\s?×\s?)?[€$£¥]?\s?(?P<amount>\d[\d.,]*){_BESIDE}")
_BRACKETS = Linear(r"\([^()]{0,80}\)")
_SUM = Linear(
    r"total|together|altogether|sum|overall|in all|insgesamt|zusammen|summe",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
_DIFFERENCE = Linear(
    r"difference|more|less|fewer|cheaper|dearer|higher|lower|longer|shorter|unterschied|\w{0,20}unterschied|differenz|mehr"
    r"|weniger|teurer|billiger|günstiger|länger|kürzer",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
_SHARE = Linear(rf"(?P<share>\d[\d.,]*) ?% (?:of|von) (?P<amount>{_AMOUNT})", before=r"^|\W")
_ADDED = Linear(
    rf"(?P<amount>{_AMOUNT})[^\d%]{{0,40}}\W(?P<way>plus|\+|zuzüglich|minus|−|less|abzüglich) (?P<share>\d[\d.,]*) ?%",
    ignore_case=True,
)
"""`19 % of €200`, and `€200 plus 19 %`."""
_TIMED = Linear(
    r"(?P<span>\d{1,3}) ?(?:minutes?|mins?|hours?|minuten|stunden?) (?P<way>before|after|vor|nach) [^\d]{0,40}?"
    r"(?P<time>\d{1,2}[:.]\d\d)",
    before=r"^|\W",
    ignore_case=True,
)
_CLOCK = Linear(
    r"(?P<time>\d{1,2}:\d\d)\s?(?P<way>[−–+-])\s?(?P<span>\d{1,3}) ?(?:minutes?|mins?|hours?|minuten|stunden?)"
)
"""`60 minutes before 22:00`, and `22:00 − 60 minutes`."""
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


def worked_out(text: str, value: Quantity, claimed: Sequence[Quantity], is_said: Callable[[Quantity], bool]) -> bool:
    """Whether a sentence reckons a value out of others that it names and a source says, and reckons rightly: by an
    equation; as the sum of all amounts of the unit, or the difference of two, where it says so in words; as a share of
    an amount, or that with it; as a time so long before or after another.

    text: of the sentence. claimed: all its values. is_said: whether a source says one.
    """
    if value.kind not in {"number", "time"}:
        return False
    said = [each for each in claimed if is_said(each)]
    if value.kind == "time":
        return any(value.minutes == minutes for minutes in _times(text, said))
    amounts = {each.text: each for each in said if each.kind == "number"}
    shares = [*_shares(text, amounts)]
    if any(isclose(value.raw, each, abs_tol=0.005) for each in shares):
        return True
    return _is_in_an_equation(text, value, claimed, amounts, shares) or _is_in_words(text, value, claimed, said)


def _is_in_an_equation(
    text: str, value: Quantity, claimed: Sequence[Quantity], amounts: Mapping[str, Quantity], shares: Sequence[float]
) -> bool:
    """Whether a value is the result of a right equation, or nothing that it adds. All else in it is said, or a share of
    what is said, and of one unit."""
    every = {each.text: each for each in claimed if each.kind == "number"}
    for match in _EQUATION.finditer(_BRACKETS.sub("", text)):
        terms = [each.named() for each in _OF_EQUATION.finditer(match.named()["left"])]
        texts = [each["amount"].rstrip(".,") for each in terms]
        result = every.get(match.named()["right"].strip("€$£¥ ").rstrip(".,"))
        known = [every.get(each) for each in texts]
        if result is None or any(each is None for each in known):
            continue
        parts = [each for each in known if each is not None]
        alike = len({each.unit for each in (*parts, result) if each.unit}) < 2
        right = all(_stands(each, amounts, shares) for each in parts)
        signs = [-1.0 if each.get("sign") and each["sign"] != "+" else 1.0 for each in terms]
        times = [float(each.get("times") or 1) for each in terms]
        total = sum(sign * n * _base(each) for sign, n, each in zip(signs, times, parts, strict=True))
        if alike and right and isclose(total, _base(result), abs_tol=0.005) and _is_one_of(value, result, parts):
            return True
    return False


def _stands(part: Quantity, amounts: Mapping[str, Quantity], shares: Sequence[float]) -> bool:
    return part.text in amounts or part.raw == 0 or any(isclose(part.raw, each, abs_tol=0.005) for each in shares)


def _is_one_of(value: Quantity, result: Quantity, parts: Sequence[Quantity]) -> bool:
    return value.text == result.text or (value.raw == 0 and any(each.text == value.text for each in parts))


def _is_in_words(text: str, value: Quantity, claimed: Sequence[Quantity], said: Sequence[Quantity]) -> bool:
    """Whether a value is the sum of all others of its unit, or the difference of the two others: all of them said."""
    others = [each for each in claimed if each.kind == "number" and each.unit == value.unit and each.text != value.text]
    if len(others) < 2 or not all(each in said for each in others):
        return False
    bases = [_base(each) for each in others]
    if _SUM.search(text) and isclose(sum(bases), _base(value), abs_tol=0.005):
        return True
    two = len(bases) == 2 and bool(_DIFFERENCE.search(text))
    return two and bases[0] != bases[1] and isclose(abs(bases[0] - bases[1]), _base(value), abs_tol=0.005)


def _base(amount: Quantity) -> float:
    """An amount in the base of its unit: minutes and hours are seconds."""
    return amount.raw if isinstance(amount.value, str) else float(amount.value[0])


def _shares(text: str, amounts: Mapping[str, Quantity]) -> Iterator[float]:
    """What shares of amounts come to, and amounts with or without them."""
    for match in _SHARE.finditer(text):
        if pair := _share_and_amount(match.named(), amounts):
            yield pair[0] * pair[1]
    for match in _ADDED.finditer(text):
        if pair := _share_and_amount(match.named(), amounts):
            share = pair[0] if match.named()["way"].lower() in {"plus", "+", "zuzüglich"} else -pair[0]
            yield pair[1] * (1 + share)
            yield pair[1] * pair[0]


def _share_and_amount(found: Mapping[str, str], amounts: Mapping[str, Quantity]) -> tuple[float, float] | None:
    share, amount = (amounts.get(found[each].strip("€$£¥ ").rstrip(".,")) for each in ("share", "amount"))
    return (share.raw / 100, amount.raw) if share and amount else None


def _times(text: str, said: Sequence[Quantity]) -> Iterator[float]:
    """Times, in minutes of the day, that lie so long before or after one that is said."""
    for match in (*_TIMED.finditer(text), *_CLOCK.finditer(text)):
        found = match.named()
        time = next((each.minutes for each in said if each.kind == "time" and each.text == found["time"]), None)
        span = next((each for each in said if each.unit == "second" and each.text == found["span"]), None)
        if time is not None and span is not None:
            sign = -1 if found["way"].lower() in {"before", "vor", "−", "–", "-"} else 1
            yield (time + sign * _base(span) / 60) % (24 * 60)


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
