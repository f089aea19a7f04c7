"""A server that keeps failing is left alone for a while (a circuit breaker)."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from domain.errors import KbError, Transient


class CircuitBreaker:
    """After some failures in a row, calls are refused at once. When the pause is over one call is let through: where it
    succeeds, all are again. An error that is not Transient shows that the server answers. For one event loop.

    failures: Transient errors in a row until calls are refused. pause: seconds. clock: seconds that never go back.
    answered: Transient errors that show that the server answers.
    """

    def __init__(
        self,
        failures: int,
        pause: float,
        clock: Callable[[], float] = time.monotonic,
        answered: tuple[type[Transient], ...] = (),
    ) -> None:
        self._limit = failures
        self._pause = pause
        self._clock = clock
        self._answered = answered
        self._failed = 0
        self._until: float | None = None  # while calls are refused: when a probe may go out
        self._probing = False

    @contextmanager
    def watched(self, refusal: Callable[[int, float], Transient]) -> Iterator[None]:
        """Around one call. refusal: gives the error to raise for a call that may not go out; takes how many calls
        failed, and the seconds that are left."""
        probe = self._admitted(refusal)
        try:
            yield
        except Transient as error:
            if isinstance(error, self._answered):
                self._close()
            else:
                self._count(probe)
            raise
        except KbError:
            self._close()
            raise
        else:
            self._close()
        finally:
            if probe:  # also when it was cancelled, which says nothing about the server
                self._probing = False

    def _admitted(self, refusal: Callable[[int, float], Transient]) -> bool:
        """Whether the call is the probe; raises for one that may not go out."""
        if self._until is None:
            return False
        left = self._until - self._clock()
        if left > 0 or self._probing:
            raise refusal(self._failed, max(0.0, left))
        self._probing = True
        return True

    def _count(self, probe: bool) -> None:
        self._failed += 1
        # calls that were under way when it opened do not prolong it
        if probe or (self._until is None and self._failed >= self._limit):
            self._until = self._clock() + self._pause

    def _close(self) -> None:
        self._failed = 0
        self._until = None
