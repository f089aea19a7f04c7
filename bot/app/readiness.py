"""Whether a process can do its work now: checks run side by side, each with a time limit; results are kept a while."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Literal

from domain.errors import KbError

log = logging.getLogger(__name__)

CHECK_SECONDS = 5.0
"""A check may take so long."""

FIRST = "database"
"""The check that all others wait for: without it, they have nothing to look at."""

CheckFunction = Callable[[], Awaitable[Sequence[str]]]
"""Gives what is not in order, in words without secrets or titles. Raises KbErrors."""


@dataclass(frozen=True, slots=True)
class Check:
    """look: does it. kept: seconds for which its result stands."""

    look: CheckFunction
    kept: float = 1.0


@dataclass(slots=True)
class Readiness:
    """Whether one process can do its work."""

    checks: Mapping[str, Check]
    """The checks by name."""
    mask: Callable[[str], str] = str
    """Gives words as they may be shown."""
    clock: Callable[[], float] = monotonic
    notes: Mapping[str, Check] = field(default_factory=dict)
    """Checks that are only told: the process does its work without them."""
    seconds: float = CHECK_SECONDS
    """Seconds that a check may take."""
    phase: Literal["starting", "serving", "ending"] = "starting"
    """Where the process is; it is ready only while it is serving."""
    _known: dict[str, tuple[float, list[str]]] = field(default_factory=dict)
    _looking: asyncio.Lock = field(default_factory=asyncio.Lock)
    _looked: set[asyncio.Task[Sequence[str]]] = field(default_factory=set)  # the loop itself would forget them

    async def troubles(self) -> dict[str, list[str]]:
        """What is not in order, by check; nothing where all is."""
        async with self._looking:
            found = {FIRST: await self._look(FIRST)} if FIRST in self.checks else {}
            rest = [name for name in self.checks if name != FIRST]
            if found.get(FIRST):
                return found | {name: ["Nothing is known of it while the database is away"] for name in rest}
            return found | dict(zip(rest, await asyncio.gather(*map(self._look, rest)), strict=True))

    async def _look(self, name: str) -> list[str]:
        check = self.checks.get(name) or self.notes[name]
        before = self._known.get(name)
        if before is not None and self.clock() - before[0] < check.kept:
            return before[1]
        found = [self.mask(words) for words in await self._found(check.look)]
        self._known[name] = self.clock(), found
        return found

    async def _found(self, look: CheckFunction) -> Sequence[str]:
        looking = asyncio.create_task(_result_of(look))
        self._looked.add(looking)
        looking.add_done_callback(self._looked.discard)
        try:
            await asyncio.wait({looking}, timeout=self.seconds)
        finally:
            looking.cancel()  # its end is not waited for: a driver takes long to leave a server that hangs
        return looking.result() if looking.done() else [f"It did not answer within {self.seconds:g} s"]

    async def as_json(self) -> dict[str, object]:
        """All of it, for who asks: `ready`, and for each check whether it is in order, and why not; the same for notes,
        which do not count for `ready`."""
        troubles = await self.troubles()
        ready = self.phase == "serving" and not any(troubles.values())
        told: dict[str, object] = {"ready": ready, "phase": self.phase, "checks": _as_json(troubles)}
        if self.notes and not troubles.get(FIRST):
            told["notes"] = _as_json({name: await self._look(name) for name in self.notes})
        return told


def _as_json(found: Mapping[str, Sequence[str]]) -> dict[str, object]:
    return {name: {"ok": False, "why": why} if why else {"ok": True} for name, why in found.items()}


async def _result_of(look: CheckFunction) -> Sequence[str]:
    """What a check says. What is wrong with the check itself is told like any trouble, and is in the log."""
    try:
        return await look()
    except KbError as error:
        return [error.what]
    except Exception as error:
        log.exception("A check of whether this process can do its work failed")
        return [f"It could not be found out: {type(error).__name__}"]
