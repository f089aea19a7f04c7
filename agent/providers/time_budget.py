"""A limit on the time that one question may spend on a model."""

import time
from collections.abc import Callable

from agent.providers.model_errors import Late, TimeSpent

RESERVE = 15.0
"""Seconds of a question's time that are kept for what is done without a model, such as writing excerpts."""

SHARE = 0.25
"""The largest share of a question's time that is kept for that, where the time is short."""


class TimeBudget:
    """One for each question, from its beginning on; all of its requests to a model share it, with their tries again and
    the pauses between.

    seconds: until the outcome is wanted. patience: seconds of them that may go into requests that fail, and into the
    pauses behind. clock: gives seconds that never go back.
    """

    def __init__(self, seconds: float, patience: float = 20.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until = clock() + seconds - min(RESERVE, SHARE * seconds)
        self._patience = patience
        self._why = "the time of the question is used up"
        self._over = False

    @property
    def left(self) -> float:
        """Seconds that further requests may take; 0 from the first one on that took all of its own."""
        return 0.0 if self._over else max(0.0, self._until - self._clock())

    def end(self, late: Late) -> None:
        """A request took all of its time: no further one is made."""
        self._over, self._why = True, late.why

    def check(self) -> None:
        """Raises TimeSpent when nothing is left."""
        if not self.left:
            raise TimeSpent("The language model did not answer in time", why=self._why)

    def spend(self, seconds: float) -> None:
        """Takes the time of a failed request from what failures may cost."""
        self._patience -= seconds

    def allows(self, pause: float) -> bool:
        """Whether there is time for a pause of so many seconds before another try."""
        return pause <= self._patience and pause < self.left
