"""How much of a page or an issue is read: the rest is left out, and said so."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from indexer.connectors.atlassian.confluence_records import Body, Remark

MOST_CHARACTERS = 10_000_000
"""Of a page or an issue with all that was said about it, markup included. No text that people write comes near."""
CUT = f"more than {MOST_CHARACTERS:,} characters of markup and comments"


@dataclass(slots=True)
class Room:
    """What is left of it."""

    left: int = MOST_CHARACTERS
    cut: str = ""

    def body(self, body: Body) -> Body:
        """A page's body, its beginning where it is too long: one in JSON is none without its end."""
        value = self._kept(body.value, whole=body.representation == "atlas_doc_format")
        return body if value is body.value else replace(body, value=value)

    def remarks(self, remarks: Iterable[Remark]) -> list[Remark]:
        """The first comments, those that there is room for."""
        return [each for each in remarks if self._takes(len(each.value))]

    def rows(self, rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """The same of comments on an issue."""
        return [each for each in rows if self._takes(len(str(each.get("body"))))]

    def _kept(self, text: str, *, whole: bool) -> str:
        if len(text) > self.left and not whole:
            self.cut, text = CUT, text[: self.left]
        return text if self._takes(len(text)) else ""

    def _takes(self, characters: int) -> bool:
        if characters > self.left:
            self.cut, self.left = CUT, 0
            return False
        self.left -= characters
        return True
