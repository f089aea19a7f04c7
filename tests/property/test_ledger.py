"""Whatever happens to questions in whatever order, PostgreSQL does what a few dictionaries do."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy import text

from domain.answers import Turn
from domain.conversation import (
    AcceptedQuestion,
    CitedPassage,
    ConversationPlace,
    Participant,
    Platform,
    QuestionLimits,
    RecordedOutcome,
    RememberedQuestion,
    Result,
)
from storage.open import Storage, open_storage
from storage.server.database import DatabaseOptions
from tests.contract.conversations import (
    ADA,
    BOB,
    PLACE,
    Conversations,
    JobState,
    in_memory,
    in_postgresql,
    in_thread,
    incoming,
)
from tests.fakes.ledger import MemoryConversations

T = TypeVar("T")

PEOPLE = [ADA, replace(ADA, workspace="T2"), BOB, Participant("teams", "U1")]
PLACES = [
    PLACE,
    in_thread("100.2"),
    ConversationPlace("slack", "T1", "D1", private=True),
    ConversationPlace("teams", "T1", "C1"),
]
PLATFORMS: tuple[Platform, ...] = ("slack", "teams")
LIMITS = [
    QuestionLimits(),
    QuestionLimits(user_minute=2),
    QuestionLimits(channel_minute=2),
    QuestionLimits(user_day=3),
    QuestionLimits(waiting=2),
]
RESULTS: list[Result] = [
    *("answered", "not_found", "declined", "failed"),
    *("busy", "late", "unreachable", "withdrawn"),
]
JOB_STATES: list[JobState | None] = ["failed", None]
STEPS = [timedelta(seconds=45), timedelta(seconds=105), timedelta(hours=7), timedelta(hours=25)]
"""No sum of a few of them comes near a limit, and each is a multiple of the 15 seconds in which ages are compared."""
PATIENCE = timedelta(minutes=1)
STEADY = datetime(2026, 1, 1, tzinfo=UTC)
EMPTY = "TRUNCATE questions, turns, feedback, procrastinate_jobs, procrastinate_events RESTART IDENTITY CASCADE"

numbers = st.integers(1, 6)
attempts = st.integers(0, 3)
handles = st.sampled_from([{}, {"reply": "1"}, {"reply": "2", "response_url": "https://example.com"}])
words = st.sampled_from(["when?", "where?", "odd \0 \ud83d", ""])
messages = st.tuples(st.sampled_from(["1", "2", "3"]), st.sampled_from(PLACES))


class Server:
    """A loop, and a store opened in it."""

    def __init__(self, options: DatabaseOptions) -> None:
        self._runner = asyncio.Runner()
        self._open = AsyncExitStack()
        self.storage: Storage = self.run(self._open.enter_async_context(open_storage(options)))

    def run(self, work: Awaitable[T]) -> T:
        async def do() -> T:
            return await work

        return self._runner.run(do())

    def close(self) -> None:
        self.run(self._open.aclose())
        self._runner.close()

    async def empty(self) -> None:
        async with self.storage.engine.begin() as connection:
            await connection.execute(text(EMPTY))


class Machine(RuleBasedStateMachine):
    """Does the same to both, and compares all that can be seen."""

    server: Server

    def __init__(self) -> None:
        super().__init__()
        self.places = (in_memory(MemoryConversations()), in_postgresql(self.server.storage))

    @initialize()
    def begin_empty(self) -> None:
        self.server.run(self.server.empty())

    def both(self, do: Callable[[Conversations], Awaitable[T]], seen: Callable[[Conversations, T], object]) -> None:
        """Does it in both places, where the same is to be seen of what comes of it."""
        first, second = [seen(place, self.server.run(do(place))) for place in self.places]
        assert first == second

    def same(self, do: Callable[[Conversations], Awaitable[object]]) -> None:
        """Does it in both places, with the same result."""
        self.both(do, lambda _, result: result)

    @rule(
        message=messages,
        asker=st.sampled_from(PEOPLE),
        words=words,
        handle=handles,
        limits=st.sampled_from(LIMITS),
    )
    def claim(
        self,
        message: tuple[str, ConversationPlace],
        asker: Participant,
        words: str,
        handle: Mapping[str, str],
        limits: QuestionLimits,
    ) -> None:
        asked = incoming(message[0], place=message[1], asker=replace(asker, platform=message[1].platform), words=words)
        self.both(lambda place: place.ledger.claim(replace(asked, handle=handle), limits), _without_times)

    @rule(number=numbers, handle=handles)
    def placed(self, number: int, handle: Mapping[str, str]) -> None:
        self.same(lambda place: place.ledger.enqueue(number, handle))

    @rule(number=numbers)
    def begin(self, number: int) -> None:
        self.both(lambda place: place.ledger.begin_attempt(number), _without_times)

    @rule(number=numbers, attempt=attempts, handle=handles)
    def moved(self, number: int, attempt: int, handle: Mapping[str, str]) -> None:
        self.same(lambda place: place.ledger.update_handle(number, attempt, handle))

    @rule(number=numbers, attempt=attempts, revision=st.integers(0, 2))
    def posting(self, number: int, attempt: int, revision: int) -> None:
        self.same(lambda place: place.ledger.begin_posting(number, attempt, revision))

    @rule(number=numbers, attempt=attempts, result=st.sampled_from(RESULTS), with_turn=st.booleans(), words=words)
    def close(self, number: int, attempt: int, result: Result, with_turn: bool, words: str) -> None:
        turn = Turn(words, words[::-1]) if with_turn else None
        ending = RecordedOutcome(result, turn, (CitedPassage(1, "chunk"),), with_turn)
        self.same(lambda place: place.ledger.close(number, attempt, ending))

    @rule(message=messages, words=words)
    def amend(self, message: tuple[str, ConversationPlace], words: str) -> None:
        key = incoming(message[0], place=message[1]).key
        self.same(lambda place: place.ledger.change_text(key, words))

    @rule(message=messages)
    def withdraw(self, message: tuple[str, ConversationPlace]) -> None:
        key = incoming(message[0], place=message[1]).key
        self.both(lambda place: place.ledger.withdraw(key), _without_times)

    @rule(platforms=st.sampled_from([PLATFORMS, PLATFORMS[:1]]))
    def left_over(self, platforms: tuple[Platform, ...]) -> None:
        self.same(lambda place: place.ledger.requeue_lost(platforms, PATIENCE))

    @rule(state=st.sampled_from(JOB_STATES))
    def set_jobs(self, state: JobState | None) -> None:
        self.same(lambda place: place.set_jobs(state))

    @rule(by=st.sampled_from(STEPS))
    def pass_time(self, by: timedelta) -> None:
        self.same(lambda place: place.pass_time(by))

    @rule(number=numbers, person=st.sampled_from(PEOPLE), value=st.sampled_from([1, -1]))
    def give(self, number: int, person: Participant, value: int) -> None:
        self.same(lambda place: place.feedback.vote(number, person, value))

    @rule(person=st.sampled_from(PEOPLE))
    def forget(self, person: Participant) -> None:
        self.same(lambda place: place.memory.forget(person))

    @rule()
    def prune(self) -> None:
        self.same(lambda place: place.memory.prune(before=place.now() - timedelta(hours=1)))
        self.same(lambda place: place.ledger.prune(ended_before=place.now() - timedelta(hours=10)))

    @invariant()
    def all_looks_the_same(self) -> None:
        self.same(_seen)


def _without_times(place: Conversations, asked: AcceptedQuestion | None) -> object:
    """A question, with times as ages in whole quarters of a minute."""
    if asked is None:
        return None
    now = place.now()
    ages = [round(each.total_seconds() / 15) for each in (now - asked.received_at, asked.time_left, asked.waited)]
    return replace(asked, received_at=STEADY, time_left=timedelta(), waited=timedelta()), ages


async def _seen(place: Conversations) -> object:
    """Everything there is to see."""
    since = place.now() - timedelta(hours=8)
    recent: list[list[RememberedQuestion]] = [await place.memory.recent(person, limit=4) for person in PEOPLE]
    return (
        [_without_times(place, await place.ledger.find(number)) for number in range(1, 10)],
        [await place.ledger.has_question_in_thread(each) for each in PLACES],
        {
            number: left
            for number, states in (await place.job_states()).items()
            if (left := [state for state in states if state != "failed"])  # one that failed is removed some day
        },
        [await place.memory.turns(person, each, limit=3, since=since) for person in PEOPLE for each in PLACES],
        [[(each.question, each.key) for each in found] for found in recent],
        await place.feedback.totals(since),
    )


@pytest.mark.check
def test_memory_and_postgresql_do_the_same(data_dir: Path, database: str) -> None:
    class OverServer(Machine):
        server = Server(DatabaseOptions(None, data_dir, database))

    how = settings(max_examples=12, stateful_step_count=30)
    try:
        run_state_machine_as_test(OverServer, settings=how)
    finally:
        OverServer.server.close()
