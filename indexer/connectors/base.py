"""What the pipeline asks of a source."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, runtime_checkable

from domain.access import Acl, Directory
from domain.graph import Link


@dataclass(frozen=True, slots=True)
class Listed:
    """One document as a listing shows it.

    external_id: its id in the source. path: where it lies, `/` between parts. url: where a reader opens it.
    title: the source's own title for it; empty when only the content tells.
    modified_at: when the source says it changed; None when it does not say.
    acl: whom it admits, where the source says so of each document; None: as the connector says of all.
    version: equal ones have equal content, so that nothing need be read; empty when only the content tells.
    parts: marks, without spaces, of what its text holds that its readers may be barred from one by one, such as the
        comments on an issue; a text that is read now holds no other. None where there is nothing of the kind.
    """

    external_id: str
    path: str
    url: str
    title: str = ""
    modified_at: datetime | None = None
    acl: Acl | None = None
    version: str = ""
    parts: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Fetched:
    """A document's raw content.

    name: a file name that tells the format where `media_type` does not. media_type: empty when unknown.
    links: how it hangs together with other things, where the source states that beside the content.
    """

    raw: bytes
    name: str
    media_type: str = ""
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Passed:
    """Something that was found and is not indexed, and why. What the index already holds of it stays.

    external_id: as `Listed` would have it. path: for people.
    below: whether everything whose id begins with `external_id` is passed over with it.
    acl: whom what is held of it admits from now on, as of `Listed`; a source that states permissions and gives none
        here has nobody admitted.
    """

    external_id: str
    path: str
    reason: str
    below: bool = False
    acl: Acl | None = None


class Connector(Protocol):
    """Lists the documents of one source and reads them."""

    @property
    def acl(self) -> Acl:
        """Whom the source's documents admit."""

    def listing(self) -> AsyncIterator[Listed | Passed]:
        """Everything the source has, once each. A listing that ends without an error is complete.

        Raises:
            Refused: the source is not there or does not admit us.
            Transient: the listing broke off.
        """

    async def fetch(self, item: Listed) -> Fetched:
        """The content of one listed document.

        Raises:
            Refused: it cannot be read, and trying again will not help.
            Transient: it could not be read now.
        """


@runtime_checkable
class PermissionSource(Protocol):
    """A connector whose source says of each document whom it admits: what its listing and its changes give has an ACL,
    made with what was read of people, groups, spaces and projects by the last call of `permissions`."""

    async def permissions(self) -> Directory:
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

    def readers(self) -> AsyncIterator[Listed | Passed]:
        """As `listing`, with versions that mean nothing.

        Raises as `listing` does.
        """


@runtime_checkable
class ChangeSource(Protocol):
    """A connector that can tell what changed."""

    def changes(self, since: datetime) -> AsyncIterator[Listed | Passed]:
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

    async def one(self, name: str) -> Listed | None:
        """The document that `name` (an id, a key, a URL) names, as it is listed now, its permissions read anew; None
        when there is none that we may see.

        Raises Transient and Refused as `fetch` does.
        """


@runtime_checkable
class Parallel(Protocol):
    """A connector of which several documents may be fetched at one time."""

    @property
    def at_once(self) -> int:
        """How many."""


@runtime_checkable
class Counted(Protocol):
    """A connector that counts what it costs its source."""

    @property
    def requests(self) -> int:
        """Requests made since it was opened, repeated ones included."""
