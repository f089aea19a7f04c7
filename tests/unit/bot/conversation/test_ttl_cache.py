"""Values that are kept for a while, and found once for all who wait."""

import asyncio

import pytest

from bot.conversation.ttl_cache import TtlCache
from domain.errors import Misconfigured, Refused, Transient


class Finder:
    """Counts how often it is asked."""

    def __init__(self, *outcomes: object, wait: asyncio.Event | None = None) -> None:
        self.outcomes = list(outcomes)
        self.asked = 0
        self.wait = wait

    async def __call__(self) -> object:
        self.asked += 1
        if self.wait:
            await self.wait.wait()
        found = self.outcomes.pop(0)
        if isinstance(found, Exception):
            raise found
        return found


async def test_a_value_is_kept() -> None:
    kept, find = TtlCache[object](60), Finder(1, 2)
    assert [await kept.get("a", find), await kept.get("a", find)] == [1, 1]
    assert find.asked == 1


async def test_keys_are_apart() -> None:
    kept, find = TtlCache[object](60), Finder(1, 2)
    assert [await kept.get("a", find), await kept.get("b", find)] == [1, 2]


async def test_an_old_value_is_found_anew() -> None:
    kept, find = TtlCache[object](-1), Finder(1, 2)
    assert [await kept.get("a", find), await kept.get("a", find)] == [1, 2]


@pytest.mark.parametrize("how", ["drop", "clear"])
async def test_a_forgotten_value_is_found_anew(how: str) -> None:
    kept, find = TtlCache[object](60), Finder(1, 2)
    await kept.get("a", find)
    _ = kept.drop("a") if how == "drop" else kept.clear()  # type: ignore[func-returns-value]
    assert await kept.get("a", find) == 2
    kept.drop("never there")


async def test_many_who_wait_ask_once() -> None:
    go = asyncio.Event()
    kept, find = TtlCache[object](60), Finder(1, wait=go)
    waiting = [asyncio.create_task(kept.get("a", find)) for _ in range(20)]
    await asyncio.sleep(0)
    go.set()
    assert await asyncio.gather(*waiting) == [1] * 20
    assert find.asked == 1


async def test_a_failure_reaches_all_who_wait_and_is_not_kept() -> None:
    go = asyncio.Event()
    kept, find = TtlCache[object](60), Finder(ValueError("away"), 2, wait=go)
    waiting = [asyncio.create_task(kept.get("a", find)) for _ in range(3)]
    await asyncio.sleep(0)
    go.set()
    failed = await asyncio.gather(*waiting, return_exceptions=True)
    assert [str(each) for each in failed] == ["away"] * 3
    assert await kept.get("a", find) == 2


async def test_one_who_gives_up_does_not_end_it_for_the_others() -> None:
    go = asyncio.Event()
    kept, find = TtlCache[object](60), Finder(1, wait=go)
    first, second = (asyncio.create_task(kept.get("a", find)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    go.set()
    assert await second == 1


async def test_a_value_forgotten_while_it_is_looked_for_is_not_kept() -> None:
    go = asyncio.Event()
    kept, find = TtlCache[object](60), Finder("old", "new", wait=go)
    waiting = asyncio.create_task(kept.get("a", find))
    await asyncio.sleep(0)
    kept.drop("a")
    go.set()
    assert await waiting == "old"
    assert await kept.get("a", find) == "new"


async def test_a_failure_that_does_not_pass_is_kept_for_a_while() -> None:
    now = [0.0]
    kept = TtlCache[object](60, failures=10, clock=lambda: now[0])
    find = Finder(Refused("no scope"), 2)
    for _ in range(3):
        with pytest.raises(Refused, match="no scope"):
            await kept.get("a", find)
    assert (find.asked, kept.peek("a")) == (1, None)
    now[0] = 11.0
    assert (await kept.get("a", find), kept.peek("a")) == (2, 2)


@pytest.mark.parametrize("error", [Transient("away"), Misconfigured("no token"), ValueError("ours")])
async def test_a_failure_that_passes_is_not_kept(error: Exception) -> None:
    kept, find = TtlCache[object](60, failures=10), Finder(error, 2)
    with pytest.raises(type(error)):
        await kept.get("a", find)
    assert await kept.get("a", find) == 2


async def test_the_oldest_goes_when_it_is_full() -> None:
    kept, find = TtlCache[object](60, most=2), Finder(1, 2, 3)
    for key in "abc":
        await kept.get(key, find)
    assert [kept.peek(key) for key in "abc"] == [None, 2, 3]


async def test_what_is_still_looked_for_is_not_there() -> None:
    go = asyncio.Event()
    kept = TtlCache[object](60)
    waiting = asyncio.create_task(kept.get("a", Finder(1, wait=go)))
    await asyncio.sleep(0)
    assert kept.peek("a") is None
    go.set()
    await waiting
    assert kept.peek("a") == 1
