"""Index runs: what was done, when, with what result; and that a source is indexed by one process at a time."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from domain.errors import Refused, Transient
from storage.faults import translated

RunState = Literal["running", "done", "interrupted", "failed"]


@dataclass(frozen=True, slots=True)
class Run:
    """One run over one source. report: counts and notes, as the indexer wrote them."""

    run_id: int
    source: str
    state: RunState
    started_at: datetime
    finished_at: datetime | None
    report: Mapping[str, object]


class RunTable:
    """The runs of one database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    @asynccontextmanager
    async def begin(self, source: str) -> AsyncIterator[int]:
        """A new run, and the right to be the only one on `source` while inside. A run that a killed process left
        behind is closed as interrupted first.

        Raises Transient when another process has the source.
        """
        with translated():
            async with self._engine.connect() as connection:
                await self._lock(connection, source)
                try:
                    yield await self._open(source)
                finally:
                    unlock = text("SELECT pg_advisory_unlock(hashtextextended('kb-agent/source/' || :source, 0))")
                    with suppress(SQLAlchemyError):  # a connection that broke has lost the lock already
                        await connection.execute(unlock, {"source": source})

    async def _open(self, source: str) -> int:
        """A new row; what a killed process left behind is closed. Returns the run's number."""
        close = text(
            "UPDATE runs SET state = 'interrupted', finished_at = now() WHERE source = :source AND state = 'running'"
        )
        insert = text("INSERT INTO runs (source, state) VALUES (:source, 'running') RETURNING run_id")
        async with self._engine.begin() as connection:
            await connection.execute(close, {"source": source})
            return int((await connection.execute(insert, {"source": source})).scalar_one())

    async def _lock(self, connection: AsyncConnection, source: str) -> None:
        """A session lock: it goes with the process that holds it, however that ends."""
        await connection.execution_options(isolation_level="AUTOCOMMIT")
        lock = text("SELECT pg_try_advisory_lock(hashtextextended('kb-agent/source/' || :source, 0))")
        if not (await connection.execute(lock, {"source": source})).scalar_one():
            raise Transient(
                f"The source {source} is being indexed by another process",
                why="One process at a time indexes a source.",
                next_step="Wait for it (kb runs shows it), then try again.",
            )

    async def finish(self, run_id: int, state: RunState, report: Mapping[str, object]) -> None:
        """Closes a run with its report."""
        update = text(
            "UPDATE runs SET state = :state, finished_at = now(), report = CAST(:report AS jsonb) WHERE run_id = :id"
        )
        with translated():
            async with self._engine.begin() as connection:
                await connection.execute(update, {"state": state, "report": json.dumps(report), "id": run_id})

    async def mask(self, masking: str, mask: Callable[[str], str]) -> None:
        """Masks what reports say of documents, in those that passed another masking than `masking`; see
        indexer.report. mask: gives a text as it may be stored."""
        query = text(
            "SELECT run_id, report FROM runs WHERE report <> '{}' AND report->>'masking' IS DISTINCT FROM :masking"
        )
        update = text("UPDATE runs SET report = CAST(:report AS jsonb) WHERE run_id = :id")
        with translated():
            async with self._engine.begin() as connection:
                for row in (await connection.execute(query, {"masking": masking})).all():
                    report = await asyncio.to_thread(_masked, row.report, mask)
                    values = {"id": row.run_id, "report": json.dumps({**report, "masking": masking})}
                    await connection.execute(update, values)

    async def latest(self, limit: int = 20) -> list[Run]:
        """The newest runs, newest first."""
        return await self._read("ORDER BY run_id DESC LIMIT :limit", {"limit": limit})

    async def get(self, run_id: int) -> Run:
        """One run. Raises Refused when there is none of that number."""
        found = await self._read("WHERE run_id = :id", {"id": run_id})
        if not found:
            raise Refused(f"There is no run {run_id}", next_step="See: kb runs")
        return found[0]

    async def _read(self, rest: str, values: dict[str, object]) -> list[Run]:
        columns = "run_id, source, state, started_at, finished_at, report"
        with translated():
            async with self._engine.connect() as connection:
                rows = await connection.execute(text(f"SELECT {columns} FROM runs {rest}"), values)
                return [Run(*row) for row in rows.all()]


def _masked(value: Any, mask: Callable[[str], str]) -> Any:
    """A value of JSON with all its texts masked."""
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, list):
        return [_masked(each, mask) for each in value]
    return {name: _masked(each, mask) for name, each in value.items()} if isinstance(value, dict) else value
