"""Working ahead: in order, and no further than allowed."""

import asyncio

import pytest

from indexer.run.bounded_map import bounded_map


@pytest.mark.parametrize("at_once", [0, 1, 3, 50])
async def test_results_come_in_order_and_no_more_are_at_work_than_may(at_once: int) -> None:
    working, most = 0, 0

    async def work(item: int) -> int:
        nonlocal working, most
        working += 1
        most = max(most, working)
        await asyncio.sleep(0.001 * (item % 3))
        working -= 1
        return item * 10

    assert [each async for each in bounded_map(range(20), work, at_once)] == [item * 10 for item in range(20)]
    assert most <= max(1, at_once)
    assert at_once < 3 or most > 1


async def test_what_goes_wrong_goes_wrong_at_its_place_and_nothing_is_left_running() -> None:
    ended: list[int] = []

    async def work(item: int) -> int:
        if item == 2:
            raise ValueError("two")
        try:
            await asyncio.sleep(0.001 if item < 2 else 60)
        finally:
            ended.append(item)
        return item

    found: list[int] = []

    async def take() -> None:
        async for each in bounded_map(range(9), work, 4):
            found.append(each)  # noqa: PERF401 - up to where it breaks off

    before = asyncio.all_tasks()
    with pytest.raises(ValueError, match="two"):
        await take()
    assert found == [0, 1]
    assert {0, 1, 3} <= set(ended)
    assert asyncio.all_tasks() == before, "nothing goes on"
