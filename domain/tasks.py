"""Tasks that end when they are told to. The only module of the domain that knows asyncio.

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

AGAIN = 1.0
"""Seconds for which a cancelled task may put its things in order before it is cancelled once more."""

LIMIT = 10.0
"""Seconds after which it is not waited for any longer."""


class Overdue(TimeoutError):
    """It took longer than it may."""


async def end(*tasks: "asyncio.Future[Any]", again: float = AGAIN, limit: float = LIMIT) -> None:
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


async def within(seconds: float | None, work: Awaitable[T], *, again: float = AGAIN, limit: float = LIMIT) -> T:
    """What `work` gives. Whatever happens, it does not go on after this; see `end`.

    Args:
        seconds: that it may take; None for as long as it likes.

    Raises:
        Overdue: it took longer, and was ended.
    """
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait({task}, timeout=None if seconds is None else max(0.0, seconds))
        if not task.done():
            raise Overdue
        return task.result()
    finally:
        await end(task, again=again, limit=limit)


async def pause(seconds: float) -> None:
    """Sleeps in a loop without an end: a task that was told to end does so here at the latest."""
    heed()
    await asyncio.sleep(seconds)


def heed(before: int = 0) -> None:
    """Raises CancelledError where the task was told to end more than so many times, and goes on all the same."""
    if _told() > before:
        raise asyncio.CancelledError


@contextmanager
def heeding() -> Iterator[None]:
    """Raises CancelledError behind what was done inside, where the task was told to end meanwhile and all the same got
    a value."""
    before = _told()
    yield
    heed(before)


def _told() -> int:
    """How often the task was told to end."""
    task = asyncio.current_task()
    return task.cancelling() if task else 0
