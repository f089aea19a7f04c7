"""What the pipeline asks of a source."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from domain.access import Acl


@dataclass(frozen=True, slots=True)
class Listed:
    """One document as a listing shows it.

    external_id: its id in the source. path: where it lies, `/` between parts. url: where a reader opens it.
    title: the source's own title for it; empty when only the content tells.
    modified_at: when the source says it changed; None when it does not say.
    """

    external_id: str
    path: str
    url: str
    title: str = ""
    modified_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Fetched:
    """A document's raw content.

    name: a file name that tells the format where `media_type` does not. media_type: empty when unknown.
    """

    raw: bytes
    name: str
    media_type: str = ""


@dataclass(frozen=True, slots=True)
class Passed:
    """Something that was found and is not indexed, and why. What the index already holds of it stays.

    external_id: as `Listed` would have it. path: for people.
    below: whether everything whose id begins with `external_id` is passed over with it.
    """

    external_id: str
    path: str
    reason: str
    below: bool = False


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
