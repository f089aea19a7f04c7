"""What is shown of replies over HTTP, in PostgreSQL."""

from collections.abc import Mapping
from typing import Any

from psycopg.types.json import Jsonb

from domain.text.encodable import storable, with_texts
from domain.web_access import StateAt
from storage.server.pool import ConnectionPool

# a question that is forgotten has no fingerprint of its text any more
_PUT = b"""
    INSERT INTO web_replies (question_no, attempt, step, state)
    SELECT question_no, %(attempt)s, %(step)s, %(state)s FROM questions
    WHERE question_no = %(number)s AND text_hash IS NOT NULL
    ON CONFLICT (question_no) DO UPDATE SET attempt = excluded.attempt, step = excluded.step, state = excluded.state
    WHERE (web_replies.attempt, web_replies.step) < (excluded.attempt, excluded.step)
"""
_REMOVE = b"DELETE FROM web_replies WHERE question_no = %(number)s"
_NEWER = b"""
    SELECT question_no, web_replies.state FROM web_replies
    JOIN unnest(%(numbers)s::bigint[], %(attempts)s::integer[], %(steps)s::integer[])
        AS known (number, attempt, step) ON question_no = known.number
    JOIN questions USING (question_no)
    WHERE (web_replies.attempt, web_replies.step) > (known.attempt, known.step) AND text_hash IS NOT NULL
"""


class PostgresShownReplies:
    """See domain.web_access.ShownReplies."""

    def __init__(self, pool: ConnectionPool) -> None:
        self._pool = pool

    async def put(self, number: int, at: StateAt, state: Mapping[str, Any]) -> bool:
        attempt, step = at
        kept = Jsonb(with_texts(state, storable))
        return bool(await self._pool.execute(_PUT, number=number, attempt=attempt, step=step, state=kept))

    async def remove(self, number: int) -> None:
        await self._pool.execute(_REMOVE, number=number)

    async def newer(self, known: Mapping[int, StateAt]) -> Mapping[int, Mapping[str, Any]]:
        attempts, steps = [at[0] for at in known.values()], [at[1] for at in known.values()]
        found = await self._pool.fetch_all(_NEWER, numbers=list(known), attempts=attempts, steps=steps)
        return {row.question_no: row.state for row in found}
