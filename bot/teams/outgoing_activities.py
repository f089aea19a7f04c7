"""What is sent to Teams, as activities of the Bot Framework's own models. Pure.

The models carry everything but the fields of an entity: `botbuilder.schema.Entity` knows `type` alone, and drops the
rest when it is serialised (docs/decisions/botbuilder.md).
"""

from collections.abc import Mapping, Sequence
from copy import copy

from botbuilder.core import CardFactory, TurnContext
from botbuilder.schema import (
    Activity,
    ActivityTypes,
    ChannelAccount,
    ConversationAccount,
    ConversationReference,
    Entity,
    TextFormatTypes,
)

from bot.teams.limits import Json


class CompleteEntity(Entity):  # type: ignore[misc] # the library has no types
    """An entity that keeps all of its fields when it is serialised."""

    _attribute_map = {**Entity._attribute_map, "additional_properties": {"key": "", "type": "{object}"}}  # noqa: RUF012, SLF001 - the library's way to say so


def text_message(text: str) -> Activity:
    """A message of a text that is Teams' Markdown already, such as those of bot.teams.status_messages."""
    return Activity(type=ActivityTypes.message, text_format=TextFormatTypes.markdown, text=text)


def card_message(content: Json, summary: str) -> Activity:
    """A message that is an Adaptive Card. summary: words of ours for notifications."""
    return Activity(type=ActivityTypes.message, summary=summary, attachments=[CardFactory.adaptive_card(content)])


def with_entities(activity: Activity, entities: Sequence[Json]) -> Activity:
    """The activity with further entities, of whose fields `type` is one."""
    more = (CompleteEntity(type=each["type"], additional_properties=each) for each in entities)
    found = copy(activity)
    found.entities = [*(activity.entities or ()), *more]
    return found


def addressed(activity: Activity, handle: Mapping[str, str], message: str | None = None) -> Json:
    """The JSON of an activity as it is sent into the conversation of a handle. message: the id of the message that it
    takes the place of."""
    reference = ConversationReference(
        bot=ChannelAccount(id=handle["bot"]), conversation=ConversationAccount(id=handle["conversation"])
    )
    found = TurnContext.apply_conversation_reference(copy(activity), reference)
    found.id = message
    body: Json = found.serialize()
    return body
