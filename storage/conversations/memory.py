"""What was asked and replied, in PostgreSQL. storage.conversations.ledger writes it.

A person is known by platform and id: on Slack, somebody who writes from another workspace is the same person.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import TypeAlias, TypeVar

from domain.answers import Turn
from domain.conversation import ConversationPlace, Participant, RememberedQuestion
from storage.conversations.batches import BATCH, run_in_batches
from storage.conversations.ledger_statements import as_key
from storage.server.pool import Connection, ConnectionPool, fetch_all

T = TypeVar("T")
Work: TypeAlias = Callable[[Connection], Awaitable[T]]

_TURNS = b"""
    SELECT question, turns.reply, coalesce(citations, '[]') AS citations
    FROM turns LEFT JOIN posted_replies USING (question_no) WHERE platform = %(platform)s AND person = %(person)s
    AND conversation = %(conversation)s AND created_at >= %(since)s ORDER BY turn_no DESC LIMIT %(limit)s
"""
_RECENT = b"""
    SELECT turns.question, questions.platform, channel, message, received_at, question_no
    FROM turns JOIN questions USING (question_no) WHERE turns.platform = %(platform)s AND person = %(person)s
    ORDER BY received_at DESC, question_no DESC LIMIT %(limit)s
"""
_FORGET = b"DELETE FROM turns WHERE platform = %(platform)s AND person = %(person)s"
_FORGET_TEXTS = b"""
    UPDATE questions SET text = '', text_hash = NULL, unread = '{}'
    WHERE platform = %(platform)s AND asker = %(person)s AND ended_at IS NOT NULL
"""
_FORGET_POSTED = b"""
    UPDATE posted_replies SET reply = '', address = '' FROM questions q WHERE q.question_no = posted_replies.question_no
    AND q.platform = %(platform)s AND q.asker = %(person)s
"""
_FORGET_REASONS = b"UPDATE feedback SET reason = NULL WHERE platform = %(platform)s AND person = %(person)s"
# a release without these records forgets by the question alone
_FORGET_RECORDS = b"""
    UPDATE answer_records SET question = '', trace = '{}', nearest = '[]' FROM questions q
    WHERE q.question_no = answer_records.question_no AND q.platform = %(platform)s AND q.asker = %(person)s
"""
_FORGET_SHOWN = b"""
    DELETE FROM web_replies USING questions q WHERE q.question_no = web_replies.question_no
    AND q.platform = %(platform)s AND q.asker = %(person)s AND q.ended_at IS NOT NULL
"""
# rows that somebody has hold of are left: another process that removes them, too, or the next time
_PRUNE_TEXTS = b"""
    UPDATE questions SET text = '', text_hash = NULL, unread = '{}' WHERE question_no IN (
        SELECT question_no FROM questions WHERE ended_at < %(before)s AND (text_hash IS NOT NULL OR unread <> '{}')
        LIMIT %(batch)s FOR UPDATE SKIP LOCKED)
"""
_PRUNE_POSTED = b"""
    UPDATE posted_replies SET reply = '' WHERE question_no IN (
        SELECT question_no FROM posted_replies WHERE posted_at < %(before)s AND reply <> ''
        LIMIT %(batch)s FOR UPDATE SKIP LOCKED)
"""
_PRUNE_RECORDS = b"""
    UPDATE answer_records SET question = '', trace = '{}', nearest = '[]' WHERE question_no IN (
        SELECT question_no FROM answer_records r JOIN questions q USING (question_no)
        WHERE trace <> '{}' AND (q.ended_at < %(before)s OR q.text_hash IS NULL)
        LIMIT %(batch)s FOR UPDATE OF r SKIP LOCKED)
"""
_PRUNE_SHOWN = b"""
    DELETE FROM web_replies WHERE question_no IN (
        SELECT question_no FROM web_replies r JOIN questions q USING (question_no)
        WHERE q.ended_at < %(before)s OR q.text_hash IS NULL
        LIMIT %(batch)s FOR UPDATE OF r SKIP LOCKED)
"""
_PRUNE_REASONS = b"""
    UPDATE feedback SET reason = NULL WHERE (question_no, platform, person) IN (
        SELECT question_no, platform, person FROM feedback WHERE updated_at < %(before)s AND reason IS NOT NULL
        LIMIT %(batch)s FOR UPDATE SKIP LOCKED)
"""
_PRUNE = b"""
    DELETE FROM turns WHERE turn_no IN (
        SELECT turn_no FROM turns WHERE created_at < %(before)s LIMIT %(batch)s FOR UPDATE SKIP LOCKED)
"""


class PostgresMemory:
    """The domain.ledger.Memory of all processes over one database. Transient is raised when the database is away.
    batch: rows that are removed at one time."""

    def __init__(self, pool: ConnectionPool, batch: int = BATCH) -> None:
        self._pool = pool
        self._batch = batch

    async def turns(
        self, person: Participant, place: ConversationPlace, *, limit: int, since: datetime
    ) -> tuple[Turn, ...]:
        values = {**_of(person), "conversation": place.conversation, "since": since, "limit": limit}
        found = await self._pool.run(_as(person, lambda connection: fetch_all(connection, _TURNS, values)))
        return tuple(Turn(row.question, row.reply, _sources(row.citations)) for row in reversed(found))

    async def recent(self, person: Participant, *, limit: int) -> list[RememberedQuestion]:
        values = {**_of(person), "limit": limit}
        found = await self._pool.run(_as(person, lambda connection: fetch_all(connection, _RECENT, values)))
        return [RememberedQuestion(row.question, as_key(row), row.received_at, row.question_no) for row in found]

    async def forget(self, person: Participant) -> int:
        texts = (_FORGET_TEXTS, _FORGET_POSTED, _FORGET_RECORDS, _FORGET_SHOWN, _FORGET_REASONS)
        return await self._pool.run(_as(person, _removal(_FORGET, texts, _of(person))))

    async def prune(self, *, before: datetime) -> int:
        statements = (_PRUNE_TEXTS, _PRUNE_POSTED, _PRUNE_RECORDS, _PRUNE_SHOWN, _PRUNE_REASONS, _PRUNE)
        return (await run_in_batches(self._pool, statements, {"before": before}, self._batch))[-1]


def _as(person: Participant, work: Work[T]) -> Work[T]:
    """`work` in transactions that see the turns of this person alone."""

    async def working(connection: Connection) -> T:
        connection.act_for(person.platform, person.id)
        return await work(connection)

    return working


def _removal(turns: bytes, texts: Sequence[bytes], values: dict[str, object]) -> Work[int]:
    """Blanks texts and removes turns in one transaction; gives how many turns."""

    async def work(connection: Connection) -> int:
        async with connection.transaction():
            for statement in texts:
                await connection.execute(statement, values)
            return (await connection.execute(turns, values)).rowcount

    return work


def _sources(citations: Sequence[Mapping[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((each.get("chunk_id", ""), each.get("document_id", "")) for each in citations)


def _of(person: Participant) -> dict[str, object]:
    return {"platform": person.platform, "person": person.id}
