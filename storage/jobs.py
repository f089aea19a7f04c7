"""The queue of work, in PostgreSQL: one for all processes over one database."""

from collections.abc import Mapping

from sqlalchemy import URL

from domain.ledger import Work, WorkerOptions
from storage import queue
from storage.readers import Connection, Readers


class PostgresJobs:
    """The Jobs of all processes over one database. url: of the same database as the readers'."""

    def __init__(self, readers: Readers, url: URL) -> None:
        self._readers = readers
        self._conninfo = url.set(drivername="postgresql").render_as_string(hide_password=False)

    async def put(self, task: str, arguments: Mapping[str, object], *, queue: str, lane: str, once: str) -> bool:
        """See domain.ledger.Jobs. Transient is raised when the database is away."""
        return await self._readers.read(lambda connection: _put(connection, task, arguments, queue, lane, once))

    async def work(self, tasks: Mapping[str, Work], options: WorkerOptions) -> None:
        """See domain.ledger.Jobs."""
        from storage.worker import run  # takes a tenth of a second to import, which no command line should wait for

        await run(self._conninfo, tasks, options)


async def _put(
    connection: Connection, task: str, arguments: Mapping[str, object], name: str, lane: str, once: str
) -> bool:
    return await queue.put(connection, task, arguments, queue=name, lane=lane, once=once)
