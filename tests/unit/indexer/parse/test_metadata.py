import pytest

from indexer.parse.metadata import LONGEST_VALUE, collect, labels, moment


@pytest.mark.parametrize(
    ("said", "understood"),
    [
        ("2024-01-15", "2024-01-15T00:00:00+00:00"),
        (" 2024-01-15T10:30:00+02:00 ", "2024-01-15T10:30:00+02:00"),
        ("2024-01-15 10:30", "2024-01-15T10:30:00+00:00"),
        ("Mon, 15 Jan 2024 10:30:00 GMT", "2024-01-15T10:30:00+00:00"),
        ("D:20240115103000+01'00'", "2024-01-15T10:30:00+01:00"),
        ("D:20240115103000-0530", "2024-01-15T10:30:00-05:30"),
        ("D:20240115103000Z", "2024-01-15T10:30:00+00:00"),
        ("D:20240115", "2024-01-15T00:00:00+00:00"),
        ("D:20241315", ""),
        ("2023-02-31", ""),
        ("yesterday", ""),
        ("", ""),
    ],
)
def test_moments_of_all_notations(said: str, understood: str) -> None:
    assert moment(said) == understood


def test_labels_are_single_and_in_order() -> None:
    assert labels(["b, a", " #a", "", "c  d"]) == "b, a, c d"


def test_values_are_short_and_on_one_line() -> None:
    assert collect(author=" Ann\nBob ", space="", labels="x" * 5_000) == {
        "author": "Ann Bob",
        "labels": "x" * LONGEST_VALUE,
    }
