"""What a local Teams is made of: people, conversations, messages as their readers see them, and calls."""

import copy
from dataclasses import dataclass, field
from typing import Any, Literal

Body = dict[str, Any]

Kind = Literal["personal", "groupChat", "channel"]
"""Conversations, in Teams' own words."""

Operation = Literal["token", "create", "send", "typing", "stream", "final", "update", "delete", "member", "members"]
"""What the app may ask for. send: a message, as a reply too. stream, final: a chunk of a stream, and its end."""


class TeamsError(Exception):
    """What Teams says in the place of doing something. retry_after: in seconds, where it says so."""

    def __init__(self, status: int, code: str, message: str = "", retry_after: float | None = None) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status, self.code, self.message, self.retry_after = status, code, message or code, retry_after


@dataclass(frozen=True)
class Person:
    """Somebody. id: what the app knows them by. aad: of the directory. guest: of another organisation."""

    id: str
    name: str
    aad: str
    email: str | None
    tenant: str
    guest: bool = False

    @property
    def upn(self) -> str:
        """The name they log on with."""
        words = (self.email or f"{self.name}@nowhere.example").lower()
        return f"{words.replace('@', '_')}#EXT#@contoso.onmicrosoft.com" if self.guest else words

    def account(self) -> Body:
        """The person as a member of a conversation."""
        given = {"id": self.id, "name": self.name, "objectId": self.aad, "aadObjectId": self.aad}
        role = "guest" if self.guest else "user"
        known = {"userPrincipalName": self.upn, "email": self.email, "tenantId": self.tenant, "userRole": role}
        return {**given, **known}


@dataclass
class Message:
    """A message as it is seen now. thread: the root's id, in channels. versions: all bodies it had, the last included.
    stream: `live`, or `done` when its stream has come to an end."""

    id: str
    conversation: str
    sender: str
    body: Body
    thread: str = ""
    deleted: bool = False
    stream: Literal["", "live", "done"] = ""
    versions: list[Body] = field(default_factory=list)

    def show(self, body: Body) -> None:
        """Makes it look otherwise."""
        self.body = copy.deepcopy(body)
        self.versions.append(self.body)

    @property
    def text(self) -> str:
        """Its text, without cards."""
        return str(self.body.get("text") or "")


@dataclass
class Conversation:
    """Where people and the app talk. installed: whether the app is in it. streams: whether it takes streams. team: of a
    channel, the id of its team. form: of a channel, `standard`, `private` or `shared`; empty for one of which the app
    is not told. everybody: of a channel, all members of its team, where these are more than `members`."""

    id: str
    kind: Kind
    members: list[str]
    name: str = ""
    team: str = ""
    tenant: str = ""
    installed: bool = True
    streams: bool = True
    form: str = "standard"
    everybody: list[str] = field(default_factory=list)
    messages: dict[str, Message] = field(default_factory=dict)


@dataclass(frozen=True)
class Call:
    """One request of the app. at: seconds on time.monotonic. conversation: without its thread."""

    operation: Operation
    conversation: str
    activity: str
    body: Body
    status: int
    at: float

    @property
    def ok(self) -> bool:
        """Whether it was done, as far as the app was told."""
        return 200 <= self.status < 300


def channel_of(conversation: str) -> tuple[str, str]:
    """The conversation's own id, and the thread's root that stands behind it."""
    base, _, root = conversation.partition(";messageid=")
    return base, root
