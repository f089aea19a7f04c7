"""How much of a page or an issue is read: the rest is left out, and said so."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

MAX_CHARACTERS = 10_000_000
"""Of a page or an issue with all that was said about it, markup included. No text that people write comes near."""
CUT = f"more than {MAX_CHARACTERS:,} characters of markup and comments"


@dataclass(slots=True)
class TextBudget:
    """What is left of it."""

    left: int = MAX_CHARACTERS
    cut: str = ""

    def rows(self, rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """The first comments on an issue, those that there is room for."""
        return [each for each in rows if self.takes(len(str(each.get("body"))))]

    def kept(self, text: str, *, whole: bool) -> str:
        """As much of the beginning of `text` as there is room for. whole: all of it or nothing."""
        if len(text) > self.left and not whole:
            self.cut, text = CUT, text[: self.left]
        return text if self.takes(len(text)) else ""

    def takes(self, characters: int) -> bool:
        """Takes room for so many characters. Where there is not enough, nothing more has any."""
        if characters > self.left:
            self.cut, self.left = CUT, 0
            return False
        self.left -= characters
        return True
