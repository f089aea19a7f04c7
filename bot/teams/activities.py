"""What Teams delivers, as what people did: they asked, changed or deleted a message, added us, pressed a button, judged
a reply. Pure. Whoever calls has checked that Teams sent it.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from bot.conversation.delivery_buffer import MessageChange
from bot.teams.button_data import ButtonData, read_button_data
from bot.teams.conversation_reference import ConversationKind, TeamsConversation, in_thread
from bot.teams.json_reading import Json, each_table, table, text
from bot.teams.message_text import is_mentioned, words_of
from bot.teams.status_messages import PICTURE
from domain.conversation import Audience, ConversationPlace, Incoming, MessageKey, Participant
from domain.errors import Refused

LONGEST_ID = 512
"""Characters of an id; Teams' have about a hundred."""

_PICTURES = "image/"
_CARDS = ("application/vnd.microsoft.card.", "application/vnd.microsoft.teams.card.")
_NO_FILES = ("text/html", "messageReference", *_CARDS)


@dataclass(frozen=True, slots=True)
class ActivityContext:
    """Where something happened, and who did it."""

    reference: TeamsConversation
    person: Participant
    place: ConversationPlace
    audience: Audience
    """Who reads what is posted there, as far as Teams tells."""


@dataclass(frozen=True, slots=True)
class MessageReceived:
    """Somebody said something to us: a question, or a command."""

    context: ActivityContext
    incoming: Incoming


@dataclass(frozen=True, slots=True)
class InstallationChanged:
    """We were added to a conversation, or removed from it."""

    context: ActivityContext
    added: bool


@dataclass(frozen=True, slots=True)
class MembersChanged:
    """People joined or left, or a channel is another one now."""

    places: tuple[str, ...] = ()
    """Ids of the conversation, and of the team that it belongs to."""


PressKind = Literal["message", "card", "dialog", "dialog sent"]
"""How a button was pressed: as a message of its own, or as a call that waits for an answer: of a card, to open a
dialog, to send one."""


@dataclass(frozen=True, slots=True)
class ButtonPress:
    """Somebody pressed a button of ours."""

    context: ActivityContext
    kind: PressKind
    button: ButtonData
    message: str
    """The message that the button stands below."""
    spoken: bool = False
    """Whether the press shows as a message of who pressed."""


@dataclass(frozen=True, slots=True)
class FeedbackGiven:
    """Somebody judged a reply with Teams' own buttons: 1 or -1, and why. message: the reply."""

    context: ActivityContext
    message: str
    value: int
    reason: str


TeamsEvent = MessageReceived | MessageChange | InstallationChanged | MembersChanged | ButtonPress | FeedbackGiven

_WAYS: Mapping[str, PressKind] = {"adaptiveCard/action": "card", "task/fetch": "dialog", "task/submit": "dialog sent"}
_FEEDBACK = "message/submitAction"


def parse_activity(activity: Json) -> TeamsEvent | None:
    """What an activity says; None for what is none of ours.

    Raises:
        Refused: it is no activity, or lacks what every one has.
    """
    match _needed(activity.get("type"), "type"):
        case "message":
            return _message(activity)
        case "messageUpdate" | "messageDelete" as kind:
            return _change(activity, deleted=kind == "messageDelete")
        case "conversationUpdate":
            return _members(activity)
        case "installationUpdate":
            action = text(activity.get("action"))
            told = action.startswith(("add", "remove"))
            return InstallationChanged(_context(activity), action.startswith("add")) if told else None
        case "invoke":
            return _call(activity)
        case _:
            return None


def _message(activity: Json) -> MessageReceived | ButtonPress | None:
    if not _by_person(activity):
        return None
    context, value = _context(activity), read_button_data(activity.get("value"))
    if value is not None:
        spoken = bool(text(activity.get("text")).strip())
        return ButtonPress(context, "message", value, _optional(activity.get("replyToId")), spoken)
    if context.reference.kind != "personal" and not is_mentioned(activity, context.reference.bot):
        return None
    incoming = Incoming(
        key=_key(activity, context.reference),
        place=context.place,
        asker=context.person,
        text=words_of(activity, context.reference.bot),
        audience=context.audience,
        handle=context.reference.handle,
        unread=tuple(_unread(activity)),
    )
    return MessageReceived(context, incoming)


def _change(activity: Json, *, deleted: bool) -> MessageChange | None:
    if not deleted and not _by_person(activity):
        return None
    reference = _reference(activity)
    words = None if deleted else words_of(activity, reference.bot)
    restored = table(activity.get("channelData")).get("eventType") == "undeleteMessage"
    return MessageChange(_key(activity, reference), words, reference.kind == "personal", restored)


def _members(activity: Json) -> InstallationChanged | MembersChanged:
    bot = text(table(activity.get("recipient")).get("id"))
    added, removed = (
        [text(each.get("id")) for each in each_table(activity.get(name))] for name in ("membersAdded", "membersRemoved")
    )
    ours = bool(bot) and bot in (*added, *removed)
    if ours:
        return InstallationChanged(_context(activity), bot in added)
    data, conversation = table(activity.get("channelData")), text(table(activity.get("conversation")).get("id"))
    named = (
        conversation.partition(";messageid=")[0],
        *(text(table(data.get(each)).get("id")) for each in ("team", "channel")),
    )
    return MembersChanged(tuple(dict.fromkeys(filter(None, named))))


def _call(activity: Json) -> ButtonPress | FeedbackGiven | None:
    name = text(activity.get("name"))
    if not _by_person(activity):
        return None
    if name == _FEEDBACK:
        return _judged(activity)
    kind, value = _WAYS.get(name), read_button_data(activity.get("value"))
    if kind is None or value is None:
        return None
    return ButtonPress(_context(activity), kind, value, _optional(activity.get("replyToId")))


def _judged(activity: Json) -> FeedbackGiven:
    """A judgement: Teams gives the words as a text that holds JSON."""
    given = table(table(activity.get("value")).get("actionValue"))
    value, reason = -1 if given.get("reaction") == "dislike" else 1, text(given.get("feedback"))
    with suppress(ValueError, RecursionError):
        found = table(json.loads(reason))
        reason = text(found.get("feedbackText")) or " ".join(each for each in found.values() if isinstance(each, str))
    return FeedbackGiven(_context(activity), _optional(activity.get("replyToId")), value, reason)


def _context(activity: Json) -> ActivityContext:
    reference = _reference(activity)
    sender, kind = table(activity.get("from")), reference.kind
    person = Participant("teams", _id(sender.get("aadObjectId") or sender.get("id"), "sender"), reference.tenant)
    place = ConversationPlace("teams", reference.tenant, reference.channel, reference.root, private=kind == "personal")
    audience: Audience = "asker" if kind == "personal" else "public" if reference.form == "shared" else "organisation"
    return ActivityContext(reference, person, place, audience)


def _reference(activity: Json) -> TeamsConversation:
    """Where to reply. A message that begins a thread in a channel names it in its conversation's id; where it does not,
    it is the root itself."""
    conversation = table(activity.get("conversation"))
    name, message = _id(conversation.get("id"), "conversation"), text(activity.get("id"))
    kind = _kind(conversation)
    if kind == "channel" and ";messageid=" not in name and activity.get("type") == "message":
        name = in_thread(name, text(activity.get("replyToId")) or _id(message, "id"))
    told = table(activity.get("channelData")) if kind == "channel" else {}
    return TeamsConversation(
        service_url=_needed(activity.get("serviceUrl"), "serviceUrl"),
        conversation=name,
        kind=kind,
        bot=_id(table(activity.get("recipient")).get("id"), "recipient"),
        tenant=_optional(next(iter(tenants_of(activity)), "")),
        user=_optional(table(activity.get("from")).get("id")),
        reply_to=_optional(message),
        locale=_optional(activity.get("locale")),
        team=_optional(table(told.get("team")).get("id")),
        form=_optional(table(told.get("channel")).get("type")).lower(),
    )


def tenants_of(activity: Json) -> list[str]:
    """Every tenant that an activity names."""
    channel_data, conversation = table(activity.get("channelData")), table(activity.get("conversation"))
    told = (conversation.get("tenantId"), table(channel_data.get("tenant")).get("id"))
    return [each for each in map(text, told) if each]


def _kind(conversation: Json) -> ConversationKind:
    """The kind of a conversation: where Teams does not say, the one with the most readers that it can be."""
    match conversation.get("conversationType"):
        case "personal" if not conversation.get("isGroup"):
            return "personal"
        case "groupChat":
            return "groupChat"
        case "channel":
            return "channel"
        case _:
            return "channel" if ";messageid=" in text(conversation.get("id")) else "groupChat"


def _key(activity: Json, reference: TeamsConversation) -> MessageKey:
    return MessageKey("teams", reference.channel, _id(activity.get("id"), "id"))


def _by_person(activity: Json) -> bool:
    """Whether a person did it: no bot, and not we ourselves."""
    sender = table(activity.get("from"))
    ours = table(activity.get("recipient")).get("id")
    name = text(sender.get("id"))
    by_program = text(sender.get("role")) in {"bot", "skill"} or name.startswith("28:")
    return bool(name) and name != ours and not by_program


def _unread(activity: Json) -> list[str]:
    """Names of attached files, which are not looked into."""
    files = []
    for each in each_table(activity.get("attachments")):
        kind = text(each.get("contentType"))
        if not kind.startswith(_NO_FILES):
            files.append(text(each.get("name")) or (PICTURE if kind.startswith(_PICTURES) else "a file"))
    return files


def _id(value: object, what: str) -> str:
    found = _needed(value, what)
    if len(found) > LONGEST_ID:
        raise Refused(f"The activity's {what} is too long")
    return found


def _needed(value: object, what: str) -> str:
    if not isinstance(value, str) or not value or not value.isprintable():
        raise Refused(f"The activity has no {what}")
    return value


def _optional(value: object) -> str:
    found = text(value)
    return found if found.isprintable() and len(found) <= LONGEST_ID else ""
