"""What Slack delivers, as questions. Pure."""

import html
import re
from collections.abc import Mapping
from typing import Any

from bot.conversation.commands import Command, parse_command
from bot.conversation.delivery_buffer import MessageChange
from domain.conversation import ConversationPlace, Incoming, MessageKey, Participant

SlackEvent = Mapping[str, Any]

SPOKEN = frozenset({None, "file_share", "thread_broadcast", "me_message"})
"""Subtypes of messages that a person wrote."""

_TOKEN = re.compile(r"<([^<>]*)>")


def text_of(message: SlackEvent, bot_user: str) -> str:
    """What a person reads of a message: without the mention of the bot, with other mentions and links in words. Where
    Slack gives an id without a name, as in "What pension does <@U7ANN> get?", it is "somebody"."""

    def words(found: re.Match[str]) -> str:
        target, _, label = found[1].partition("|")
        if target.startswith("@"):
            return "" if target[1:] == bot_user else f"@{label}" if label else "somebody"
        if target.startswith("#"):
            return label or "the channel"  # its name: with a sign it would be a label of documents
        if target.startswith("!"):
            return label or f"@{target[1:].partition('^')[0]}"
        address = target.removeprefix("mailto:")
        return f"{label} ({address})" if label and label not in {address, target} else address

    return html.unescape(_TOKEN.sub(words, str(message.get("text") or ""))).strip()


def mentions(message: SlackEvent, user: str) -> bool:
    """Whether a message mentions somebody."""
    text = str(message.get("text") or "")
    return f"<@{user}>" in text or f"<@{user}|" in text


def is_by_person(event: SlackEvent, bot_user: str) -> bool:
    """Whether a person wrote the message: no app, and not we ourselves."""
    by_app = event.get("bot_id") or event.get("bot_profile") or event.get("app_id")
    user = event.get("user")
    return bool(user) and user not in {bot_user, "USLACKBOT"} and not by_app and event.get("subtype") in SPOKEN


def key_of(channel: str, ts: str) -> MessageKey:
    """The key of a message on Slack: a channel that several workspaces share has one id in all of them."""
    return MessageKey("slack", channel, ts)


def question_of(event: SlackEvent, team: str, bot_user: str) -> Incoming:
    """The question that a message is.

    event: of type app_mention or message, from a person. team: the workspace that it was delivered for; a person of
    another one comes with that one's id.
    """
    channel, ts = str(event["channel"]), str(event["ts"])
    private = event.get("channel_type") == "im" or channel.startswith("D")
    workspace = str(event.get("user_team") or event.get("team") or team)
    return Incoming(
        key=key_of(channel, ts),
        place=ConversationPlace("slack", team, channel, str(event.get("thread_ts") or ts), private),
        asker=Participant("slack", str(event["user"]), workspace),
        text=text_of(event, bot_user),
        audience="asker" if private else "organisation",
        unread=tuple(str(file.get("name") or "a file") for file in event.get("files") or ()),
    )


def change_of(event: SlackEvent, bot_user: str) -> MessageChange | None:
    """What a message event of subtype message_changed or message_deleted says of a person's message; None where it
    says nothing of its words."""
    channel = str(event.get("channel", ""))
    before = event.get("previous_message") or {}
    after = event.get("message") or {}
    if event.get("subtype") == "message_deleted" or after.get("subtype") == "tombstone":
        ts = event.get("deleted_ts") or before.get("ts") or after.get("ts")
        return MessageChange(key_of(channel, str(ts)), None) if ts else None
    if not is_by_person(after, bot_user) or after.get("text") == before.get("text"):
        return None
    return MessageChange(key_of(channel, str(after["ts"])), text_of(after, bot_user))


def command_of(text: str) -> Command:
    """What somebody typed behind the slash command, in words; a question needs no word before it."""
    return parse_command(text_of({"text": text}, ""))


def command_question(payload: SlackEvent, text: str, *, share: bool) -> Incoming:
    """The question of a slash command. text: in words. share: everybody in the channel reads the reply, else the asker
    alone.

    Slack delivers a command once, under a trigger of its own; commands have no thread, so that each person has one
    in each channel.
    """
    channel, user, team = str(payload["channel_id"]), str(payload["user_id"]), str(payload.get("team_id", ""))
    handle = {"echo": "1"} if share else {"mode": "ephemeral"}
    return Incoming(
        key=MessageKey("slack", channel, f"command {payload['trigger_id']}"),
        place=ConversationPlace("slack", team, channel, "" if share else f"/{user}"),
        asker=Participant("slack", user, team),
        text=text,
        audience="organisation" if share else "asker",
        handle={**handle, "response_url": str(payload.get("response_url", ""))},
    )
