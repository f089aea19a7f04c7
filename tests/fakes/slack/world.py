"""The state of the local Slack, and the few ways in which it changes. One lock holds it together."""

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.slack.records import (
    AssistantThread,
    Body,
    Call,
    Channel,
    Message,
    SlackError,
    User,
    View,
    Workspace,
)

FIRST = 1_700_000_000
TRIGGER = 3.0
"""Seconds for which a trigger_id is good."""


@dataclass
class Trigger:
    """Lets the app open one modal. at: seconds on time.monotonic. view: where it came from, when from a modal."""

    user: str
    team: str
    at: float
    view: str | None = None
    used: bool = False


@dataclass
class World:
    """Everything there is. changed: notified after each change; its lock guards all fields.

    on_message: told of what the app posts, edits and deletes.
    """

    workspaces: dict[str, Workspace] = field(default_factory=dict)
    users: dict[str, User] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    ephemerals: dict[tuple[str, str], dict[str, Message]] = field(default_factory=dict)
    views: dict[str, View] = field(default_factory=dict)
    homes: dict[tuple[str, str], list[Body]] = field(default_factory=dict)
    threads: dict[tuple[str, str], AssistantThread] = field(default_factory=dict)
    files: dict[str, Body] = field(default_factory=dict)
    triggers: dict[str, Trigger] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    app_tokens: set[str] = field(default_factory=set)
    changed: threading.Condition = field(default_factory=lambda: threading.Condition(threading.RLock()))
    on_message: Callable[[str, Message, Body | None], None] | None = None
    _numbers: dict[str, int] = field(default_factory=dict)

    def number(self, what: str) -> int:
        """1, 2, 3 … for each name."""
        with self.changed:
            self._numbers[what] = self._numbers.get(what, 0) + 1
            return self._numbers[what]

    def new_ts(self) -> str:
        """A time stamp later than all before."""
        moment = self.number("ts")
        return f"{FIRST + moment}.{moment * 100 % 1_000_000:06}"

    def add_workspace(self, name: str) -> Workspace:
        """A workspace in which the app is installed."""
        with self.changed:
            place = self.number("workspace")
            found = Workspace(f"T{place:03}LOCAL", name, f"U{place:03}BOT", f"B{place:03}BOT", f"xoxb-{place:03}-local")
            self.workspaces[found.id] = found
            self.users[found.bot_user] = User(
                found.bot_user, "kb", found.id, is_bot=True, bot_id=found.bot_id, is_email_confirmed=False
            )
            return found

    def add_user(self, name: str, team: str, **fields: Any) -> User:
        """A person."""
        with self.changed:
            user = User(f"U{self.number('user'):03}USER", name, team, **fields)
            self.users[user.id] = user
            return user

    def add_crowd(self, count: int, team: str, domain: str) -> list[User]:
        """So many full members, as a company has them."""
        with self.changed:
            first = len(self.users)
            names = [f"m{number}" for number in range(first, first + count)]
            crowd = [User(f"U{name.upper()}", name, team, email=f"{name}@{domain}") for name in names]
            self.users |= {each.id: each for each in crowd}
            return crowd

    def add_channel(self, name: str, teams: list[str], members: Iterable[str], **fields: Any) -> Channel:
        """A conversation; the letter of its id follows from its kind."""
        with self.changed:
            letter = "D" if fields.get("is_im") else "G" if fields.get("is_mpim") else "C"
            channel = Channel(f"{letter}{self.number('channel'):03}CHAN", name, teams, list(members), **fields)
            self.channels[channel.id] = channel
            return channel

    def dm(self, user: str, team: str) -> Channel:
        """The conversation of the app with a person; made when there is none."""
        with self.changed:
            bot = self.workspaces[team].bot_user
            pair = {user, bot}
            for channel in self.channels.values():
                if channel.is_im and set(channel.members) == pair:
                    return channel
            return self.add_channel("", [team], [user, bot], is_im=True)

    def channel(self, name: str) -> Channel:
        """A channel by id."""
        if name not in self.channels:
            raise SlackError("channel_not_found")
        return self.channels[name]

    def message(self, channel: str, ts: str) -> Message:
        """A message that is there."""
        found = self.channel(channel).messages.get(ts)
        if found is None or found.deleted:
            raise SlackError("message_not_found")
        return found

    def thread(self, channel: Channel, ts: str) -> list[Message]:
        """The messages of a thread that are there, in order."""
        every = sorted(channel.messages.values(), key=lambda message: message.ts)
        return [each for each in every if ts in (each.ts, each.thread_ts) and not each.deleted]

    def root(self, channel: Channel, ts: str) -> None:
        """Raises SlackError unless a reply to this message can be posted."""
        parent = channel.messages.get(ts)
        if parent is None or (parent.deleted and not self.thread(channel, ts)):
            raise SlackError("thread_not_found")
        if parent.thread_ts not in (None, ts):
            raise SlackError("cannot_reply_to_message")

    def post(self, message: Message) -> Message:
        """Puts a message into its channel; what the app says in a thread ends its status there."""
        with self.changed:
            channel = self.channel(message.channel)
            channel.messages[message.ts] = message
            parent = channel.messages.get(message.thread_ts or "")
            if parent is not None:
                parent.thread_ts = parent.ts
            shown = self.threads.get((message.channel, message.thread_ts or message.ts))
            if message.bot_id and shown:
                shown.status = ""
            message.keep()
            self.tell("posted", message)
            return message

    def tell(self, what: str, message: Message, before: Body | None = None) -> None:
        """Notes that a message was posted, edited or deleted. before: what it was."""
        self.changed.notify_all()
        if message.bot_id and self.on_message:
            self.on_message(what, message, before)

    def new_trigger(self, user: str, team: str, view: str | None = None) -> str:
        """A trigger_id."""
        with self.changed:
            name = f"{self.number('trigger')}.{FIRST}.{team.lower()}"
            self.triggers[name] = Trigger(user, team, time.monotonic(), view)
            return name

    def use_trigger(self, name: Any) -> Trigger:
        """Spends a trigger_id."""
        trigger = self.triggers.get(name) if isinstance(name, str) else None
        if trigger is None:
            raise SlackError("invalid_trigger_id" if name else "invalid_arguments")
        if trigger.used:
            raise SlackError("exchanged_trigger_id")
        if time.monotonic() - trigger.at > TRIGGER:
            raise SlackError("expired_trigger_id")
        trigger.used = True
        return trigger

    def expire_triggers(self) -> None:
        """Makes all trigger_ids that there are too old."""
        with self.changed:
            for trigger in self.triggers.values():
                trigger.at = float("-inf")

    def sees_ephemeral(self, channel: str, user: str) -> list[Message]:
        """What only this person sees in a channel, in order."""
        found = self.ephemerals.get((channel, user), {}).values()
        return [message for message in sorted(found, key=lambda each: each.ts) if not message.deleted]

    def until(self, holds: Callable[[], Any], seconds: float) -> Any:
        """Waits until a condition holds, on the state or beyond it; gives what it gave. Raises TimeoutError."""
        deadline = time.monotonic() + seconds
        with self.changed:
            while not (found := holds()):
                if time.monotonic() > deadline:
                    raise TimeoutError(f"not so after {seconds:g} s")
                self.changed.wait(0.1)  # nobody tells of what changes in a database
            return found
