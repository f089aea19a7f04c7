"""What the local Slack keeps: workspaces, people, channels, messages, views, and the calls that came in."""

import copy
from dataclasses import dataclass, field
from typing import Any

Body = dict[str, Any]

APP = "A0LOCALAPP"

SCOPES = frozenset(
    {
        "app_mentions:read",
        "assistant:write",
        "channels:history",
        "channels:read",
        "chat:write",
        "commands",
        "files:read",
        "groups:history",
        "groups:read",
        "im:history",
        "im:read",
        "im:write",
        "mpim:history",
        "mpim:read",
        "users:read",
        "users:read.email",
    }
)
"""What an app is given when it is installed, unless a test takes some away."""


class SlackError(Exception):
    """A method says no. code: Slack's word for it. messages: for response_metadata. more: further fields."""

    def __init__(self, code: str, *messages: str, **more: Any) -> None:
        super().__init__(code)
        self.code = code
        self.messages = messages
        self.more = more

    def body(self) -> Body:
        """The response."""
        content: Body = {"ok": False, "error": self.code, **self.more}
        if self.messages:
            content["errors"] = list(self.messages)
            content["response_metadata"] = {"messages": [f"[ERROR] {message}" for message in self.messages]}
        return content


@dataclass
class Workspace:
    """One installation of the app. scopes: what it may do. state: installed, revoked or uninstalled."""

    id: str
    name: str
    bot_user: str
    bot_id: str
    token: str
    scopes: set[str] = field(default_factory=lambda: set(SCOPES))
    state: str = "installed"


@dataclass
class User:
    """A person or a bot. team: its home; is_stranger: of another organisation, met in a shared channel."""

    id: str
    name: str
    team: str
    email: str | None = None
    is_bot: bool = False
    is_restricted: bool = False
    is_ultra_restricted: bool = False
    is_stranger: bool = False
    deleted: bool = False
    tz: str | None = "Europe/Berlin"
    is_email_confirmed: bool = True
    is_invited_user: bool = False
    bot_id: str | None = None

    def presented(self, *, email: bool) -> Body:
        """The user as the Web API has it. email: whether the app may see the address."""
        profile: Body = {"real_name": self.name, "display_name": self.name, "team": self.team}
        if email and self.email is not None:
            profile["email"] = self.email
        if self.bot_id:
            profile |= {"bot_id": self.bot_id, "api_app_id": APP}
        content: Body = {"id": self.id, "team_id": self.team, "name": self.name.lower().replace(" ", ".")}
        content |= {"deleted": self.deleted, "is_bot": self.is_bot, "profile": profile, "updated": 1_700_000_000}
        if not self.deleted:
            content |= {"real_name": self.name, "tz": self.tz, "is_restricted": self.is_restricted}
            content |= {"is_ultra_restricted": self.is_ultra_restricted, "is_stranger": self.is_stranger}
            content |= {"is_email_confirmed": self.is_email_confirmed, "is_app_user": False, "is_admin": False}
            content |= {"is_invited_user": True} if self.is_invited_user else {}
        return content


@dataclass
class Message:
    """A message, or an ephemeral one. versions: its earlier forms as the API had them, oldest first, then the present.

    chunks: what a stream brought so far. stream: `markdown_text` or `chunks`, the form that it was opened with.
    """

    channel: str
    ts: str
    user: str
    text: str = ""
    blocks: list[Body] = field(default_factory=list)
    attachments: list[Body] = field(default_factory=list)
    bot_id: str | None = None
    team: str = ""
    thread_ts: str | None = None
    subtype: str | None = None
    metadata: Body | None = None
    edited: Body | None = None
    deleted: bool = False
    streaming_state: str | None = None
    stream: str | None = None
    display: str = "timeline"
    chunks: list[Body] = field(default_factory=list)
    recipient: str | None = None
    files: list[Body] = field(default_factory=list)
    options: Body = field(default_factory=dict)
    versions: list[Body] = field(default_factory=list)

    def presented(self, *, metadata: bool = False) -> Body:
        """The message as the Web API has it. metadata: whether it was asked for."""
        content: Body = {"type": "message", "user": self.user, "text": self.text, "ts": self.ts, "team": self.team}
        optional = {
            "subtype": self.subtype,
            "thread_ts": self.thread_ts,
            "blocks": self.blocks,
            "attachments": self.attachments,
            "edited": self.edited,
            "files": self.files,
            "streaming_state": self.streaming_state,
        }
        content |= {name: copy.deepcopy(value) for name, value in optional.items() if value}
        if self.bot_id:
            content |= {"bot_id": self.bot_id, "app_id": APP}
        if metadata and self.metadata:
            content["metadata"] = copy.deepcopy(self.metadata)
        return content

    def keep(self) -> None:
        """Adds what it is now to its versions."""
        self.versions.append(self.presented(metadata=True))


@dataclass
class Channel:
    """A conversation. teams: the workspaces that see it. streams: whether this kind of channel takes streams."""

    id: str
    name: str
    teams: list[str]
    members: list[str] = field(default_factory=list)
    is_im: bool = False
    is_mpim: bool = False
    is_private: bool = False
    is_ext_shared: bool = False
    is_archived: bool = False
    streams: bool = True
    messages: dict[str, Message] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """The word that events have for it."""
        if self.is_im:
            return "im"
        if self.is_mpim:
            return "mpim"
        return "group" if self.is_private else "channel"

    def presented(self, bot: str) -> Body:
        """The channel as the Web API has it. bot: who asks."""
        content: Body = {"id": self.id, "created": 1_700_000_000, "is_archived": self.is_archived}
        content |= {"is_im": self.is_im, "is_mpim": self.is_mpim, "is_private": self.kind != "channel"}
        content |= {"is_ext_shared": self.is_ext_shared, "is_shared": self.is_ext_shared, "is_org_shared": False}
        if self.is_im:
            return content | {"user": next((each for each in self.members if each != bot), bot)}
        content |= {"name": self.name, "is_channel": self.kind == "channel", "is_group": self.kind == "group"}
        content |= {"is_member": bot in self.members, "shared_team_ids": list(self.teams)}
        return content | {"context_team_id": self.teams[0], "topic": {"value": ""}, "purpose": {"value": ""}}


@dataclass
class View:
    """A modal. content: as it was given. state: open, submitted or closed. errors: shown under its inputs, by block."""

    id: str
    user: str
    team: str
    content: Body
    hash: str
    root: str
    previous: str | None = None
    state: str = "open"
    errors: dict[str, str] = field(default_factory=dict)
    versions: list[Body] = field(default_factory=list)

    def presented(self, values: Body | None = None) -> Body:
        """The view as the Web API has it. values: what was entered."""
        more: Body = {"id": self.id, "team_id": self.team, "app_id": APP, "hash": self.hash, "root_view_id": self.root}
        more |= {"previous_view_id": self.previous, "state": {"values": values or {}}, "bot_id": ""}
        defaults: Body = {"private_metadata": "", "callback_id": "", "external_id": "", "notify_on_close": False}
        return copy.deepcopy(defaults | self.content | more)


@dataclass
class AssistantThread:
    """What an app has set on a thread. statuses: all of them, the last one stands."""

    status: str = ""
    title: str = ""
    prompts: list[Body] = field(default_factory=list)
    prompts_title: str = ""
    statuses: list[str] = field(default_factory=list)
    loading_messages: list[str] = field(default_factory=list)


@dataclass
class Call:
    """One call of a Web API method. at: seconds on time.monotonic. response: None until there is one.

    status: of HTTP; 0 when the connection was dropped instead.
    """

    method: str
    args: Body
    token: str
    at: float
    team: str = ""
    status: int = 0
    response: Body | None = None

    @property
    def ok(self) -> bool:
        """Whether it was answered with ok."""
        return bool(self.response and self.response.get("ok"))
