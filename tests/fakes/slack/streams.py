"""The methods that write one message bit by bit."""

import copy
from typing import Any

from tests.fakes.slack.api_call import ApiCall, Methods
from tests.fakes.slack.blocks import message_blocks, parsed
from tests.fakes.slack.chat import MARKDOWN, new_message
from tests.fakes.slack.records import Body, Channel, Message, SlackError

FIELD = 256
"""Characters of a chunk's title, details or output."""
_STATES = {"pending", "in_progress", "complete", "error"}


def start(asked: ApiCall) -> Body:
    """chat.startStream."""
    channel = asked.open_channel()
    if not channel.streams:
        raise SlackError("channel_type_not_supported")
    if not channel.is_im:
        _recipient(asked, channel)
    thread = asked.word("thread_ts")
    asked.world.root(channel, thread)
    display = asked.args.get("task_display_mode", "timeline")
    if display not in {"timeline", "plan"}:
        raise SlackError("invalid_arguments", "task_display_mode must be timeline or plan")
    chunks = _chunks(asked)
    message = new_message(asked, channel, thread_ts=thread, streaming_state="in_progress", display=display)
    message.stream = _form(asked)
    message.recipient = asked.args.get("recipient_user_id")
    _add(message, chunks)
    asked.world.post(message)
    return {"ok": True, "channel": channel.id, "ts": message.ts}


def append(asked: ApiCall) -> Body:
    """chat.appendStream."""
    message = _streaming(asked)
    if _form(asked) is None:
        raise SlackError("no_text")
    return _continued(asked, message)


def stop(asked: ApiCall) -> Body:
    """chat.stopStream: the message becomes an ordinary one; blocks come below what was streamed."""
    message = _streaming(asked)
    blocks = message_blocks(asked.args["blocks"]) if asked.args.get("blocks") else []
    metadata = asked.metadata()
    _continued(asked, message)
    message.blocks = _numbered(message.blocks + blocks)
    message.metadata = metadata or message.metadata
    message.streaming_state = "completed"
    message.keep()
    asked.world.tell("edited", message)
    shown = message.presented(metadata=True)
    return {"ok": True, "channel": message.channel, "ts": message.ts, "message": shown}


def _recipient(asked: ApiCall, channel: Channel) -> None:
    for name in ("recipient_user_id", "recipient_team_id"):
        if not asked.args.get(name):
            raise SlackError(f"missing_{name}")
    user = asked.world.users.get(asked.args["recipient_user_id"])
    if user is None or user.id not in channel.members:
        raise SlackError("user_not_found")
    if asked.args["recipient_team_id"] not in {user.team, *channel.teams}:
        raise SlackError("team_not_found")


def _streaming(asked: ApiCall) -> Message:
    channel = asked.open_channel()
    message = asked.message(channel)
    if message.user != asked.workspace.bot_user:
        raise SlackError("message_not_owned_by_app")
    if message.streaming_state != "in_progress":
        raise SlackError("message_not_in_streaming_state")
    return message


def _form(asked: ApiCall) -> str | None:
    given = [name for name in ("markdown_text", "chunks") if asked.args.get(name)]
    if len(given) > 1:
        raise SlackError("cannot_provide_both_markdown_text_and_chunks")
    return given[0] if given else None


def _continued(asked: ApiCall, message: Message) -> Body:
    form = _form(asked)
    if form and message.stream and form != message.stream:
        raise SlackError("streaming_mode_mismatch")
    chunks = _chunks(asked)
    message.stream = message.stream or form
    _add(message, chunks)
    message.keep()
    asked.world.changed.notify_all()
    return {"ok": True, "channel": message.channel, "ts": message.ts}


def _chunks(asked: ApiCall) -> list[Body]:
    """What a call brings, as chunks. Raises SlackError when Slack would not take it."""
    if asked.args.get("markdown_text"):
        chunks: Any = [{"type": "markdown_text", "text": asked.args["markdown_text"]}]
    else:
        chunks = parsed(asked.args.get("chunks") or [])
    if not isinstance(chunks, list) or not all(isinstance(chunk, dict) for chunk in chunks):
        raise SlackError("invalid_chunks")
    for place, chunk in enumerate(chunks):
        wrong = _wrong(chunk)
        if wrong:
            raise SlackError("invalid_chunks", f"{wrong} [json-pointer:/chunks/{place}]")
    if sum(len(chunk["text"]) for chunk in chunks if chunk["type"] == "markdown_text") > MARKDOWN:
        raise SlackError("msg_too_long")
    return chunks


def _wrong(chunk: Body) -> str | None:
    kind = chunk.get("type")
    if kind == "blocks":
        message_blocks(chunk.get("blocks"))
        return None
    required = {"markdown_text": ("text",), "plan_update": ("title",), "task_update": ("id", "title", "status")}
    if kind not in required:
        return f"unsupported type: {kind}"
    missing = [name for name in required[kind] if not isinstance(chunk.get(name), str)]
    if missing:
        return f"missing required field: {missing[0]}"
    if chunk.get("status", "pending") not in _STATES:
        return "invalid status"
    long = [name for name in ("title", "details", "output") if len(chunk.get(name) or "") > FIELD]
    return f"{long[0]} must be less than {FIELD + 1} characters" if long else None


def _add(message: Message, chunks: list[Body]) -> None:
    """Merges chunks: text goes on, a task of the same id changes in its place, the last title of the plan stands."""
    for chunk in copy.deepcopy(chunks):
        last = message.chunks[-1] if message.chunks else {}
        same = [each for each in message.chunks if each["type"] == "task_update" and each.get("id") == chunk.get("id")]
        titles = [each for each in message.chunks if each["type"] == "plan_update"]
        if chunk["type"] == "markdown_text" and last.get("type") == "markdown_text":
            last["text"] += chunk["text"]
        elif chunk["type"] == "task_update" and same:
            same[0].update(chunk)
        elif chunk["type"] == "plan_update" and titles:
            titles[0].update(chunk)
        else:
            message.chunks.append(chunk)
    message.text = "".join(chunk["text"] for chunk in message.chunks if chunk["type"] == "markdown_text")
    message.blocks = _numbered([block for chunk in message.chunks for block in _shown(chunk)])


def _shown(chunk: Body) -> list[Body]:
    """The blocks that show a chunk."""
    if chunk["type"] == "markdown_text":
        return [{"type": "markdown", "text": chunk["text"]}]
    if chunk["type"] == "plan_update":
        return [{"type": "plan", "title": chunk["title"], "tasks": []}]
    if chunk["type"] == "blocks":
        found: list[Body] = parsed(chunk["blocks"])
        return found
    task = {"type": "task_card", "task_id": chunk["id"], "title": chunk["title"], "status": chunk["status"]}
    for name in ("details", "output", "sources"):
        if chunk.get(name):
            task[name] = chunk[name] if name == "sources" else _rich(chunk[name])
    return [task]


def _rich(words: str) -> Body:
    section = {"type": "rich_text_section", "elements": [{"type": "text", "text": words}]}
    return {"type": "rich_text", "elements": [section]}


def _numbered(blocks: list[Body]) -> list[Body]:
    return [{**block, "block_id": block.get("block_id") or f"s{place:04}"} for place, block in enumerate(blocks)]


_WRITE = frozenset({"chat:write"})

METHODS: Methods = {
    "chat.startStream": (start, _WRITE),
    "chat.appendStream": (append, _WRITE),
    "chat.stopStream": (stop, _WRITE),
}
