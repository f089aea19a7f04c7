"""What operators were told of, so that each trouble is told once, by one of the processes that see it."""

from collections.abc import Mapping
from datetime import timedelta

from domain.conversation import Platform
from storage.server.pool import ConnectionPool

PAUSE = timedelta(minutes=5)
"""After so long, what could not be told is tried again, also where the process is gone that tried; after twice as long
the next time, and so on."""

MAX_PAUSES = 12
"""Times PAUSE between two attempts, at most."""

_CLAIM = b"""
    INSERT INTO alerts (topic, tried) VALUES (%(topic)s, %(mark)s)
    ON CONFLICT (topic) DO UPDATE SET tried = excluded.tried, tried_at = now(),
        attempts = CASE WHEN alerts.tried = excluded.tried THEN alerts.attempts + 1 ELSE 1 END
    WHERE alerts.told IS DISTINCT FROM excluded.tried AND (alerts.tried <> excluded.tried
        OR (%(again)s AND alerts.tried_at < now() - %(pause)s * least(alerts.attempts, %(longest)s)))
    RETURNING topic
"""
_MARK_SENT = b"UPDATE alerts SET told = %(mark)s, told_at = now() WHERE topic = %(topic)s"
_SENT = b"SELECT topic FROM alerts WHERE topic = %(topic)s AND told = %(mark)s"
_RELEASE = b"UPDATE alerts SET tried = '' WHERE topic = %(topic)s AND tried = %(mark)s"
_RESOLVE = b"DELETE FROM alerts WHERE topic = %(topic)s"
_LAST_HANDLE = b"""
    SELECT handle FROM questions
    WHERE platform = %(platform)s AND handle <> '{}' AND (%(channel)s = '' OR channel = %(channel)s)
    ORDER BY question_no DESC LIMIT 1
"""


class AlertTable:
    """The alerts of all processes over one database. Methods raise Transient when it is away."""

    def __init__(self, pool: ConnectionPool) -> None:
        self._pool = pool

    async def claim(self, topic: str, mark: str, *, again: bool = True) -> bool:
        """Whether a trouble is to be told now, by who asks: it is another one than was told last of that topic, and
        nobody has tried lately. mark: stands for the trouble. again: whether one that was tried is tried again after a
        while though nobody took the claim back; it may have been told then."""
        given = {"topic": topic, "mark": mark, "again": again, "longest": MAX_PAUSES, "pause": PAUSE}
        return await self._pool.fetch_one(_CLAIM, **given) is not None

    async def mark_sent(self, topic: str, mark: str) -> None:
        """It was told."""
        await self._pool.execute(_MARK_SENT, topic=topic, mark=mark)

    async def sent(self, topic: str, mark: str) -> bool:
        """Whether that trouble is the one that was told last of its topic."""
        return await self._pool.fetch_one(_SENT, topic=topic, mark=mark) is not None

    async def release(self, topic: str, mark: str) -> None:
        """Takes a claim back: it was not told, and whoever comes next may tell it at once."""
        await self._pool.execute(_RELEASE, topic=topic, mark=mark)

    async def resolve(self, topic: str) -> None:
        """There is no trouble of that topic any more: the next one is told, also when it is the same."""
        await self._pool.execute(_RESOLVE, topic=topic)

    async def last_reply_handle(self, platform: Platform, channel: str) -> Mapping[str, str]:
        """What the platform needed to reply to the last question there, or anywhere; empty when nobody has asked."""
        for place in (channel, ""):
            row = await self._pool.fetch_one(_LAST_HANDLE, platform=platform, channel=place)
            if row is not None:
                handle: Mapping[str, str] = row.handle
                return handle
        return {}
