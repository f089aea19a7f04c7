"""What is read of Confluence, the same for Cloud and Data Center."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from typing import Any, ClassVar, Literal

from domain.errors import Transient
from indexer.sources.atlassian.client import AtlassianClient
from indexer.sources.atlassian.display_names import DisplayNames
from indexer.sources.atlassian.paging import Params

Row = dict[str, Any]
Kind = Literal["page", "blogpost"]


@dataclass(frozen=True, slots=True)
class ConfluenceSpace:
    """A space."""

    id: str
    key: str
    name: str
    archived: bool
    """Whether it was put away as a whole."""


@dataclass(frozen=True, slots=True)
class ConfluenceScope:
    """The spaces that are read."""

    spaces: tuple[ConfluenceSpace, ...]
    everywhere: bool
    """These are all that the account sees, archived ones apart."""

    @property
    def archived(self) -> bool:
        """Whether archived ones are among them."""
        return any(each.archived for each in self.spaces)


@dataclass(frozen=True, slots=True)
class PageEntry:
    """A page or blog post."""

    id: str
    kind: Kind
    title: str
    space: str
    """Its space's key."""
    number: int
    """Of its present version."""
    at: datetime
    """When its present version was made."""
    link: str
    """Where it is opened, after the site's base."""
    above: tuple[str, ...] | None = ()
    """Ids of everything it lies below, the highest first; None when they could not be told."""
    folders: tuple[str, ...] = ()
    """Titles of the pages among these."""
    labels: tuple[str, ...] | None = None
    """None where the listing does not tell."""
    current: bool = True
    """Not archived."""

    @property
    def external_id(self) -> str:
        """Its id in the index."""
        return f"{'blog' if self.kind == 'blogpost' else 'page'}:{self.id}"

    @property
    def path(self) -> str:
        """Its space, the pages above it and its title."""
        return "/".join((self.space, *(named(each) for each in (*self.folders, self.title))))


@dataclass(frozen=True, slots=True)
class PageComment:
    """A comment."""

    id: str
    page: str
    """The page's id."""
    number: int
    """Of its version."""
    at: datetime
    author: str = ""
    """An account."""
    on: str = ""
    """The words that an inline comment is about."""
    representation: str = ""
    """As of PageBody; empty where only versions were asked for."""
    value: str = ""


@dataclass(frozen=True, slots=True)
class PageAttachment:
    """A file on a page."""

    id: str
    page: str
    """The page's id."""
    name: str
    media_type: str
    size: int
    number: int
    """Of its version."""
    at: datetime
    link: str
    download: str
    """The path of its bytes, after the site's base."""

    @property
    def external_id(self) -> str:
        """Its id in the index."""
        return f"attachment:{self.id}"


@dataclass(frozen=True, slots=True)
class PageBody:
    """A page's content."""

    entry: PageEntry
    author: str
    """An account."""
    representation: str
    """`storage` or `atlas_doc_format`."""
    value: str


@dataclass(frozen=True, slots=True)
class ConfluenceHolder:
    """Who may view something."""

    kind: Literal["user", "group", "anonymous"]
    id: str = ""
    """As principals have it; empty when it is not told."""
    name: str = ""


@dataclass(frozen=True, slots=True)
class ConfluenceGroup:
    """A group."""

    id: str
    """As principals have it."""
    name: str


@dataclass(frozen=True, slots=True)
class ConfluenceAccount:
    """An account."""

    id: str
    name: str
    email: str = ""
    """Empty when it is hidden."""
    active: bool = True
    """Whether it may log in, and belongs to a human being."""
    login: str = field(default="", compare=False)


class ConfluenceApi(ABC):
    """Confluence of one flavour: what the connector asks of it. Everything raises as AtlassianClient does.

    names: of people whom texts mention.
    """

    mention_kind: ClassVar[str]
    """How a text marks an account that it mentions, see DisplayNames."""

    def __init__(self, client: AtlassianClient) -> None:
        self.client = client
        self.names = DisplayNames(self.look_up)

    def person(self, account: str) -> str:
        """How markup identifies an account; empty for none."""
        return f"{self.mention_kind}:{account}" if account else ""

    @abstractmethod
    async def look_up(self, people: Sequence[str]) -> dict[str, str]:
        """Names of people by how markup identifies them, see DisplayNames."""

    @abstractmethod
    def listings(self) -> dict[str, tuple[str, Params]]:
        """What a run lists by itself, each with path and parameters of a request for one row of it."""

    @abstractmethod
    async def spaces(self) -> list[ConfluenceSpace]:
        """All that the account sees."""

    @abstractmethod
    def entries(self, scope: ConfluenceScope) -> AsyncIterator[PageEntry]:
        """All pages and blog posts, archived ones too where they are needed to know what lies below them."""

    @abstractmethod
    def restrictions(self, scope: ConfluenceScope) -> AsyncIterator[Row]:
        """Rows of v1 with the restrictions and the labels of these pages, after `entries`; some may be missing."""

    @abstractmethod
    def comments(self, scope: ConfluenceScope) -> AsyncIterator[PageComment]:
        """The comments on them, and perhaps others, without their bodies."""

    @abstractmethod
    def attachments(self, scope: ConfluenceScope) -> AsyncIterator[PageAttachment]:
        """Their attachments, and perhaps others."""

    @abstractmethod
    async def entry(self, page: str, kind: Kind | None = None) -> PageEntry | None:
        """One page as it is now; None when it is not there, not current, or hidden from the account."""

    @abstractmethod
    async def body(self, page: str, kind: Kind) -> PageBody:
        """One page with its content."""

    @abstractmethod
    async def comments_on(self, page: str, kind: Kind, *, fresh: bool) -> list[PageComment]:
        """All comments on one page, with their bodies. fresh: not relying on what the last `comments` told."""

    @abstractmethod
    async def attachment(self, number: str) -> PageAttachment | None:
        """One attachment; None when it is not there."""

    @abstractmethod
    async def viewers(self, space: ConfluenceSpace) -> list[ConfluenceHolder]:
        """Who has the permission to view a space."""

    @abstractmethod
    async def groups(self) -> list[ConfluenceGroup]:
        """All groups."""

    @abstractmethod
    async def members(self, group: ConfluenceGroup) -> list[ConfluenceAccount]:
        """Who is in a group, also through groups within it."""

    @abstractmethod
    async def people(self, known: Sequence[ConfluenceAccount]) -> tuple[list[ConfluenceAccount], list[tuple[str, str]]]:
        """The accounts with everything that is told of them, and what of that could not be read, and why. known: those
        that groups have."""


def named(title: str) -> str:
    """A title as a part of a path."""
    return title.replace("/", "-").strip() or "-"


def fingerprint(*parts: str) -> str:
    """A short mark that differs when one of the parts does."""
    mark = blake2b(digest_size=12)
    for part in parts:
        mark.update(f"{len(part)}:{part}".encode())
    return mark.hexdigest()


def moment(said: object) -> datetime:
    """A time as Confluence writes it. Raises Transient for anything else: the answer cannot be relied on."""
    try:
        found = datetime.fromisoformat(str(said))
    except ValueError:
        raise Transient("Confluence gave a time that cannot be read", next_step="Try again later.") from None
    if found.tzinfo is None:
        raise Transient("Confluence gave a time without its zone", next_step="Try again later.")
    return found
