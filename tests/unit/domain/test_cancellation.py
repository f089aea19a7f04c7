"""Tasks end when they are told to, also those that a cancellation passes by."""

import asyncio
import logging
from contextlib import suppress

import pytest

from domain.cancellation import (
    TimeLimitExceeded,
    cancel_and_wait,
    cancellable_sleep,
    raise_lost_cancellation,
    run_with_timeout,
)
from tests.fakes.uncancellable import uncancellable


async def ready(task: "asyncio.Task[object]") -> "asyncio.Task[object]":
    """The task, once it runs."""
    await asyncio.sleep(0)
    return task


async def test_a_task_that_heeds_its_cancellation_is_told_once() -> None:
    task = await ready(asyncio.create_task(uncancellable(0)))
    await cancel_and_wait(task)
    assert task.cancelled()
    assert task.cancelling() == 1


@pytest.mark.parametrize("times", [1, 2])
async def test_a_task_that_a_cancellation_passed_by_is_told_again(times: int) -> None:
    task = await ready(asyncio.create_task(uncancellable(times)))
    await cancel_and_wait(task, again=0.01)
    assert task.cancelled()


async def test_what_never_ends_is_left_and_logged_without_a_value(caplog: pytest.LogCaptureFixture) -> None:
    gate = asyncio.Event()

    async def never(_secret: str) -> None:
        while not gate.is_set():
            with suppress(asyncio.CancelledError):
                await gate.wait()

    task = await ready(asyncio.create_task(never("hunter2")))
    with caplog.at_level(logging.ERROR):
        await cancel_and_wait(task, again=0.01, limit=0.05)
    assert not task.done()
    assert "never" in caplog.text
    assert "hunter2" not in caplog.text
    gate.set()
    await task


async def test_one_that_was_told_before_gets_time_to_put_its_things_in_order() -> None:
    tidied = False

    async def tidies() -> None:
        nonlocal tidied
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.02)
            tidied = True

    task = await ready(asyncio.create_task(tidies()))
    task.cancel()
    await asyncio.sleep(0)
    await cancel_and_wait(task)
    assert tidied


async def test_who_is_cancelled_while_it_ends_others_ends_them_first() -> None:
    inner = await ready(asyncio.create_task(uncancellable(1)))
    outer = await ready(asyncio.create_task(cancel_and_wait(inner, again=0.02)))
    outer.cancel()
    await asyncio.wait({outer})
    assert outer.cancelled()
    assert inner.cancelled()


async def test_what_ended_tasks_raised_is_nobodys_surprise() -> None:
    async def fails() -> None:
        raise ValueError("no")

    task = asyncio.create_task(fails())
    await asyncio.wait({task})
    await cancel_and_wait(task)
    assert isinstance(task.exception(), ValueError)


async def test_work_in_time_gives_its_value_or_its_error() -> None:
    async def half(number: int) -> float:
        await asyncio.sleep(0)
        return 1 / number

    assert await run_with_timeout(5, half(2)) == 0.5
    assert await run_with_timeout(None, half(2)) == 0.5
    with pytest.raises(ZeroDivisionError):
        await run_with_timeout(5, half(0))


@pytest.mark.parametrize("seconds", [0.01, -1])
async def test_work_beyond_its_time_is_ended_also_when_it_does_not_listen(seconds: float) -> None:
    with pytest.raises(TimeLimitExceeded):
        await run_with_timeout(seconds, uncancellable(1), again=0.01)


async def test_a_loop_ends_though_its_cancellation_was_lost() -> None:
    rounds = 0

    async def loop() -> None:
        nonlocal rounds
        while True:
            rounds += 1
            with suppress(asyncio.CancelledError):  # as what waits for something may do
                await asyncio.sleep(60)
            await cancellable_sleep(0)

    task = await ready(asyncio.create_task(loop()))
    task.cancel()
    await asyncio.wait({task}, timeout=5)
    assert task.cancelled()
    assert rounds == 1


async def test_a_cancellation_that_came_with_a_value_is_heeded_and_one_from_before_is_not_heeded_again() -> None:
    reached = []

    async def works() -> None:
        with suppress(asyncio.CancelledError):
            with raise_lost_cancellation():
                await uncancellable(1, "value")
            reached.append("after the value")
        with raise_lost_cancellation():
            reached.append("what is done to the end")

    task = await ready(asyncio.create_task(works()))
    task.cancel()
    await task
    assert reached == ["what is done to the end"]
