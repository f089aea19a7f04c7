"""One call of a Web API method: its arguments, who calls, and what it may touch."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tests.fakes.slack.blocks import parsed
from tests.fakes.slack.records import Body, Channel, Message, SlackError, Workspace
from tests.fakes.slack.world import World

METADATA = 16_000


@dataclass(frozen=True)
class ApiCall:
    """A call by an installed app."""

    world: World
    workspace: Workspace
    args: Body

    def word(self, name: str) -> str:
        """A required argument."""
        value = self.args.get(name)
        if value is None or value == "":
            raise SlackError("invalid_arguments", f"missing required field: {name}")
        return str(value)

    def flag(self, name: str) -> bool:
        """A boolean, as JSON or as a form has it."""
        return str(self.args.get(name, "")).lower() in {"true", "1"}

    def channel(self, name: str = "channel") -> Channel:
        """The channel that an argument names, if the app can see it. A person's id stands for the DM."""
        wanted = str(self.args.get(name) or "")
        user = self.world.users.get(wanted)
        if user is not None:
            return self.world.dm(user.id, self.workspace.id)
        channel = self.world.channels.get(wanted)
        if channel is None or self.workspace.id not in channel.teams:
            raise SlackError("channel_not_found")
        if (channel.is_private or channel.is_im or channel.is_mpim) and not self.member(channel):
            raise SlackError("channel_not_found")
        return channel

    def readable(self, channel: Channel, what: Literal["read", "history"]) -> Channel:
        """The channel, if the app has the scope for conversations of its kind."""
        kind = "groups" if channel.is_private else "channels"
        scope = f"{'im' if channel.is_im else 'mpim' if channel.is_mpim else kind}:{what}"
        if scope not in self.workspace.scopes:
            provided = ",".join(sorted(self.workspace.scopes))
            raise SlackError("missing_scope", needed=scope, provided=provided)
        return channel

    def member(self, channel: Channel) -> bool:
        """Whether the app is in a channel."""
        return self.workspace.bot_user in channel.members

    def joined(self, name: str = "channel") -> Channel:
        """A channel that the app is in."""
        channel = self.channel(name)
        if not self.member(channel):
            raise SlackError("not_in_channel")
        return channel

    def open_channel(self) -> Channel:
        """A channel that the app can post to."""
        channel = self.joined()
        if channel.is_archived:
            raise SlackError("is_archived")
        return channel

    def message(self, channel: Channel, name: str = "ts") -> Message:
        """The message that an argument names."""
        return self.world.message(channel.id, str(self.args.get(name) or ""))

    def metadata(self) -> Body | None:
        """The message metadata that came along."""
        if self.args.get("metadata") in (None, ""):
            return None
        value = parsed(self.args["metadata"])
        if not isinstance(value, dict) or not isinstance(value.get("event_type"), str):
            raise SlackError("invalid_metadata_format")
        if not isinstance(value.get("event_payload"), dict):
            raise SlackError("invalid_metadata_format")
        if len(json.dumps(value)) > METADATA:
            raise SlackError("metadata_too_large")
        return value

    def page(self, rows: Sequence[Any], default: int = 100) -> tuple[list[Any], Body]:
        """One page of rows, and the response_metadata with the cursor to the next one."""
        try:
            limit = int(self.args.get("limit") or default)
            start = int(str(self.args.get("cursor") or "next:0").removeprefix("next:"))
        except ValueError:
            raise SlackError("invalid_cursor") from None
        if not 0 < limit <= 1000:
            raise SlackError("invalid_limit")
        if not 0 <= start <= len(rows):
            raise SlackError("invalid_cursor")
        end = start + limit
        cursor = f"next:{end}" if end < len(rows) else ""
        return list(rows[start:end]), {"next_cursor": cursor}


Method = Callable[[ApiCall], Body]
Methods = dict[str, tuple[Method, frozenset[str]]]
"""By name: what it does, and the scopes of which the app needs one."""
