"""Questions, turns, votes and their jobs, in memory: what the fakes of the conversations' ports share."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from domain.answers import Turn
from domain.conversation import AcceptedQuestion, CitedPassage, Platform, Result, State
from domain.errors import Transient
from domain.text.encodable import encodable
from tests.fakes.jobs import MemoryJobs


@dataclass
class MemoryQuestion:
    """A question. asked: as it was first, its text and handle as they are now. original: the text that was asked; None
    when it is forgotten. begun: the revision that the last attempt began with."""

    asked: AcceptedQuestion
    original: str | None
    allowed: timedelta
    deadline: datetime
    state: State = "received"
    result: Result | None = None
    begun: int | None = None
    queued_at: datetime | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    cited: tuple[CitedPassage, ...] = ()
    duplicate_possible: bool = False

    def change(self, **values: object) -> None:
        """Gives `asked` other values."""
        self.asked = replace(self.asked, **values)  # type: ignore[arg-type] # its own fields


@dataclass
class MemoryTurn:
    """A turn. number: of its question; None when that was removed."""

    person: tuple[Platform, str]
    conversation: str
    number: int | None
    turn: Turn
    at: datetime


@dataclass
class MemoryVote:
    """A vote."""

    value: int
    reason: str | None
    at: datetime


@dataclass
class ConversationState:
    """All of it, and the time, which stands still unless it is set. away: whether all fails as a database does that
    is away. hiccups: how often a method does, by name."""

    now: datetime = datetime(2026, 1, 1, tzinfo=UTC)
    jobs: MemoryJobs = field(default_factory=MemoryJobs)
    questions: dict[int, MemoryQuestion] = field(default_factory=dict)
    turns: list[MemoryTurn] = field(default_factory=list)
    votes: dict[tuple[int, Platform, str], MemoryVote] = field(default_factory=dict)
    away: bool = False
    hiccups: dict[str, int] = field(default_factory=dict)
    numbers: int = 0

    def check(self, method: str = "") -> None:
        """Raises Transient when it is away, for that method at least."""
        self.hiccups[method] = self.hiccups.get(method, 0) - 1
        if self.away or self.hiccups[method] >= 0:
            raise Transient("The database is away")


def storable(text: str) -> str:
    """What a database makes of a text."""
    return encodable(text).replace("\0", "\N{REPLACEMENT CHARACTER}")
