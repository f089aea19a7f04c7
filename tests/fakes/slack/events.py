"""The events that Slack raises for an app, as the app gets them."""

import time
from collections.abc import Iterable
from typing import Any

from tests.fakes.slack.mrkdwn import pieces
from tests.fakes.slack.records import APP, Body, Channel, Message, Workspace
from tests.fakes.slack.world import World

_KINDS = {"channel": "message.channels", "group": "message.groups", "im": "message.im", "mpim": "message.mpim"}

SUBSCRIPTIONS = frozenset(
    {
        *_KINDS.values(),
        "app_mention",
        "app_home_opened",
        "assistant_thread_started",
        "assistant_thread_context_changed",
        "member_joined_channel",
        "member_left_channel",
        "team_join",
        "user_change",
        "tokens_revoked",
        "app_uninstalled",
    }
)


def envelope(world: World, team: Workspace, event: Body, **more: Any) -> Body:
    """The outer part of an event, with an event_id of its own."""
    authorization = {"enterprise_id": None, "team_id": team.id, "user_id": team.bot_user}
    return {
        "token": "local",
        "team_id": team.id,
        "context_team_id": team.id,
        "api_app_id": APP,
        "event": event,
        "type": "event_callback",
        "event_id": f"Ev{world.number('event'):06}LOCAL",
        "event_time": int(time.time()),
        "authorizations": [authorization | {"is_bot": True, "is_enterprise_install": False}],
        "is_ext_shared_channel": False,
        "event_context": f"4-local-{world.number('context')}",
        **more,
    }


def on_behalf(world: World, payload: Body, team: Workspace) -> Body:
    """The same event for another installation of the app: other team, event_id and authorizations."""
    shared = payload.get("is_ext_shared_channel", False)
    return envelope(world, team, payload["event"], is_ext_shared_channel=shared)


def installed_in(world: World, channel: Channel) -> Iterable[Workspace]:
    """The installations of the app that are in a channel."""
    found = (world.workspaces[name] for name in channel.teams if name in world.workspaces)
    return [team for team in found if team.bot_user in channel.members and team.state == "installed"]


def of_message(world: World, subscribed: set[str], channel: Channel, event: Body) -> list[Body]:
    """What a message raises: message.*, and app_mention where the app is mentioned, each with its own event_id."""
    found = []
    for team in installed_in(world, channel):
        shared = {"is_ext_shared_channel": channel.is_ext_shared}
        if _mentions(event, team) and not channel.is_im and "app_mention" in subscribed:
            dropped = {"type", "channel_type", "subtype"}
            mention = {name: value for name, value in event.items() if name not in dropped}
            found.append(envelope(world, team, {"type": "app_mention", **mention}, **shared))
        if _KINDS[channel.kind] in subscribed:
            found.append(envelope(world, team, event, **shared))
    return found


def _mentions(event: Body, team: Workspace) -> bool:
    if event.get("subtype") not in (None, "file_share", "thread_broadcast"):
        return False
    return any(piece.kind == "user" and piece.value == team.bot_user for piece in pieces(event.get("text", "")))


def posted(channel: Channel, message: Message) -> Body:
    """The event of a new message."""
    more: Body = {"channel": channel.id, "event_ts": message.ts, "channel_type": channel.kind}
    if message.thread_ts and message.thread_ts != message.ts:
        root = channel.messages.get(message.thread_ts)
        more["parent_user_id"] = root.user if root else ""
    return message.presented() | more | ({"subtype": "file_share"} if message.files else {})


def edited(channel: Channel, message: Message, before: Body, ts: str) -> Body:
    """The event of a changed message."""
    event: Body = {"type": "message", "subtype": "message_changed", "hidden": True, "ts": ts, "event_ts": ts}
    event |= {"channel": channel.id, "channel_type": channel.kind}
    return event | {"message": message.presented(), "previous_message": before}


def deleted(channel: Channel, message: Message, ts: str) -> Body:
    """The event of a message that went."""
    event: Body = {"type": "message", "subtype": "message_deleted", "hidden": True, "ts": ts, "event_ts": ts}
    event |= {"channel": channel.id, "channel_type": channel.kind, "deleted_ts": message.ts}
    return event | {"previous_message": message.presented()}
