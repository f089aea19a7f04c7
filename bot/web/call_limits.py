"""How often one person may call, in one process."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.web.problems import busy

MINUTE = 60.0
"""Seconds that are looked at."""

PEOPLE = 10_000
"""Of whom is known when they called; beyond that, who called longest ago is forgotten."""


@dataclass
class CallLimits:
    """So many requests of one person in any minute. clock: seconds."""

    a_minute: int
    clock: Callable[[], float] = time.monotonic
    _called: dict[str, deque[float]] = field(default_factory=dict)

    def take(self, person: str) -> None:
        """Counts a request. Raises ProblemError 429 for one too many, with the seconds until the next one is taken."""
        now = self.clock()
        called = self._called.pop(person, deque())
        while called and called[0] <= now - MINUTE:
            called.popleft()
        self._called[person] = called  # the last one now
        if len(called) >= self.a_minute:
            words = f"One person may send {self.a_minute:,} requests a minute."
            raise busy(words, called[0] + MINUTE - now)
        called.append(now)
        if len(self._called) > PEOPLE:
            del self._called[next(iter(self._called))]
