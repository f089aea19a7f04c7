"""JSON of others, read by shape: what is of another kind than expected counts as empty. Pure."""

from collections.abc import Iterator, Mapping
from typing import Any

Json = Mapping[str, Any]


def table(value: object) -> Json:
    """An object, or an empty one."""
    return value if isinstance(value, dict) else {}


def each_table(value: object) -> Iterator[Json]:
    """The objects of a list."""
    return (each for each in (value if isinstance(value, list) else ()) if isinstance(each, dict))


def text(value: object) -> str:
    """A text, or an empty one."""
    return value if isinstance(value, str) else ""
