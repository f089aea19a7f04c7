"""Who is signed in to the pages, in PostgreSQL."""

from storage.server.pool import ConnectionPool

_PRUNE = b"DELETE FROM web_sessions WHERE expires_at <= now()"
_BEGIN = b"""
    INSERT INTO web_sessions (digest, person, expires_at)
    VALUES (%(digest)s, %(person)s, now() + make_interval(secs => %(seconds)s))
    ON CONFLICT (digest) DO NOTHING
"""
_PERSON = b"SELECT person FROM web_sessions WHERE digest = %(digest)s AND expires_at > now()"
_END = b"DELETE FROM web_sessions WHERE digest = %(digest)s"


class PostgresWebSessions:
    """See domain.web_access.WebSessions."""

    def __init__(self, pool: ConnectionPool) -> None:
        self._pool = pool

    async def begin(self, digest: bytes, person: str, seconds: float) -> None:
        await self._pool.execute(_BEGIN, digest=digest, person=person, seconds=seconds)

    async def person(self, digest: bytes) -> str | None:
        row = await self._pool.fetch_one(_PERSON, digest=digest)
        return None if row is None else str(row.person)

    async def end(self, digest: bytes) -> None:
        await self._pool.execute(_END, digest=digest)

    async def prune(self) -> None:
        """Removes those that have expired."""
        await self._pool.execute(_PRUNE)
