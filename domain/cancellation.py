"""Cancelling asyncio tasks, so that none is waited for without end. The only module of the domain that knows asyncio.

A cancellation can be lost: before Python 3.12, asyncio.wait_for gives its value where that comes at the same moment,
and libraries that wait with it go on. Whoever waited for the end of what he cancelled would wait for ever.
"""

import asyncio
import logging
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

log = logging.getLogger(__name__)

T = TypeVar("T")

CANCEL_AGAIN_SECONDS = 1.0
"""Seconds after which a cancelled task that still runs is cancelled once more."""

MAX_WAIT_SECONDS = 10.0
"""Seconds after which a cancelled task is not waited for any longer."""


class TimeLimitExceeded(TimeoutError):
    """The work took longer than it was given."""


async def cancel_and_wait(
    *tasks: "asyncio.Future[Any]", again: float = CANCEL_AGAIN_SECONDS, limit: float = MAX_WAIT_SECONDS
) -> None:
    """Cancels tasks, and waits until they have ended; what they raise is theirs alone.

    One that goes on is cancelled again every `again` seconds, and left alone after `limit`, which is logged. A task
    that was told to end before counts as cancelled once. Being cancelled itself, this ends as late.
    """
    clock, stopped = asyncio.get_running_loop().time, False
    until = clock() + limit
    for task in tasks:
        if not (isinstance(task, asyncio.Task) and task.cancelling()):
            task.cancel()
    while (alive := [task for task in tasks if not task.done()]) and clock() < until:
        moment = clock() + again
        try:
            await asyncio.wait(alive, timeout=min(again, until - clock()))
        except asyncio.CancelledError:
            stopped = True
        if clock() >= moment:
            for task in alive:
                task.cancel()
    _account(tasks)
    if stopped:
        raise asyncio.CancelledError


def _account(tasks: "tuple[asyncio.Future[Any], ...]") -> None:
    """Logs those that go on; takes note of what the others raised."""
    for task in tasks:
        if not task.done():
            log.error("A task does not end though it was cancelled again and again: %s", _place(task))
        elif not task.cancelled():
            task.exception()


def _place(task: "asyncio.Future[Any]") -> str:
    """Where a task stands, without any value."""
    frames = task.get_stack(limit=1) if isinstance(task, asyncio.Task) else []
    return ", ".join(f"{each.f_code.co_qualname} at line {each.f_lineno}" for each in frames) or "unknown"


async def run_with_timeout(
    seconds: float | None, work: Awaitable[T], *, again: float = CANCEL_AGAIN_SECONDS, limit: float = MAX_WAIT_SECONDS
) -> T:
    """What `work` gives. Whatever happens, it does not go on after this; see `cancel_and_wait`.

    Args:
        seconds: that it may take; None for as long as it likes.

    Raises:
        Overdue: it took longer, and was ended.
    """
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait({task}, timeout=None if seconds is None else max(0.0, seconds))
        if not task.done():
            raise TimeLimitExceeded
        return task.result()
    finally:
        await cancel_and_wait(task, again=again, limit=limit)


async def cancellable_sleep(seconds: float) -> None:
    """asyncio.sleep for loops without an end: a cancellation that got lost before takes effect here."""
    raise_if_cancelled()
    await asyncio.sleep(seconds)


def raise_if_cancelled(before: int = 0) -> None:
    """Raises CancelledError if the current task was cancelled more than `before` times and still runs."""
    if _told() > before:
        raise asyncio.CancelledError


@contextmanager
def raise_lost_cancellation() -> Iterator[None]:
    """Raises CancelledError at its end if the current task was cancelled inside and the cancellation got lost."""
    before = _told()
    yield
    raise_if_cancelled(before)


def _told() -> int:
    """How often the current task was cancelled."""
    task = asyncio.current_task()
    return task.cancelling() if task else 0
