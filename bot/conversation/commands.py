"""The commands that people type, wherever they type them. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

CommandName = Literal["ask", "share", "help", "status", "sources", "feedback", "reindex", "forget"]


@dataclass(frozen=True, slots=True)
class ChatCommand:
    """A command that people can type, and what is said of it."""

    name: CommandName
    usage: str
    """What is typed, as help shows it."""
    does: str
    """What it does, as help says it behind the usage."""
    takes_more: bool = False
    """Whether more words may follow the name; a name with more words is else a question."""
    menu: str = ""
    """What it does, as a menu of commands says it behind the name; empty where the menu leaves the command out."""


COMMANDS = (
    ChatCommand("ask", "QUESTION", "an answer for you alone", takes_more=True),
    ChatCommand("help", "help", "this", menu="How to ask, and what else I can do"),
    ChatCommand("status", "status", "how the index is doing", menu="How the index is doing"),
    ChatCommand(
        "sources",
        "sources",
        "what is indexed, as far as you may read it",
        menu="What is indexed, as far as you may read it",
    ),
    ChatCommand(
        "share",
        "share QUESTION",
        "answers for everybody in the channel",
        takes_more=True,
        menu="share QUESTION: the answer for everybody in a channel or group chat",
    ),
    ChatCommand("feedback", "feedback good", "what you think of the last answer; or bad, and why", takes_more=True),
    ChatCommand(
        "reindex",
        "reindex SOURCE",
        "for administrators: has it read again",
        takes_more=True,
        menu="reindex SOURCE: for administrators, has it read again",
    ),
    ChatCommand("forget", "forget", "forgets what you asked"),
)
"""All commands, in the order of help and menus."""

_BY_NAME: Mapping[str, ChatCommand] = {each.name: each for each in COMMANDS}

VOTES = {"good": 1, "yes": 1, "+1": 1, "bad": -1, "no": -1, "-1": -1}
"""What is typed behind `feedback`, as it counts."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command: the word that says what to do, and the rest."""

    word: CommandName
    rest: str = ""
    asked: bool = False
    """Whether the word `ask` stood there."""


def parse_command(text: str) -> Command:
    """What somebody typed, in words; a question needs no word before it."""
    first, rest = [*text.split(maxsplit=1), "", ""][:2]
    if not text:
        return Command("help")
    found = _BY_NAME.get(first.lower())
    if found and (found.takes_more or not rest.strip()):
        return Command(found.name, rest.strip(), asked=found.name == "ask")
    return Command("ask", text)


def closest_command(text: str) -> str | None:
    """The command that one or two words were probably meant to be: a question is seldom so short."""
    words = text.lower().strip("?!.- ").split()
    if not 1 <= len(words) <= 2 or (len(words) == 2 and text.endswith("?")):
        return None
    found = get_close_matches(words[0], sorted(_BY_NAME.keys() - {"ask"}), n=1, cutoff=0.8)
    return found[0] if found else None
