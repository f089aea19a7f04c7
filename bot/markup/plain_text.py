"""Text that is safe on a terminal: what a document holds must not steer it. Imports next to nothing."""

import re
from collections.abc import Callable, Collection, Mapping
from datetime import datetime

_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, what turns the direction of writing, line breaks that only some programs know, and halves of
characters, which no terminal takes."""

_LINE_BREAKS = re.compile(r"\r\n|[\x0b\x0c\x85\u2028\u2029]")


def plain(text: str) -> str:
    """`text` without what steers a terminal; lines stay lines, tabs become blanks."""
    return _STEERING.sub("", _LINE_BREAKS.sub("\n", text).replace("\t", "    "))


def one_line(text: str) -> str:
    """The same for a title or a path: a line break in it would look like a line of ours."""
    return plain(" ".join(text.splitlines()))


def escaped(json: str) -> str:
    """`json` with the same characters escaped, which leaves its meaning."""
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", json)


def each_text(value: object, change: Callable[[str], str], kept: Collection[str]) -> object:
    """JSON with each of its texts changed, moments among them in ISO 8601. kept: keys whose values stay as they are."""
    match value:
        case str():
            return change(value)
        case datetime():
            return change(value.isoformat())
        case list() | tuple():
            return [each_text(each, change, kept) for each in value]
        case Mapping():
            return {name: each if name in kept else each_text(each, change, kept) for name, each in value.items()}
        case _:
            return value


def counted(number: int, noun: str) -> str:
    """`1 document`, `2 documents`, `1,234 documents`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
