"""Owners of documents, and what was sent to them, in memory."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from domain.access import Scope
from domain.errors import Transient
from domain.owner_ports import DocumentOwners, OwnedDocument, OwnerRequests


@dataclass
class MemoryOwners(DocumentOwners):
    """documents: each with a scope that may read it; None for anybody."""

    documents: Sequence[tuple[OwnedDocument, Scope | None]] = ()

    async def owned(self, document_ids: Sequence[str], scope: Scope) -> list[OwnedDocument]:
        readable = {each.document_id: each for each, who in self.documents if who in (None, scope)}
        return [readable[each] for each in document_ids if each in readable]


@dataclass
class MemoryOwnerRequests(OwnerRequests):
    claimed: dict[int, str] = field(default_factory=dict)
    away: bool = False
    """Whether nothing can be released now."""

    async def claim(self, number: int, document_id: str) -> bool:
        if number in self.claimed:
            return False
        self.claimed[number] = document_id
        return True

    async def release(self, number: int) -> None:
        if self.away:
            raise Transient("The database is away")
        self.claimed.pop(number, None)

    async def sent(self, number: int) -> bool:
        return number in self.claimed
