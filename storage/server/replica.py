"""Searching in a read replica: a standby of the primary. It is asked only while it is near enough.

How near it is is measured by this process's own clock: it notes where the primary's log is, and when, and asks the
replica how far it has got. What the replica shows is then at most as old as the latest note that it has reached.
"""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any, TypeVar

from psycopg_pool import AsyncConnectionPool

from domain.errors import KbError, Transient
from storage.server.pool import Connection, ConnectionPool, driver_pool, fetch_one

log = logging.getLogger(__name__)

T = TypeVar("T")

LOOK_SECONDS = 1.0
"""How often it is found out how near the replica is, while there are searches."""

AWAY_SECONDS = 10.0
"""For so long a replica that did not answer is not asked again."""

ANSWER_SECONDS = 2.0
"""So long it is waited for the answers by which its lag is found out."""

_NOTES = 64

_PRIMARY = b"SELECT pg_current_wal_lsn()::text AS place, system_identifier AS system FROM pg_control_system()"
_REPLICA = b"""
    SELECT pg_is_in_recovery() AS follows, pg_last_wal_replay_lsn()::text AS place, system_identifier AS system
    FROM pg_control_system()
"""


class ReplicaPool(ConnectionPool):
    """Runs work that only reads on a replica while that is near; else, and where it fails there, on the primary.

    pool: of connections to the replica. primary: of those to the primary. most_lag: seconds.
    """

    def __init__(
        self,
        pool: AsyncConnectionPool[Connection],
        primary: ConnectionPool,
        most_lag: float,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        super().__init__(pool)
        self._primary = primary
        self._most_lag = most_lag
        self._clock = clock
        self._notes: deque[tuple[float, int]] = deque(maxlen=_NOTES)
        self._as_of: float | None = None
        self._next_look = 0.0
        self._looking = asyncio.Lock()
        self._trouble = "It was not asked yet"

    async def run(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """See ConnectionPool. `work` is done once more, on the primary, where the replica did not do it."""
        if await self.near():
            try:
                return await super().run(work)
            except Transient as error:  # also where what it has to take in cancelled the statement
                self._away(error)
        return await self._primary.run(work)

    async def near(self) -> bool:
        """Whether what the replica shows is no older than `most_lag`."""
        if self._clock() >= self._next_look:
            async with self._looking:
                if self._clock() >= self._next_look:
                    await self._look()
        return self._as_of is not None and self._clock() - self._as_of <= self._most_lag

    async def trouble(self) -> str:
        """Why it is not searched in; empty while it is. A pause of the searches is no reason: it is looked twice."""
        for _ in range(2):
            if await self.near():
                return ""
            self._next_look = min(self._next_look, self._clock())
            await asyncio.sleep(LOOK_SECONDS / 4)
        if self._as_of is not None and not self._trouble:
            return f"It lags by {self._clock() - self._as_of:.1f} s; {self._most_lag:g} s are allowed"
        return self._trouble or f"It lags; {self._most_lag:g} s are allowed"

    async def _look(self) -> None:
        """Finds out how near the replica is."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                began = self._clock()
                primary = await self._primary.fetch_one(_PRIMARY)
                replica = await super().run(_place_of_replica)
        except (KbError, TimeoutError) as error:
            self._away(error)
            return
        self._next_look = self._clock() + LOOK_SECONDS
        self._notes.append((began, _as_number(primary.place)))
        if not replica.follows or replica.system != primary.system or replica.place is None:
            self._as_of = None
            self._tell("It is no replica of this database, or does not say how far it has got")
            return
        reached = _as_number(replica.place)
        self._as_of = max((at for at, place in self._notes if place <= reached), default=self._as_of)
        self._tell("")

    def _away(self, error: Exception) -> None:
        self._as_of, self._next_look = None, self._clock() + AWAY_SECONDS
        why = error.why or error.what if isinstance(error, KbError) else "no answer in time"
        self._tell(f"It does not answer: {why}")

    def _tell(self, trouble: str) -> None:
        if trouble and trouble != self._trouble:
            log.warning("The read replica is not searched in: %s", trouble)
        self._trouble = trouble


async def _place_of_replica(connection: Connection) -> Any:
    return await fetch_one(connection, _REPLICA, {})


def _as_number(place: str) -> int:
    """A place in the server's log, as PostgreSQL writes it."""
    high, low = place.split("/")
    return (int(high, 16) << 32) + int(low, 16)


@asynccontextmanager
async def open_replica(
    conninfo: str, primary: ConnectionPool, *, most_lag: float, size: int, connect_seconds: float, pooled: bool
) -> AsyncIterator[ReplicaPool]:
    """See ReplicaPool and storage.server.pool.driver_pool. It need not be there."""
    async with driver_pool(conninfo, size, connect_seconds, pooled=pooled) as pool:
        yield ReplicaPool(pool, primary, most_lag)
