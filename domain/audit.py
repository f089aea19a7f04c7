"""What administrators did, what was shared and what was erased: an entry each, for whoever has to account for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:  # what it imports takes a moment, and each command imports this module
    from domain.conversation import Participant

AuditAction = Literal[
    "source_added",
    "source_changed",
    "source_removed",
    "reindex",
    "prune_confirmed",
    "index_switched",
    "index_rolled_back",
    "index_discarded",
    "schedule_run",
    "answer_shared",
    "person_exported",
    "person_erased",
    "token_made",
    "token_revoked",
    "signed_in",
]
"""What was done. `reindex`, `prune_confirmed`, `schedule_run` and `person_exported` say that it was begun: `kb runs`
and `kb schedule` say how it ended. `signed_in`: an administrator, to the pages. The others say that it is done."""


EVERY_SOURCE = "*"
"""The subject of what is about all sources."""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One act."""

    actor: "Participant"
    """Who did it; on the platform `terminal`, an account of the machine. The id is empty where the person is erased."""
    action: AuditAction
    subject: str = ""
    """To what: the name of a source or a job, the number of a question, a token or an index version. Never an
    address."""
    detail: Mapping[str, object] = field(default_factory=dict)
    """More of it, as JSON. `person`: the ids of whom it was about, as `slack:U123` or an address."""


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """An entry as it is kept."""

    number: int
    at: datetime
    entry: AuditEntry


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Which entries are wanted."""

    since: datetime
    action: AuditAction | None = None
    actors: tuple[tuple[str, str], ...] = ()
    """Platform and id of those whose entries are wanted; none for everybody's."""


class AuditLog(Protocol):
    """The audit log. All methods raise Transient when the database is away."""

    async def record(self, entry: AuditEntry) -> int:
        """Adds an entry. Returns its number, which is higher than those of all that were returned before. Characters
        of the actor and the subject that the database cannot store are replaced. Where the connection is lost
        meanwhile, the entry may be there twice."""

    async def entries(self, wanted: AuditFilter, limit: int) -> list[AuditRecord]:
        """The newest of the entries that are wanted, newest first."""

    async def prune(self, *, before: datetime) -> int:
        """Removes entries from before then. Returns how many."""
