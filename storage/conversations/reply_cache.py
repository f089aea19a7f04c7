"""Replies of models, kept in a table: the newest used, for a time."""

from collections.abc import Mapping
from datetime import timedelta
from zlib import crc32

from storage.server.pool import Connection, ConnectionPool

BATCHES = 50
"""One put in `limit / BATCHES` takes away what is too much, so that at most about a fiftieth more is kept."""

REFRESH = timedelta(minutes=1)
"""How exactly it is known when a reply was last used."""

_GET = b"""
    SELECT reply, used_at < now() - %(refresh)s FROM model_replies
    WHERE key = %(key)s AND created_at > now() - %(max_age)s
"""
_USE = b"UPDATE model_replies SET used_at = now() WHERE key = %(key)s"
_PUT = b"""
    INSERT INTO model_replies (key, reply) VALUES (%(key)s, %(reply)s)
    ON CONFLICT (key) DO UPDATE SET reply = excluded.reply, created_at = now(), used_at = now()
"""
# one process at a time: two that delete many rows in different orders would wait for each other
_PRUNE = b"""
    WITH turn AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(hashtextextended('kb-agent/replies', 0)) AS ours)
    DELETE FROM model_replies WHERE (SELECT ours FROM turn) AND (
        created_at <= now() - %(max_age)s
        OR key IN (SELECT key FROM model_replies ORDER BY used_at DESC, created_at DESC OFFSET %(limit)s))
"""
_KEEP_ONLY = b"DELETE FROM model_replies WHERE substr(key, 1, %(length)s) <> %(beginning)s"


class PostgresReplyCache:
    """A domain.model_ports.ReplyCache for all processes over one database.

    limit: replies kept. max_age: how long a reply is kept, by the database's clock. Transient is raised when the
    database is away.
    """

    def __init__(self, pool: ConnectionPool, limit: int = 50_000, max_age: timedelta = timedelta(days=7)) -> None:
        self._pool = pool
        self._values = {"limit": limit, "max_age": max_age, "refresh": REFRESH}
        self._every = max(1, limit // BATCHES)

    async def get(self, key: bytes) -> str | None:
        async def work(connection: Connection) -> str | None:
            values = self._of(key)
            row = await (await connection.execute(_GET, values)).fetchone()
            if row is None:
                return None
            if row[1]:
                await connection.execute(_USE, values)
            return str(row[0])

        return await self._pool.run(work)

    async def put(self, key: bytes, reply: str) -> None:
        if not _storable(reply):
            return

        async def work(connection: Connection) -> None:
            values = self._of(key)
            await connection.execute(_PUT, {**values, "reply": reply})
            if crc32(key) % self._every == 0:  # chosen by the key: processes that end after a few puts do their share
                await connection.execute(_PRUNE, values)

        await self._pool.run(work)

    async def prune(self) -> int:
        """Drops what is too old or too much, unless another process does so now. Returns how many replies."""
        return await self._pool.execute(_PRUNE, **self._values)

    async def keep_only(self, beginning: bytes) -> int:
        """Drops the replies whose keys begin otherwise: nobody asks for them any more. Returns how many those were."""
        return await self._pool.execute(_KEEP_ONLY, beginning=beginning, length=len(beginning))

    def _of(self, key: bytes) -> Mapping[str, object]:
        return {**self._values, "key": key}


def _storable(reply: str) -> bool:
    """Whether PostgreSQL has text for it; a model that breaks off in the middle of a character may say other."""
    return "\0" not in reply and not any("\ud800" <= character <= "\udfff" for character in reply)
