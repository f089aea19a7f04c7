"""Work that a platform's request does not wait for."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

from domain.cancellation import cancel_and_wait
from domain.errors import KbError

log = logging.getLogger(__name__)

T = TypeVar("T")


class BackgroundTasks:
    """Work that nobody waits for, until the end. ending: set once that has come: nothing is to be tried again then."""

    def __init__(self) -> None:
        self.ending = False
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        """Starts it; what it raises is logged."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    async def begin(self, work: Coroutine[Any, Any, T], seconds: float | None) -> T | None:
        """Starts it, and waits so long; None: to its end. Gives what it gives, and raises what it raises, in that time;
        it goes on after."""
        task = self.start(work)
        await asyncio.wait({task}, timeout=seconds)
        return task.result() if task.done() else None

    def _done(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, KbError):
            log.warning("%s (%s)", error.what, error.why or "no cause given")
        elif error is not None:
            log.error("Something in the background failed", exc_info=error)

    async def finish(self, seconds: float) -> None:
        """Waits for what runs, so long; then stops it."""
        self.ending = True
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)
        await cancel_and_wait(*self._tasks)
