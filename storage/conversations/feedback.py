"""What readers think of replies, in PostgreSQL."""

from collections.abc import Mapping
from datetime import datetime

from domain.conversation import Participant
from domain.text.encodable import storable
from storage.server.pool import ConnectionPool

_GIVE = b"""
    WITH before AS (SELECT value FROM feedback
        WHERE question_no = %(number)s AND platform = %(platform)s AND person = %(person)s)
    INSERT INTO feedback (question_no, platform, person, value, reason)
    SELECT question_no, %(platform)s, %(person)s, %(value)s, %(reason)s FROM questions WHERE question_no = %(number)s
    ON CONFLICT (question_no, platform, person) DO UPDATE
    SET value = excluded.value, updated_at = now(), reason = coalesce(
        excluded.reason, CASE WHEN feedback.value = excluded.value THEN feedback.reason END)
    RETURNING value IS DISTINCT FROM (SELECT value FROM before) AS changed
"""
_TOTALS = b"""
    SELECT wanted.value, count(feedback.value) FROM (VALUES (1), (-1)) AS wanted (value)
    LEFT JOIN feedback ON feedback.value = wanted.value AND updated_at >= %(since)s GROUP BY wanted.value
"""


class PostgresFeedback:
    """The domain.ledger.Feedback of all processes over one database. Transient is raised when the database is away."""

    def __init__(self, pool: ConnectionPool) -> None:
        self._pool = pool

    async def vote(self, number: int, person: Participant, value: int, reason: str | None = None) -> bool | None:
        values = {
            "number": number,
            "platform": person.platform,
            "person": person.id,
            "value": value,
            "reason": reason and storable(reason),
        }
        row = await self._pool.fetch_one(_GIVE, **values)
        return row and bool(row.changed)

    async def totals(self, since: datetime) -> Mapping[int, int]:
        return {row.value: row.count for row in await self._pool.fetch_all(_TOTALS, since=since)}
