"""An audit log in memory."""

from datetime import UTC, datetime

from domain.audit import AuditEntry, AuditFilter, AuditLog, AuditRecord
from domain.conversation import Participant
from domain.text.encodable import storable


class MemoryAuditLog(AuditLog):
    """Entries in memory. now: the time that the next ones are noted at; none: the time of the machine."""

    def __init__(self) -> None:
        self.kept: list[AuditRecord] = []
        self.now: datetime | None = None
        self._last = 0

    async def record(self, entry: AuditEntry) -> int:
        self._last += 1
        actor = Participant(entry.actor.platform, storable(entry.actor.id))
        kept = AuditEntry(actor, entry.action, storable(entry.subject), entry.detail)
        self.kept.append(AuditRecord(self._last, self.now or datetime.now(UTC), kept))
        return self._last

    async def entries(self, wanted: AuditFilter, limit: int) -> list[AuditRecord]:
        found = [
            each
            for each in reversed(self.kept)
            if each.at >= wanted.since
            and wanted.action in {None, each.entry.action}
            and (not wanted.actors or (each.entry.actor.platform, each.entry.actor.id) in wanted.actors)
        ]
        return found[:limit]

    async def prune(self, *, before: datetime) -> int:
        there = len(self.kept)
        self.kept = [each for each in self.kept if each.at >= before]
        return there - len(self.kept)
