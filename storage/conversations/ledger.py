"""Every accepted question, in PostgreSQL, and the putting of its job: what belongs together is one transaction.

A piece of work may run a second time when its connection was lost, with or without having been done: see
storage.server.pool. `again` says so, and what the first time would have left is then taken for done.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any, TypeVar
from uuid import uuid4

from psycopg.types.json import Jsonb

from domain.conversation import (
    AcceptedQuestion,
    ConversationPlace,
    Incoming,
    MessageKey,
    Participant,
    Platform,
    QuestionLimits,
    RecordedOutcome,
)
from domain.ledger import MAX_TEXT_CHANGES
from domain.text.encodable import storable
from storage.conversations import ledger_statements as rows
from storage.conversations.answer_records import record_columns
from storage.conversations.batches import BATCH, run_in_batches
from storage.conversations.claim_batches import ClaimBatcher
from storage.conversations.corrections import posted_columns
from storage.conversations.ledger_statements import fingerprint
from storage.jobs import statements as queue
from storage.server.pool import Connection, ConnectionPool, fetch_all, fetch_one

T = TypeVar("T")

REOPENED = frozenset({"answered", "not_found", "declined", "failed", "late"})
"""Results of a question that is answered anew when its text is changed."""


class PostgresLedger:
    """The domain.ledger.Ledger of all processes over one database. Transient is raised when the database is away.
    batch: rows that are removed at one time."""

    def __init__(self, pool: ConnectionPool, batch: int = BATCH) -> None:
        self._pool = pool
        self._batch = batch
        self._claims = ClaimBatcher(pool)

    async def claim(self, incoming: Incoming, limits: QuestionLimits) -> AcceptedQuestion:
        return await self._claims.claim({**_columns(incoming), **asdict(limits), "token": uuid4()})

    async def enqueue(self, number: int, handle: Mapping[str, str]) -> bool:
        values = {"number": number, "handle": _as_json(handle)}

        async def work(connection: Connection, again: bool) -> bool:
            async with connection.transaction():
                row = await fetch_one(connection, rows.ENQUEUE, values)
                if row is not None:
                    await _enqueue(connection, number, row)
                    return True
            return again and await fetch_one(connection, rows.IS_ENQUEUED, values) is not None

        return await self._once(work)

    async def begin_attempt(self, number: int) -> AcceptedQuestion | None:
        row = await self._pool.fetch_one(rows.BEGIN, number=number, token=uuid4())
        return row and rows.as_question(row)

    async def update_handle(self, number: int, attempt: int, handle: Mapping[str, str]) -> bool:
        return bool(
            await self._pool.execute(rows.UPDATE_HANDLE, number=number, attempt=attempt, handle=_as_json(handle))
        )

    async def begin_posting(self, number: int, attempt: int, revision: int) -> bool:
        return bool(await self._pool.execute(rows.BEGIN_POSTING, number=number, attempt=attempt, revision=revision))

    async def close(self, number: int, attempt: int, ending: RecordedOutcome) -> bool:
        async def work(connection: Connection, again: bool) -> bool:
            async with connection.transaction():
                row = await fetch_one(connection, rows.BY_NUMBER_TO_CHANGE, {"number": number})
                if row is None or not _is_current(row, attempt):
                    done = row is not None and (row.state, row.result) == (ending.state, ending.result)
                    return again and done and attempt in {0, row.attempt}
                changed = row.begun_revision is not None and row.begun_revision < row.revision  # another text by now
                if changed and ending.result in REOPENED:
                    await _reopen(connection, row)
                else:
                    await _close(connection, row, ending)
            return True

        return await self._once(work)

    async def change_text(self, key: MessageKey, text: str, *, restored: bool = False) -> int | None:
        wanted, reopened = storable(text), REOPENED | ({"withdrawn"} if restored else set())
        differed = False

        async def work(connection: Connection) -> int | None:
            nonlocal differed
            async with connection.transaction():
                row = await fetch_one(connection, rows.BY_KEY_TO_CHANGE, asdict(key))
                if row is None or row.excess or row.revision >= MAX_TEXT_CHANGES:
                    return None
                if row.ended_at and row.result not in reopened:
                    return None
                if row.text_hash == fingerprint(wanted):
                    return int(row.question_no) if differed else None
                differed = True
                values = {"number": row.question_no, "text": wanted, "text_hash": fingerprint(wanted)}
                await connection.execute(rows.CHANGE_TEXT, values)
                if row.ended_at:
                    await _reopen(connection, row, edited=not restored)
                return int(row.question_no)

        return await self._pool.run(work)

    async def withdraw(self, key: MessageKey) -> AcceptedQuestion | None:
        before: AcceptedQuestion | None = None

        async def work(connection: Connection) -> AcceptedQuestion | None:
            nonlocal before
            async with connection.transaction():
                row = await fetch_one(connection, rows.BY_KEY_TO_CHANGE, asdict(key))
                if row is None:
                    return None
                before = before or rows.as_question(row)
                for statement in (
                    rows.WITHDRAW,
                    rows.FORGET_TURN,
                    rows.BLANK_POSTED,
                    rows.BLANK_RECORD,
                    rows.FORGET_SHOWN,
                ):
                    await connection.execute(statement, {"number": row.question_no})
                return before

        return await self._pool.run(work)

    async def find(self, number: int) -> AcceptedQuestion | None:
        row = await self._pool.fetch_one(rows.BY_NUMBER, number=number)
        return row and rows.as_question(row)

    async def has_question_in_thread(self, place: ConversationPlace, *, before: int | None = None) -> bool:
        return await self._pool.fetch_one(rows.IN_THREAD, **asdict(place), before=before) is not None

    async def find_by_reply(self, platform: Platform, channel: str, message: str) -> int | None:
        row = await self._pool.fetch_one(rows.FIND_BY_REPLY, platform=platform, channel=channel, message=message)
        return None if row is None else int(row.question_no)

    async def last_reply(self, person: Participant, channel: str) -> int | None:
        values = {"platform": person.platform, "person": person.id, "channel": channel}
        row = await self._pool.fetch_one(rows.LAST_REPLY, **values)
        return None if row is None else int(row.question_no)

    async def requeue_lost(self, platforms: Collection[Platform], patience: timedelta) -> list[int]:
        values = {"platforms": list(platforms), "patience": patience}

        async def work(connection: Connection) -> list[int]:
            async with connection.transaction():
                found = await fetch_all(connection, rows.FIND_LOST, values)
                queued = [row.question_no for row in found if await _enqueue(connection, row.question_no, row)]
                for number in queued:
                    await connection.execute(rows.MARK_REQUEUED, {"number": number})
                return queued

        return await self._pool.run(work)

    async def close_abandoned(self, patience: timedelta) -> Mapping[Platform, int]:
        closed: Counter[Platform] = Counter()
        while found := await self._pool.fetch_all(rows.CLOSE_ABANDONED, patience=patience, batch=self._batch):
            closed.update(row.platform for row in found)
        return closed

    async def prune(self, *, ended_before: datetime) -> int:
        """See domain.ledger.Ledger. Jobs that failed before then go, too."""
        values: dict[str, object] = {"before": ended_before}
        return (await run_in_batches(self._pool, (queue.PRUNE, rows.PRUNE), values, self._batch))[-1]

    async def _once(self, work: Callable[[Connection, bool], Awaitable[T]]) -> T:
        """What `work` makes of a connection, and of whether it may have been done already."""
        again = False

        async def tracked(connection: Connection) -> T:
            nonlocal again
            before, again = again, True
            return await work(connection, before)

        return await self._pool.run(tracked)


def _columns(incoming: Incoming) -> dict[str, object]:
    """The columns of a new question."""
    text = storable(incoming.text)
    return {
        **asdict(incoming.place),
        **asdict(incoming.key),
        "asker": incoming.asker.id,
        "asker_workspace": incoming.asker.workspace,
        "audience": incoming.audience,
        "text": text,
        "text_hash": fingerprint(text),
        "handle": _as_json(incoming.handle),
        "unread": [storable(name) for name in incoming.unread],
    }


def _as_json(handle: Mapping[str, str]) -> Jsonb:
    return Jsonb({storable(name): storable(value) for name, value in handle.items()})


def _is_current(row: Any, attempt: int) -> bool:
    """Whether an attempt may still change a question; 0 is for one that waits to be begun."""
    if attempt == 0:
        return bool(row.state == "received")
    return row.state in {"running", "posting"} and row.attempt == attempt


async def _enqueue(connection: Connection, number: int, row: Any) -> bool:
    return await queue.put_question(connection, number, queue=row.platform, lock_key=rows.as_place(row).lock_key)


async def _reopen(connection: Connection, row: Any, *, edited: bool = True) -> None:
    """Queues a question anew, with a whole deadline; its reply is forgotten, and if it was edited also what people made
    of that: votes, and that its text was sent to an owner."""
    made_of_it = (rows.FORGET_VOTES, rows.FORGET_REQUEST) if edited else ()
    forgotten = (rows.FORGET_TURN, rows.FORGET_POSTED, rows.FORGET_RECORD, rows.FORGET_SHOWN)
    for statement in (*forgotten, *made_of_it, rows.REOPEN):
        await connection.execute(statement, {"number": row.question_no})
    await _enqueue(connection, row.question_no, row)


async def _close(connection: Connection, row: Any, ending: RecordedOutcome) -> None:
    """Ends a question, and remembers its turn."""
    question = storable(ending.turn.question) if ending.turn else ""
    values = {
        "number": row.question_no,
        "state": ending.state,
        "result": ending.result,
        "text": question,
        "cited": Jsonb([(each.n, each.chunk_id) for each in ending.cited]),
        "duplicate_possible": ending.duplicate_possible,
        "handle": _as_json(ending.handle),
    }
    await connection.execute(rows.CLOSE, values)
    if ending.posted:
        await connection.execute(rows.ADD_POSTED, {"number": row.question_no, **posted_columns(ending.posted)})
    if ending.record:
        await connection.execute(rows.ADD_RECORD, {"number": row.question_no, **record_columns(ending.record)})
    if ending.turn:
        turn = {
            "number": row.question_no,
            "platform": row.platform,
            "person": row.asker,
            "person_workspace": row.asker_workspace,
            "conversation": rows.as_place(row).conversation,
            "question": question,
            "reply": storable(ending.turn.reply),
        }
        await connection.execute(rows.ADD_TURN, turn)
