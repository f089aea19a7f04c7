"""The queue of work, in PostgreSQL: one for all processes over one database."""

from collections.abc import Mapping

from sqlalchemy import URL

from domain.ledger import Work, WorkerOptions
from storage.ledger_statements import one
from storage.pooled import conninfo
from storage.queue import TAKE, WAITING, put
from storage.readers import Connection, Readers


class PostgresJobs:
    """The Jobs of all processes over one database. url: of the same database as the readers'. direct: the same without
    the pooler that `url` leads through; None where there is none."""

    def __init__(self, readers: Readers, url: URL, direct: URL | None = None) -> None:
        self._readers = readers
        self._conninfo = conninfo(url)
        self._direct = conninfo(direct) if direct is not None else None

    async def put(
        self, task: str, arguments: Mapping[str, object], *, queue: str, lane: str, once: str, priority: int = 0
    ) -> bool:
        """See domain.ledger.Jobs. Transient is raised when the database is away."""

        async def work(connection: Connection) -> bool:
            return await put(connection, task, arguments, queue=queue, lane=lane, once=once, priority=priority)

        return await self._readers.read(work)

    async def waiting(self, task: str, *, lane: str) -> int:
        """See domain.ledger.Jobs."""
        row = await self._readers.read(lambda connection: one(connection, WAITING, {"task": task, "lane": lane}))
        return int(row.waiting)

    async def take(self, task: str, *, lane: str) -> list[Mapping[str, object]]:
        """See domain.ledger.Jobs."""
        row = await self._readers.read(lambda connection: one(connection, TAKE, {"task": task, "lane": lane}))
        return list(row.arguments)

    async def work(self, tasks: Mapping[str, Work], options: WorkerOptions) -> None:
        """See domain.ledger.Jobs."""
        from storage.worker import run  # takes a tenth of a second to import, which no command line should wait for

        await run(self._conninfo, tasks, options, direct=self._direct)
