"""Calls are made again while that may help, and no longer."""

import asyncio
import time
from collections.abc import AsyncIterator

import pytest

from domain.errors import Misconfigured, Transient
from net.breaker import CircuitBreaker
from net.retries import Retries, retry_after, retrying


class Failing:
    """Raises its errors one after the other, then gives the number of its calls."""

    def __init__(self, *errors: Exception) -> None:
        self.errors, self.calls = list(errors), 0

    async def __call__(self) -> int:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return self.calls


class Sleeps:
    def __init__(self) -> None:
        self.taken: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.taken.append(seconds)


def doubling(failed: int, error: Transient) -> float:
    return Retries(steady=1).pause(failed, error.retry_after)


async def test_what_fails_for_now_is_called_again_after_pauses_that_double() -> None:
    sleeps, call = Sleeps(), Failing(*[Transient("away")] * 3)
    assert await retrying(doubling, sleep=sleeps)(call) == 4
    assert sleeps.taken == [0.5, 1, 2]


async def test_a_server_that_asks_for_a_wait_gets_it() -> None:
    sleeps, call = Sleeps(), Failing(Transient("busy", retry_after=7))
    assert await retrying(doubling, sleep=sleeps)(call) == 2
    assert 7 <= sleeps.taken[0] <= 7.5


def test_a_wait_that_a_server_asks_for_may_be_longer_than_any_pause_of_ours() -> None:
    assert Retries(longest_pause=8).pause(1, 60) >= 60


async def test_what_another_try_does_not_mend_is_raised_at_once() -> None:
    for call in (Failing(Misconfigured("wrong key")), Failing(Transient("perhaps done"))):
        with pytest.raises((Misconfigured, Transient)):
            await retrying(doubling, when=lambda _: False)(call)
        assert call.calls == 1


async def test_no_try_begins_after_the_time_is_over_and_the_last_error_is_raised() -> None:
    call = Failing(Transient("first"), Transient("second", retry_after=60))
    with pytest.raises(Transient, match="second"):
        await retrying(lambda _, error: error.retry_after or 0.0, until=time.monotonic() + 5)(call)
    assert call.calls == 2


async def test_a_call_that_is_cancelled_is_not_made_again() -> None:
    call = Failing(asyncio.CancelledError())  # type: ignore[arg-type] # what a task raises that is cancelled
    with pytest.raises(asyncio.CancelledError):
        await retrying(doubling)(call)
    assert call.calls == 1


async def test_a_generator_that_is_closed_between_two_pieces_ends() -> None:
    async def pieces() -> AsyncIterator[int]:
        async for attempt in retrying(doubling):
            with attempt:
                yield 1
                yield 2

    stream = pieces()
    assert await anext(stream) == 1
    await stream.aclose()  # type: ignore[attr-defined] # a generator's
    assert [each async for each in pieces()] == [1, 2]


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        *(("3", 3), ("0.5", 0.5), ("Wed, 01 Jan 2020 00:00:00 GMT", 0), ("soon", None), ("-5", None), ("", None)),
        *(("Wed, 01 Jan 2020 00:00:00 +9900", None), (f"Wed, 01 Jan 2020 00:00:00 +{'9' * 14}", None)),
    ],
)
def test_retry_after_has_seconds_or_a_date(header: str, seconds: float | None) -> None:
    assert retry_after(header) == seconds


def refused(failed: int, left: float) -> Transient:
    return Transient("left alone", why=f"{failed} failed", retry_after=left)


def fails(breaker: CircuitBreaker, error: Exception) -> None:
    with pytest.raises(type(error)), breaker.watched(refused):
        raise error


def test_a_server_that_keeps_failing_is_left_alone_then_tried_by_one_call() -> None:
    now = [0.0]
    breaker = CircuitBreaker(2, 30, lambda: now[0])
    fails(breaker, Transient("away"))
    fails(breaker, Misconfigured("it answers"))
    fails(breaker, Transient("away"))
    fails(breaker, Transient("away"))
    with pytest.raises(Transient, match="left alone") as raised, breaker.watched(refused):
        pytest.fail("it is let through")
    assert raised.value.retry_after == 30
    now[0] = 30
    with breaker.watched(refused), pytest.raises(Transient, match="left alone"), breaker.watched(refused):
        pytest.fail("a second one is let through")
    with breaker.watched(refused), breaker.watched(refused):
        pass
