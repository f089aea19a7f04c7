"""The days that a text names, however it writes them. Pure.

Read are 2026-08-10, 2026/08/10, 20260810, 10.08.2026, 10 August 2026, August 10th, and the same with names of months in
German, French and Spanish, 2026年8月10日 and 8月10日. A day and a month that are both numbers need a year: 3/4 says too
little, and in 03/04/2026 nobody knows which is the month.
"""

from dataclasses import dataclass

from domain.patterns import Linear

MONTHS = {
    name: number
    for names in (
        "january february march april may june july august september october november december",
        "jan feb mar apr may jun jul aug sep oct nov dec",
        "januar februar märz april mai juni juli august september oktober november dezember",
        "jänner feb mrz apr mai jun jul aug sept okt nov dez",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    )
    for number, name in enumerate(names.split(), start=1)
}
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_YEAR, _DAY = r"(?P<year>20\d\d|19\d\d)", r"(?P<day>[12]\d|3[01]|0?[1-9])"
_NUMBER = r"(?P<month>1[0-2]|0?[1-9])"
_TWO = r"(?P<month>1[0-2]|0[1-9])"
_TWO_DAY = r"(?P<day>[12]\d|3[01]|0[1-9])"
_NAME = rf"(?P<name>{_MONTH})"
_FORMS = (
    Linear(rf"{_YEAR}[-/.]{_TWO}[-/.]{_TWO_DAY}", before=r"^|\D", after=r"\D|\z"),
    Linear(rf"{_YEAR}{_TWO}{_TWO_DAY}", before=r"^|\D", after=r"\D|\z"),
    Linear(rf"{_DAY}\. ?{_NUMBER}\. ?{_YEAR}", before=r"^|[^\d.]", after=r"\D|\z"),
    Linear(
        rf"{_DAY}(?:\.|st|nd|rd|th|er)? (?:of |de )?{_NAME}\.?(?:,? (?:de )?{_YEAR})?",
        before=r"^|[^\d.]",
        after=r"[^\pL\d]|\z",
        ignore_case=True,
    ),
    Linear(
        rf"{_NAME}\.? {_DAY}(?:st|nd|rd|th)?(?:,? {_YEAR})?",
        before=r"^|[^\pL]",
        after=r"[^\pL\d]|\z",
        ignore_case=True,
    ),
    Linear(rf"(?:{_YEAR}年)?{_NUMBER}月{_DAY}日"),
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


def named_days(text: str) -> frozenset[Day]:
    """The days that a text names. Time linear in the text."""
    found = set()
    for form in _FORMS:
        for match in form.finditer(text):
            parts = match.named()
            if parts.get("name") == "may":  # the verb: "may 5 people enter?"
                continue
            month = MONTHS[parts["name"].lower()] if parts.get("name") else int(parts["month"])
            found.add(Day(int(parts["year"] or 0), month, int(parts["day"])))
    return frozenset(found)
