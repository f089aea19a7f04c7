"""How often Teams may be called: limits of each conversation and of the app as a whole. What must be said comes before
what merely shows that work goes on.

Another process of ours has a pace of its own: what they exceed together, Teams refuses, and it is tried again.
"""

import asyncio
import time
from bisect import bisect_right
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from math import inf

from domain.errors import Transient

RateWindows = tuple[tuple[float, int], ...]
"""Seconds, and how many calls fit into any span of that length."""

SENDING: RateWindows = ((1.0, 7), (2.0, 8), (30.0, 60), (3600.0, 1800))
"""What is sent in one conversation, as Teams documents it: a chat, or a channel with all of its threads."""

READING: RateWindows = ((1.0, 14), (2.0, 16), (30.0, 120), (3600.0, 3600))
"""Questions about the members of one conversation."""

APP: RateWindows = ((1.0, 45),)
"""All calls; Teams takes 50 a second."""

HUNG = 3.0
"""Seconds after which a call under way is not counted any more among all: what hangs must not keep others waiting."""

LONGEST_WAIT = 3600.0
"""Seconds that room is waited for, at most."""

LOOK = 0.1
"""Seconds between two looks at whether there is room, at most."""

MAX_LANES = 2_000
"""Conversations of which is known when they were called; beyond, idle ones are forgotten."""


@dataclass(slots=True, eq=False)
class _Slot:
    """One call. began, at: when, and when it had been done, by the monotonic clock; `inf` while it is under way."""

    began: float
    at: float = inf


class _Windows:
    """The calls of one kind. A call counts from its beginning until its whole span has passed since its end: when
    between the two it was counted on the other side is not known. hung: seconds after which it is taken for ended."""

    def __init__(self, limits: RateWindows, hung: float = inf) -> None:
        self._limits = limits
        self._hung = hung
        self._longest = max(seconds for seconds, _ in limits)
        self._slots: deque[_Slot] = deque()

    def wait(self, *, spare: bool = False) -> float:
        """Seconds until there is room, 0 when there is. spare: room is left for what is urgent."""
        now = time.monotonic()
        while self._slots and now - self._end(self._slots[0]) > self._longest:
            self._slots.popleft()
        ends = sorted(map(self._end, self._slots))
        waits = [0.0]
        for seconds, most in self._limits:
            recent = ends[bisect_right(ends, now - seconds) :]
            room = most - most // 3 if spare else most
            if len(recent) >= room:
                waits.append(recent[-room] + seconds - now)
        return max(waits)

    def take(self) -> _Slot:
        """Takes the room."""
        self._slots.append(_Slot(time.monotonic()))
        return self._slots[-1]

    def _end(self, slot: _Slot) -> float:
        return min(slot.at, slot.began + self._hung)

    @property
    def idle(self) -> bool:
        """Whether nothing of it counts any more."""
        self.wait()
        return not self._slots


@dataclass(slots=True)
class _Lane:
    """One conversation. turns: who waits, in order. held: until when Teams wants no calls."""

    windows: _Windows
    turns: asyncio.Lock = field(default_factory=asyncio.Lock)
    held: float = 0.0

    @property
    def busy(self) -> bool:
        """Whether something of it counts still."""
        return not self.windows.idle or self.turns.locked() or self.held >= time.monotonic()


class CallRateLimiter:
    """Gives room for calls. limits: of one conversation. app: those of all conversations, shared by all who have the
    same one."""

    def __init__(self, limits: RateWindows = SENDING, app: "_Windows | None" = None) -> None:
        self._limits = limits
        self._app = app or _Windows(APP, HUNG)
        self._lanes: dict[str, _Lane] = {}

    def beside(self, limits: RateWindows) -> "CallRateLimiter":
        """A pace for another kind of calls of the same app."""
        return CallRateLimiter(limits, self._app)

    @asynccontextmanager
    async def room(self, conversation: str, *, urgent: bool, until: float) -> AsyncIterator[None]:
        """Inside, one call may be made in this conversation. urgent: it is waited for, until then by the monotonic
        clock, in the order of asking; else it is now or never.

        Raises:
            Transient: there is no room, for as long as was to be waited.
        """
        lane = self._lane(conversation)
        slots = await self._wait(lane, until) if urgent else self._at_once(lane)
        try:
            yield
        finally:
            for slot in slots:
                slot.at = time.monotonic()

    def hold(self, conversation: str, seconds: float) -> None:
        """Makes no calls in a conversation for so long, because Teams said so."""
        lane = self._lane(conversation)
        lane.held = max(lane.held, time.monotonic() + seconds)

    def _lane(self, conversation: str) -> _Lane:
        if conversation not in self._lanes:
            if len(self._lanes) >= MAX_LANES:
                self._lanes = {name: lane for name, lane in self._lanes.items() if lane.busy}
            self._lanes[conversation] = _Lane(_Windows(self._limits))
        return self._lanes[conversation]

    def _at_once(self, lane: _Lane) -> tuple[_Slot, ...]:
        held = lane.turns.locked() or lane.held > time.monotonic()
        if held or lane.windows.wait(spare=True) or self._app.wait(spare=True):
            raise Transient("There is no room for a status message just now")
        return self._take(lane)

    async def _wait(self, lane: _Lane, until: float) -> tuple[_Slot, ...]:
        try:
            async with asyncio.timeout(min(until - time.monotonic(), LONGEST_WAIT)), lane.turns:
                while True:
                    wait = max(lane.windows.wait(), self._app.wait(), lane.held - time.monotonic())
                    if wait <= 0:
                        return self._take(lane)
                    await asyncio.sleep(min(wait, LOOK))
        except TimeoutError:
            raise Transient("Teams takes no more calls in this conversation for now") from None

    def _take(self, lane: _Lane) -> tuple[_Slot, ...]:
        return self._app.take(), lane.windows.take()
