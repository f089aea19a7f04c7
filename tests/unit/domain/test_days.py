from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.text.days import Day, day_spans, named_days, within_span

TENTH = Day(2026, 8, 10)


@pytest.mark.parametrize(
    "text",
    [
        "the talk of 20260810.",
        "Time: 2026-08-10 18:00",
        "on 2026/08/10, at noon",
        "am 10.08.2026",
        "am 10. 8. 2026",
        "10 August 2026",
        "the 10th of august 2026",
        "Aug 10, 2026",
        "August 10th 2026?",
        "am 10. August 2026",
        "le 10 août 2026",
        "el 10 de agosto de 2026",
        "2026年8月10日的会议",
    ],
)
def test_a_day_is_the_same_in_every_form(text: str) -> None:
    assert named_days(text) == {TENTH}


def test_a_day_without_a_year_may_be_of_any_year() -> None:
    (day,) = named_days("What was said on August 10th?")
    assert day == Day(0, 8, 10)
    assert day.may_be(TENTH)
    assert TENTH.may_be(day)
    assert not Day(2025, 8, 10).may_be(TENTH)
    assert not Day(0, 8, 11).may_be(TENTH)


@pytest.mark.parametrize(
    "text", ["", "3/4", "May 2026", "may 5 people enter?", "call 55520260810", "20261399", "v1.2.3", "10.08."]
)
def test_what_is_no_day_is_none(text: str) -> None:
    assert named_days(text) == frozenset()


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)))
def test_iso_dates_are_read_as_they_are(some: date) -> None:
    assert named_days(f"on {some.isoformat()}:") == {Day(some.year, some.month, some.day)}


@pytest.mark.parametrize(
    ("text", "within", "beside"),
    [
        ("24, 25 and 26 December", ["24 December", "25 December", "26 December"], ["23 December", "27 December"]),
        ("27 to 30 December", ["28 December"], ["26 December", "31 December"]),
        ("Monday, 29 June to Sunday, 19 July 2026", ["30 June", "1 July 2026"], ["28 June", "20 July"]),
        ("am 24. und 31. Dezember", ["24. Dezember", "31. Dezember"], ["27. Dezember"]),
        ("20 December to 6 January", ["24 December", "1 January"], ["7 January"]),
        ("on 24 December and on 31 December", ["31 December"], ["27 December"]),
    ],
)
def test_times_that_are_named_by_their_days(text: str, within: list[str], beside: list[str]) -> None:
    def held(day: str) -> bool:
        (one,) = named_days(day)
        return any(within_span(one, span) for span in day_spans(text))

    assert [day for day in (*within, *beside) if held(day)] == within
