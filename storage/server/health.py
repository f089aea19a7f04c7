"""Whether the database is in a condition to serve: asked by what looks after a process."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from storage.revision import REVISION
from storage.server.app_role import bypassing_role
from storage.server.migrate import current_revision
from storage.server.pool import ConnectionPool
from storage.server.replica import ReplicaPool

_QUEUE = b"""
    SELECT open.*, (SELECT count(*) FROM procrastinate_workers JOIN worker_slots ON worker_id = id
                    WHERE last_heartbeat > now() - %(lost)s AND queues && %(queues)s) AS workers
    FROM (SELECT count(*) FILTER (WHERE platform = ANY(%(queues)s)) AS open,
                 count(*) FILTER (WHERE platform = ANY(%(queues)s) AND deadline_at < now() - %(grace)s) AS overdue,
                 count(*) FILTER (WHERE platform <> 'terminal' AND deadline_at < now() - %(grace)s) AS overdue_anywhere
          FROM questions WHERE ended_at IS NULL) AS open
"""

WITHOUT_ROW_SECURITY = "owns the tables, or bypasses row-level security: permissions are held by the queries alone"


@dataclass(frozen=True, slots=True)
class QueueHealth:
    """How the queue of questions is."""

    open: int
    """Questions on these platforms that have not ended."""
    overdue: int
    """Those of them whose deadline has passed."""
    overdue_anywhere: int
    """Questions that have not ended though their deadline has passed, on all platforms, also those that nobody
    serves; but for the terminal, whose window may be closed."""
    workers: int
    """Workers that gave a sign of life lately and serve these queues."""


class DatabaseHealth:
    """Of one database. Methods raise Transient when it is away. owner, pool, replica: see
    storage.server.database.Database."""

    def __init__(self, owner: ConnectionPool, pool: ConnectionPool, replica: ReplicaPool | None = None) -> None:
        self._owner = owner
        self._pool = pool
        self._replica = replica

    async def ping(self) -> None:
        """Returns when it answers."""
        await self._pool.fetch_one(b"SELECT 1 AS one")

    async def schema_problem(self) -> str:
        """What is wrong with the schema; empty when it is this release's, or a later one's: what runs meanwhile goes
        on."""
        found = await current_revision(self._owner) or ""
        return "" if found >= REVISION else f"The schema is {found or 'empty'}; {REVISION} is needed: kb db upgrade"

    async def row_security_problem(self) -> str:
        """Why the policies of the tables do not hold for the application; empty when they do."""
        role = await bypassing_role(self._pool)
        return "" if role is None else f"The database user {role} {WITHOUT_ROW_SECURITY}"

    async def replica_problem(self) -> str:
        """Why searches do not read in the replica; empty when they do, and where there is none."""
        return await self._replica.trouble() if self._replica is not None else ""

    async def queue_health(self, queues: Sequence[str], *, lost: timedelta, grace: timedelta) -> QueueHealth:
        """How the queue of questions is. queues: the platforms whose questions have to be answered. lost: age of a sign
        of life that does not count any more. grace: past its deadline, in which a question may still end."""
        row = await self._pool.fetch_one(_QUEUE, queues=list(queues), lost=lost, grace=grace)
        return QueueHealth(row.open, row.overdue, row.overdue_anywhere, row.workers)
