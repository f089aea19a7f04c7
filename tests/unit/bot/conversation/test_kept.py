"""Values that are kept for a while, and found once for all who wait."""

import asyncio

import pytest

from bot.conversation.kept import Kept


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
    kept, find = Kept[object](60), Finder(1, 2)
    assert [await kept.get("a", find), await kept.get("a", find)] == [1, 1]
    assert find.asked == 1


async def test_keys_are_apart() -> None:
    kept, find = Kept[object](60), Finder(1, 2)
    assert [await kept.get("a", find), await kept.get("b", find)] == [1, 2]


async def test_an_old_value_is_found_anew() -> None:
    kept, find = Kept[object](-1), Finder(1, 2)
    assert [await kept.get("a", find), await kept.get("a", find)] == [1, 2]


@pytest.mark.parametrize("how", ["drop", "clear"])
async def test_a_forgotten_value_is_found_anew(how: str) -> None:
    kept, find = Kept[object](60), Finder(1, 2)
    await kept.get("a", find)
    _ = kept.drop("a") if how == "drop" else kept.clear()  # type: ignore[func-returns-value]
    assert await kept.get("a", find) == 2
    kept.drop("never there")


async def test_many_who_wait_ask_once() -> None:
    go = asyncio.Event()
    kept, find = Kept[object](60), Finder(1, wait=go)
    waiting = [asyncio.create_task(kept.get("a", find)) for _ in range(20)]
    await asyncio.sleep(0)
    go.set()
    assert await asyncio.gather(*waiting) == [1] * 20
    assert find.asked == 1


async def test_a_failure_reaches_all_who_wait_and_is_not_kept() -> None:
    go = asyncio.Event()
    kept, find = Kept[object](60), Finder(ValueError("away"), 2, wait=go)
    waiting = [asyncio.create_task(kept.get("a", find)) for _ in range(3)]
    await asyncio.sleep(0)
    go.set()
    failed = await asyncio.gather(*waiting, return_exceptions=True)
    assert [str(each) for each in failed] == ["away"] * 3
    assert await kept.get("a", find) == 2


async def test_one_who_gives_up_does_not_end_it_for_the_others() -> None:
    go = asyncio.Event()
    kept, find = Kept[object](60), Finder(1, wait=go)
    first, second = (asyncio.create_task(kept.get("a", find)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    go.set()
    assert await second == 1


async def test_a_value_forgotten_while_it_is_looked_for_is_not_kept() -> None:
    go = asyncio.Event()
    kept, find = Kept[object](60), Finder("old", "new", wait=go)
    waiting = asyncio.create_task(kept.get("a", find))
    await asyncio.sleep(0)
    kept.drop("a")
    go.set()
    assert await waiting == "old"
    assert await kept.get("a", find) == "new"
