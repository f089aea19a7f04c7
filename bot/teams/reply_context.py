"""What all replies in Teams share, and the typing indicator: it is sent again and again for as long as a reply is
written."""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from botbuilder.schema import Activity, ActivityTypes

from bot.conversation.background_tasks import BackgroundTasks
from bot.teams.connector import TeamsConnector
from bot.teams.connector_session import TeamsRefused
from bot.teams.outgoing_activities import text_message
from bot.teams.stream import SECONDS as STREAM_SECONDS
from domain.errors import KbError, Transient
from domain.masking import Masker

log = logging.getLogger(__name__)

DELETE_SECONDS = 10.0
"""Seconds for which one deletion is tried again; some Teams services have no deletion."""

REMEMBERED = 1_000
"""Replies of several messages whose ids are known to this process."""


TYPING_SECONDS = 3.0
"""Between two calls; Teams shows the indicator for a little longer."""


@dataclass(slots=True)
class _Place:
    """One conversation. ends: until when each question is worked on, by its number."""

    handle: Mapping[str, str]
    ends: dict[int, float] = field(default_factory=dict)
    task: "asyncio.Task[None] | None" = None


class TypingIndicator:
    """Shows it, once a conversation however many questions are being answered there. seconds: between two calls."""

    def __init__(self, connector: TeamsConnector, seconds: float = TYPING_SECONDS) -> None:
        self._connector = connector
        self._seconds = seconds
        self._places: dict[str, _Place] = {}

    def begin(self, number: int, handle: Mapping[str, str], seconds: float) -> None:
        """A question is being answered from now on, for so many seconds at most; 0 for one call."""
        place = self._places.setdefault(handle["conversation"], _Place(handle))
        place.ends[number] = time.monotonic() + seconds
        if place.task is None:
            place.task = asyncio.create_task(self._repeat(place))

    def end(self, number: int, handle: Mapping[str, str]) -> None:
        """A question is not being answered any more; another one may be."""
        place = self._places.get(handle["conversation"])
        if place is not None:
            place.ends.pop(number, None)
            if not place.ends:
                del self._places[handle["conversation"]]
                if place.task is not None:
                    place.task.cancel()

    async def _repeat(self, place: _Place) -> None:
        try:
            going = True
            while going:
                going = await self._show_once(place) and any(end > time.monotonic() for end in place.ends.values())
                await asyncio.sleep(self._seconds if going else 0.0)
        finally:
            place.task = None
            if self._places.get(place.handle["conversation"]) is place:
                del self._places[place.handle["conversation"]]

    async def _show_once(self, place: _Place) -> bool:
        """Shows it once; whether there is any point in going on."""
        try:
            sign = Activity(type=ActivityTypes.typing)  # if there is room for it now
            await self._connector.send(place.handle, sign, patience=0.0, blindly=False, urgent=False)
        except Transient as error:
            log.debug("No sign of typing: %s", error.what)
        except KbError as error:
            log.info("No signs of typing: %s (%s)", error.what, error.why)
            return False
        return True


@dataclass(slots=True)
class TeamsReplyContext:
    """What all replies of this process share."""

    connector: TeamsConnector
    streaming: bool = True
    """Whether replies are streamed where Teams allows it."""
    edit_seconds: float = 1.5
    """The shortest time between two updates of one message."""
    stream_seconds: float = STREAM_SECONDS
    """The shortest time between two requests for one stream."""
    parts: OrderedDict[int, list[str]] = field(default_factory=OrderedDict)
    """The ids of a reply's second and later messages, by the question's number. Teams cannot be asked for them."""
    typing: TypingIndicator = field(init=False)
    deletions: BackgroundTasks = field(default_factory=BackgroundTasks)
    """Deletions of messages that are no longer needed: no answer waits for them."""
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    masker: Masker = field(default_factory=Masker)
    """Masks the question where a reply repeats it."""

    def __post_init__(self) -> None:
        self.typing = TypingIndicator(self.connector)

    def note(self, number: int, parts: list[str]) -> None:
        """Remembers the further messages of a reply, as far as Teams gave them an id."""
        self.parts.pop(number, None)
        if any(parts):
            self.parts[number] = [each for each in parts if each]
        while len(self.parts) > REMEMBERED:
            self.parts.popitem(last=False)

    def delete_later(self, handle: Mapping[str, str], name: str, why: str = "") -> None:
        """Begins to delete a message; takes no turn of what is to be shown in its conversation. why: what it is to say
        where Teams does not delete it; empty where it stays as it is."""
        self.deletions.start(self._delete(dict(handle), name, why))

    async def _delete(self, handle: Mapping[str, str], name: str, why: str) -> None:
        try:
            try:
                await self.connector.delete(handle, name, patience=DELETE_SECONDS, urgent=False)
            except TeamsRefused:
                if not why:
                    raise
                await self.connector.update(handle, name, text_message(why), patience=DELETE_SECONDS, urgent=False)
        except KbError as error:
            log.info("A message that is no longer needed stays: %s (%s)", error.what, error.why)
