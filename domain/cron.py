"""When something recurs, as an operator writes it: cron expressions, and windows of the day."""

import re
from dataclasses import dataclass
from datetime import time
from functools import lru_cache
from typing import NamedTuple

_PART = re.compile(r"(?:\*|(?P<first>\w{1,3})(?:-(?P<last>\w{1,3}))?)(?:/(?P<step>\d{1,3}))?", re.ASCII)
_WINDOW = re.compile(r"([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)", re.ASCII)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_DAYS_OF_MONTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class CronFields(NamedTuple):
    """The values that each field of a cron expression admits, ascending."""

    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: tuple[int, ...]
    months: tuple[int, ...]
    weekdays: tuple[int, ...]
    """0 is Sunday."""
    either: bool
    """Whether day of the month and day of the week are both given: then a day that is in one of them will do."""


@dataclass(frozen=True, slots=True)
class Cron:
    """A cron expression: minute, hour, day of the month, month, day of the week; the last two by number or English
    name, Sunday as 0 or 7. ValueError says what is wrong with it."""

    text: str

    def __post_init__(self) -> None:
        _parsed(self.text)

    def __str__(self) -> str:
        return " ".join(self.text.split())

    @property
    def fields(self) -> CronFields:
        """What it admits."""
        return _parsed(self.text)


@lru_cache(maxsize=64)
def _parsed(text: str) -> CronFields:
    parts = text.lower().split()
    if len(parts) != 5:
        raise ValueError("It takes five fields: minute, hour, day, month and day of the week, such as 30 3 * * *.")
    minute, hour, day, month, weekday = parts
    weekdays = {each % 7 for each in _values("day of the week", weekday, 0, 6, _WEEKDAYS)}
    fields = CronFields(
        _values("minute", minute, 0, 59),
        _values("hour", hour, 0, 23),
        _values("day", day, 1, 31),
        _values("month", month, 1, 12, _MONTHS),
        tuple(sorted(weekdays)),
        not day.startswith("*") and not weekday.startswith("*"),
    )
    if not fields.either and min(fields.days) > max(_DAYS_OF_MONTHS[each - 1] for each in fields.months):
        raise ValueError("There is no such day in these months.")
    return fields


def _values(field: str, text: str, low: int, high: int, names: tuple[str, ...] = ()) -> tuple[int, ...]:
    """What a field admits: `*`, values, ranges, each with a step if wanted, between commas. In a week, ranges may go
    round its end; what goes beyond is counted on."""
    found: set[int] = set()
    for part in text.split(","):
        match = _PART.fullmatch(part)
        bounds = match and _bounds(match, low, high, names)
        step = int(match["step"] or 1) if match else 0
        if bounds is None or step == 0:
            takes = f"{low} to {high + (names == _WEEKDAYS)}" + (f" or {names[0]} to {names[-1]}" if names else "")
            raise ValueError(f"{part!r} is no {field}: it takes {takes}, with , - * and /.")
        found.update(range(bounds[0], bounds[1] + 1, step))
    return tuple(sorted(found))


def _bounds(match: re.Match[str], low: int, high: int, names: tuple[str, ...]) -> tuple[int, int] | None:
    """The first and the last value of a part, before its step; None when it is none."""
    if match["first"] is None:
        return low, high
    week = names == _WEEKDAYS

    def number(word: str) -> int | None:
        value = names.index(word) + low if word in names else int(word) if word.isdecimal() else -1
        return value if low <= value <= high + week else None

    first = number(match["first"])
    last = number(match["last"]) if match["last"] else high if match["step"] else first
    if first is not None and last is not None and week and last < first:
        last += 7
    return None if first is None or last is None or last < first else (first, last)


@dataclass(frozen=True, slots=True)
class Window:
    """A part of each day, such as 22:00-06:00: from the first time on, until just before the second; ValueError when it
    is written otherwise."""

    text: str

    def __post_init__(self) -> None:
        if not _WINDOW.fullmatch(self.text) or self.opens == self.closes:
            raise ValueError("It takes two different times of the day, such as 22:00-06:00.")

    def __str__(self) -> str:
        return self.text

    @property
    def opens(self) -> time:
        """When it begins."""
        return time.fromisoformat(self.text[:5])

    @property
    def closes(self) -> time:
        """When it is over."""
        return time.fromisoformat(self.text[6:])

    def holds(self, moment: time) -> bool:
        """Whether a time of the day lies in it."""
        if self.opens < self.closes:
            return self.opens <= moment < self.closes
        return moment >= self.opens or moment < self.closes
