"""The methods that read: conversations, people, files."""

from tests.fakes.slack.api_call import ApiCall, Methods
from tests.fakes.slack.records import Body, Channel, Message, SlackError

_FIRST, _LAST = "0", "9999999999.999999"


def auth_test(asked: ApiCall) -> Body:
    """auth.test."""
    at = asked.workspace
    content = {"ok": True, "url": "https://local.slack.com/", "team": at.name, "user": "kb", "team_id": at.id}
    return content | {"user_id": at.bot_user, "bot_id": at.bot_id, "is_enterprise_install": False}


def info(asked: ApiCall) -> Body:
    """conversations.info."""
    return {"ok": True, "channel": asked.readable(asked.channel(), "read").presented(asked.workspace.bot_user)}


def open_conversation(asked: ApiCall) -> Body:
    """conversations.open: the DM with one person."""
    users = str(asked.args.get("users") or "").split(",")
    if users == [""]:
        raise SlackError("users_list_not_supplied")
    if len(users) > 1:
        raise SlackError("method_not_supported_for_channel_type")
    user = asked.world.users.get(users[0])
    if user is None:
        raise SlackError("user_not_found")
    if user.deleted:
        raise SlackError("user_disabled")
    if user.is_bot:
        raise SlackError("cannot_dm_bot")
    return {"ok": True, "channel": {"id": asked.world.dm(user.id, asked.workspace.id).id}}


def members(asked: ApiCall) -> Body:
    """conversations.members."""
    rows, more = asked.page(asked.readable(asked.channel(), "read").members)
    return {"ok": True, "members": rows, "response_metadata": more}


def replies(asked: ApiCall) -> Body:
    """conversations.replies: parent and replies, oldest first. A reply's own ts gives that message alone."""
    channel = asked.readable(asked.joined(), "history")
    ts = asked.word("ts")
    wanted = channel.messages.get(ts)
    found = asked.world.thread(channel, ts)
    if wanted is None or not found:
        raise SlackError("thread_not_found")
    if wanted.thread_ts not in (None, ts):
        found = [wanted]
    return _listed(asked, channel, [each for each in found if each.ts == ts or _within(asked, each)], 1000)


def history(asked: ApiCall) -> Body:
    """conversations.history: without replies, newest first."""
    channel = asked.readable(asked.joined(), "history")
    top = [
        message
        for message in sorted(channel.messages.values(), key=lambda each: each.ts, reverse=True)
        if not message.deleted and _within(asked, message)
        if message.thread_ts in (None, message.ts) or message.subtype == "thread_broadcast"
    ]
    return _listed(asked, channel, top, 100)


def _within(asked: ApiCall, message: Message) -> bool:
    oldest, latest = str(asked.args.get("oldest") or _FIRST), str(asked.args.get("latest") or _LAST)
    if asked.flag("inclusive"):
        return float(oldest) <= float(message.ts) <= float(latest)
    return float(oldest) < float(message.ts) < float(latest)


def _listed(asked: ApiCall, channel: Channel, messages: list[Message], default: int) -> Body:
    rows, more = asked.page(messages, default)
    metadata = asked.flag("include_all_metadata")
    shown = [_with_replies(asked, channel, each, each.presented(metadata=metadata)) for each in rows]
    content: Body = {"ok": True, "messages": shown, "has_more": bool(more["next_cursor"])}
    return content | ({"response_metadata": more} if more["next_cursor"] else {})


def _with_replies(asked: ApiCall, channel: Channel, message: Message, shown: Body) -> Body:
    thread = [each for each in asked.world.thread(channel, message.ts) if each.ts != message.ts]
    if not thread or message.thread_ts not in (None, message.ts):
        return shown
    people = list(dict.fromkeys(each.user for each in thread))
    more: Body = {"thread_ts": message.ts, "reply_count": len(thread), "reply_users": people}
    return shown | more | {"reply_users_count": len(people), "latest_reply": thread[-1].ts}


def _user(asked: ApiCall, user_id: str) -> Body:
    user = asked.world.users.get(user_id)
    if user is None or not (user.team == asked.workspace.id or user.is_stranger or _met(asked, user_id)):
        raise SlackError("user_not_found")
    return user.presented(email="users:read.email" in asked.workspace.scopes)


def _met(asked: ApiCall, user: str) -> bool:
    return any(user in each.members and asked.workspace.id in each.teams for each in asked.world.channels.values())


def user_info(asked: ApiCall) -> Body:
    """users.info."""
    return {"ok": True, "user": _user(asked, str(asked.args.get("user") or ""))}


def user_list(asked: ApiCall) -> Body:
    """users.list."""
    everybody = [each for each in asked.world.users.values() if each.team == asked.workspace.id]
    if len(everybody) > 1000 and not asked.args.get("limit"):
        raise SlackError("limit_required")
    rows, more = asked.page(everybody)
    return {"ok": True, "members": [_user(asked, each.id) for each in rows], "response_metadata": more}


def user_by_email(asked: ApiCall) -> Body:
    """users.lookupByEmail: people of the own workspace who are still there."""
    wanted = asked.word("email").lower()
    for user in asked.world.users.values():
        if (user.email or "").lower() == wanted and user.team == asked.workspace.id and not user.deleted:
            return {"ok": True, "user": _user(asked, user.id)}
    raise SlackError("users_not_found")


_READ = frozenset({"channels:read", "groups:read", "im:read", "mpim:read"})
_HISTORY = frozenset({"channels:history", "groups:history", "im:history", "mpim:history"})

METHODS: Methods = {
    "auth.test": (auth_test, frozenset()),
    "conversations.info": (info, _READ),
    "conversations.open": (open_conversation, frozenset({"im:write"})),
    "conversations.members": (members, _READ),
    "conversations.replies": (replies, _HISTORY),
    "conversations.history": (history, _HISTORY),
    "users.info": (user_info, frozenset({"users:read"})),
    "users.list": (user_list, frozenset({"users:read"})),
    "users.lookupByEmail": (user_by_email, frozenset({"users:read.email"})),
}
