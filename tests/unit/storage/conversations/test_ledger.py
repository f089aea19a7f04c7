"""What only shows in the ledger's tables, and what a connection does not keep that is lost at the worst moment."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import TypeVar

import psycopg
import pytest

from domain.conversation import RecordedOutcome
from domain.errors import Transient
from storage.conversations.feedback import PostgresFeedback
from storage.conversations.ledger import PostgresLedger
from storage.conversations.ledger_statements import CLAIM_LOCK
from storage.conversations.memory import PostgresMemory
from storage.open import Storage
from storage.server.pool import Connection, ConnectionPool
from tests.contract.conversations import ADA, ANSWERED, MANY, TURN, incoming
from tests.unit.storage.rows import count, rows

T = TypeVar("T")
KEY = incoming().key


class Forgetful(ConnectionPool):
    """A pool whose connection is lost right after the work was done for the first time, each time."""

    def __init__(self, pool: ConnectionPool) -> None:
        self._real = pool

    async def run(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        await self._real.run(work)
        return await self._real.run(work)


@pytest.fixture
def ledger(storage: Storage) -> PostgresLedger:
    """One that does everything a second time without hearing of the first."""
    return PostgresLedger(Forgetful(storage.pool))


@pytest.fixture
def steady(storage: Storage) -> PostgresLedger:
    return storage.ledger()


async def test_a_claim_whose_commit_was_lost_is_still_the_callers(
    ledger: PostgresLedger, steady: PostgresLedger
) -> None:
    claim = await ledger.claim(incoming(), MANY)
    assert claim.fresh
    for other in (ledger, steady):
        again = await other.claim(incoming(), MANY)
        assert (again.fresh, again.number) == (False, claim.number)


async def test_a_question_is_placed_though_a_worker_has_it_before_the_caller_hears(storage: Storage) -> None:
    number = (await storage.ledger().claim(incoming(), MANY)).number

    class Begun(Forgetful):
        async def run(self, work: Callable[[Connection], Awaitable[T]]) -> T:
            await self._real.run(work)
            assert await storage.ledger().begin_attempt(number)
            return await self._real.run(work)

    assert await PostgresLedger(Begun(storage.pool)).enqueue(number, {"reply": "1"})
    assert not await PostgresLedger(Forgetful(storage.pool)).enqueue(number, {"reply": "2"})
    assert await count(storage, "procrastinate_jobs") == 1


async def test_nothing_counts_twice_that_is_done_twice(
    ledger: PostgresLedger, steady: PostgresLedger, storage: Storage
) -> None:
    number = (await ledger.claim(incoming(), MANY)).number
    assert await ledger.enqueue(number, {"reply": "1"})
    begun = await ledger.begin_attempt(number)
    assert begun is not None
    assert begun.attempt == 1
    assert await ledger.update_handle(number, 1, {"reply": "2"})
    assert await ledger.change_text(KEY, "where?") == number
    assert await ledger.change_text(KEY, "where?") is None
    again = await ledger.begin_attempt(number)
    assert again is not None
    assert (again.attempt, again.revision, again.text) == (2, 1, "where?")
    assert await ledger.begin_posting(number, 2, 1)
    assert await ledger.close(number, 2, ANSWERED)
    assert not await ledger.close(number, 1, RecordedOutcome("failed"))
    assert await count(storage, "turns") == 1
    assert await ledger.change_text(KEY, "who?") == number
    assert await count(storage, "procrastinate_jobs") == 1
    withdrawn = await ledger.withdraw(KEY)
    assert withdrawn is not None
    assert (withdrawn.state, withdrawn.text) == ("received", "who?")
    assert (await steady.find(number)) != withdrawn


async def test_a_close_that_another_has_done_is_not_taken_for_ones_own(
    ledger: PostgresLedger, steady: PostgresLedger
) -> None:
    number = (await steady.claim(incoming(), MANY)).number
    for _ in range(2):
        await steady.begin_attempt(number)
    assert await steady.close(number, 2, ANSWERED)
    assert not await ledger.close(number, 1, ANSWERED)


async def test_two_hundred_claims_at_once_take_little_time(steady: PostgresLedger) -> None:
    async with asyncio.timeout(10):
        claims = await asyncio.gather(*(steady.claim(incoming(f"{n}"), MANY) for n in range(200)))
    assert all(claim.fresh for claim in claims)


async def test_a_failed_defer_leaves_nothing_behind(storage: Storage, ledger: PostgresLedger) -> None:
    """Handle, time and job are one transaction."""
    number = (await ledger.claim(incoming(), MANY)).number
    async with storage.engine.begin() as connection:
        await connection.exec_driver_sql("ALTER TABLE procrastinate_jobs ADD CHECK (queue_name <> 'slack')")
    with pytest.raises(Exception, match="refused a statement") as caught:
        await storage.ledger().enqueue(number, {"reply": "1"})
    assert isinstance(caught.value.__cause__, psycopg.errors.CheckViolation)
    ((handle, queued),) = await rows(storage, "SELECT handle, queued_at FROM questions")
    assert (handle, queued) == ({"team": "T1"}, None)


async def test_when_what_happened_is_kept(storage: Storage, steady: PostgresLedger) -> None:
    number = (await steady.claim(incoming(), MANY)).number
    await steady.enqueue(number, {})
    await steady.begin_attempt(number)
    await steady.close(number, 1, RecordedOutcome("answered", TURN, duplicate_possible=True))
    ((*moments, twice),) = await rows(
        storage, "SELECT received_at, queued_at, started_at, ended_at, duplicate_possible FROM questions"
    )
    assert moments == sorted(moments)
    assert twice


async def test_a_reason_is_kept_until_another_one_or_another_vote_is_given(
    storage: Storage, steady: PostgresLedger
) -> None:
    number = (await steady.claim(incoming(), MANY)).number
    seen = []
    for value, reason in [(-1, None), (-1, "old"), (-1, None), (1, None), (-1, "wrong")]:
        await storage.feedback().vote(number, ADA, value, reason)
        seen += [tuple(row) for row in await rows(storage, "SELECT value, reason FROM feedback")]
    assert seen == [(-1, None), (-1, "old"), (-1, "old"), (1, None), (-1, "wrong")]


async def test_another_text_may_go_to_an_owner_though_the_earlier_one_did(
    storage: Storage, steady: PostgresLedger
) -> None:
    number = (await steady.claim(incoming(), MANY)).number
    await steady.begin_attempt(number)
    await steady.close(number, 1, ANSWERED)
    assert await storage.owner_requests().claim(number, "d1")
    assert await steady.change_text(KEY, "where?") == number
    assert not await storage.owner_requests().sent(number)


async def test_nothing_of_a_text_stays_that_is_forgotten(storage: Storage, steady: PostgresLedger) -> None:
    for message in ("1", "2"):
        asked = incoming(message, words="a private matter")
        number = (await steady.claim(asked, MANY)).number
        await steady.begin_attempt(number)
        await steady.close(number, 1, RecordedOutcome("failed"))
    await steady.withdraw(KEY)
    assert "private" not in str(await rows(storage, "SELECT questions::text FROM questions"))
    assert await kept(storage) == [None, False]
    await storage.memory().forget(ADA)
    assert await kept(storage) == [None, None]


async def kept(storage: Storage) -> list[bool | None]:
    """By question: None where not even a hash of its text is kept."""
    found = await rows(storage, "SELECT text_hash IS NULL FROM questions ORDER BY question_no")
    return [None if gone else False for (gone,) in found]


async def test_old_failed_jobs_go_and_others_stay(storage: Storage, steady: PostgresLedger) -> None:
    for message in ("1", "2", "3"):
        number = (await steady.claim(incoming(message), MANY)).number
        await steady.enqueue(number, {})
    async with storage.engine.begin() as connection:
        await connection.exec_driver_sql("UPDATE procrastinate_jobs SET status = 'failed' WHERE id < 3")
        await connection.exec_driver_sql(
            "UPDATE procrastinate_events SET at = at - interval '2 days' WHERE job_id <> 2"
        )
    ((now,),) = await rows(storage, "SELECT now()")
    assert await steady.prune(ended_before=now - timedelta(days=1)) == 0
    assert [row[0] for row in await rows(storage, "SELECT id FROM procrastinate_jobs ORDER BY id")] == [2, 3]


async def test_what_reads_is_done_twice_without_harm(storage: Storage, steady: PostgresLedger) -> None:
    number = (await steady.claim(incoming(), MANY)).number
    await steady.begin_attempt(number)
    await steady.close(number, 1, ANSWERED)
    twice = Forgetful(storage.pool)
    assert await PostgresFeedback(twice).vote(number, ADA, 1) is not None
    ((since,),) = await rows(storage, "SELECT now() - interval '1 hour'")
    assert await PostgresFeedback(twice).totals(since) == {1: 1, -1: 0}
    assert len(await PostgresMemory(twice).recent(ADA, limit=5)) == 1


class Away(ConnectionPool):
    """The pool of a database that is away. asked: how often."""

    def __init__(self) -> None:
        self.asked = 0

    async def run(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        self.asked += 1
        await asyncio.sleep(0)
        raise Transient("The database is away")


async def test_claims_of_one_moment_fail_at_once_when_the_database_is_away() -> None:
    away = Away()
    ledger = PostgresLedger(away)
    claims = [ledger.claim(incoming(str(n)), MANY) for n in range(50)]
    found = await asyncio.gather(*claims, return_exceptions=True)
    assert all(isinstance(each, Transient) for each in found)
    assert away.asked <= 2


async def test_claims_do_not_wait_for_ever_for_who_hangs(storage: Storage) -> None:
    query = b"SELECT current_setting('lock_timeout'), current_setting('idle_in_transaction_session_timeout')"
    set_to = await storage.pool.run(lambda connection: connection.execute(query))
    assert await set_to.fetchone() == ("5s", "5s")
    await storage.pool.run(lambda connection: connection.execute("SET lock_timeout = '200ms'"))
    with psycopg.connect(storage.urls.owner or "") as hanging:
        hanging.execute(CLAIM_LOCK)
        with pytest.raises(Transient):
            await storage.ledger().claim(incoming(), MANY)
    assert (await storage.ledger().claim(incoming(), MANY)).fresh


class Failing(ConnectionPool):
    """The pool of a database that answers so many times, fails once, and answers again."""

    def __init__(self, pool: ConnectionPool, good: int) -> None:
        self._real = pool
        self._good = good

    async def run(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        self._good -= 1
        if self._good == -1:
            raise Transient("It takes too long")
        return await self._real.run(work)


async def ended_long_ago(storage: Storage, messages: int) -> datetime:
    """So many questions that were answered; gives a moment after that."""
    ledger = storage.ledger()
    for message in range(messages):
        number = (await ledger.claim(incoming(str(message)), MANY)).number
        await ledger.begin_attempt(number)
        await ledger.close(number, 1, ANSWERED)
    ((now,),) = await rows(storage, "SELECT now()")
    assert isinstance(now, datetime)
    return now + timedelta(hours=1)


async def test_what_is_too_old_goes_in_batches_and_what_went_is_gone_when_one_fails(storage: Storage) -> None:
    later = await ended_long_ago(storage, 5)
    failing = Failing(storage.pool, 3)  # the failed jobs, then two batches
    with pytest.raises(Transient):
        await PostgresLedger(failing, batch=2).prune(ended_before=later)
    assert await count(storage, "questions") == 1
    assert await PostgresLedger(storage.pool, batch=2).prune(ended_before=later) == 1


async def test_texts_that_cannot_be_removed_now_do_not_hold_the_turns(storage: Storage) -> None:
    later = await ended_long_ago(storage, 3)
    with pytest.raises(Transient):
        await PostgresMemory(Failing(storage.pool, 0), batch=2).prune(before=later)
    assert await count(storage, "turns") == 0
    assert await rows(storage, "SELECT count(*) FROM questions WHERE text <> ''") == [(3,)]
    await PostgresMemory(storage.pool, batch=2).prune(before=later)
    assert await rows(storage, "SELECT count(*) FROM questions WHERE text <> ''") == [(0,)]
