"""What ReplyCache promises, held against every implementation."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from domain.model_ports import ReplyCache
from storage.open import open_storage
from storage.server.database import DatabaseOptions
from tests.fakes.replies import MemoryReplies

LIMIT = 10
WEEK = timedelta(days=7)


@dataclass(frozen=True)
class Cache:
    """One implementation. pass_time: makes everything in it older."""

    replies: ReplyCache
    pass_time: Callable[[timedelta], Awaitable[None]]

    async def kept(self, keys: list[bytes]) -> set[bytes]:
        """Those of the keys that still have a reply; looking counts as use."""
        return {key for key in keys if await self.replies.get(key) is not None}


def in_memory() -> Cache:
    moment = [datetime(2026, 1, 1, tzinfo=UTC)]

    async def pass_time(by: timedelta) -> None:
        moment[0] += by

    return Cache(MemoryReplies(LIMIT, WEEK, lambda: moment[0]), pass_time)


@asynccontextmanager
async def in_postgresql(place: DatabaseOptions) -> AsyncIterator[Cache]:
    async with open_storage(place) as storage:

        async def pass_time(by: timedelta) -> None:
            older = "UPDATE model_replies SET created_at = created_at - :by, used_at = used_at - :by"
            async with storage.engine.begin() as connection:
                await connection.execute(text(older), {"by": by})

        yield Cache(storage.reply_cache(limit=LIMIT, max_age=WEEK), pass_time)


@pytest.fixture
async def cache(place: DatabaseOptions | None) -> AsyncIterator[Cache]:
    """Each implementation in turn, empty."""
    if place is None:
        yield in_memory()
        return
    async with in_postgresql(place) as opened:
        yield opened


def numbered(count: int) -> list[bytes]:
    return [b"key %d" % number for number in range(count)]


async def test_what_was_put_is_there_under_its_key_alone(cache: Cache) -> None:
    assert await cache.replies.get(b"\x00\xff") is None
    await cache.replies.put(b"\x00\xff", "yes")
    await cache.replies.put(b"", 'ein längeres „Nein“ 💬\r\n\t{"a": 1}')
    assert await cache.replies.get(b"\x00\xff") == "yes"
    assert await cache.replies.get(b"") == 'ein längeres „Nein“ 💬\r\n\t{"a": 1}'
    assert await cache.replies.get(b"\x00") is None


async def test_a_later_reply_takes_the_place_of_an_earlier_one(cache: Cache) -> None:
    for reply in ("first", "second", ""):
        await cache.replies.put(b"key", reply)
        assert await cache.replies.get(b"key") == reply


async def test_a_reply_is_kept_for_its_time_however_often_it_is_used(cache: Cache) -> None:
    await cache.replies.put(b"old", "reply")
    for _ in range(6):
        await cache.pass_time(timedelta(days=1))
        assert await cache.replies.get(b"old") == "reply"
    await cache.replies.put(b"young", "reply")
    await cache.pass_time(timedelta(days=1, seconds=1))
    assert await cache.replies.get(b"old") is None
    assert await cache.replies.get(b"young") == "reply"
    await cache.replies.put(b"old", "anew")
    assert await cache.replies.get(b"old") == "anew"


async def test_those_unused_for_longest_go_when_there_are_too_many(cache: Cache) -> None:
    keys = numbered(LIMIT + 3)
    for key in keys[:LIMIT]:
        await cache.replies.put(key, "reply")
        await cache.pass_time(timedelta(minutes=2))
    await cache.replies.get(keys[0])
    await cache.pass_time(timedelta(minutes=2))
    await cache.replies.put(keys[1], "put again")
    for key in keys[LIMIT:]:
        await cache.pass_time(timedelta(minutes=2))
        await cache.replies.put(key, "reply")
    assert await cache.kept(keys) == set(keys) - set(keys[2:5])


async def test_many_may_put_and_get_at_once(cache: Cache) -> None:
    keys = numbered(4 * LIMIT)

    async def use(key: bytes) -> str | None:
        await cache.replies.put(key, key.decode())
        return await cache.replies.get(key)

    found = await asyncio.gather(*(use(key) for key in keys * 3))
    assert all(reply in {None, key.decode()} for key, reply in zip(keys * 3, found, strict=True))
    await cache.replies.put(b"last", "one")
    assert len(await cache.kept([*keys, b"last"])) == LIMIT


async def test_an_odd_text_never_fails(cache: Cache) -> None:
    for number, reply in enumerate(["nul \0 inside", "half a character \ud83d"]):
        key = b"odd %d" % number
        await cache.replies.put(key, reply)
        assert await cache.replies.get(key) in {None, reply}
