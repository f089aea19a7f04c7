"""The audit log, in PostgreSQL. The application's role adds to it and reads it; only the tables' owner removes."""

import json
from datetime import datetime
from typing import Any

from domain.audit import AuditEntry, AuditFilter, AuditRecord
from domain.conversation import Participant
from domain.text.encodable import storable
from storage.server.engine import AsyncConnection, Engine, text
from storage.server.pool import Connection, ConnectionPool
from storage.server.transactions import transaction

_COLUMNS = "INSERT INTO audit_entries (platform, actor, action, subject, detail) VALUES "
_ADD = text(f"{_COLUMNS} (:platform, :actor, :action, :subject, CAST(:detail AS jsonb)) RETURNING entry_no")
_RECORD = (
    f"{_COLUMNS} (%(platform)s, %(actor)s, %(action)s, %(subject)s, %(detail)s::jsonb) RETURNING entry_no".encode()
)
_ENTRIES = b"""
    SELECT entry_no, at, platform, actor, action, subject, detail FROM audit_entries
    WHERE at >= %(since)s AND (%(action)s::text IS NULL OR action = %(action)s)
        AND (%(everybody)s OR platform || ':' || actor = ANY(%(actors)s))
    ORDER BY entry_no DESC LIMIT %(limit)s
"""
_PRUNE = text("DELETE FROM audit_entries WHERE at < :before")


class PostgresAuditLog:
    """The domain.audit.AuditLog of all processes over one database. engine: connects as the owner of the tables."""

    def __init__(self, pool: ConnectionPool, engine: Engine) -> None:
        self._pool = pool
        self._engine = engine

    async def record(self, entry: AuditEntry) -> int:
        return int((await self._pool.fetch_one(_RECORD, **_values(entry))).entry_no)

    async def entries(self, wanted: AuditFilter, limit: int) -> list[AuditRecord]:
        values = {
            "since": wanted.since,
            "action": wanted.action,
            "everybody": not wanted.actors,
            "actors": [f"{platform}:{actor}" for platform, actor in wanted.actors],
        }
        return [_record(row) for row in await self._pool.fetch_all(_ENTRIES, limit=limit, **values)]

    async def prune(self, *, before: datetime) -> int:
        async with transaction(self._engine) as connection:
            return (await connection.execute(_PRUNE, {"before": before})).rowcount


async def add_entry(connection: AsyncConnection, entry: AuditEntry) -> int:
    """Adds an entry in the transaction of what it is about; returns its number."""
    return int((await connection.execute(_ADD, _values(entry))).scalar_one())


async def note(connection: Connection, entry: AuditEntry) -> None:
    """Adds an entry in the transaction of what it is about, by a connection of the application."""
    await connection.execute(_RECORD, _values(entry))


def _values(entry: AuditEntry) -> dict[str, object]:
    return {
        "platform": entry.actor.platform,
        "actor": storable(entry.actor.id),
        "action": entry.action,
        "subject": storable(entry.subject),
        "detail": json.dumps(dict(entry.detail)),
    }


def _record(row: Any) -> AuditRecord:
    actor = Participant(row.platform, row.actor)
    return AuditRecord(row.entry_no, row.at, AuditEntry(actor, row.action, row.subject, row.detail))
