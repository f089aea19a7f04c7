"""When a request is made again, after which wait, and when no more."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from domain.errors import Transient
from net.retries import Retries

RETRIES = Retries(first_pause=0.5, longest_pause=30.0, steady=0.0)
"""Any time up to a limit that doubles: many requests are under way, and fail, together."""
MAX_TRIES = 10
FREE_REPETITIONS, SHARE_OF_REPETITIONS = 30, 0.2
_IDS = re.compile(r"(?<=/)(?:\d+|att\d+|[0-9a-f]{8}-[0-9a-f-]{27}|[A-Z][A-Z0-9_]*-\d+)(?=/|$)")


class RequestFailure(Transient):
    """One try failed, and may be repeated. what: why, one clause for people. wait: seconds that the server asked for.
    limited: whether the server asks to be left alone."""

    def __init__(self, what: str, wait: float | None = None, *, limited: bool = False) -> None:
        super().__init__(what, retry_after=wait)
        self.limited = limited


@dataclass(slots=True)
class Repetitions:
    """How many repeated requests a run may make: some, and a share of all. A server that fails more often is down."""

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

    def pause(self, endpoint: str, seconds: float) -> None:
        """Nobody asks an endpoint for so long."""
        self.until[endpoint] = max(self.until.get(endpoint, 0.0), self.now() + seconds)

    def left(self, endpoint: str) -> float:
        """Seconds still to wait."""
        return max(0.0, self.until.get(endpoint, 0.0) - self.now())


def endpoint_of(method: str, path: str) -> str:
    """A path without the ids in it."""
    return f"{method} {_IDS.sub('*', path)}"
