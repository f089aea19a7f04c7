"""What all replies in Teams share."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from bot.teams.connector import TeamsConnector
from bot.teams.signs import Typing
from bot.teams.spent import Spent
from bot.teams.stream import SECONDS as STREAM_SECONDS
from domain.masking import Masker

REMEMBERED = 1_000
"""Replies of several messages whose ids are known to this process."""


@dataclass(slots=True)
class Posting:
    """What all replies share.

    streaming: whether streams are tried. edit_seconds, stream_seconds: between two changes of one message, and two
    requests for a stream. parts: ids of the further messages of replies, by the question's number: nobody else can be
    asked for them. masker: of questions that a reply repeats.
    spent: takes away what is in no use any more.
    """

    connector: TeamsConnector
    streaming: bool = True
    edit_seconds: float = 1.5
    stream_seconds: float = STREAM_SECONDS
    parts: OrderedDict[int, list[str]] = field(default_factory=OrderedDict)
    typing: Typing = field(init=False)
    spent: Spent = field(init=False)
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    masker: Masker = field(default_factory=Masker)

    def __post_init__(self) -> None:
        self.typing = Typing(self.connector)
        self.spent = Spent(self.connector)

    def note(self, number: int, parts: list[str]) -> None:
        """Remembers the further messages of a reply, as far as Teams gave them an id."""
        self.parts.pop(number, None)
        if any(parts):
            self.parts[number] = [each for each in parts if each]
        while len(self.parts) > REMEMBERED:
            self.parts.popitem(last=False)
