"""Claims of questions, those of one moment in one transaction.

A claim costs the server little, its commit most: one after the other, two hundred take a second. While a transaction is
under way, the claims that come in wait, and go together in the next.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from psycopg.rows import namedtuple_row

from domain.conversation import SENT_AGAIN, AcceptedQuestion
from domain.errors import Transient
from storage.conversations import ledger_statements as rows
from storage.server.pool import Connection, ConnectionPool

MAX_CLAIMS = 200
"""Claims in one transaction."""

Values = Mapping[str, object]
Waiting = tuple[Values, "asyncio.Future[AcceptedQuestion]"]


class ClaimBatcher:
    """The claims of one process."""

    def __init__(self, pool: ConnectionPool) -> None:
        self._pool = pool
        self._waiting: list[Waiting] = []
        self._working: asyncio.Task[None] | None = None

    async def claim(self, values: Values) -> AcceptedQuestion:
        """Claims one question. values: the columns, limits and token of the statement.

        Raises Transient when the database is away.
        """
        future: asyncio.Future[AcceptedQuestion] = asyncio.get_running_loop().create_future()
        self._waiting.append((values, future))
        if self._working is None:
            self._working = asyncio.create_task(self._work())
        return await future

    async def _work(self) -> None:
        try:
            while self._waiting:
                batch, self._waiting = self._waiting[:MAX_CLAIMS], self._waiting[MAX_CLAIMS:]
                await self._claim(batch)
        finally:
            self._working = None

    async def _claim(self, batch: Sequence[Waiting]) -> None:
        """All of them, or, where that fails, each by itself: one must not keep the others from theirs. A database that
        is away is so for all."""
        try:
            found = await self._pool.run(lambda connection: _claims(connection, [values for values, _ in batch]))
        except Exception as error:  # noqa: BLE001 - whoever waits for it gets it
            if len(batch) > 1 and not isinstance(error, Transient):
                for each in batch:
                    await self._claim([each])
                return
            for _, future in batch:
                if not future.done():
                    future.set_exception(error)
            return
        for (_, future), claim in zip(batch, found, strict=True):
            if not future.done():  # who asked may have gone
                future.set_result(claim)


async def _claims(connection: Connection, wanted: Sequence[Values]) -> list[AcceptedQuestion]:
    """Looks each question up, and claims those that are new."""
    found = await _each(connection, rows.FIND_CLAIM, wanted)
    refused = [row.question_no for row, values in zip(found, wanted, strict=True) if _may_come_again(row, values)]
    new = [place for place, row in enumerate(found) if row is None or row.question_no in refused]
    if new:
        async with connection.transaction():
            await connection.execute(rows.CLAIM_LOCK)
            if refused:
                await connection.execute(rows.FORGET_REFUSED, {"numbers": refused})
            claimed = await _each(connection, rows.CLAIM, [wanted[place] for place in new])
        for place, row in zip(new, claimed, strict=True):
            found[place] = row
    return [_claimed(row, values) for row, values in zip(found, wanted, strict=True)]


def _may_come_again(row: Any, values: Values) -> bool:
    """Whether a question was turned down before by a limit, and its caller, who was told so, sends it again."""
    refused = row is not None and row.platform in SENT_AGAIN and row.excess is not None and row.ended_at is not None
    return refused and row.text_hash in {None, values["text_hash"]}


def _claimed(row: Any, values: Values) -> AcceptedQuestion:
    before = row.before if row.fresh and row.excess is None else None
    other_text = row.text_hash is not None and row.text_hash != values["text_hash"]
    question = rows.as_question(row)
    return replace(question, fresh=row.fresh, other_text=other_text, queue_ahead=before, free_in=row.free_in)


async def _each(connection: Connection, statement: bytes, wanted: Sequence[Values]) -> list[Any]:
    """The only row that each gives, None without any; sent together."""
    async with connection.pipeline():
        cursors = []
        for values in wanted:
            cursor = connection.cursor(row_factory=namedtuple_row)
            cursors.append(await cursor.execute(statement, values))
        return [await cursor.fetchone() for cursor in cursors]
