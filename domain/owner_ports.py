"""The ports of asking the owner of a document: whom a document belongs to, and what was sent to whom."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from domain.access import Scope


@dataclass(frozen=True, slots=True)
class OwnedDocument:
    """A document with the address of whom it belongs to."""

    document_id: str
    title: str
    owner: str
    """The name, as the document has it; not masked."""
    address: str
    """Of the owner, in lower case."""


class DocumentOwners(Protocol):
    """Knows whom documents belong to."""

    async def owned(self, document_ids: Sequence[str], scope: Scope) -> list[OwnedDocument]:
        """Those of the documents that `scope` may read and whose owner's address is known, in the order given: it
        stands in the document's author, or the source tells it of the account that wrote or reported it. Raises
        Transient when the database is away."""


class OwnerRequests(Protocol):
    """Which questions were sent to an owner. Methods raise Transient when the database is away."""

    async def claim(self, number: int, document_id: str) -> bool:
        """Notes that a question is being sent, before it is. False where it was sent already, or nothing is known of
        the question any more."""

    async def release(self, number: int) -> None:
        """Takes that back: nothing was sent."""

    async def sent(self, number: int) -> bool:
        """Whether a question was sent."""
