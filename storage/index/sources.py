"""Configured sources of documents."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from domain.errors import Refused, Transient
from storage.index.runs import close_runs_of
from storage.permissions.acl_epoch import visibility_transaction
from storage.server.engine import AsyncConnection, Engine, text
from storage.server.pool import ConnectionPool
from storage.server.transactions import transaction

if TYPE_CHECKING:
    from domain.audit import AuditAction
    from domain.conversation import Participant


@dataclass(frozen=True, slots=True)
class Source:
    """A source and what its connector needs."""

    name: str
    kind: str
    """Of connector, such as `files` or `confluence`."""
    options: dict[str, object]
    """The connector's own."""


@dataclass(frozen=True, slots=True)
class SourceState:
    """A source and what is held of it."""

    source: Source
    documents: int
    """Shown ones."""
    hidden: int
    """Documents that are missing from the source and not removed yet."""
    last_run_id: int | None
    last_run_state: str | None
    last_finished_at: datetime | None
    """Of its last index run over all its content, as the two fields before."""
    permissions_at: datetime | None = None
    """When its permissions were read; None where never, or the source has none of its own."""
    permissions_until: datetime | None = None
    """Until when these may be relied on."""
    last_done_at: datetime | None = None
    """When the last such run ended that was not broken off."""
    chunks: int = 0
    """Of the shown documents."""
    added_at: datetime | None = None


_STATES = b"""
    SELECT s.name, s.kind, s.options,
           count(d.document_no) FILTER (WHERE d.hidden_at IS NULL AND i.document_no IS NOT NULL) AS documents,
           count(d.document_no) FILTER (WHERE d.hidden_at IS NOT NULL) AS hidden,
           r.run_id, r.state, r.finished_at, s.permissions_at, s.permissions_until,
           (SELECT max(finished_at) FROM runs
            WHERE runs.source = s.name AND kind = 'content' AND state IN ('done', 'attention')) AS done_at,
           coalesce(sum(i.chunks) FILTER (WHERE d.hidden_at IS NULL), 0) AS chunks, s.created_at
    FROM sources s
    LEFT JOIN documents d USING (source_no)
    LEFT JOIN (SELECT document_no, chunks FROM indexed_documents JOIN index_versions USING (version_id)
               WHERE state = 'live') i USING (document_no)
    LEFT JOIN LATERAL (SELECT run_id, state, finished_at FROM runs WHERE runs.source = s.name AND kind = 'content'
                       ORDER BY run_id DESC LIMIT 1) r ON true
    GROUP BY s.source_no, r.run_id, r.state, r.finished_at ORDER BY s.name
"""


class SourceTable:
    """The sources of one database. engine, owner: see storage.server.database.Database. actor: who changes them; each
    change then has its entry in the audit log."""

    def __init__(self, engine: Engine, owner: ConnectionPool, actor: "Participant | None" = None) -> None:
        self._engine = engine
        self._owner = owner
        self._actor = actor

    async def add(self, source: Source) -> None:
        """Stores a new source. Raises Refused when its name is taken."""
        insert = text(
            "INSERT INTO sources (name, kind, options) VALUES (:name, :kind, CAST(:options AS jsonb))"
            " ON CONFLICT (name) DO NOTHING RETURNING source_no"
        )
        values = {"name": source.name, "kind": source.kind, "options": json.dumps(source.options)}
        async with transaction(self._engine) as connection:
            if (await connection.execute(insert, values)).scalar_one_or_none() is None:
                raise Refused(
                    f"There is a source {source.name} already",
                    next_step="Choose another name, or remove it first: kb sources remove " + source.name,
                )
            await self._note(connection, "source_added", source.name, kind=source.kind)

    async def replace(self, source: Source) -> None:
        """Stores new options for the source of that name."""
        update = text("UPDATE sources SET kind = :kind, options = CAST(:options AS jsonb) WHERE name = :name")
        values = {"name": source.name, "kind": source.kind, "options": json.dumps(source.options)}
        async with transaction(self._engine) as connection:
            await connection.execute(update, values)
            await self._note(connection, "source_changed", source.name, kind=source.kind)

    async def get(self, name: str) -> Source:
        """The source of that name. Raises Refused when there is none."""
        for state in await self.states():
            if state.source.name == name:
                return state.source
        raise Refused(f"There is no source {name}", next_step="See: kb sources list")

    async def all_sources(self) -> list[Source]:
        """All sources by name, without what is held of them, which has to be counted."""
        rows = await self._owner.fetch_all(b"SELECT name, kind, options FROM sources ORDER BY name")
        return [Source(row.name, row.kind, row.options) for row in rows]

    async def states(self) -> list[SourceState]:
        """All sources by name."""
        rows = await self._owner.fetch_all(_STATES)
        return [SourceState(Source(*row[:3]), *row[3:]) for row in rows]

    async def remove(self, name: str) -> int:
        """Removes a source with all its documents; returns how many those were. Raises Refused when there is none."""
        from storage.index.writer import remove_documents

        await self.get(name)
        async with visibility_transaction(self._engine) as change:
            connection, change.visibility_changed = change.connection, True
            await _refuse_running(connection, name)
            await close_runs_of(connection, name)
            # waits for documents that are being written, and makes later ones find no source
            lock = text("SELECT source_no FROM sources WHERE name = :name FOR UPDATE")
            await connection.execute(lock, {"name": name})
            query = text("SELECT document_no FROM documents JOIN sources USING (source_no) WHERE name = :name")
            numbers = list((await connection.execute(query, {"name": name})).scalars())
            await remove_documents(connection, numbers)
            await connection.execute(text("DELETE FROM sources WHERE name = :name"), {"name": name})
            await self._note(connection, "source_removed", name, documents=len(numbers))
        return len(numbers)

    async def _note(self, connection: AsyncConnection, action: "AuditAction", name: str, **detail: object) -> None:
        if self._actor is not None:
            from domain.audit import AuditEntry
            from storage.privacy.audit_log import add_entry

            await add_entry(connection, AuditEntry(self._actor, action, name, detail))


async def _refuse_running(connection: AsyncConnection, name: str) -> None:
    """Raises Transient while a process indexes the source, or reads its permissions: see storage.index.runs."""
    lock = text("SELECT pg_try_advisory_xact_lock(hashtextextended('kb-agent/' || :lock, 0))")
    for each in (f"source/{name}", f"permissions/{name}"):
        if not (await connection.execute(lock, {"lock": each})).scalar_one():
            raise Transient(
                f"The source {name} is being indexed",
                next_step="Wait for that run (kb runs shows it), or stop it first.",
            )
