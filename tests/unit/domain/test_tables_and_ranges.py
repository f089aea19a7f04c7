"""Rows of tables as words, and the ranges that their cells name."""

import pytest

from domain.text.ranges import amounts, covers
from domain.text.tables import with_columns, with_units


@pytest.mark.parametrize(
    ("columns", "row", "words"),
    [
        ("| Size | Cores | Memory |", "| large | 16 | 64 GB |", "large – Cores: 16; Memory: 64 GB"),
        ("| Office | Days |", "| Cork | 26 |", "Cork: 26"),
        ("| Size | Cores | Note |", "| small | 2 | - |", "small – Cores: 2"),
        ("| Size | Cores |", "| a | b | c |", "a; b; c"),
    ],
)
def test_a_row_reads_with_the_names_of_its_columns(columns: str, row: str, words: str) -> None:
    assert with_columns(columns, row) == words


@pytest.mark.parametrize(
    ("columns", "row", "words"),
    [
        ("| Data | Kept (days) |", "| Beacon | 14 |", "14 Kept, 14 days"),
        ("| Data | Kept (days) |", "| Beacon | - |", ""),
        ("| Data | Kept |", "| a | 1 | 2 |", ""),
    ],
)
def test_a_number_is_told_with_the_unit_in_the_name_of_its_column(columns: str, row: str, words: str) -> None:
    assert with_units(columns, row) == words


@pytest.mark.parametrize(
    ("cell", "amount", "within"),
    [
        ("€500 to €5,000", 800, True),
        ("€500 to €5,000", 8_000, False),
        ("up to €500", 500, True),
        ("up to €500", 501, False),
        ("above €25,000", 30_000, True),
        ("above €25,000", 8_000, False),
        ("team lead", 8_000, None),
        ("3 quotes", 8_000, None),
    ],
)
def test_whether_an_amount_lies_in_a_range(cell: str, amount: float, *, within: bool | None) -> None:
    assert covers(cell, amount) is within


def test_years_versions_and_times_are_no_amounts() -> None:
    assert amounts("an order of 8,000 euros in 2026 at 10:30 or v3") == [8_000.0]
