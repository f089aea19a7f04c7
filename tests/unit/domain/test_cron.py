"""Cron expressions and windows of the day."""

from datetime import time

import pytest

from domain.cron import Cron, Window

DAYS, MONTHS, WEEK = tuple(range(1, 32)), tuple(range(1, 13)), tuple(range(7))


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("30 3 * * *", ((30,), (3,), DAYS, MONTHS, WEEK, False)),
        ("  0\t5 * *  0 ", ((0,), (5,), DAYS, MONTHS, (0,), False)),
        ("*/20 1-3 1,15 JAN-mar *", ((0, 20, 40), (1, 2, 3), (1, 15), (1, 2, 3), WEEK, False)),
        ("5/20 0 1-7/3 * 7", ((5, 25, 45), (0,), (1, 4, 7), MONTHS, (0,), True)),
        ("0 0 */10 * mon-fri", ((0,), (0,), (1, 11, 21, 31), MONTHS, (1, 2, 3, 4, 5), False)),
        ("0 0 * * fri-mon", ((0,), (0,), DAYS, MONTHS, (0, 1, 5, 6), False)),
        ("0 0 * * 1-7", ((0,), (0,), DAYS, MONTHS, WEEK, False)),
        ("0 0 29 2 *", ((0,), (0,), (29,), (2,), WEEK, False)),
        ("0 0 31 2 mon", ((0,), (0,), (31,), (2,), (1,), True)),
    ],
)
def test_what_an_expression_admits(text: str, fields: tuple[object, ...]) -> None:
    assert tuple(Cron(text).fields) == fields


def test_an_expression_is_shown_without_needless_blanks() -> None:
    assert str(Cron(" 30  3 * * *\t")) == "30 3 * * *"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "five fields"),
        ("30 3 * * * *", "five fields"),
        ("60 3 * * *", "'60' is no minute: it takes 0 to 59"),
        ("0 0 0 * *", "'0' is no day: it takes 1 to 31"),
        ("0 0 * 13 *", "'13' is no month: it takes 1 to 12 or jan to dec"),
        ("0 0 * * 8", "'8' is no day of the week: it takes 0 to 7 or sun to sat"),
        ("0 0 * * jan", "'jan' is no day of the week"),
        ("5-1 * * * *", "'5-1' is no minute"),
        ("*/0 * * * *", "'\\*/0' is no minute"),
        ("1,,2 * * * *", "'' is no minute"),
        ("-1 * * * *", "'-1' is no minute"),
        ("٣ * * * *", "is no minute"),
        ("0 0 30,31 2 *", "no such day"),
    ],
)
def test_what_is_no_expression(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Cron(text)


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("22:00-06:00", ("22:00", "23:59", "00:00", "05:59"), ("21:59", "06:00", "12:00")),
        ("01:30-04:00", ("01:30", "03:59"), ("01:29", "04:00", "23:00")),
        ("00:00-23:59", ("00:00", "23:58"), ("23:59",)),
        ("12:00-00:00", ("12:00", "23:59"), ("00:00", "11:59")),
    ],
)
def test_what_lies_in_a_window(text: str, inside: tuple[str, ...], outside: tuple[str, ...]) -> None:
    window = Window(text)
    assert all(window.holds(time.fromisoformat(each)) for each in inside)
    assert not any(window.holds(time.fromisoformat(each)) for each in outside)


@pytest.mark.parametrize(
    "text", ["", "22-6", "22:00", "24:00-06:00", "22:00-06:60", "1:00-2:00", "22:00 - 06:00", "06:00-06:00"]
)
def test_what_is_no_window(text: str) -> None:
    with pytest.raises(ValueError, match="two different times of the day"):
        Window(text)
