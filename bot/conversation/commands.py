"""The commands that people type, wherever they type them. Pure."""

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

Word = Literal["ask", "share", "help", "status", "sources", "feedback", "reindex", "forget"]

ALONE = {"help", "status", "sources", "forget"}
WITH_MORE = {"ask", "share", "feedback", "reindex"}

VOTES = {"good": 1, "yes": 1, "+1": 1, "bad": -1, "no": -1, "-1": -1}
"""What is typed behind `feedback`, as it counts."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command: the word that says what to do, and the rest. asked: whether the word `ask` stood there."""

    word: Word
    rest: str = ""
    asked: bool = False


def command_in(text: str) -> Command:
    """What somebody typed, in words; a question needs no word before it."""
    first, rest = [*text.split(maxsplit=1), "", ""][:2]
    word = first.lower()
    if not text:
        return Command("help")
    if word in WITH_MORE or (word in ALONE and not rest.strip()):
        return Command(word, rest.strip(), asked=word == "ask")  # type: ignore[arg-type] # looked up just now
    return Command("ask", text)


def meant_by(text: str) -> str | None:
    """The command that one or two words were probably meant to be: a question is seldom so short."""
    words = text.lower().strip("?!.- ").split()
    if not 1 <= len(words) <= 2 or (len(words) == 2 and text.endswith("?")):
        return None
    found = get_close_matches(words[0], sorted(ALONE | WITH_MORE - {"ask"}), n=1, cutoff=0.8)
    return found[0] if found else None
