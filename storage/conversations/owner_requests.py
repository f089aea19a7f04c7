"""Which questions were sent to the owner of a document, in PostgreSQL."""

from storage.server.pool import ConnectionPool

_CLAIM = b"""
    INSERT INTO owner_requests (question_no, document_id)
    SELECT question_no, %(document)s FROM questions WHERE question_no = %(number)s
    ON CONFLICT (question_no) DO NOTHING
"""
_RELEASE = b"DELETE FROM owner_requests WHERE question_no = %(number)s"
_SENT = b"SELECT 1 AS sent FROM owner_requests WHERE question_no = %(number)s"


class PostgresOwnerRequests:
    """The domain.owner_ports.OwnerRequests of all processes over one database. Transient is raised when the
    database is away."""

    def __init__(self, pool: ConnectionPool) -> None:
        self._pool = pool

    async def claim(self, number: int, document_id: str) -> bool:
        return bool(await self._pool.execute(_CLAIM, number=number, document=document_id))

    async def release(self, number: int) -> None:
        await self._pool.execute(_RELEASE, number=number)

    async def sent(self, number: int) -> bool:
        return bool(await self._pool.fetch_all(_SENT, number=number))
