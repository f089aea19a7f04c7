"""Kept replies in PostgreSQL: what is written when, and what goes when."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from domain.errors import Misconfigured
from storage.open import Storage, open_storage
from storage.server.database import DatabaseOptions
from tests.unit.storage.rows import change, count, rows


async def moments(storage: Storage) -> tuple[object, object]:
    ((created, used),) = await rows(storage, "SELECT created_at, used_at FROM model_replies")
    return created, used


async def test_a_use_is_noted_once_a_minute(storage: Storage) -> None:
    replies = storage.reply_cache()
    await replies.put(b"key", "reply")
    first = await moments(storage)
    await replies.get(b"key")
    assert await moments(storage) == first
    await change(storage, "UPDATE model_replies SET used_at = used_at - interval '61 seconds'")
    before = await moments(storage)
    await replies.get(b"key")
    after = await moments(storage)
    assert after[0] == before[0]
    assert after[1] > first[1]  # type: ignore[operator] # moments


async def test_a_large_cache_is_cut_now_and_then_and_stays_near_its_limit(storage: Storage) -> None:
    replies = storage.reply_cache(limit=100)
    sizes = []
    for number in range(200):
        await replies.put(b"%d" % number, "reply")
        sizes.append(await count(storage, "model_replies"))
    assert max(sizes) > 100, "not at each put"
    assert max(sizes) < 120
    kept = [int(bytes(row[0])) for row in await rows(storage, "SELECT key FROM model_replies")]
    assert min(kept) >= 200 - 120


async def test_what_is_too_old_goes_though_there_is_room(storage: Storage) -> None:
    replies = storage.reply_cache(limit=50, max_age=timedelta(hours=1))
    for number in range(20):
        await replies.put(b"%d" % number, "reply")
    await change(storage, "UPDATE model_replies SET created_at = created_at - interval '2 hours'")
    await replies.put(b"new", "reply")
    assert await count(storage, "model_replies") == 1


async def test_processes_that_cut_at_once_do_not_wait_for_each_other(
    storage: Storage, data_dir: Path, database: str
) -> None:
    async with open_storage(DatabaseOptions(None, data_dir, database)) as other:
        caches = [storage.reply_cache(limit=20), other.reply_cache(limit=20)]

        async def fill(place: int) -> None:
            for number in range(100):
                await caches[place % 2].put(b"%d" % (number * (place + 1) % 97), f"reply {place}")

        await asyncio.gather(*(fill(place) for place in range(6)))
        await caches[0].put(b"last", "reply")
    assert await count(storage, "model_replies") == 20


async def test_a_missing_table_is_said_in_our_words(storage: Storage) -> None:
    async with storage.engine.begin() as connection:
        await connection.execute(text("DROP TABLE model_replies"))
    for use in (storage.reply_cache().get(b"key"), storage.reply_cache().put(b"key", "reply")):
        with pytest.raises(Misconfigured, match="schema"):
            await use
