"""What the local Atlassian keeps of people and of the wiki, and the calls that came in. No behaviour here."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

Body = dict[str, Any]


class AtlassianError(Exception):
    """A request is refused. status: of HTTP. message: for the body, whose form depends on the product."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


@dataclass
class User:
    """A person or a service account. id: Cloud's account id. key, name: Data Center's. hidden: no e-mail on Cloud."""

    id: str
    key: str
    name: str
    display: str
    email: str
    hidden: bool = False
    active: bool = True
    kind: str = "atlassian"
    zone: str = "Europe/Berlin"


@dataclass
class Group:
    """members: user ids. groups: names of the groups within it, whose members are its members."""

    id: str
    name: str
    members: set[str] = field(default_factory=set)
    groups: set[str] = field(default_factory=set)


@dataclass
class Account:
    """Credentials of a user, and what the products let it do.

    scoped: an API token that works on the gateway only. scopes: None is all. sees_all: reads content despite
    permissions and restrictions, as a super-user of Confluence. admin: may read permission schemes, groups and space
    permissions. state: active, expired or revoked. label: the token's name. expires: when, as Data Center tells it;
    empty: never.
    """

    user: str
    secret: str
    scoped: bool = False
    scopes: set[str] | None = None
    sees_all: bool = False
    admin: bool = True
    state: str = "active"
    label: str = "kb"
    expires: str = ""


@dataclass
class Readers:
    """Who may do something. users: ids. groups: names. everyone: also without an account."""

    users: set[str] = field(default_factory=set)
    groups: set[str] = field(default_factory=set)
    everyone: bool = False


@dataclass
class Space:
    """A space. view: who has the permission to view it. status: current or archived."""

    id: str
    key: str
    name: str
    view: Readers
    kind: str = "global"
    status: str = "current"
    created: datetime | None = None
    author: str = ""
    home: str = ""


@dataclass
class Version:
    """One version of a page, comment or attachment."""

    number: int
    at: datetime
    by: str
    message: str = ""
    title: str = ""
    storage: str = ""


@dataclass
class Attachment:
    """A file on a page or an issue. owner: its page's or issue's id. former: what earlier versions held, by number."""

    id: str
    owner: str
    name: str
    content: bytes
    media_type: str
    author: str
    created: datetime
    versions: list[Version] = field(default_factory=list)
    comment: str = ""
    status: str = "current"
    former: dict[int, bytes] = field(default_factory=dict)


@dataclass
class PageComment:
    """A comment on a page. place: footer or inline. parent: the comment that it answers. resolution: inline only."""

    id: str
    page: str
    place: str
    versions: list[Version]
    parent: str = ""
    selection: str = ""
    resolution: str = "open"
    status: str = "current"


@dataclass
class Page:
    """A page or blog post. readers: who may view it, None without a restriction of its own. adf: made when empty.

    status: current, archived, trashed, draft or deleted, which is trash that was emptied.
    """

    id: str
    space: str
    kind: str
    parent: str
    versions: list[Version]
    created: datetime
    author: str
    position: int = 0
    status: str = "current"
    labels: list[str] = field(default_factory=list)
    readers: Readers | None = None
    editors: Readers | None = None
    adf: Body | None = None

    @property
    def version(self) -> Version:
        """The present one."""
        return self.versions[-1]

    @property
    def title(self) -> str:
        """The present title."""
        return self.version.title


@dataclass
class Call:
    """One request. front: site, gateway, media, confluence or jira. user: the caller's id, empty without one.

    status: of HTTP, 0 when the connection was dropped or nothing was sent yet. authorized: it carried credentials.
    """

    front: str
    method: str
    path: str
    query: Body
    at: float
    user: str = ""
    status: int = 0
    authorized: bool = False
    body: Any = None
