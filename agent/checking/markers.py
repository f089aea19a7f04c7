"""The markers of citations in a text, such as `[1]`. A number in brackets within code is none."""

import re
from collections.abc import Callable

from domain.patterns import LinearRegex, PatternMatch

MARKER = re.compile(r"\[(\d{1,3})\]")
"""A citation, in a text without code."""

_BEFORE = LinearRegex(r"[ \t]*\[(\d{1,3})\]")
_GROUPS = LinearRegex(r"\s*\[\d{1,3}(?:\s*[,;]\s*\d{1,3})*\]")
_CODE = LinearRegex(r"(?s)```.*?(?:```|\z)|~~~.*?(?:~~~|\z)|`[^`\n]+`")
_HOLDS = LinearRegex("\ue000(\\d+)\ue001")
"""What stands for a piece of code, by its number. No text has these characters: they belong to nobody."""

_ALONE = LinearRegex(r"`((?:[ \t]*\[\d{1,3}\])+)[ \t]*`")
"""Markers that a model writes as code."""
_WRITTEN = LinearRegex(r"[【［<†^\\(]|\[\pL|\[\d{1,3}\s*[-–]")
"""What one of the forms below begins with."""
_OTHER_FORM = LinearRegex(
    r"【(\d{1,3})(?:†[^】\n]{0,80})?】|［(\d{1,3})］|\\\[(\d{1,3})\\\]"
    r"|[\[(](?:source|passage|quelle) (\d{1,3})[\])]|<sup>\[?\^?(\d{1,3})\]?</sup>",
    ignore_case=True,
)
_FOOTNOTE = LinearRegex(r"\[\^(\d{1,3})\]", after=r"[^:]|\Z")
_FOOTNOTE_WITHIN = LinearRegex(r"\[\^(\d{1,3})\]", after=r"[^:]")
"""The number of a footnote: one before a colon begins what it stands for."""
_RANGE = LinearRegex(r"\[(\d{1,3})\s*[-–]\s*(\d{1,3})\]")
MAX_RANGE = 9
"""Passages that a range names besides its first, at most; a longer one is none."""
_END_TOKEN = LinearRegex(r"<\|[A-Za-z_]{1,20}\|>|</s>|<end_of_turn>")
_QUOTED = LinearRegex(r"``([^`'\n]{1,200})''")
"""What stands in the quotation marks of TeX."""


def without_loose_backticks(text: str) -> str:
    """A model's text in which backticks are code: markers stand without them, and those of TeX are quotation marks."""
    if "`" not in text:
        return text
    return _QUOTED.sub(lambda found: f"“{found[1]}”", _ALONE.sub(lambda found: found[1], text))


def plain_markers(text: str, *, grows: bool = False) -> str:
    """A model's text with its citations as `[1]` in whichever form it wrote them, `[1-3]` as three, and without the
    tokens by which its server ends a reply. grows: more may follow."""
    if not _WRITTEN.search(text):
        return text

    def changed(part: str) -> str:
        footnote = _FOOTNOTE_WITHIN if grows else _FOOTNOTE
        part = footnote.sub(lambda found: f"[{found[1]}]", _END_TOKEN.sub("", part))
        return _RANGE.sub(_each_of, _OTHER_FORM.sub(lambda found: f"[{''.join(found.parts())}]", part))

    return outside_code(text, changed)


def _each_of(found: PatternMatch) -> str:
    first, last = int(found[1]), int(found[2])
    return "".join(f"[{n}]" for n in range(first, last + 1)) if first < last <= first + MAX_RANGE else found[0]


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """A text with a change made to all of it but its code, of which `change` sees that something stands there. What it
    makes code is code for the next call: within `change` this cannot be called."""
    if "`" not in text and "~~~" not in text:
        return change(text)
    codes = [found[0] for found in _CODE.finditer(text.replace("\ue000", "").replace("\ue001", ""))]
    numbers = iter(range(len(codes)))
    held = _CODE.sub(lambda _: f"\ue000{next(numbers)}\ue001", text.replace("\ue000", "").replace("\ue001", ""))
    return _HOLDS.sub(lambda found: codes[int(found[1])], change(held))


def cited_numbers(text: str) -> list[int]:
    """The numbers of the markers in a text, in their order."""
    found: list[int] = []

    def look(part: str) -> str:
        found.extend(map(int, MARKER.findall(part)))
        return part

    outside_code(text, look)
    return found


def without_markers(text: str) -> str:
    """The text without its citations."""
    return outside_code(text, lambda part: _GROUPS.sub("", part))


def with_markers(text: str, marker: Callable[[int], str]) -> str:
    """The text with something else in the place of each marker. marker: gives it for a number; where it gives nothing,
    the blanks before the marker go, too."""

    def changed(blanks: str, number: int) -> str:
        shown = marker(number)
        return f"{blanks}{shown}" if shown else ""

    return outside_code(
        text, lambda part: _BEFORE.sub(lambda found: changed(found[0].partition("[")[0], int(found[1])), part)
    )
