"""The typing indicator: it is sent again and again for as long as a reply is written."""

import asyncio
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.teams.connector import TeamsConnector
from domain.errors import KbError, Transient

log = logging.getLogger(__name__)

SECONDS = 3.0
"""Teams shows the indicator for a little longer."""


@dataclass(slots=True)
class _Place:
    """One conversation. ends: until when each question is worked on, by its number."""

    handle: Mapping[str, str]
    ends: dict[int, float] = field(default_factory=dict)
    task: "asyncio.Task[None] | None" = None


class TypingIndicator:
    """Shows it, once a conversation however many questions are being answered there. seconds: between two calls."""

    def __init__(self, connector: TeamsConnector, seconds: float = SECONDS) -> None:
        self._connector = connector
        self._seconds = seconds
        self._places: dict[str, _Place] = {}

    def begin(self, number: int, handle: Mapping[str, str], seconds: float) -> None:
        """A question is being answered from now on, for so many seconds at most; 0 for one call."""
        place = self._places.setdefault(handle["conversation"], _Place(handle))
        place.ends[number] = time.monotonic() + seconds
        if place.task is None:
            place.task = asyncio.create_task(self._repeated(place))

    def end(self, number: int, handle: Mapping[str, str]) -> None:
        """A question is not being answered any more; another one may be."""
        place = self._places.get(handle["conversation"])
        if place is not None:
            place.ends.pop(number, None)
            if not place.ends:
                del self._places[handle["conversation"]]
                if place.task is not None:
                    place.task.cancel()

    async def _repeated(self, place: _Place) -> None:
        try:
            going = True
            while going:
                going = await self._shown(place) and any(end > time.monotonic() for end in place.ends.values())
                await asyncio.sleep(self._seconds if going else 0.0)
        finally:
            place.task = None
            if self._places.get(place.handle["conversation"]) is place:
                del self._places[place.handle["conversation"]]

    async def _shown(self, place: _Place) -> bool:
        """Shows it once; whether there is any point in going on."""
        try:
            await self._connector.typing(place.handle)
        except Transient as error:
            log.debug("No sign of typing: %s", error.what)
        except KbError as error:
            log.info("No signs of typing: %s (%s)", error.what, error.why)
            return False
        return True
