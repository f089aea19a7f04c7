"""One pass tells which of several patterns stand in a text."""

import pytest
import re2

from domain.patterns import Linear, LinearSet

SOURCES = ("seal(?:s|ed)?", r"at \w{1,20} noon", "größe", r"\d{2} kg")


@pytest.mark.parametrize(
    "text", ["Seals eat at about NOON.", "GRÖSSE", "Größe: 90 kg", "The sealed box, 7 kg", "", "ﬁn"]
)
def test_a_set_finds_what_each_pattern_finds(text: str) -> None:
    alone = [number for number, source in enumerate(SOURCES) if Linear(source, ignore_case=True).search(text)]
    assert LinearSet(SOURCES).found(text) == alone


def test_what_is_no_pattern_is_refused() -> None:
    with pytest.raises(re2.error):
        LinearSet(["seal", "(owl"])
