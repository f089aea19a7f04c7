"""The table of faults: `tests/mutation/faults/` has a file for each area, which says how to make ten faults in it."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).with_name("faults")


@dataclass(frozen=True)
class Fault:
    """One fault in one file."""

    area: str
    number: int
    """Its place in the area, from 1."""
    file: str
    meaning: str
    """What the product does wrong with it."""
    original: str
    """A text that stands in the file once."""
    replacement: str
    flows: tuple[str, ...]
    """Tests of the whole product that concern the area."""

    def __str__(self) -> str:
        return f"{self.area}:{self.number}"


def faults() -> Iterator[Fault]:
    """All faults, by area."""
    for path in sorted(TABLE.glob("*.toml")):
        area = tomllib.loads(path.read_text())
        for number, row in enumerate(area["fault"], start=1):
            yield Fault(path.stem, number, **row, flows=tuple(area["flows"]))
