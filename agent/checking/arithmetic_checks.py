"""Checks sums, products and dates that a sentence calculates from values in its source. Pure."""

import calendar
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import lru_cache
from itertools import islice
from math import isclose, nan

from agent.checking.quantities import Quantity
from agent.checking.readings import values_in
from domain.patterns import LinearRegex
from domain.text.weekdays import WEEK, days_named

_AMOUNT = r"[€$£¥]?\s?\d[\d.,]*"
_SIGN = r"(?:[+−–×·*÷]| [-x/] )"
_UNIT = r"[^\d+=×·*÷−–()]{0,30}"
"""A unit, or what an amount is for, between two signs."""
_CHAIN = rf"{_AMOUNT}{_UNIT}(?:{_SIGN}\s?{_AMOUNT}{_UNIT})*"
_LEFT = LinearRegex(rf"(?P<chain>{_CHAIN})\Z")
_RIGHT = LinearRegex(rf"=\s?(?P<result>{_AMOUNT})")
"""`€29 + €58 − €23 = €64`, `2 × €75 + €40 = €190`, `24 h × 138 € = 3.312 €`."""
_EXPLAINED = LinearRegex(rf"(?P<result>{_AMOUNT}){_UNIT}\((?P<chain>{_CHAIN})\)")
"""`92 km (2 × 46 km)`."""
_OF_CHAIN = LinearRegex(rf"(?P<sign>{_SIGN})?\s?[€$£¥]?\s?(?P<amount>\d[\d.,]*){_UNIT}")
_BRACKETS = LinearRegex(r"\([^()]{0,80}\)")
_SUM = LinearRegex(
    r"total|together|altogether|sum|overall|in all|insgesamt|zusammen|summe",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
_DIFFERENCE = LinearRegex(
    r"difference|more|less|fewer|cheaper|dearer|higher|lower|longer|shorter|unterschied|\w{0,20}unterschied|differenz|mehr"
    r"|weniger|teurer|billiger|günstiger|länger|kürzer",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
_SHARE = LinearRegex(rf"(?P<share>\d[\d.,]*) ?% (?:of|von) (?P<amount>{_AMOUNT})", before=r"^|\W")
_COMES_TO = LinearRegex(
    rf"(?P<share>\d[\d.,]*) ?%[^\d;]{{0,60}}\W(?:is|are|makes|sind|ist|macht|ergibt|ergeben) (?P<result>{_AMOUNT})",
    before=r"^|\W",
)
_ADDED = LinearRegex(
    rf"(?P<amount>{_AMOUNT})[^\d%]{{0,40}}\W(?P<way>plus|\+|zuzüglich|minus|−|less|abzüglich) (?P<share>\d[\d.,]*) ?%",
    ignore_case=True,
)
"""`19 % of €200`, `a discount of 10 % is €20`, `€200 plus 19 %`."""
_TIMED = LinearRegex(
    r"(?P<span>\d{1,3}) ?(?:minutes?|mins?|hours?|minuten|stunden?) (?P<way>before|after|vor|nach) [^\d]{0,40}?"
    r"(?P<time>\d{1,2}[:.]\d\d)",
    before=r"^|\W",
    ignore_case=True,
)
_CLOCK = LinearRegex(
    r"(?P<time>\d{1,2}:\d\d)\s?(?P<way>[−–+-])\s?(?P<span>\d{1,3}) ?(?:minutes?|mins?|hours?|minuten|stunden?)"
)
"""`60 minutes before 22:00`, and `22:00 − 60 minutes`."""
_NTH = LinearRegex(
    r"(?P<nth>first|second|third|fourth|last|ersten?|zweiten?|dritten?|vierten?|letzten?) "
    r"(?P<day>(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)s? "
    r"(?:of|in|im|des|jedes) (?:(?:each|every|the|a|jeden|jedes|eines) )?(?P<span>month|quarter|monat|quartal)",
    before=r"^|\W",
    ignore_case=True,
)
"""`the first Thursday of each quarter`."""
_EVERY = LinearRegex(
    r"(?:every|each|jeden) (?P<one>(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag"
    r"|mittwoch)|(?P<some>(?:mon|tues|wednes|thurs|fri|satur|sun)days|(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs)",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
"""`every Tuesday`, `on Tuesdays`."""
DAY, YEARS, BEGINS, SPANS = 86_400, 400, 5, 30
"""Seconds of a day, days of a span at most, and how many days and spans are looked at."""

MAX_EQUATIONS, MAX_EQUATION_CHARACTERS, MAX_TIMES = 12, 300, 100
"""Equations of one sentence that are looked at, characters of one, and how often something is taken at most."""

_PRODUCT, _DIVISION, _MINUS = frozenset("×·*÷x/"), frozenset("÷/"), frozenset("−–-")
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
    found, shares = _results(text, tuple(claimed), tuple(amounts.values()))
    if value.text in found or any(isclose(value.raw, each, abs_tol=0.005) for each in shares):
        return True
    results = [each for each in claimed if each.text in found]  # two equations, and their sum in words
    return _is_in_words(text, value, claimed, said) or _is_in_words(text, value, [*results, value], results)


@lru_cache(maxsize=8)
def _results(
    text: str, claimed: tuple[Quantity, ...], said: tuple[Quantity, ...]
) -> tuple[frozenset[str], tuple[float, ...]]:
    """What the right equations of a sentence come to, one after the other, as it is written, and what its shares do.
    All else in an equation is said, is nothing, is a share of what is said, or comes from another equation."""
    every = {each.text: each for each in claimed if each.kind == "number"}
    known = {each.text: each for each in said}
    found: set[str] = set()
    explained = [(match["result"], match["chain"]) for match in islice(_EXPLAINED.finditer(text), MAX_EQUATIONS)]
    plain = _BRACKETS.sub("", text)
    chains = (
        (match["result"], _LEFT.search(plain[max(0, match.start() - MAX_EQUATION_CHARACTERS) : match.start()]))
        for match in islice(_RIGHT.finditer(plain), MAX_EQUATIONS)
    )
    shares = tuple(_shares(text, known, every))
    for result, chain in (*explained, *((result, left["chain"]) for result, left in chains if left)):
        total, factors = every.get(_figure(result)), _factors(chain, every)
        if total is None or not all(_stands(each, known, shares) for _, each in factors):
            continue
        if factors and isclose(_value(factors, total), _base(total), abs_tol=0.005):
            new = {each.text: each for _, each in factors if each.raw == 0} | {total.text: total}
            found |= set(new)
            known |= new
            shares = tuple(_shares(text, known, every))
    return frozenset(found), shares


def _factors(chain: str, every: Mapping[str, Quantity]) -> list[tuple[str, Quantity]]:
    """The amounts of a chain, each with the sign before it; none where one is no amount."""
    found = [(match["sign"].strip() or "+", every.get(_figure(match["amount"]))) for match in _OF_CHAIN.finditer(chain)]
    amounts = [(sign, amount) for sign, amount in found if amount is not None]
    return amounts if len(amounts) == len(found) else []


def _value(factors: Sequence[tuple[str, Quantity]], total: Quantity) -> float:
    """What a chain comes to, in the base of the result's unit; not a number where its units do not give that unit."""
    terms: list[list[tuple[str, Quantity]]] = []
    for sign, amount in factors:
        if sign in _PRODUCT:
            terms[-1].append((sign, amount))
        else:
            terms.append([(sign, amount)])
    mixed = len({any(each.unit for _, each in term) for term in terms}) > 1
    value = 0.0
    for term in terms:
        way = -1.0 if term[0][0] in _MINUS else 1.0
        if len(term) == 1 and term[0][1].unit == "percent" and value and total.unit != "percent":
            value *= 1 + way * term[0][1].raw / 100
            continue
        units = [each.unit for sign, each in term if each.unit not in {"", "times"} and sign not in _DIVISION]
        if not _fits(term, units, total.unit) or (mixed and not units):
            return nan
        # of one unit in its base; of several as they stand: 92 km × 0,38 €/km
        alone = len(units) < 2
        result = 1.0
        for operator, each in term:
            factor = _base(each) if alone else each.raw
            result = result / (factor or nan) if operator in _DIVISION else result * factor
        value += way * (result if alone else result * (_base(total) / total.raw if total.raw else 1))
    return value


def _fits(term: Sequence[tuple[str, Quantity]], units: Sequence[str], unit: str) -> bool:
    """Whether a product may be of a unit: it has no other, but where a price is taken by what it is for."""
    if not units or len(term) == 1:
        return not units or not unit or list(units) == [unit]
    if unit.startswith("money:"):
        return units.count(unit) == 1
    return list(units) == [unit] and all(each.unit for _, each in term)


def _figure(text: str) -> str:
    return text.strip("€$£¥ ").rstrip(".,")


def _stands(part: Quantity, known: Mapping[str, Quantity], shares: Sequence[float]) -> bool:
    """Whether an amount may be reckoned with; how often something is taken (`2 ×`) need not be said."""
    if part.text in known or part.raw == 0 or (part.unit == "times" and part.raw < MAX_TIMES):
        return True
    return any(isclose(part.raw, each, abs_tol=0.005) for each in shares)


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


def _shares(text: str, amounts: Mapping[str, Quantity], every: Mapping[str, Quantity]) -> Iterator[float]:
    """What shares of amounts come to, and amounts with or without them; what a share is said to come to, where it is
    that share of an amount of its unit."""
    for match in _SHARE.finditer(text):
        if pair := _share_and_amount(match.named(), amounts):
            yield pair[0] * pair[1]
    for match in _ADDED.finditer(text):
        if pair := _share_and_amount(match.named(), amounts):
            share = pair[0] if match.named()["way"].lower() in {"plus", "+", "zuzüglich"} else -pair[0]
            yield pair[1] * (1 + share)
            yield pair[1] * pair[0]
    for match in _COMES_TO.finditer(text):
        percent, total = amounts.get(_figure(match["share"])), every.get(_figure(match["result"]))
        if percent and total and percent.unit == "percent":
            wholes = (each for each in amounts.values() if each.unit == total.unit)
            yield from (total.raw for each in wholes if isclose(percent.raw / 100 * each.raw, total.raw, abs_tol=0.005))


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
    """Whether all that a sentence says and its source does not is a day to come that follows from the source: by a rule
    (`on the first Thursday of each quarter`, `every Tuesday`), as the end of a span from today or from a day that the
    sentence names (`within 15 working days`); or the year behind a day of which the source tells none. Whether it is
    the day that is asked for is not looked at.

    unsaid: what stands in no source, as `unbacked` gives it. claimed: all values of the sentence.
    """
    days = [each for each in claimed if each.kind == "date" and any(item.casefold() in each.text for item in unsaid)]
    left = [item for item in unsaid if not any(item.casefold() in each.text for each in days)]
    years = {f"{today.year}", f"{today.year + 1}"} if _without_a_year(claimed, source) else set()
    weekdays = {int(each.value[0]) for each in claimed if each.kind == "weekday" and not isinstance(each.value, str)}
    return (
        bool(days or left)
        and all(item in years for item in left)
        and all(_is_to_come(each, today, weekdays, source, claimed) for each in days)
    )


def _without_a_year(claimed: Sequence[Quantity], source: str) -> bool:
    """Whether the sentence names a day as its source does, without a year: `by 31 March (2027)`."""
    told = [each for each in values_in(source) if each.kind == "date"]
    return any(each.kind == "date" and each.value[0] == 0 and any(each.equals(one) for one in told) for each in claimed)


def _is_to_come(
    day: Quantity, today: date, weekdays: Collection[int], source: str, claimed: Sequence[Quantity]
) -> bool:
    """Whether it is a whole date after today that a rule of the source leads to, and one of the days of the week that
    are named, if any are."""
    found = _day_of(day)
    if found is None or found <= today or (weekdays and found.weekday() not in weekdays):
        return False
    if _follows(found, source):
        return True
    told = values_in(source)
    named = filter(None, map(_day_of, (each for each in claimed if each.kind == "date")))
    begins = [today, *islice((each for each in named if abs(each.year - today.year) < 2), BEGINS)]
    spans = sorted({int(_base(each) / DAY) for each in told if each.unit == "second"})[:SPANS]
    months = {int(each.raw) for each in told if each.unit == "month"}
    return any(found in _ends(begin, span) for begin in begins for span in spans if 0 < span <= YEARS) or any(
        (begin.year * 12 + begin.month + span, begin.day) == (found.year * 12 + found.month, found.day)
        for begin in begins
        for span in months
    )


def _day_of(day: Quantity) -> date | None:
    """A whole date; None for one without a year or a day, or that there is not."""
    try:
        return date(*(int(part) for part in day.value))
    except ValueError:
        return None


def _ends(begin: date, days: int) -> Iterator[date]:
    """When so many days are over, or so many from Monday to Friday; counted from the next day, which is given, too, or
    with the first one."""
    working = [day for ahead in range(1, days * 7 // 5 + 4) if (day := begin + timedelta(ahead)).weekday() < 5]
    for count in {1, days - 1, days} - {0}:
        yield begin + timedelta(count)
        yield working[count - 1]


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
