"""The methods that post, edit and delete messages."""

from typing import Any

from tests.fakes.slack.api_call import ApiCall, Methods
from tests.fakes.slack.blocks import message_blocks, parsed
from tests.fakes.slack.records import Body, Channel, Message, SlackError

TEXT = 40_000
MARKDOWN = 12_000
_OPTIONS = ("link_names", "parse", "unfurl_links", "unfurl_media", "mrkdwn", "reply_broadcast", "username")


def content(asked: ApiCall) -> dict[str, Any]:
    """The text, blocks and attachments of a call, those that were given."""
    found: dict[str, Any] = {}
    markdown = asked.args.get("markdown_text")
    if markdown is not None:
        if asked.args.get("text") or asked.args.get("blocks"):
            raise SlackError("markdown_text_conflict")
        if len(markdown) > MARKDOWN:
            raise SlackError("msg_too_long")
        found |= {"text": markdown, "blocks": message_blocks([{"type": "markdown", "text": markdown}])}
    if asked.args.get("text") is not None:
        found["text"] = str(asked.args["text"])
    if len(found.get("text", "")) > TEXT:
        raise SlackError("msg_too_long")
    if asked.args.get("blocks") is not None:
        found["blocks"] = message_blocks(asked.args["blocks"])
    if asked.args.get("attachments") is not None:
        found["attachments"] = parsed(asked.args["attachments"]) or []
    return found


def new_message(asked: ApiCall, channel: Channel, **fields: Any) -> Message:
    """A message by the app that is in no channel yet."""
    options = {name: asked.args[name] for name in _OPTIONS if name in asked.args}
    return Message(
        channel.id,
        asked.world.new_ts(),
        asked.workspace.bot_user,
        bot_id=asked.workspace.bot_id,
        team=asked.workspace.id,
        options=options,
        **fields,
    )


def post(asked: ApiCall) -> Body:
    """chat.postMessage."""
    channel = asked.open_channel()
    found = content(asked)
    if not any(found.values()):
        raise SlackError("no_text")
    metadata = asked.metadata()
    thread = asked.args.get("thread_ts")
    if thread is not None:
        asked.world.root(channel, thread)
    broadcast = "thread_broadcast" if thread and asked.flag("reply_broadcast") else None
    message = new_message(asked, channel, metadata=metadata, thread_ts=thread, subtype=broadcast, **found)
    asked.world.post(message)
    return {"ok": True, "channel": channel.id, "ts": message.ts, "message": message.presented(metadata=True)}


def update(asked: ApiCall) -> Body:
    """chat.update: blocks and attachments that are not given stay, empty ones go."""
    channel = asked.open_channel()
    message = asked.message(channel)
    if message.user != asked.workspace.bot_user:
        raise SlackError("cant_update_message")
    if message.streaming_state == "in_progress":
        raise SlackError("streaming_state_conflict")
    found = content(asked)
    if not found:
        raise SlackError("no_text")
    metadata = asked.metadata()
    if not (found.get("text", message.text) or found.get("blocks", message.blocks)):
        raise SlackError("no_text")
    before = message.presented()
    for name, value in found.items():
        setattr(message, name, value)
    if metadata is not None:
        message.metadata = metadata
    if not found.get("blocks"):
        message.edited = {"user": asked.workspace.bot_user, "ts": asked.world.new_ts()}
    message.keep()
    asked.world.tell("edited", message, before)
    shown = message.presented(metadata=True)
    return {"ok": True, "channel": channel.id, "ts": message.ts, "text": message.text, "message": shown}


def delete(asked: ApiCall) -> Body:
    """chat.delete."""
    channel = asked.joined()
    message = asked.message(channel)
    if message.user != asked.workspace.bot_user or message.streaming_state == "in_progress":
        raise SlackError("cant_delete_message")
    message.deleted = True
    asked.world.tell("deleted", message, message.presented())
    return {"ok": True, "channel": channel.id, "ts": message.ts}


def post_ephemeral(asked: ApiCall) -> Body:
    """chat.postEphemeral: seen by one person, kept nowhere else."""
    channel = asked.open_channel()
    user = asked.word("user")
    if user not in asked.world.users:
        raise SlackError("user_not_found")
    if user not in channel.members:
        raise SlackError("user_not_in_channel")
    found = content(asked)
    if not any(found.values()):
        raise SlackError("no_text")
    message = new_message(asked, channel, thread_ts=asked.args.get("thread_ts"), recipient=user, **found)
    message.keep()
    asked.world.ephemerals.setdefault((channel.id, user), {})[message.ts] = message
    asked.world.changed.notify_all()
    return {"ok": True, "message_ts": message.ts}


_WRITE = frozenset({"chat:write"})

METHODS: Methods = {
    "chat.postMessage": (post, _WRITE),
    "chat.update": (update, _WRITE),
    "chat.delete": (delete, _WRITE),
    "chat.postEphemeral": (post_ephemeral, _WRITE),
}
