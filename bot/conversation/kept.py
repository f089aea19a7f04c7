"""Values that are kept for a while, such as what a platform says of people."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

V = TypeVar("V")

MOST = 20_000
"""Entries that a cache holds."""


class Kept(Generic[V]):
    """Values by key, each for so many seconds; asked for once however many wait for it. Failures are not kept."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._found: dict[str, tuple[float, asyncio.Future[V]]] = {}

    async def get(self, key: str, find: Callable[[], Awaitable[V]]) -> V:
        """The value of `key`, by `find` where there is none that is young enough."""
        entry = self._found.get(key)
        if entry is None or time.monotonic() - entry[0] > self._seconds:
            if len(self._found) >= MOST:
                self._found.clear()
            task = asyncio.ensure_future(find())
            task.add_done_callback(lambda done: self._drop_failed(key, done))
            entry = self._found[key] = (time.monotonic(), task)
        return await asyncio.shield(entry[1])

    def drop(self, key: str) -> None:
        """Forgets a value."""
        self._found.pop(key, None)

    def clear(self) -> None:
        """Forgets all values."""
        self._found.clear()

    def _drop_failed(self, key: str, done: "asyncio.Future[V]") -> None:
        if (done.cancelled() or done.exception()) and key in self._found and self._found[key][1] is done:
            del self._found[key]
