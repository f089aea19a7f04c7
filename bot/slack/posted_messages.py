"""Finding in a thread what was posted there before: after a crash, only Slack knows whether it was."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from bot.slack.client import SlackClient, SlackRefused
from domain.conversation import ConversationPlace, MessageKey, Result
from domain.errors import Misconfigured

EVENT = "kb_answer"
"""The type of the metadata that our messages carry."""

PAGES = 5
"""Of 200 messages each, that are looked through."""


def reply_metadata(key: MessageKey, revision: int, part: int, result: Result | None) -> dict[str, Any]:
    """Metadata that says which question a message belongs to, as which revision of its text it was asked, which part of
    its reply it is, counted from 0, and, where it is the outcome, how the question ended."""
    payload = {"key": str(key), "part": part, "final": result is not None, "revision": revision}
    return {"event_type": EVENT, "event_payload": payload | ({"result": result} if result else {})}


@dataclass(frozen=True, slots=True)
class PostedMessages:
    """What a thread holds of a reply. parts: time stamps by part, of the first message of each. again: of further
    messages with a part that another one has. stream: of an unfinished stream. known: whether Slack let us look through
    all of it. posted: time stamps of the last messages, by part and whether they are final. outcomes: how the question
    ended, by revision of its text."""

    parts: Mapping[int, str]
    stream: str | None = None
    known: bool = True
    posted: Mapping[tuple[int, bool], str] = field(default_factory=dict)
    outcomes: Mapping[int, Result] = field(default_factory=dict)
    again: Sequence[str] = ()


async def find_posted(
    client: SlackClient, place: ConversationPlace, key: MessageKey, bot_user: str, patience: float | None = None
) -> PostedMessages:
    """Looks for messages of ours that carry the question's key. patience: see SlackClient.call. Raises Transient when
    Slack is away."""
    messages: list[Mapping[str, Any]] = []
    cursor = None
    for _ in range(PAGES):
        try:
            page = await client.call(
                "conversations.replies" if place.thread else "conversations.history",
                patience=patience,
                channel=place.channel,
                ts=place.thread or None,
                oldest=_asked_at(key),
                include_all_metadata=True,
                limit=200,
                cursor=cursor,
            )
        except SlackRefused as error:
            return PostedMessages({}, known=error.code in {"thread_not_found", "message_not_found"})
        except Misconfigured:  # the app may post here, and not read
            return PostedMessages({}, known=False)
        messages += (each for each in page.get("messages", ()) if each.get("user") == bot_user)
        cursor = (page.get("response_metadata") or {}).get("next_cursor") or None
        if cursor is None:
            break
    in_order = sorted(messages, key=lambda each: float(each["ts"]))  # a channel is read from its end
    return _sorted_out(in_order, str(key), known=cursor is None)


def _asked_at(key: MessageKey) -> str | None:
    """The time stamp of the message that asked, or whose button was pressed; None where a command did."""
    return next((each for each in key.message.split() if each.replace(".", "", 1).isdigit()), None)


def _sorted_out(messages: Iterable[Mapping[str, Any]], key: str, *, known: bool) -> PostedMessages:
    """What our messages, the oldest first, hold of the reply to a question."""
    parts: dict[int, str] = {}
    again: list[str] = []
    posted: dict[tuple[int, bool], str] = {}
    outcomes: dict[int, Result] = {}
    stream: str | None = None
    for message in messages:
        ts = str(message["ts"])
        payload = (message.get("metadata") or {}).get("event_payload") or {}
        if payload.get("key") == key:
            part = int(payload.get("part", 0))
            if parts.setdefault(part, ts) != ts:
                again.append(ts)
            posted[part, bool(payload.get("final"))] = ts
            if part == 0 and payload.get("result") in get_args(Result):
                outcomes[int(payload.get("revision", 0))] = payload["result"]
        elif key in json.dumps(message.get("blocks", ())):
            stream = ts  # a stream's first task carries the key
    return PostedMessages(parts, stream, known, posted, outcomes, again)
