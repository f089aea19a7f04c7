"""What all replies in Teams share."""

import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from bot.conversation.background_tasks import BackgroundTasks
from bot.teams.connector import TeamsConnector
from bot.teams.stream import SECONDS as STREAM_SECONDS
from bot.teams.typing_indicator import TypingIndicator
from domain.errors import KbError
from domain.masking import Masker

log = logging.getLogger(__name__)

DELETE_SECONDS = 10.0
"""Seconds for which one deletion is tried again; some Teams services have no deletion."""

REMEMBERED = 1_000
"""Replies of several messages whose ids are known to this process."""


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

    def delete_later(self, handle: Mapping[str, str], name: str) -> None:
        """Begins to delete a message; takes no turn of what is to be shown in its conversation."""
        self.deletions.start(self._delete(dict(handle), name))

    async def _delete(self, handle: Mapping[str, str], name: str) -> None:
        """Deletes a message. What cannot be deleted stays, below its answer."""
        try:
            await self.connector.delete(handle, name, patience=DELETE_SECONDS, urgent=False)
        except KbError as error:
            log.info("A message that is no longer needed stays: %s (%s)", error.what, error.why)
