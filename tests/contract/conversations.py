"""What the contracts of conversations are held against: each implementation, and what happens around it."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Literal

from sqlalchemy import text

from domain.answers import Turn
from domain.conversation import (
    AcceptedQuestion,
    ConversationPlace,
    Incoming,
    MessageKey,
    Participant,
    QuestionLimits,
    RecordedOutcome,
)
from domain.job_ports import JobQueue
from domain.ledger import Feedback, Ledger, Memory
from storage.open import Storage, open_storage
from storage.server.database import DatabaseOptions
from tests.fakes.ledger import MemoryConversations

ADA = Participant("slack", "U1", "T1")
BOB = Participant("slack", "U2", "T1")
PLACE = ConversationPlace("slack", "T1", "C1", "100.1")
MANY = QuestionLimits(user_minute=1000, channel_minute=1000, user_day=1000, waiting=1000)
TURN = Turn("what is asked", "what is replied")
ANSWERED = RecordedOutcome("answered", TURN)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
JobState = Literal["todo", "doing", "failed"]


@dataclass(frozen=True)
class Conversations:
    """One implementation. pass_time: makes everything in it older. now: the time it goes by. job_states: by question,
    those of its jobs in order. set_jobs: puts all jobs of questions into a state; None removes them. slots: jobs of a
    queue that the workers do at one time."""

    ledger: Ledger
    memory: Memory
    feedback: Feedback
    jobs: JobQueue
    pass_time: Callable[[timedelta], Awaitable[None]]
    now: Callable[[], datetime]
    job_states: Callable[[], Awaitable[Mapping[int, list[str]]]]
    set_jobs: Callable[[JobState | None], Awaitable[None]]
    slots: Callable[[str], Awaitable[int]]

    async def claimed(self, asked: Incoming | None = None, limits: QuestionLimits = MANY) -> int:
        """The number of a new question."""
        claim = await self.ledger.claim(asked or incoming(), limits)
        assert claim.fresh
        return claim.number

    async def begun(self, asked: Incoming | None = None) -> AcceptedQuestion:
        """A new question that was placed and begun."""
        number = await self.claimed(asked)
        assert await self.ledger.enqueue(number, {})
        begun = await self.ledger.begin_attempt(number)
        assert begun is not None
        return begun

    async def ended(self, asked: Incoming | None = None, ending: RecordedOutcome = ANSWERED) -> int:
        """The number of a question that went through all and ended so, with its job done."""
        begun = await self.begun(asked)
        assert await self.ledger.begin_posting(begun.number, begun.attempt, begun.revision)
        assert await self.ledger.close(begun.number, begun.attempt, ending)
        await self.set_jobs(None)
        return begun.number

    async def state(self, number: int) -> str:
        """The question's state."""
        return (await self.standing(number))[0]

    async def standing(self, number: int) -> tuple[str, int, int]:
        """The question's state, attempt and revision."""
        known = await self.ledger.find(number)
        assert known is not None
        return known.state, known.attempt, known.revision


def incoming(
    message: str = "1", *, asker: Participant = ADA, place: ConversationPlace = PLACE, words: str = "when?"
) -> Incoming:
    """A question."""
    key = MessageKey(place.platform, place.channel, message)
    return Incoming(key, place, asker, words, "organisation", {"team": "T1"}, ("plan.xlsx",))


def in_thread(thread: str, place: ConversationPlace = PLACE) -> ConversationPlace:
    """Another thread of the same channel."""
    return replace(place, thread=thread)


@asynccontextmanager
async def opened(place: DatabaseOptions | None) -> AsyncIterator[Conversations]:
    """The implementation in PostgreSQL, or in memory for None."""
    if place is None:
        yield in_memory(MemoryConversations())
        return
    async with open_storage(place) as storage:
        yield in_postgresql(storage)


def in_memory(kept: MemoryConversations) -> Conversations:
    async def pass_time(by: timedelta) -> None:
        kept.now += by

    async def job_states() -> Mapping[int, list[str]]:
        names = {"waiting": "todo", "running": "doing", "failed": "failed"}
        found: dict[int, list[str]] = {}
        for job in kept.jobs.jobs:
            found.setdefault(int(str(job.arguments["number"])), []).append(names[job.state])
        return found

    async def set_jobs(state: JobState | None) -> None:
        if state is None:
            kept.jobs.jobs.clear()
        for job in kept.jobs.jobs:
            job.state = "running" if state == "doing" else "failed" if state == "failed" else "waiting"

    async def slots(queue: str) -> int:
        return kept.jobs.slots(queue)

    ports = kept.ledger(), kept.memory(), kept.feedback(), kept.jobs
    return Conversations(*ports, pass_time, lambda: kept.now, job_states, set_jobs, slots)


OLDER = """
UPDATE questions SET received_at = received_at - :by, queued_at = queued_at - :by, started_at = started_at - :by,
                     ended_at = ended_at - :by, deadline_at = deadline_at - :by;
UPDATE turns SET created_at = created_at - :by;
UPDATE feedback SET created_at = created_at - :by, updated_at = updated_at - :by;
UPDATE procrastinate_events SET at = at - :by
"""
JOBS = "SELECT (args->>'number')::bigint, status::text FROM procrastinate_jobs WHERE task_name = 'answer' ORDER BY id"
SLOTS = """
SELECT coalesce(sum(slots), 0) FROM worker_slots JOIN procrastinate_workers ON id = worker_id WHERE :queue = ANY(queues)
"""
SET_JOBS = "UPDATE procrastinate_jobs SET status = CAST(:state AS procrastinate_job_status)"


def in_postgresql(storage: Storage) -> Conversations:
    async def pass_time(by: timedelta) -> None:
        async with storage.engine.begin() as connection:
            for statement in OLDER.split(";\n"):
                await connection.execute(text(statement), {"by": by})

    async def job_states() -> Mapping[int, list[str]]:
        found: dict[int, list[str]] = {}
        async with storage.engine.begin() as connection:
            for number, state in await connection.execute(text(JOBS)):
                found.setdefault(number, []).append(state)
        return found

    async def set_jobs(state: JobState | None) -> None:
        async with storage.engine.begin() as connection:
            if state is None:
                await connection.execute(text("DELETE FROM procrastinate_jobs"))
            else:
                await connection.execute(text(SET_JOBS), {"state": state})

    async def slots(queue: str) -> int:
        async with storage.engine.begin() as connection:
            return int((await connection.execute(text(SLOTS), {"queue": queue})).scalar_one())

    return Conversations(
        storage.ledger(),
        storage.memory(),
        storage.feedback(),
        storage.job_queue(),
        pass_time,
        lambda: datetime.now(UTC),
        job_states,
        set_jobs,
        slots,
    )
