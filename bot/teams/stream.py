"""A reply that Teams shows while it is written: what is being done, then the text, then the message that it becomes."""

import logging
import time
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Literal

from botbuilder.schema import Activity, ActivityTypes

from bot.conversation.chat_platform import OutcomeUnknown
from bot.teams import status_messages
from bot.teams.connector import TeamsConnector
from bot.teams.connector_session import TeamsRefused
from bot.teams.limits import INFORMATIVE
from bot.teams.markdown import streamable
from bot.teams.outgoing_activities import with_entities
from domain.answers import Progress, ReplyPart
from domain.errors import KbError

log = logging.getLogger(__name__)

SECONDS = 1.5
"""Between two requests for one stream; Teams takes about one a second."""

LONGEST = 110.0
"""Seconds after which a stream is not trusted any more: Teams ends it after 120, and may say nothing of that."""


FORBIDDEN = 403
COMPLETED = "completed"
"""How Teams refuses what comes after a stream's end, and its word where that end was the final message."""

StreamEnd = Literal["done", "open", "over"]
"""What became of a stream that was to end: it is the message; it is none, and its message may be changed, as where what
it has shown is not how the message begins; it was ended by Teams or its reader, so that there is nothing to change."""


@dataclass(eq=False)
class TeamsStream:
    """One stream.

    name: its id, which is that of the message it becomes; empty before `start`. began: by the monotonic clock. seconds:
    see SECONDS. fresh: whether what it has shown is known: nothing of the text.
    """

    connector: TeamsConnector
    handle: Mapping[str, str]
    name: str
    began: float
    seconds: float = SECONDS
    _: KW_ONLY
    fresh: bool = True
    _sequence: int = field(default=1, init=False)
    _called_at: float = field(init=False)
    _written: str = field(default="", init=False)
    _shown: str = field(default="", init=False)

    def __post_init__(self) -> None:
        self._called_at = self.began

    async def start(self, patience: float, before: int | None = None) -> str:
        """Starts it; gives its id. before: see AcceptedQuestion.queue_ahead. Raises as TeamsConnector.send does."""
        body = self._body(status_messages.waiting(before), "informative")
        self.name = await self.connector.send(self.handle, body, patience=patience, blindly=False)
        self._called_at = time.monotonic()
        return self.name

    async def progress(self, progress: Progress) -> None:
        """Says what is being done, unless text is shown already or it is too soon."""
        if not self._written and self._may_call:
            shown = status_messages.progress(progress).encode()[:INFORMATIVE]  # so much Teams takes of it
            await self._add(shown.decode(errors="ignore"), "informative")

    async def write(self, written: ReplyPart) -> None:
        """Shows more of the text, as often as is allowed."""
        self._written += written.text
        if self._may_call:
            text = streamable(self._written)
            if text not in ("", self._shown) and await self._add(text, "streaming"):
                self._shown = text

    async def finish(self, message: Activity) -> StreamEnd:
        """Makes it the message that it is to be; gives what came of that. Raises Transient when Teams is away."""
        if time.monotonic() - self.began > LONGEST:
            return "over"
        if not (message.text or "").startswith(self._shown):
            return "open"
        info = {"type": "streaminfo", "streamId": self.name, "streamType": "final"}
        try:
            # a second one is refused; then the message is changed, to the same
            await self.connector.send(self.handle, with_entities(message, [info]), twice=True)
        except TeamsRefused as error:
            log.info("A stream was not ended as one: %s", error.why)
            return "over" if error.status == FORBIDDEN and COMPLETED not in error.why.lower() else "open"
        return "done"

    @property
    def _may_call(self) -> bool:
        now = time.monotonic()
        return self.fresh and now - self._called_at >= self.seconds and now - self.began < LONGEST

    async def _add(self, text: str, kind: str) -> bool:
        """Shows something; whether it is known to be there. What may be there, or not, ends what can be added."""
        self._sequence += 1
        try:
            await self.connector.send(self.handle, self._body(text, kind), patience=0.0, blindly=False, urgent=False)
        except (TeamsRefused, OutcomeUnknown) as error:
            log.info("A stream goes no further: %s (%s)", error.what, error.why)
            self.fresh = False
            if kind == "streaming":
                self._shown = text  # if the message does not begin so, it takes the place of the stream
            return False
        except KbError as error:
            log.info("Not streamed: %s (%s)", error.what, error.why)
            return False
        finally:
            self._called_at = time.monotonic()
        return True

    def _body(self, text: str, kind: str) -> Activity:
        info: dict[str, Any] = {"type": "streaminfo", "streamType": kind, "streamSequence": self._sequence}
        if self.name:
            info["streamId"] = self.name
        return with_entities(Activity(type=ActivityTypes.typing, text=text), [info])
