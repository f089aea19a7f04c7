"""Trying again what failed for now. The loop is tenacity's; how long to wait and to go on is said here."""

import asyncio
import random
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from tenacity import AsyncRetrying, RetryCallState
from tenacity.retry import retry_if_exception

from domain.errors import Transient


@dataclass(frozen=True, slots=True)
class Retries:
    """How a call that fails for now is made again."""

    budget: float = 30.0
    """Seconds from the first try after which no further one starts."""
    first_pause: float = 0.5
    """Seconds before the second try at most; each further pause is twice as long."""
    longest_pause: float = 8.0
    """Seconds; what a server asks for with Retry-After may be longer."""
    steady: float = 0.5
    """Share of a pause that is always waited. The rest is left to chance, so that clients do not come back together."""

    def pause(self, failed: int, asked: float | None = None, chance: Callable[[], float] = random.random) -> float:
        """Seconds to wait after so many failed tries. asked: the server's own wish: that, and a little.

        chance: gives numbers in 0..1.
        """
        if asked is not None:
            return asked + chance() * self.first_pause
        longest = min(self.longest_pause, self.first_pause * 2.0 ** (failed - 1))
        return longest * (self.steady + (1 - self.steady) * chance())


def retrying(
    pause: Callable[[int, Transient], float],
    *,
    until: float = float("inf"),
    when: Callable[[Transient], bool] = lambda _: True,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> AsyncRetrying:
    """What makes a call until it raises no Transient error any more; then the last error is raised. It is called with
    the call and its arguments.

    pause: takes how many tries failed and the last error; gives seconds to wait, or raises where there is to be no
    further try. until: by the monotonic clock: no try begins later. when: errors after which another try may help.
    """

    def seconds(state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        assert isinstance(error, Transient)  # noqa: S101 - nothing else is tried again
        return pause(state.attempt_number, error)

    return AsyncRetrying(
        retry=retry_if_exception(lambda error: isinstance(error, Transient) and when(error)),
        wait=seconds,
        stop=lambda state: time.monotonic() + state.upcoming_sleep > until,
        sleep=sleep,
        reraise=True,
    )


def retry_after(header: str | None) -> float | None:
    """The seconds of a Retry-After header, which has seconds or a date; None without one that can be read."""
    if not header:
        return None
    if re.fullmatch(r"\d{1,7}(?:\.\d{1,6})?", header.strip()):
        return float(header)
    try:
        at = parsedate_to_datetime(header)
    except (ValueError, OverflowError):  # the latter for a zone of many digits
        return None
    return max(0.0, (at.replace(tzinfo=at.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
