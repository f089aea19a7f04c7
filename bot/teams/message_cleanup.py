"""Deletes messages of ours that are no longer needed, in the background, so that no answer waits for it."""

import logging
from collections.abc import Mapping

from bot.conversation.background_tasks import BackgroundTasks
from bot.teams.connector import TeamsConnector
from domain.errors import KbError

log = logging.getLogger(__name__)

SECONDS = 10.0
"""Seconds for which one deletion is tried again; some Teams services have no deletion."""


class MessageCleanup:
    """Deletes them. What cannot be deleted stays, below its answer."""

    def __init__(self, connector: TeamsConnector) -> None:
        self._connector = connector
        self._background = BackgroundTasks()

    def discard(self, handle: Mapping[str, str], name: str) -> None:
        """Begins to delete a message; takes no turn of what is to be shown in its conversation."""
        self._background.start(self._deleted(dict(handle), name))

    async def _deleted(self, handle: Mapping[str, str], name: str) -> None:
        try:
            await self._connector.delete(handle, name, patience=SECONDS, urgent=False)
        except KbError as error:
            log.info("A message that is no longer needed stays: %s (%s)", error.what, error.why)

    async def finish(self, seconds: float) -> None:
        """Waits up to so many seconds for the deletions that are running, then cancels them."""
        await self._background.finish(seconds)
