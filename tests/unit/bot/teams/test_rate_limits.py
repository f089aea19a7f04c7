"""How often Teams may be called: never more than any span of a limit holds, and the urgent first."""

import asyncio
import time
from contextlib import AsyncExitStack

import pytest

from bot.teams.rate_limits import CallRateLimiter, RateWindows
from domain.errors import Transient

LIMITS: RateWindows = ((0.2, 4), (0.6, 6))


async def called(
    pace: CallRateLimiter, conversation: str, *, urgent: bool = True, lasts: float = 0.0
) -> tuple[float, float]:
    """When a call began and ended."""
    async with pace.room(conversation, urgent=urgent, until=time.monotonic() + 30):
        began = time.monotonic()
        await asyncio.sleep(lasts)
        return began, time.monotonic()


async def test_no_span_holds_more_than_its_limit_wherever_a_call_was_counted() -> None:
    pace = CallRateLimiter(LIMITS)
    calls = sorted(await asyncio.gather(*(called(pace, "a", lasts=0.01 * (n % 4)) for n in range(16))))
    for seconds, most in LIMITS:
        for earlier, later in zip(calls, calls[most:], strict=False):
            assert later[0] - earlier[0] >= seconds
        ends = sorted(end for _, end in calls)
        for place in range(most, len(calls)):
            assert calls[place][0] >= ends[place - most] + seconds - 0.001


async def test_conversations_do_not_wait_for_each_other() -> None:
    pace = CallRateLimiter(LIMITS)
    async with AsyncExitStack() as stack:
        for _ in range(4):
            await stack.enter_async_context(pace.room("a", urgent=True, until=0.0 + time.monotonic() + 5))
        waiting = asyncio.create_task(called(pace, "a"))
        await called(pace, "b")
        assert not waiting.done()
        waiting.cancel()


async def test_what_is_not_urgent_leaves_room_and_never_waits() -> None:
    pace = CallRateLimiter(LIMITS)
    for _ in range(3):
        await called(pace, "a", urgent=False)
    with pytest.raises(Transient):
        await called(pace, "a", urgent=False)
    await called(pace, "a")


async def test_what_is_not_urgent_does_not_pass_who_waits() -> None:
    pace = CallRateLimiter(LIMITS)
    pace.hold("a", 0.3)
    waiting = asyncio.create_task(called(pace, "a"))
    await asyncio.sleep(0.01)
    with pytest.raises(Transient):
        await called(pace, "a", urgent=False)
    await waiting


async def test_waiting_ends_with_patience() -> None:
    pace = CallRateLimiter(LIMITS)
    pace.hold("a", 60.0)
    first = asyncio.create_task(called(pace, "a"))
    await asyncio.sleep(0.01)
    with pytest.raises(Transient):
        async with pace.room("a", urgent=True, until=time.monotonic() + 0.05):
            pass
    first.cancel()


async def test_all_conversations_share_what_the_app_may_do() -> None:
    pace = CallRateLimiter(LIMITS)
    beside = pace.beside(LIMITS)
    async with AsyncExitStack() as stack:
        for number in range(45):
            where = pace if number % 2 else beside
            await stack.enter_async_context(where.room(f"c{number}", urgent=True, until=time.monotonic() + 5))
        with pytest.raises(Transient):
            await called(pace, "another", urgent=False)
