"""What a process does beside answers goes on after it broke once."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.app.answer_scoring import run_scoring
from bot.app.recurring import run_periodically
from domain.cancellation import cancel_and_wait
from domain.errors import Transient


class BreaksFirst:
    """Raises `error` when it is called first; what is scored is nothing."""

    def __init__(self, error: Exception) -> None:
        self.error: Exception | None = error
        self.again = asyncio.Event()

    async def work(self) -> None:
        if self.error:
            error, self.error = self.error, None
            raise error
        self.again.set()

    async def unscored(self, _limit: int) -> list[Any]:
        await self.work()
        return []


async def goes_on(breaks: BreaksFirst, keep: Awaitable[None]) -> None:
    task = asyncio.ensure_future(keep)
    try:
        async with asyncio.timeout(30):
            await breaks.again.wait()
    finally:
        await cancel_and_wait(task)
    assert task.cancelled()


KEPT: dict[str, Callable[[BreaksFirst], Awaitable[None]]] = {
    "whatever": lambda breaks: run_periodically("It waits", breaks.work, 0.01),
    "scores": lambda breaks: run_scoring(breaks, 0.01),  # type: ignore[arg-type] # nothing is scored
}


@pytest.mark.parametrize("error", [Transient("away"), TypeError("unexpected keyword")])
@pytest.mark.parametrize("name", KEPT)
async def test_it_is_done_again_after_it_broke(name: str, error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        breaks = BreaksFirst(error)
        await goes_on(breaks, KEPT[name](breaks))
    (line,) = caplog.records
    assert bool(line.exc_info) == isinstance(error, TypeError)
