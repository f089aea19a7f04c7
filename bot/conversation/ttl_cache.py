"""Values that are kept for a while, such as what a platform says of people."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import KW_ONLY, dataclass, field
from typing import Generic, TypeVar

from domain.errors import Refused

V = TypeVar("V")

MAX_ENTRIES = 20_000
"""Entries that a cache holds; beyond, the oldest goes."""


@dataclass(eq=False)
class TtlCache(Generic[V]):
    """Values by key, each for so many seconds; asked for once however many wait for it.

    failures: seconds for which a failure is kept that will not pass by itself. lasting: the types of such ones.
    """

    seconds: float
    _: KW_ONLY
    failures: float = 0.0
    lasting: tuple[type[Exception], ...] = (Refused,)
    most: int = MAX_ENTRIES
    clock: Callable[[], float] = time.monotonic
    _found: dict[str, tuple[float, asyncio.Future[V]]] = field(default_factory=dict, init=False)

    async def get(self, key: str, find: Callable[[], Awaitable[V]], *, since: float | None = None) -> V:
        """The value of `key`, by `find` where there is none that is young enough. since: what was asked for before this
        moment of `clock` does not count."""
        found = self._young(key, since)
        if found is None:
            found = asyncio.ensure_future(find())
            found.add_done_callback(lambda done: self._drop_failed(key, done))
            self._put(key, found)
        return await asyncio.shield(found)

    def peek(self, key: str) -> V | None:
        """The value of `key` where one is kept; nothing is asked for."""
        found = self._young(key)
        return None if found is None else self._value(found)

    def last(self, key: str) -> V | None:
        """The same, however old it is."""
        return self._value(self._found[key][1]) if key in self._found else None

    def drop(self, key: str) -> None:
        """Forgets a value."""
        self._found.pop(key, None)

    def clear(self) -> None:
        """Forgets all values."""
        self._found.clear()

    @staticmethod
    def _value(found: "asyncio.Future[V]") -> V | None:
        there = found.done() and not found.cancelled() and found.exception() is None
        return found.result() if there else None

    def _young(self, key: str, since: float | None = None) -> "asyncio.Future[V] | None":
        if key not in self._found:
            return None
        at, found = self._found[key]
        if since is not None and at < since:
            return None
        failed = found.done() and not found.cancelled() and found.exception() is not None
        return found if self.clock() - at <= (self.failures if failed else self.seconds) else None

    def _put(self, key: str, found: "asyncio.Future[V]") -> None:
        self._found.pop(key, None)  # what is put anew is the youngest
        while len(self._found) >= self.most:
            del self._found[next(iter(self._found))]
        self._found[key] = (self.clock(), found)

    def _drop_failed(self, key: str, done: "asyncio.Future[V]") -> None:
        error = None if done.cancelled() else done.exception()
        lasting = self.failures > 0 and isinstance(error, self.lasting)
        failed = done.cancelled() or (error is not None and not lasting)
        if failed and key in self._found and self._found[key][1] is done:
            del self._found[key]
