"""The ports of the queue of work: what puts and does jobs. tests/contract holds every implementation to them."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import Protocol

JobHandler = Callable[[Mapping[str, object]], Awaitable[None]]
"""Does one job; gets its arguments. An exception makes the job fail; it is logged, and never tried again."""

ASKED_BY = ("platform", "person", "channel")
"""Arguments of a job that say who asked for it, and where they are told how it went. An erasure takes them away."""

MAX_WORKER_DEATHS = 5
"""A job that so many workers died of is given up, where the worker is told how."""


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    """How a worker works."""

    queues: tuple[str, ...]
    """Queues that it serves."""
    concurrency: int = 4
    """Jobs at one time."""
    heartbeat: float = 5.0
    """Seconds between its signs of life."""
    lost: float = 20.0
    """Seconds without a sign of life after which others take over its jobs."""
    grace: float = 20.0
    """Seconds that running jobs get when it stops; then they are given back."""
    cut_off: float = 20.0
    """Seconds that such a job gets to put its things in order; then nobody waits for it."""
    poll: float = 2.0
    """Seconds after which it looks for jobs without having been woken."""


class JobQueue(Protocol):
    """Work that any process over the database may do. Question jobs (task `answer`, arguments {"number": …}, queue: the
    platform's name, one at a time a lock_key) are put by the ledger."""

    async def put(
        self,
        task: str,
        arguments: Mapping[str, object],
        *,
        queue: str,
        lock_key: str,
        unique_key: str,
        priority: int = 0,
        delay: timedelta | None = None,
    ) -> bool:
        """Queues a job; False, and nothing is queued, while another job with the same `unique_key` waits. lock_key: of
        jobs with the same one, one runs at a time, in order. priority: higher ones come first, in a queue and within a
        lock key. delay: nobody begins it before that has passed; it may be put so while its work is done, to be done
        once more, and workers that died of that work count for it; of ASKED_BY it has what the job that runs under that
        lock key still has."""

    async def count_waiting(self, task: str, *, lock_key: str) -> int:
        """How many jobs of a task wait under a lock key. Raises Transient when the database is away."""

    async def take_waiting(self, task: str, *, lock_key: str) -> list[Mapping[str, object]]:
        """Removes the jobs of a task that wait under a lock key, and returns their arguments in order: the caller does
        them. Raises Transient when the database is away."""

    async def run_worker(
        self,
        tasks: Mapping[str, JobHandler],
        options: WorkerOptions,
        dead_letter_handlers: Mapping[str, JobHandler] = MappingProxyType({}),
    ) -> None:
        """Does jobs until it is cancelled. Then it waits for the running ones as long as the options say, and queues
        again what it had to cut off. It takes over the jobs of workers without a sign of life, so a job may be done
        twice, even at the same time if its worker was wrongly taken for dead. Short absences of the database are
        waited out.

        dead_letter_handlers: by task, what is done in place of a job that MAX_WORKER_DEATHS workers died of. A task
        that is not named is begun again each time.

        Raises:
            Transient: the database was away for as long as `lost` says, or others took this worker for dead.
        """
