"""Index runs: what was done, when, with what result; and that a source is indexed by one process at a time, and its
permissions are read by one, beside that."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from domain.errors import Refused, Transient
from domain.knowledge_graph import with_blanks_for_controls
from storage.index.shared_batches import GIVE_UP
from storage.server.engine import AsyncConnection, Engine, text
from storage.server.locks import HELD, session_lock
from storage.server.transactions import transaction

RunState = Literal["running", "done", "attention", "interrupted", "failed"]
"""attention: it is done, and an operator has to look at it. failed: it broke off, or nothing could be read."""

RunKind = Literal["content", "permissions", "part", "hint"]
"""content: all that the source has. permissions: whom it admits, and nothing else. part: some of it, as an operator
asked for. hint: some of it, as the source said that it changed."""

LOST = "its process ended before it did"
"""Why a run was broken off that did not come to say so itself."""

_CLOSE = (
    "UPDATE runs SET state = 'interrupted', finished_at = now(),"
    " report = report || jsonb_build_object('reason', CAST(:lost AS text)) WHERE state = 'running'"
)
_LOCK = "CASE kind WHEN 'permissions' THEN 'permissions/' ELSE 'source/' END || source"
"""The name of the lock that a run holds from before it has a row until after that is closed."""

KINDS: tuple[RunKind, ...] = ("content", "permissions", "part", "hint")


class SourceBusy(Transient):
    """Another process has the source, or the copy of the index that it is to be read into."""


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run over one source, of a RunKind."""

    run_id: int
    source: str
    state: RunState
    started_at: datetime
    finished_at: datetime | None
    report: Mapping[str, object]
    """Counts and notes, as the indexer wrote them, and the reason why it failed."""
    kind: RunKind = "content"
    progress: Mapping[str, object] | None = None
    """How far it was when that was noted last: `doing` in words, `done` and `total` documents; None before."""

    @property
    def reason(self) -> str:
        """Why it failed, was broken off, or has to be looked at; empty where there is nothing to say."""
        return str(self.report.get("reason", ""))


class RunTable:
    """The runs of one database. sessions: gives connections whose session lasts, to hold locks with."""

    def __init__(self, engine: Engine, sessions: Engine) -> None:
        self._engine = engine
        self._sessions = sessions

    @asynccontextmanager
    async def begin(self, source: str, kind: RunKind = "content") -> AsyncIterator[int]:
        """A new run, and the right to be the only one on `source` while inside; permissions are read beside all else.
        A run that a killed process left behind is closed as interrupted first.

        Raises SourceBusy when another process has the source.
        """
        lock = f"permissions/{source}" if kind == "permissions" else f"source/{source}"
        async with session_lock(self._sessions, lock) as locked:
            if not locked:
                raise _busy(source, kind)
            yield await self._open(source, kind)

    @asynccontextmanager
    async def hold_copy(self, source: str) -> AsyncIterator[None]:
        """The right of a run over `source` to be the only one that writes into a copy of the live index, while inside:
        it is for one run alone, which judges it.

        Raises SourceBusy when a run of another process has it.
        """
        async with session_lock(self._sessions, "copy") as locked:
            if not locked:
                raise SourceBusy(
                    f"The source {source} is not read: a run over another one is not judged yet",
                    why="One run at a time writes into a copy of the index (KB_AGENT_GOLDEN_GATE=hold).",
                    next_step="Wait for it (kb runs shows it), then try again.",
                )
            yield

    async def _open(self, source: str, kind: RunKind) -> int:
        """A new row; what a killed process left behind is closed. Returns the run's number."""
        close = text(f"{_CLOSE} AND source = :source AND (kind = 'permissions') = (:kind = 'permissions')")
        insert = text("INSERT INTO runs (source, kind, state) VALUES (:source, :kind, 'running') RETURNING run_id")
        values = {"source": source, "kind": kind, "lost": LOST}
        async with self._engine.begin() as connection:
            await connection.execute(close, values)
            if kind != "permissions":
                await connection.execute(text(GIVE_UP), {"source": source})
            return int((await connection.execute(insert, values)).scalar_one())

    async def close_lost(self) -> int:
        """Closes as interrupted what killed processes left behind, whatever its source; gives how many runs that were.

        No lock is taken, which would keep a run from beginning. The rows are those of the statement's snapshot, the
        locks are looked at after it: one that is free then was given up by the run, whose row is closed already or
        never will be by itself.
        """
        async with transaction(self._engine) as connection:
            close = text(f"{_CLOSE} AND NOT {HELD.format(_LOCK)}")
            return (await connection.execute(close, {"lost": LOST})).rowcount

    async def note_progress(self, run_id: int, doing: str, done: int, total: int) -> None:
        """Notes how far a run is that has not ended. done, total: documents; total is 0 while it is not known."""
        update = text(
            "UPDATE runs SET progress = jsonb_build_object('doing', CAST(:doing AS text), 'done', CAST(:done AS int),"
            " 'total', CAST(:total AS int)) WHERE run_id = :id AND state = 'running'"
        )
        async with transaction(self._engine) as connection:
            await connection.execute(update, {"id": run_id, "doing": doing, "done": done, "total": total})

    async def finish(self, run_id: int, state: RunState, report: Mapping[str, object]) -> None:
        """Closes a run with its report."""
        update = text(
            "UPDATE runs SET state = :state, finished_at = now(), report = CAST(:report AS jsonb) WHERE run_id = :id"
        )
        async with transaction(self._engine) as connection:
            await connection.execute(
                update, {"state": state, "report": json.dumps(_masked(report, with_blanks_for_controls)), "id": run_id}
            )

    async def mask_reports(self, masking: str, mask: Callable[[str], str]) -> None:
        """Masks what reports say of documents, in those that passed another masking than `masking`; see
        indexer.run.report. mask: gives a text as it may be stored."""
        query = text(
            "SELECT run_id, report FROM runs WHERE report <> '{}' AND report->>'masking' IS DISTINCT FROM :masking"
        )
        update = text("UPDATE runs SET report = CAST(:report AS jsonb) WHERE run_id = :id")
        async with transaction(self._engine) as connection:
            for row in (await connection.execute(query, {"masking": masking})).all():
                report = await asyncio.to_thread(_masked, row.report, mask)
                values = {"id": row.run_id, "report": json.dumps({**report, "masking": masking})}
                await connection.execute(update, values)

    async def latest(self, limit: int = 20, kinds: Collection[RunKind] = KINDS) -> list[RunRecord]:
        """The newest runs of these kinds, newest first."""
        values = {"limit": limit, "kinds": list(kinds)}
        return await self._read("WHERE kind = ANY(:kinds) ORDER BY run_id DESC LIMIT :limit", values)

    async def prune(self, *, before: datetime, kinds: Collection[RunKind] = KINDS) -> int:
        """Removes runs of these kinds that ended before then, except the last of each kind and state of a source. Gives
        how many."""
        query = text(
            "DELETE FROM runs AS old WHERE finished_at < :before AND kind = ANY(:kinds) AND EXISTS (SELECT FROM runs"
            " AS newer WHERE (newer.source, newer.kind, newer.state) = (old.source, old.kind, old.state)"
            " AND newer.run_id > old.run_id)"
        )
        async with transaction(self._engine) as connection:
            return (await connection.execute(query, {"before": before, "kinds": list(kinds)})).rowcount

    async def get(self, run_id: int) -> RunRecord:
        """One run. Raises Refused when there is none of that number."""
        found = await self._read("WHERE run_id = :id", {"id": run_id})
        if not found:
            raise Refused(f"There is no run {run_id}", next_step="See: kb runs")
        return found[0]

    async def _read(self, rest: str, values: dict[str, object]) -> list[RunRecord]:
        columns = "run_id, source, state, started_at, finished_at, report, kind, progress"
        async with transaction(self._engine) as connection:
            rows = await connection.execute(text(f"SELECT {columns} FROM runs {rest}"), values)
            return [RunRecord(*row) for row in rows.all()]


async def close_runs_of(connection: AsyncConnection, source: str) -> None:
    """Closes as interrupted what killed processes left behind of a source, and drops their batches. The caller holds
    both locks of the source, so that no run is alive."""
    await connection.execute(text(f"{_CLOSE} AND source = :source"), {"source": source, "lost": LOST})
    await connection.execute(text(GIVE_UP), {"source": source})


def _busy(source: str, kind: RunKind) -> SourceBusy:
    if kind == "permissions":
        what, why = "The permissions of {} are being read", "One process at a time reads the permissions of a source."
    else:
        what, why = "The source {} is being indexed", "One process at a time indexes a source."
    return SourceBusy(
        f"{what.format(source)} by another process",
        why=why,
        next_step="Wait for it (kb runs shows it), then try again.",
    )


def _masked(value: Any, mask: Callable[[str], str]) -> Any:
    """A value of JSON with all its texts masked."""
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, list):
        return [_masked(each, mask) for each in value]
    return {name: _masked(each, mask) for name, each in value.items()} if isinstance(value, dict) else value
