"""Threads that do not keep the process from ending: Ctrl-C does not wait for a server that sends nothing."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")


class Threads:
    """So many at most, started when they are needed; what they are at is forgotten when the process ends."""

    def __init__(self, most: int, name: str) -> None:
        self._most = most
        self._name = name
        self._started = 0
        self._work: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()

    def submit(self, work: Callable[[], T]) -> "Future[T]":
        """What `work` gives or raises, done when a thread is free. To be called from one thread."""
        found: Future[T] = Future()
        self._work.put((found, work))
        if self._started < self._most:
            self._started += 1
            threading.Thread(target=self._serve, name=f"{self._name}-{self._started}", daemon=True).start()
        return found

    def close(self) -> None:
        """Lets the threads end after what they are at; what waits is not done any more."""
        while not self._work.empty():
            waiting = self._work.get()
            if waiting is not None:
                waiting[0].cancel()
        for _ in range(self._started):
            self._work.put(None)

    def _serve(self) -> None:
        while (given := self._work.get()) is not None:
            future, work = given
            if not future.set_running_or_notify_cancel():
                continue
            try:
                found = work()
            except BaseException as error:  # noqa: BLE001 - whoever waits for it gets it
                future.set_exception(error)
            else:
                future.set_result(found)
