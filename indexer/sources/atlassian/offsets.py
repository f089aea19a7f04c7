"""Where to read on in a listing by offset, of which rows may go away or come while it is read."""

from collections.abc import Callable

from domain.errors import KbError

MAX_STEPS_BACK = 12
"""One after the other, without a new row between them: each is twice as long as the one before."""


class Offsets:
    """The offsets of one listing: `start` is that of the page to ask for. A page is to begin with a row that came
    before; one that does not shows that rows before it are gone, and the pages before it are read again.

    most_idle: pages without a new row that may follow one another; those that are read again do not count. broken: the
    error to raise, by what is wrong.
    """

    def __init__(self, most_idle: int, broken: Callable[[str], KbError]) -> None:
        self.start = 0
        self._furthest = 0
        self._steps_back = 0
        self._idle = 0
        self._most_idle = most_idle
        self._broken = broken

    @property
    def again(self) -> bool:
        """Whether the page is before one that was asked for already."""
        return self.start < self._furthest

    def back(self, rows: int) -> None:
        """Goes back from a page that does not begin with a row that came before. rows: how many a page has. Raises what
        `broken` gives when it went back too often."""
        self._steps_back += 1
        if self._steps_back > MAX_STEPS_BACK:
            raise self._broken("It changed all the time while it was read.")
        self.start = max(0, self.start - (rows << (self._steps_back - 1)))

    def on(self, start: int, *, fresh: bool) -> None:
        """Goes on to a later page. fresh: whether this one had a new row. Raises what `broken` gives when too many in a
        row had none."""
        if fresh:
            self._idle = self._steps_back = 0
        elif not self.again:
            self._idle += 1
        if self._idle > self._most_idle:
            raise self._broken(f"{self._idle} pages in a row brought nothing new.")
        self.start = start
        self._furthest = max(self._furthest, start)
