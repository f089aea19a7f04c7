"""Asks an administrator whether something is to be read again: in our chat with them, as sources' names are not for all
who read along elsewhere."""

from bot.conversation.actions import ALL_SOURCES, ConversationActions
from bot.conversation.texts import NOT_YOURS
from bot.teams import card_templates, status_messages
from bot.teams.activities import ActivityContext
from bot.teams.connector import TeamsConnector
from bot.teams.outgoing_activities import card_message, text_message
from domain.errors import Refused, in_sentences

ELSEWHERE = "I have written to you in our chat."


async def ask_to_confirm(
    actions: ConversationActions, connector: TeamsConnector, source: str, context: ActivityContext
) -> str:
    """Asks the person who did what `context` says.

    source: the name of a source; empty, or `*`, for all. Returns what to say in the conversation of `context`; empty
    for nothing.

    Raises KbErrors, as the connector does: they may have no chat with us.
    """
    if not await actions.administers(context.person):
        return NOT_YOURS
    wanted = source.strip() or ALL_SOURCES
    try:
        await actions.check_source(wanted)
        shown = None if wanted == ALL_SOURCES else wanted
        body = card_message(card_templates.confirm_reindex(shown), "Read again?")
    except Refused as error:
        body = text_message(status_messages.refused(actions.masked(in_sentences(error))))
    there = await connector.personal_chat(context.reference)
    await connector.send(there.handle, body)
    return "" if context.place.private else ELSEWHERE
