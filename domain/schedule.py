"""Scheduled runs: what became of each, and the port of the table that holds them.

A scheduled run is one time that a job of the schedule was due. It consists of one task a source, each a job in the job
queue (task SCHEDULED_TASK, one at a time a source), so that several workers share them.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal, NamedTuple, Protocol, get_args

SCHEDULED_TASK = "scheduled"

PERMISSIONS = "permissions"
"""The job that reads nothing but whom documents admit. It runs beside the other ones of a source."""

DIGEST = "digest"
"""The job that tells a channel what has no answer. Its one task is named like it."""

REGISTERED = "begun"
"""Name of the row that says since when a job is on the schedule. It is no run."""

FAIL_LOST_TASK_AFTER = timedelta(days=1)
"""A task that vanished from the queue is queued again for so long; then it has failed."""

POSTPONED_FOR = timedelta(seconds=30)
"""After so long, it is tried again to read a source that another process has."""

POSTPONED_AT_MOST = timedelta(hours=18)
"""So long after it was asked for: what is due every day has failed, and an alert says so, before it is due again."""

ScheduledRunState = Literal["queued", "running", "done", "attention", "failed"]
SourceTaskState = Literal["waits", "runs", "done", "attention", "failed"]
SourceTaskResult = Literal["done", "attention", "failed"]
"""How a task ends. attention: it is done, and an operator has to look at it."""


@dataclass(frozen=True, slots=True)
class SourceTask:
    """What became of a scheduled run's work on one source."""

    state: SourceTaskState = "waits"
    summary: str = ""
    """The result in words, masked."""

    @property
    def ended(self) -> bool:
        """Whether nothing will be done about it any more."""
        return self.state in get_args(SourceTaskResult)


@dataclass(frozen=True, slots=True)
class ScheduledRunProgress:
    """What became of a scheduled run."""

    queue: str = ""
    """The job queue that its tasks were put into; empty when the claiming process does them itself."""

    tasks: Mapping[str, SourceTask] = field(default_factory=dict)
    """By the source's name."""

    @property
    def state(self) -> ScheduledRunState:
        """Of the whole: done when all of its tasks are, also when it has none; else as the worst of them ended."""
        states = {task.state for task in self.tasks.values()}
        if states & {"waits", "runs"}:
            return "queued" if states == {"waits"} else "running"
        return "failed" if "failed" in states else "attention" if "attention" in states else "done"

    def with_task(self, source: str, task: SourceTask) -> "ScheduledRunProgress":
        """The same with another task for that source."""
        return ScheduledRunProgress(self.queue, {**self.tasks, source: task})

    def as_text(self) -> str:
        """As the table keeps it."""
        return json.dumps([self.queue, {source: [task.state, task.summary] for source, task in self.tasks.items()}])

    @classmethod
    def from_text(cls, text: str) -> "ScheduledRunProgress":
        """What `as_text` wrote."""
        queue, tasks = json.loads(text) if text else ("", {})
        return cls(queue, {source: SourceTask(*task) for source, task in tasks.items()})


class SourceTaskKey(NamedTuple):
    """Names a scheduled run's work on one source."""

    job: str
    run: str
    """Name of the scheduled run."""
    source: str

    @property
    def arguments(self) -> dict[str, str]:
        """Of its job in the queue, by the names that releases before this one use."""
        return {"job": self.job, "tick": self.run, "source": self.source}

    @classmethod
    def from_arguments(cls, arguments: Mapping[str, object]) -> "SourceTaskKey":
        """The key whose `arguments` these are."""
        return cls(*(str(arguments[name]) for name in ("job", "tick", "source")))

    @property
    def lock_key(self) -> str:
        """Of its job in the queue: one worker at a time reads a source, one beside that reads its permissions."""
        return f"permissions:{self.source}" if self.job == PERMISSIONS else f"source:{self.source}"

    @property
    def unique_key(self) -> str:
        """Of its job in the queue: while the task of an earlier run waits, a later run has none to add."""
        return f"{self.job}:{self.source}"


@dataclass(frozen=True, slots=True)
class ScheduledRun:
    """A scheduled run that was claimed."""

    job: str
    name: str
    """The time at which it was due, as clocks show it; `manual:` and a time for one that an operator asked for."""
    due_at: datetime
    claimed_at: datetime
    started_at: datetime | None
    """When its first task began."""
    finished_at: datetime | None
    """When its last task ended; None before."""
    progress: ScheduledRunProgress

    @property
    def state(self) -> ScheduledRunState:
        """See ScheduledRunProgress."""
        return self.progress.state


def not_begun(other: str | None) -> str:
    """What is said of a task that is not queued because that of another run waits. other: that run's name, if known."""
    return f"not begun: {f'the run of {other}' if other else 'another run'} still waits"


class ScheduledRunTable(Protocol):
    """The scheduled runs of all processes. All methods raise Transient when the database is away."""

    async def now(self) -> datetime:
        """The time that all processes go by."""

    async def register(self, job: str, at: datetime) -> None:
        """Notes that a job is on the schedule since then, unless there is a row of it."""

    async def claim(self, job: str, name: str, due_at: datetime, sources: Sequence[str], *, queue: str) -> bool:
        """Claims a run and puts its task for each source into the queue, both or neither; with an empty `queue`, the
        caller does the tasks. Where the task of an earlier run for a source waits to be begun, none is put for it, and
        `attention` is noted. False, and nothing is done, when it was claimed, or one of this job that was due then or
        later; or when another process is deciding just now."""

    async def start_task(self, key: SourceTaskKey) -> bool:
        """A task is begun, perhaps once more. False when it has ended, or there is no such task."""

    async def postpone_task(self, key: SourceTaskKey, why: str) -> bool:
        """A task that was begun cannot be done now: it is queued again and waits, POSTPONED_FOR at least. why: masked.
        False, and nothing is done, when the run was claimed longer than POSTPONED_AT_MOST ago, when its tasks are
        not in the queue, or when it has ended, or there is no such task."""

    async def finish_task(self, key: SourceTaskKey, result: SourceTaskResult, summary: str) -> None:
        """A task has ended, and so have those of other runs that were not begun because it still waited: in the same
        way. Nothing happens when it had ended before, or there is no such task."""

    async def requeue_lost(self, patience: timedelta) -> list[SourceTaskKey]:
        """Puts tasks into the queue again that vanished from it without having ended, of runs claimed longer than
        `patience` ago; gives them. After FAIL_LOST_TASK_AFTER they count as failed. Safe to call from many processes
        at once."""

    async def latest(self, job: str) -> ScheduledRun | None:
        """The run of a job that was due last, or its REGISTERED row; None when there is no row of it."""

    async def history(self, limit: int) -> list[ScheduledRun]:
        """The last runs of all jobs, newest first."""

    async def prune(self, *, before: datetime) -> int:
        """Removes runs claimed before then, except the last one of each job. Gives how many."""
