"""The queue of work, in PostgreSQL: one for all processes over one database."""

from collections.abc import Mapping
from datetime import timedelta
from types import MappingProxyType

from domain.job_ports import JobHandler, WorkerOptions
from storage.jobs.statements import TAKE, WAITING, put
from storage.server.pool import Connection, ConnectionPool


class PostgresJobQueue:
    """The domain.job_ports.JobQueue of all processes over one database.

    conninfo: of the same database as the pool's. direct: the same without the pooler that `conninfo` leads through;
    None where there is none.
    """

    def __init__(self, pool: ConnectionPool, conninfo: str, direct: str | None = None) -> None:
        self._pool = pool
        self._conninfo = conninfo
        self._direct = direct

    async def put(
        self,
        task: str,
        arguments: Mapping[str, object],
        *,
        queue: str,
        lock_key: str,
        unique_key: str,
        priority: int = 0,
        delay: timedelta | None = None,
    ) -> bool:
        """See domain.job_ports.JobQueue. Transient is raised when the database is away."""

        async def work(connection: Connection) -> bool:
            return await put(
                connection,
                task,
                arguments,
                queue=queue,
                lock_key=lock_key,
                unique_key=unique_key,
                priority=priority,
                delay=delay,
            )

        return await self._pool.run(work)

    async def count_waiting(self, task: str, *, lock_key: str) -> int:
        return int((await self._pool.fetch_one(WAITING, task=task, lock_key=lock_key)).waiting)

    async def take_waiting(self, task: str, *, lock_key: str) -> list[Mapping[str, object]]:
        return list((await self._pool.fetch_one(TAKE, task=task, lock_key=lock_key)).arguments)

    async def run_worker(
        self,
        tasks: Mapping[str, JobHandler],
        options: WorkerOptions,
        dead_letter_handlers: Mapping[str, JobHandler] = MappingProxyType({}),
    ) -> None:
        from storage.jobs.worker import (
            run,  # takes a tenth of a second to import, which no command line should wait for
        )

        await run(self._conninfo, tasks, options, dead_letter_handlers, direct=self._direct)
