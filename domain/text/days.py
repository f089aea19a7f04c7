"""The days that a text names, however it writes them. Pure.

Read are 2026-08-10, 2026/08/10, 20260810, 10.08.2026, 10 August 2026, August 10th, and the same with names of months in
German, French and Spanish, 2026年8月10日 and 8月10日. A day and a month that are both numbers need a year: 3/4 says too
little, and in 03/04/2026 nobody knows which is the month.
"""

from dataclasses import dataclass

from domain.patterns import LinearRegex
from domain.text.months import any_of, month_numbers

MONTH_NUMBERS = month_numbers("en", "de", "fr", "es")
_MONTH = any_of(MONTH_NUMBERS)
_YEAR, _DAY = r"(?P<year>20\d\d|19\d\d)", r"(?P<day>[12]\d|3[01]|0?[1-9])"
_NUMBER = r"(?P<month>1[0-2]|0?[1-9])"
_TWO = r"(?P<month>1[0-2]|0[1-9])"
_TWO_DAY = r"(?P<day>[12]\d|3[01]|0[1-9])"
_NAME = rf"(?P<name>{_MONTH})"
_ENDING = r"(?:\.|st|nd|rd|th)?"
_FORMS = (
    LinearRegex(rf"{_YEAR}[-/.]{_TWO}[-/.]{_TWO_DAY}", before=r"^|\D", after=r"\D|\z"),
    LinearRegex(rf"{_YEAR}{_TWO}{_TWO_DAY}", before=r"^|\D", after=r"\D|\z"),
    LinearRegex(rf"{_DAY}\. ?{_NUMBER}\. ?{_YEAR}", before=r"^|[^\d.]", after=r"\D|\z"),
    LinearRegex(
        rf"{_DAY}(?:\.|st|nd|rd|th|er)? (?:of |de )?{_NAME}\.?(?:,? (?:de )?{_YEAR})?",
        before=r"^|[^\d.]",
        after=r"[^\pL\d]|\z",
        ignore_case=True,
    ),
    LinearRegex(
        rf"{_NAME}\.? {_DAY}(?:st|nd|rd|th)?(?:,? {_YEAR})?",
        before=r"^|[^\pL]",
        after=r"[^\pL\d]|\z",
        ignore_case=True,
    ),
    LinearRegex(rf"(?:{_YEAR}年)?{_NUMBER}月{_DAY}日"),
)


@dataclass(frozen=True, slots=True)
class Day:
    """A day of a year, or of any."""

    year: int
    """0 where the text does not say."""
    month: int
    day: int

    def may_be(self, other: "Day") -> bool:
        """Whether both may name the same day: a year that is missing may be any."""
        years = {self.year, other.year} - {0}
        return (self.month, self.day) == (other.month, other.day) and len(years) < 2


MonthDay = tuple[int, int]
DaySpan = tuple[MonthDay, MonthDay]
"""The first and the last day of a time, each as (month, day)."""

_SEPARATOR = r"(?:, ?| and | und | & ?| to | until | through | bis (?:zum )?| ?[-–] ?)"
_LISTED = LinearRegex(
    rf"(?P<first>\d{{1,2}}){_ENDING}(?P<rest>(?:{_SEPARATOR}(?:the )?\d{{1,2}}{_ENDING}){{1,6}}) (?:of )?{_NAME}",
    before=r"^|[^\d.:]",
    after=r"[^\pL]|\z",
    ignore_case=True,
)
"""`24, 25 and 26 December`, `27 to 30 December`."""
_FROM_TO = LinearRegex(
    rf"(?P<first>\d{{1,2}}){_ENDING} (?:of )?(?P<first_month>{_MONTH})(?: (?:19|20)\d\d)?"
    rf"(?: to | until | through | till | bis (?:zum )?| ?[-–] ?)(?:the |\pL{{3,10}}, )?{_DAY}{_ENDING} (?:of )?{_NAME}",
    before=r"^|[^\d.:]",
    after=r"[^\pL]|\z",
    ignore_case=True,
)
"""`29 June to Sunday, 19 July`."""
_LISTED_DAY = LinearRegex(rf"(?P<separator>{_SEPARATOR})(?:the )?(?P<day>\d{{1,2}})", ignore_case=True)


def named_days(text: str) -> frozenset[Day]:
    """The days that a text names. Time linear in the text."""
    return frozenset(day for _, day in placed_days(text))


def placed_days(text: str) -> list[tuple[int, Day]]:
    """The days that a text names, each with where it begins there, in the order of the text. Time linear in the text,
    but for sorting them."""
    found = []
    for form in _FORMS:
        for match in form.finditer(text):
            parts = match.named()
            if parts.get("name") == "may":  # the verb: "may 5 people enter?"
                continue
            month = MONTH_NUMBERS[parts["name"].lower()] if parts.get("name") else int(parts["month"])
            found.append((match.start(), Day(int(parts["year"] or 0), month, int(parts["day"]))))
    return sorted(found, key=lambda each: each[0])


def day_spans(text: str) -> list[DaySpan]:
    """The times that a text names by days of a month, whatever the year: of `24, 25 and 26 December` three days, of
    `27 to 30 December` and of `29 June to 19 July` one time."""
    found = [((day.month, day.day), (day.month, day.day)) for day in named_days(text)]
    for match in _LISTED.finditer(text):
        parts = match.named()
        month, before = MONTH_NUMBERS[parts["name"].lower()], int(parts["first"])
        for each in (more.named() for more in _LISTED_DAY.finditer(parts["rest"])):
            after = int(each["day"])
            enumerated = each["separator"].strip().lower() in {",", "and", "und", "&"}
            found.append(((month, before), (month, before if enumerated else after)))
            before = after
    for match in _FROM_TO.finditer(text):
        parts = match.named()
        first = MONTH_NUMBERS[parts["first_month"].lower()], int(parts["first"])
        found.append((first, (MONTH_NUMBERS[parts["name"].lower()], int(parts["day"]))))
    return found


def within_span(day: Day, span: DaySpan) -> bool:
    """Whether a day lies in a span, which may go on into the next year."""
    first, last = span
    this = day.month, day.day
    return first <= this <= last if first <= last else this >= first or this <= last
