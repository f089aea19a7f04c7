"""Whether a process can do its work now: checks run side by side, each with a time limit; results are kept a while."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Literal

from domain.errors import KbError

SECONDS = 5.0
"""A check may take so long."""

FIRST = "database"
"""The check that all others wait for: without it, they have nothing to look at."""

Look = Callable[[], Awaitable[Sequence[str]]]
"""Gives what is not in order, in words without secrets or titles. Raises KbErrors."""


@dataclass(frozen=True, slots=True)
class Check:
    """look: does it. kept: seconds for which its result stands."""

    look: Look
    kept: float = 1.0


@dataclass(slots=True)
class Readiness:
    """Of one process. checks: by name. mask: gives words as they may be shown. phase: where the process is; it is ready
    only while it is serving."""

    checks: Mapping[str, Check]
    mask: Callable[[str], str] = str
    clock: Callable[[], float] = monotonic
    phase: Literal["starting", "serving", "ending"] = "starting"
    _known: dict[str, tuple[float, list[str]]] = field(default_factory=dict)
    _looking: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def troubles(self) -> dict[str, list[str]]:
        """What is not in order, by check; nothing where all is."""
        async with self._looking:
            found = {FIRST: await self._look(FIRST)} if FIRST in self.checks else {}
            rest = [name for name in self.checks if name != FIRST]
            if found.get(FIRST):
                return found | {name: ["Nothing is known of it while the database is away"] for name in rest}
            return found | dict(zip(rest, await asyncio.gather(*map(self._look, rest)), strict=True))

    async def _look(self, name: str) -> list[str]:
        check = self.checks[name]
        before = self._known.get(name)
        if before is not None and self.clock() - before[0] < check.kept:
            return before[1]
        found = [self.mask(words) for words in await self._found(check.look)]
        self._known[name] = self.clock(), found
        return found

    async def _found(self, look: Look) -> Sequence[str]:
        try:
            async with asyncio.timeout(SECONDS):
                return await look()
        except TimeoutError:
            return [f"It did not answer within {SECONDS:g} s"]
        except KbError as error:
            return [error.what]

    async def as_json(self) -> dict[str, object]:
        """All of it, for who asks: `ready`, and for each check whether it is in order, and why not."""
        troubles = await self.troubles()
        checks = {name: {"ok": False, "why": why} if why else {"ok": True} for name, why in troubles.items()}
        ready = self.phase == "serving" and not any(troubles.values())
        return {"ready": ready, "phase": self.phase, "checks": checks}
