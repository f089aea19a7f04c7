"""What an index run asks of a source: the protocols of a connector, and what it gives."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol, runtime_checkable

from domain.access import Acl, SourceDirectory
from domain.errors import KbError, Refused
from domain.knowledge_graph import Link


@dataclass(frozen=True, slots=True)
class ListedDocument:
    """One document as a listing shows it."""

    external_id: str
    """Its id in the source."""
    path: str
    """Where it lies, `/` between parts."""
    url: str
    """Where a reader opens it."""
    title: str = ""
    """The source's own title for it; empty when only the content tells."""
    modified_at: datetime | None = None
    """When the source says it changed; None when it does not say."""
    acl: Acl | None = None
    """Who may read it, where the source says so of each document; None: as the connector says of all."""
    version: str = ""
    """Two equal ones have equal content, so that nothing need be read; empty when only the content tells."""
    version_of_all: bool = True
    """Whether `version` covers all of the text, so that a text that is read now may be stored under it. A listing of
    readers may leave out a part of what a listing takes into it."""
    parts: frozenset[str] | None = None
    """Marks without spaces of the parts of its text that may be closed to its readers one by one, such as the comments
    on an issue. A text that is read now holds no other. None where there is nothing of the kind."""
    attached: bool = False
    """Whether it is a file of another document: where it is refused, that says nothing of the other one."""
    stamped: bool = False
    """Whether `modified_at` is a file's time stamp: of the copy or the check-out, and no date of the text."""


@dataclass(frozen=True, slots=True)
class FetchedDocument:
    """A document's raw content."""

    raw: bytes
    name: str
    """A file name that tells the format where `media_type` does not."""
    media_type: str = ""
    """Empty when unknown."""
    links: tuple[Link, ...] = ()
    """Its relations to other things, where the source states them beside the content."""


@dataclass(frozen=True, slots=True)
class SkippedDocument:
    """Something that was found and is not indexed. What the index already holds of it stays, unless it is `gone`."""

    external_id: str
    """As `ListedDocument` would have it."""
    path: str
    """For people."""
    reason: str
    """Why it is not indexed, for people."""
    below: bool = False
    """Whether everything whose id begins with `external_id` is skipped with it."""
    acl: Acl | None = None
    """Who may read what the index holds of it from now on. Where a source states permissions and gives none, nobody
    may."""
    gone: bool = False
    """Whether it is told of, and not there all the same: what the index holds of it is treated as missing."""


class NotThere(Refused):
    """What was asked for is not there, or not for this account, such as after status 404."""


class LookupUnsupported(Refused):
    """The source cannot look this document up by name; this implies nothing about its permissions."""


class Connector(Protocol):
    """Lists the documents of one source and reads them."""

    @property
    def acl(self) -> Acl:
        """Whom the source's documents admit."""

    def listing(self) -> AsyncIterator[ListedDocument | SkippedDocument]:
        """Everything the source has, once each. A listing that ends without an error is complete.

        Raises:
            Refused: the source is not there or does not admit us.
            Transient: the listing broke off.
        """

    async def fetch(self, item: ListedDocument) -> FetchedDocument:
        """The content of one listed document.

        Raises:
            Refused: it cannot be read, and trying again will not help.
            Transient: it could not be read now.
        """


@runtime_checkable
class PermissionSource(Protocol):
    """A connector whose source says of each document whom it admits: what its listing and its changes give has an ACL,
    made with what was read of people, groups, spaces and projects by the last call of `permissions`."""

    async def permissions(self) -> SourceDirectory:
        """Reads who the people are and what holds for many documents at once. What cannot be read of it admits nobody.

        Raises:
            Refused: the source is not there or does not admit us.
            Transient: it does not answer.
        """

    @property
    def unreadable(self) -> Sequence[tuple[str, str]]:
        """Path and reason of everything whose permissions could not be read since `permissions` was called, and which
        therefore admits nobody."""


@runtime_checkable
class ReadersSource(Protocol):
    """A connector that can tell whom its documents admit with less work than a listing takes."""

    def readers(self) -> AsyncIterator[ListedDocument | SkippedDocument]:
        """As `listing`. If the version equals what `listing` would give, the content is complete; any other value must
        be ignored. Set version_of_all=False if parts may be missing.

        Raises as `listing` does.
        """


@runtime_checkable
class ChangeSource(Protocol):
    """A connector that can tell what changed."""

    def changes(self, since: datetime) -> AsyncIterator[ListedDocument | SkippedDocument]:
        """What changed after `since`, and perhaps more; each once, oldest change first. Deletions are not in it, nor
        what moved along with something else.

        Raises as `listing` does.
        """


@runtime_checkable
class SingleSource(Protocol):
    """A connector that can look at one document without listing all, nor reading who the people are."""

    async def orient(self) -> None:
        """Reads what `one` takes for granted: which spaces or projects belong to the source, who may use the product at
        all, and which groups stand for the organisation. A few requests, however many people there are. Where it was
        not called, `one` calls `permissions` first.

        Raises as PermissionSource.permissions does.
        """

    async def one(self, name: str) -> ListedDocument | None:
        """The document that `name` (an id, a key, a URL) names, as it is listed now, its permissions read anew; None
        when there is none that we may see.

        Raises Transient and Refused as `fetch` does.
        """


@runtime_checkable
class RemoteSource(Protocol):
    """A connector that asks a server: several documents at one time, and it counts its requests."""

    @property
    def at_once(self) -> int:
        """How many documents may be fetched at one time."""

    @property
    def requests(self) -> int:
        """Requests made since it was opened, repeated ones included."""


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """One thing that was looked at. what, why, next_step: as of domain.errors.KbError."""

    level: Literal["ok", "warning", "error"]
    """`error` when an index run would fail or admit nobody, `warning` when less than expected is read or admitted."""
    what: str
    why: str = ""
    next_step: str = ""

    @classmethod
    def of(cls, error: KbError) -> "CheckFinding":
        """An error as a finding."""
        return cls("error", error.what, error.why, error.next_step)


@runtime_checkable
class CheckableSource(Protocol):
    """A connector that can say how it stands with its source."""

    async def check(self) -> list[CheckFinding]:
        """What works and what does not, the most basic first. It raises nothing: errors are findings."""
