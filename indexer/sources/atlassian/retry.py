"""When a request is made again, after which wait, and when no more."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from domain.errors import Transient
from net.retries import Retries

TURN = 0.25
"""Seconds between those who wait for one endpoint: together they would exceed its limit again."""
RETRIES = Retries(first_pause=0.5, longest_pause=30.0, steady=0.0)
"""Any time up to a limit that doubles: many requests are under way, and fail, together."""
MAX_TRIES = 10
FREE_REPETITIONS, SHARE_OF_REPETITIONS = 30, 0.2
_IDS = re.compile(r"(?<=/)(?:\d+|att\d+|[0-9a-f]{8}-[0-9a-f-]{27}|[A-Z][A-Z0-9_]*-\d+)(?=/|$)")


class RequestFailure(Transient):
    """One try failed, and may be repeated. what: why, one clause for people. wait: seconds that the server asked for.
    limited: whether the server asks to be left alone. outage: whether it is a fault, and not a limit of requests."""

    def __init__(self, what: str, wait: float | None = None, *, limited: bool = False, outage: bool = True) -> None:
        super().__init__(what, retry_after=wait)
        self.limited = limited
        self.outage = outage


@dataclass(slots=True)
class Repetitions:
    """How many requests a run may repeat after faults: some, and a share of all. A server that fails more often is
    down; one that limits requests is not."""

    requests: int = 0
    repeated: int = 0

    def take(self) -> bool:
        """Takes one; False when there are none left."""
        if self.repeated >= FREE_REPETITIONS + SHARE_OF_REPETITIONS * self.requests:
            return False
        self.repeated += 1
        return True


@dataclass(slots=True)
class Pauses:
    """Until when each endpoint is left alone: limits hold for an endpoint, not for the whole site."""

    now: Callable[[], float]
    until: dict[str, float] = field(default_factory=dict)
    waiting: Counter[str] = field(default_factory=Counter)

    def pause(self, endpoint: str, seconds: float) -> None:
        """Nobody asks an endpoint for so long."""
        self.until[endpoint] = max(self.until.get(endpoint, 0.0), self.now() + seconds)

    def left(self, endpoint: str) -> float:
        """Seconds still to wait, behind those who wait already."""
        left = self.until.get(endpoint, 0.0) - self.now()
        return left + TURN * self.waiting[endpoint] if left > 0 else 0.0

    @contextmanager
    def turn(self, endpoint: str) -> Iterator[None]:
        """To wait in: whoever comes later waits for a little longer."""
        self.waiting[endpoint] += 1
        try:
            yield
        finally:
            self.waiting[endpoint] -= 1


def endpoint_of(method: str, path: str) -> str:
    """A path without the ids in it."""
    return f"{method} {_IDS.sub('*', path)}"
