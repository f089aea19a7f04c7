"""Days and spans of days that a question names as they lie from today on: `yesterday`, `last week`, `in den letzten 14
Tagen`. English and German. Pure."""

from datetime import datetime, timedelta

from domain.patterns import LinearRegex

_UNITS = {"day": "day", "week": "week", "month": "month", "quarter": "quarter", "year": "year"}
_UNITS |= {"tag": "day", "woche": "week", "monat": "month", "quartal": "quarter", "jahr": "year"}
_LAST = "last|previous|letzte[nrms]?|vergangene[nrms]?|vorige[nrms]?"
_THIS = "this|diese[nrms]?"
_PAST = "past"
_SPAN = r"days?|weeks?|months?|quarters?|years?|tage?n?|wochen?|monate?n?|quartale?n?|jahre?n?"
RELATIVE = (
    r"(?:yesterday|today|gestern|heute"
    rf"|(?:(?:the|der|den|dem|das) )?(?:{_LAST}|{_THIS}|{_PAST}) (?:\d{{1,3}} )?(?:{_SPAN}))"
)
"""A pattern of such words."""
_PARTS = LinearRegex(
    rf"(?:(?P<article>the|der|den|dem|das) )?(?P<which>{_LAST}|{_THIS}|{_PAST}) (?:(?P<count>\d{{1,3}}) )?"
    rf"(?P<unit>{_SPAN})",
    ignore_case=True,
)
_THESE = LinearRegex(_THIS, ignore_case=True)
_DAYS = {"day": 1, "week": 7, "month": 30, "quarter": 91, "year": 365}


def relative_span(words: str, today: datetime) -> tuple[datetime, datetime] | None:
    """First and last moment of what the words name: the calendar week before this one for `last week`, seven days up
    to today for `the last week` and `the past week`. None where they name nothing of the kind.

    today: some moment of it.
    """
    midnight = today.replace(hour=0, minute=0, second=0, microsecond=0)
    tomorrow = midnight + timedelta(days=1)
    if words.lower() in {"today", "heute"}:
        return midnight, _before(tomorrow)
    if words.lower() in {"yesterday", "gestern"}:
        return midnight - timedelta(days=1), _before(midnight)
    match = _PARTS.fullmatch(words)
    if match is None:
        return None
    said = match.named()
    unit = next(english for name, english in _UNITS.items() if said["unit"].lower().startswith(name))
    first = _start(midnight, unit)
    if _THESE.fullmatch(said["which"]):
        return first, _before(tomorrow)
    if said["count"] or said["which"].lower() == _PAST or said["article"].lower() == "the":
        return tomorrow - timedelta(days=_DAYS[unit] * int(said["count"] or 1)), _before(tomorrow)
    return _start(_before(first), unit), _before(first)


def _start(moment: datetime, unit: str) -> datetime:
    """When the day, week, month, quarter or year of a moment begins."""
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    if unit == "week":
        return day - timedelta(days=day.weekday())
    first = {"month": day.month, "quarter": day.month - (day.month - 1) % 3, "year": 1}
    return day.replace(month=first[unit], day=1) if unit in first else day


def _before(moment: datetime) -> datetime:
    return moment - timedelta(microseconds=1)
