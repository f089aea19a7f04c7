"""A text as parts: what a reader sees as a paragraph, an item of a list, code, a heading or a rule. Pure.

They follow one another: a quote and a list are properties of their parts.
"""

from dataclasses import dataclass, replace
from typing import Literal

TextStyle = Literal["bold", "italic", "strike", "code"]


@dataclass(frozen=True, slots=True)
class TextRun:
    """Text in one style. url: where it leads; empty where it is not live."""

    text: str
    styles: tuple[TextStyle, ...] = ()
    url: str = ""

    @property
    def bold(self) -> "TextRun":
        """The same in bold."""
        return self if "bold" in self.styles else replace(self, styles=("bold", *self.styles))


@dataclass(frozen=True, slots=True)
class TextPart:
    """A paragraph, an item of a list, preformatted text, a heading or a rule.

    quoted: whether it stands in a quote. ordered, number: of an item; number counts from 1. indent: of an item; of a
    heading, how many lists it stands in.
    """

    kind: Literal["text", "item", "code", "header", "rule"]
    runs: tuple[TextRun, ...] = ()
    quoted: bool = False
    ordered: bool = False
    indent: int = 0
    number: int = 0

    @property
    def text(self) -> str:
        """Its words, without styles and addresses."""
        return "".join(run.text for run in self.runs)


def paragraphs(text: str) -> list[TextPart]:
    """A text without mark-up: what an empty line divides is a paragraph."""
    return [TextPart("text", (TextRun(each.strip("\n")),)) for each in text.split("\n\n") if each.strip()]
