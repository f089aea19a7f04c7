"""What the bot says in Teams beside its replies to questions: to whom, and where."""

import logging

from botbuilder.schema import Activity

from bot.teams.connector import TeamsConnector
from bot.teams.conversation_reference import TeamsConversation
from domain.errors import KbError

log = logging.getLogger(__name__)


async def send_or_log(
    connector: TeamsConnector, reference: TeamsConversation, activity: Activity, *, patience: float | None = None
) -> None:
    """Says something where somebody spoke; what goes wrong is logged."""
    try:
        await connector.send(reference.handle, activity, patience=patience)
    except KbError as error:
        log.warning("Something could not be said: %s (%s)", error.what, error.why or "no cause given")


async def personal_chat(connector: TeamsConnector, reference: TeamsConversation) -> TeamsConversation:
    """Our chat with who spoke. Raises KbErrors, as the connector does: they may not have one with us."""
    if reference.kind == "personal":
        return reference
    return TeamsConversation.of(await connector.personal(reference.handle))
