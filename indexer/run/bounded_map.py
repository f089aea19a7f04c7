"""A map with a bound on how many items are worked on at one time."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from typing import Any, TypeVar

from domain.cancellation import cancel_and_wait

T = TypeVar("T")
R = TypeVar("R")

CANCEL_AGAIN_SECONDS, CANCEL_LIMIT_SECONDS = 5.0, 30.0
"""Seconds in which what is worked on ends once nobody waits for it; see domain.cancellation.cancel_and_wait."""


async def bounded_map(
    items: Iterable[T], work: Callable[[T], Coroutine[Any, Any, R]], at_once: int
) -> AsyncIterator[R]:
    """What `work` makes of each item, in the order of the items. at_once: how many are worked on at one time; no more
    results than that wait to be taken.

    Raises what `work` raises, at its place; what was begun behind it is cancelled.
    """
    begun: deque[asyncio.Task[R]] = deque()
    try:
        for item in items:
            begun.append(asyncio.create_task(work(item)))
            if len(begun) >= max(1, at_once):
                yield await begun[0]
                begun.popleft()
        while begun:
            yield await begun[0]
            begun.popleft()
    finally:
        await cancel_and_wait(*begun, again=CANCEL_AGAIN_SECONDS, limit=CANCEL_LIMIT_SECONDS)
