"""Why somebody may see a document, or may not, as values."""

from dataclasses import dataclass
from datetime import datetime

from domain.access import Acl, Clause, Principal


@dataclass(frozen=True, slots=True)
class ExplainedClause:
    """One clause of a document's ACL."""

    principals: Clause
    met_by: Clause
    """Those of them that the reader is; none where the clause is not met."""
    alike: int
    """How many documents of the same space have this clause, this one included; counted in the source where it has no
    spaces."""

    @property
    def met(self) -> bool:
        """Whether the reader is one of its principals."""
        return bool(self.met_by)


@dataclass(frozen=True, slots=True)
class ExplainedAccess:
    """Whom a document admits, and how somebody meets that."""

    source: str
    space: str
    """Empty where its source has none."""
    documents: int
    """Shown documents of the space, or of the source."""
    clauses: tuple[ExplainedClause, ...]
    known_as: Clause
    """What the reader is in this source, by its directory: accounts, groups and their own address."""
    acl_at: datetime | None
    """When the ACL was read; None where the source says nothing of it."""
    permissions_until: datetime | None
    """Until when what the source says of rights may be relied on; None where it says nothing."""
    shown: bool
    """Whether the document is in the index, and not hidden."""
    parts: int = 0
    """Parts of it with an ACL of their own, such as comments for some."""
    parts_met: int = 0
    """Those of them whose ACL the reader meets."""

    @property
    def may_see(self) -> bool:
        """Whether the reader finds it."""
        return self.shown and all(each.met for each in self.clauses)


def explained_clauses(acl: Acl, reader: frozenset[Principal], alike: dict[Clause, int]) -> tuple[ExplainedClause, ...]:
    """The clauses in a stable order, those that are not met first. reader: all principals that the reader is. alike:
    how many documents have each clause."""
    rows = [ExplainedClause(each, each & reader, alike.get(each, 0)) for each in acl.clauses]
    return tuple(sorted(rows, key=lambda row: (row.met, -row.alike, sorted(map(str, row.principals)))))
