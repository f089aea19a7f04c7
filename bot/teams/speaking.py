"""What the bot says in Teams beside its replies to questions: to whom, and where."""

import logging
from collections.abc import Mapping
from typing import Protocol

from bot.teams.reference import Reference
from bot.teams.shapes import Json
from domain.errors import KbError

log = logging.getLogger(__name__)


class Speaking(Protocol):
    """The part of the connector that this takes; a handle holds what a Reference does. Methods raise KbErrors."""

    async def send(self, handle: Mapping[str, str], body: Json, *, patience: float | None = None) -> str:
        """Sends an activity; gives its id."""

    async def update(
        self, handle: Mapping[str, str], activity: str, body: Json, *, patience: float | None = None
    ) -> None:
        """Shows something else in the place of a message of ours."""

    async def personal(self, handle: Mapping[str, str], user: str = "") -> dict[str, str]:
        """The handle of our chat with who spoke in a conversation, or with `user`."""


async def say(speaking: Speaking, reference: Reference, body: Json, *, patience: float | None = None) -> None:
    """Says something where somebody spoke; what goes wrong is logged."""
    try:
        await speaking.send(reference.handle, body, patience=patience)
    except KbError as error:
        log.warning("Something could not be said: %s (%s)", error.what, error.why or "no cause given")


async def privately(speaking: Speaking, reference: Reference) -> Reference:
    """Our chat with who spoke. Raises KbErrors, as the connector does: they may not have one with us."""
    if reference.kind == "personal":
        return reference
    return Reference.of(await speaking.personal(reference.handle))
