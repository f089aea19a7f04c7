"""When a request is made again, after which wait, and when no more."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

FIRST_WAIT, LONGEST_WAIT = 0.5, 30.0
MOST_TRIES = 10
FREE_REPETITIONS, SHARE_OF_REPETITIONS = 30, 0.2
_IDS = re.compile(r"(?<=/)(?:\d+|att\d+|[0-9a-f]{8}-[0-9a-f-]{27}|[A-Z][A-Z0-9_]*-\d+)(?=/|$)")


@dataclass(frozen=True, slots=True)
class Failure:
    """An attempt that may be repeated. reason: one clause for people. wait: seconds that the server asked for."""

    reason: str
    wait: float | None = None
    limited: bool = False


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


def wait_before(attempt: int, asked: float | None, chance: float) -> float:
    """Seconds before the attempt after the `attempt`th, the first being 1: what the server asked for and a little, or
    any time up to a limit that doubles. chance: from 0 to 1."""
    if asked is not None:
        return asked + chance * FIRST_WAIT
    return chance * min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** (attempt - 1))


def asked_wait(header: str | None) -> float | None:
    """The seconds of a Retry-After header, which has seconds or a date; None without one that can be read."""
    if not header:
        return None
    if re.fullmatch(r"\d{1,7}(?:\.\d{1,6})?", header.strip()):
        return float(header)
    try:
        at = parsedate_to_datetime(header)
    except ValueError:
        return None
    return max(0.0, (at.replace(tzinfo=at.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
