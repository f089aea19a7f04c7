"""Months that a text names, and those within its ranges."""

import pytest

from domain.text.months import months_named, with_months
from domain.text.synonyms import NO_SYNONYMS


@pytest.mark.parametrize(
    ("text", "months"),
    [
        ("1 April - 30 September", {4, 5, 6, 7, 8, 9}),
        ("1 November - 28 February", {11, 12, 1, 2}),
        ("Nov–Feb", {11, 12, 1, 2}),
        ("April 1 to June 30", {4, 5, 6}),
        ("vom 1. Oktober bis zum 31. März", {10, 11, 12, 1, 2, 3}),
        ("when does the zoo close in july", {7}),
        ("may I come in?", set()),
        ("is it open in may?", {5}),
        ("a marching band", set()),
    ],
)
def test_months_that_a_text_names(text: str, months: set[int]) -> None:
    assert months_named(text) == months


def test_the_months_of_a_range_are_named_with_it() -> None:
    assert with_months("1 May - 30 June") == "1 May - 30 June may mai june juni"
    assert with_months("in July") == "in July"


def test_a_feast_day_means_its_date() -> None:
    assert "26 December" in NO_SYNONYMS.rewritten("are you open on boxing day")
    assert "24. Dezember" in NO_SYNONYMS.rewritten("Ist an Heiligabend offen?")
