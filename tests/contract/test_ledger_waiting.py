"""What Ledger tells a question that has to wait for a worker, held against every implementation."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import pytest

from domain.conversation import QuestionLimits
from domain.job_ports import WorkerOptions
from tests.contract.conversations import MANY, Conversations, in_thread, incoming


@asynccontextmanager
async def at_work(conversations: Conversations, slots: int, queue: str = "slack") -> AsyncIterator[None]:
    """Inside, a worker does so many jobs at one time; none of them comes to its end."""

    async def never(_: Mapping[str, object]) -> None:
        await asyncio.Event().wait()

    options = WorkerOptions((queue,), slots, heartbeat=0.2, lost=30.0, grace=0.0)
    task = asyncio.create_task(conversations.jobs.run_worker({"answer": never}, options))
    known = asyncio.create_task(_known(conversations, slots, queue))
    try:
        await known
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _known(conversations: Conversations, slots: int, queue: str) -> None:
    """Waits until so many slots are known."""
    for _ in range(500):
        if await conversations.slots(queue) >= slots:
            return
        await asyncio.sleep(0.02)
    pytest.fail(f"nobody works at {queue}")


async def _before(conversations: Conversations, *messages: str, thread: str = "") -> list[int | None]:
    """What new questions in threads of their own, or in one, are told."""
    asked = [incoming(each, place=in_thread(thread or f"100.{each}")) for each in messages]
    return [(await conversations.ledger.claim(each, MANY)).queue_ahead for each in asked]


async def test_who_comes_while_a_worker_is_free_is_told_nothing(conversations: Conversations) -> None:
    async with at_work(conversations, 3):
        assert await _before(conversations, "1", "2", "3") == [None] * 3


async def test_slots_of_all_workers_count_together(conversations: Conversations) -> None:
    async with at_work(conversations, 1), at_work(conversations, 3), at_work(conversations, 5, "teams"):
        await _known(conversations, 4, "slack")
        assert await _before(conversations, "1", "2", "3", "4", "5") == [None] * 4 + [4]


async def test_who_waits_is_told_how_many_have_to_be_begun_first(conversations: Conversations) -> None:
    async with at_work(conversations, 2):
        for message in ("1", "2"):
            number = await conversations.claimed(incoming(message, place=in_thread(f"100.{message}")))
            await conversations.ledger.begin_attempt(number)
        assert await _before(conversations, "3", "4", "5") == [0, 1, 2]


async def test_what_a_dead_worker_could_do_does_not_count(conversations: Conversations) -> None:
    async with at_work(conversations, 9):
        pass
    async with at_work(conversations, 1):
        assert await _before(conversations, "1", "2") == [None, 1]


async def test_in_one_thread_one_waits_for_the_other(conversations: Conversations) -> None:
    async with at_work(conversations, 9):
        assert await _before(conversations, "1", "2", "3", thread="100.1") == [None, 1, 2]
        assert await _before(conversations, "4") == [None], "elsewhere there is room"


async def test_a_thread_in_which_many_wait_keeps_one_worker(conversations: Conversations) -> None:
    async with at_work(conversations, 2):
        assert await _before(conversations, "1", "2", "3", "4", thread="100.1") == [None, 1, 2, 3]
        assert await _before(conversations, "5", "6") == [None, 2]


async def test_neither_what_has_ended_nor_what_was_turned_down_is_before_anybody(conversations: Conversations) -> None:
    await conversations.ended(incoming("1", place=in_thread("100.1")))
    await conversations.claimed(incoming("2", place=in_thread("100.2")), QuestionLimits(user_minute=0))
    claim = await conversations.ledger.claim(incoming("3"), QuestionLimits(waiting=0))
    assert (claim.excess, claim.queue_ahead) == ("waiting", None)
    assert await _before(conversations, "4", "5") == [None, 1]


async def test_what_is_known_already_is_told_nothing(conversations: Conversations) -> None:
    assert await _before(conversations, "1", "2", "2") == [None, 1, None]
