"""What is done by itself at certain times: what became of each tick, and the port of the table that holds them.

A tick is one time that a job was due. Its work is one part a source, each a job in the queue of work (task TASK,
arguments {"job": …, "tick": …, "source": …}, one at a time a source), so that several workers share it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal, NamedTuple, Protocol, get_args

TASK = "scheduled"

PERMISSIONS = "permissions"
"""The job that reads nothing but whom documents admit. It runs beside the other ones of a source."""

BEGUN = "begun"
"""Key of the row that says since when a job is on the schedule."""

LOST_AFTER = timedelta(days=1)
"""Work that vanished is done again for so long; then its tick has failed."""

TickState = Literal["queued", "running", "done", "attention", "failed"]
PartState = Literal["waits", "runs", "done", "attention", "failed"]
Ended = Literal["done", "attention", "failed"]
"""How a part ends. attention: it is done, and an operator has to look at it."""


@dataclass(frozen=True, slots=True)
class Part:
    """What became of a tick's work on one source. said: the result in words, masked."""

    state: PartState = "waits"
    said: str = ""

    @property
    def ended(self) -> bool:
        """Whether nothing will be done about it any more."""
        return self.state in get_args(Ended)


@dataclass(frozen=True, slots=True)
class Progress:
    """What became of a tick. queue: the queue that its work was put into; empty when who took it does it. parts: by the
    source's name."""

    queue: str = ""
    parts: Mapping[str, Part] = field(default_factory=dict)

    @property
    def state(self) -> TickState:
        """Of the whole: it is done when all of its parts are, also when it has none; as the worst of them ended."""
        states = {part.state for part in self.parts.values()}
        if states & {"waits", "runs"}:
            return "queued" if states == {"waits"} else "running"
        return "failed" if "failed" in states else "attention" if "attention" in states else "done"

    def having(self, source: str, part: Part) -> "Progress":
        """The same with another part."""
        return Progress(self.queue, {**self.parts, source: part})

    def as_text(self) -> str:
        """As the table keeps it."""
        return json.dumps([self.queue, {source: [part.state, part.said] for source, part in self.parts.items()}])

    @classmethod
    def from_text(cls, text: str) -> "Progress":
        """What `as_text` wrote."""
        queue, parts = json.loads(text) if text else ("", {})
        return cls(queue, {source: Part(*part) for source, part in parts.items()})


class PartKey(NamedTuple):
    """Names a tick's work on one source."""

    job: str
    tick: str
    source: str

    @property
    def lane(self) -> str:
        """Of its job: a source is read by one worker at a time, its permissions beside that by one."""
        return f"permissions:{self.source}" if self.job == PERMISSIONS else f"source:{self.source}"

    @property
    def once(self) -> str:
        """Of its job: while an earlier tick's work waits, a later one has none to add."""
        return f"{self.job}:{self.source}"


@dataclass(frozen=True, slots=True)
class TickRow:
    """A tick that was taken. started_at: of the first part. finished_at: of the last one; None before."""

    job: str
    tick: str
    due_at: datetime
    taken_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    progress: Progress

    @property
    def state(self) -> TickState:
        """See Progress."""
        return self.progress.state


class TickTable(Protocol):
    """The ticks of all processes. All methods raise Transient when the database is away."""

    async def now(self) -> datetime:
        """The time that all processes go by."""

    async def begin(self, job: str, at: datetime) -> None:
        """Notes that a job is on the schedule since then, unless there is anything of it."""

    async def take(self, job: str, tick: str, due_at: datetime, sources: Sequence[str], *, queue: str) -> bool:
        """Takes a tick and puts its work on each source into the queue, both or neither; with an empty `queue`, the
        caller does the work. False, and nothing is done, when it was taken, or one of this job that was due then or
        later; or when another process is deciding just now."""

    async def began(self, part: PartKey) -> bool:
        """A part of a tick is begun, perhaps once more. False when that has ended, or there is no such part."""

    async def ended(self, part: PartKey, state: Ended, said: str) -> None:
        """A part of a tick has ended."""

    async def repair(self, patience: timedelta) -> list[PartKey]:
        """Puts into the queue again what vanished from it without having ended, of ticks taken longer than `patience`
        ago; gives what that was. After LOST_AFTER it counts as failed. Safe to call from many processes at once."""

    async def latest(self, job: str) -> TickRow | None:
        """The tick of a job that was due last, or its BEGUN row; None when there is nothing of it."""

    async def history(self, limit: int) -> list[TickRow]:
        """The last ticks of all jobs, newest first."""

    async def prune(self, *, before: datetime) -> int:
        """Removes ticks taken before then, except the last one of each job. Gives how many."""
