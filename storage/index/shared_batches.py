"""Batches of documents that wait to be embedded and written, by whichever worker takes them. They belong to the owner
of the tables: what is in them is as private as the documents.

Who works on a batch holds its lock, which goes with the process, however that ends; then another may take it. A batch
is there as long as its run: what is still at it when the run is given up writes no further document.
"""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from domain.errors import Transient
from storage.server.engine import AsyncConnection, Engine, text
from storage.server.locks import session_lock
from storage.server.transactions import transaction

GIVE_UP = "DELETE FROM index_batches WHERE run_id IN (SELECT run_id FROM runs WHERE source = :source)"
"""Removes what earlier runs over a source left. It waits for documents that are being written of them."""

_ADD = (
    "INSERT INTO index_batches (run_id, version_id, documents) VALUES (:run, :version, :documents) RETURNING batch_no"
)
_OPEN = "SELECT version_id, documents FROM index_batches WHERE batch_no = :batch AND result IS NULL"
_DONE = "UPDATE index_batches SET result = CAST(:result AS jsonb), documents = '' WHERE batch_no = :batch"
_TAKE_RESULTS = "DELETE FROM index_batches WHERE run_id = :run AND result IS NOT NULL RETURNING batch_no, result"
# held to the end of the transaction
_HOLD = "SELECT FROM index_batches WHERE batch_no = :batch AND result IS NULL FOR SHARE"
_PLACES = """
    SELECT coalesce(sum(slots), 0)::int FROM worker_slots JOIN procrastinate_workers ON id = worker_id
    WHERE :queue = ANY(queues) AND last_heartbeat > now() - make_interval(secs => :lost)
"""


@dataclass(frozen=True, slots=True)
class SharedBatch:
    """A batch that waits."""

    version_id: int
    """Of the index, which it is written into."""
    documents: bytes = field(repr=False)
    """As who handed it over has packed them."""


class SharedBatches:
    """The batches of one database. sessions: gives connections whose session lasts, to hold locks with."""

    def __init__(self, engine: Engine, sessions: Engine) -> None:
        self._engine = engine
        self._sessions = sessions

    async def add(self, run_id: int, version_id: int, documents: bytes) -> int:
        """Stores a batch; returns its number."""
        values = {"run": run_id, "version": version_id, "documents": documents}
        async with transaction(self._engine) as connection:
            return int((await connection.execute(text(_ADD), values)).scalar_one())

    async def places(self, queue: str, lost: float) -> int:
        """How many batches workers of a queue work on at one time, who gave a sign of life in the last `lost`
        seconds."""
        async with transaction(self._engine) as connection:
            return int((await connection.execute(text(_PLACES), {"queue": queue, "lost": lost})).scalar_one())

    @asynccontextmanager
    async def taken(self, batch_no: int) -> AsyncIterator[SharedBatch | None]:
        """Inside, nobody else works on a batch. None: somebody does, it is done, or it was given up."""
        async with session_lock(self._sessions, f"batch/{batch_no}") as locked:
            if not locked:
                yield None
                return
            async with transaction(self._engine) as connection:
                row = (await connection.execute(text(_OPEN), {"batch": batch_no})).one_or_none()
            yield SharedBatch(row.version_id, bytes(row.documents)) if row else None

    async def require(self, batch_no: int) -> None:
        """Raises Transient when a batch is not there any more, done or not: it was given up, or went with the version
        that it was to be written into."""
        query = text("SELECT FROM index_batches WHERE batch_no = :batch")
        async with transaction(self._engine) as connection:
            if (await connection.execute(query, {"batch": batch_no})).one_or_none() is None:
                raise _ended()

    async def finish(self, batch_no: int, result: Mapping[str, Any]) -> None:
        """Stores what became of a batch, for its run."""
        async with transaction(self._engine) as connection:
            await connection.execute(text(_DONE), {"batch": batch_no, "result": json.dumps(result)})

    async def take_results(self, run_id: int) -> dict[int, Mapping[str, Any]]:
        """What became of those batches of a run that are done, by their numbers; each is given once."""
        async with transaction(self._engine) as connection:
            rows = (await connection.execute(text(_TAKE_RESULTS), {"run": run_id})).all()
        return {int(row.batch_no): row.result for row in rows}

    async def give_up(self, run_id: int) -> None:
        """Removes what is left of a run."""
        async with transaction(self._engine) as connection:
            await connection.execute(text("DELETE FROM index_batches WHERE run_id = :run"), {"run": run_id})


async def hold(connection: AsyncConnection, batch_no: int) -> None:
    """Keeps a batch from being given up before the transaction ends. Raises Transient when it was, or is done."""
    if (await connection.execute(text(_HOLD), {"batch": batch_no})).one_or_none() is None:
        raise _ended()


def _ended() -> Transient:
    return Transient("The run that a batch of documents belongs to has ended, or another worker has done it")
