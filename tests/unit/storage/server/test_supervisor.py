"""When a server that died is started again, and what an operator is told."""

import asyncio
import logging
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.errors import KbError, Misconfigured
from storage.server.supervisor import (
    DEATH_WINDOW_SECONDS,
    LONGEST_PAUSE,
    LOOK_SECONDS,
    MANY_DEATHS,
    ServerSupervisor,
    pause,
    supervised,
)


class Server:
    """A server that is dead at some of the looks, and then started with some results."""

    cluster = Path("/data/postgresql")

    def __init__(self, looks: Sequence[bool | Exception], results: Sequence[bool | KbError] = ()) -> None:
        self.looks = list(looks)
        self.results = list(results)
        self.revived = 0

    def is_running(self) -> bool:
        look = self.looks.pop(0)
        if isinstance(look, Exception):
            raise look
        return look

    def restart_if_dead(self) -> bool:
        self.revived += 1
        result = self.results.pop(0) if self.results else True
        if isinstance(result, KbError):
            raise result
        return result


class Time:
    """Time that passes by sleeping, until there is nothing to look at any more."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        if not self.server.looks and seconds == LOOK_SECONDS:
            raise EOFError
        self.now += seconds
        self.slept.append(seconds)


async def kept(server: Server) -> Time:
    """Keeps it up until there is nothing to look at any more."""
    time = Time(server)
    with pytest.raises(EOFError):
        await ServerSupervisor(server, clock=time, sleep=time.sleep).run_forever()
    return time


async def test_a_server_that_lives_is_left_alone() -> None:
    server = Server([True] * 5)
    await kept(server)
    assert server.revived == 0


async def test_one_that_died_is_started_at_once(caplog: pytest.LogCaptureFixture) -> None:
    server = Server([True, False, True])
    time = await kept(server)
    assert server.revived == 1
    assert max(time.slept) == LOOK_SECONDS
    assert [each.message for each in caplog.records] == ["The embedded database had died; it was started again"]


async def test_what_another_process_started_is_not_told_twice(caplog: pytest.LogCaptureFixture) -> None:
    await kept(Server([False, True], [False]))
    assert caplog.records == []


async def test_one_that_dies_again_and_again_is_waited_for_and_an_operator_is_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    server = Server([False] * 20)
    time = await kept(server)
    pauses = [each for each in time.slept if each != LOOK_SECONDS]
    assert server.revived == 20
    assert pauses[:4] == [0.0, 1.0, 2.0, 4.0]
    assert max(pauses) == LONGEST_PAUSE
    told = [each for each in caplog.records if each.levelno == logging.ERROR]
    assert len(told) == 20 - MANY_DEATHS + 1
    assert "/data/postgresql/server.log" in told[0].message
    assert "kb doctor" in told[0].message


async def test_what_was_long_ago_does_not_count() -> None:
    server = Server([False, *([True] * int(DEATH_WINDOW_SECONDS / LOOK_SECONDS + 2)), False])
    time = await kept(server)
    assert max(time.slept) == LOOK_SECONDS


@pytest.mark.parametrize("error", [Misconfigured("The disk is full", why="0 MB left", next_step="Free some space.")])
async def test_what_keeps_it_from_starting_is_told_and_it_is_tried_again(
    error: KbError, caplog: pytest.LogCaptureFixture
) -> None:
    server = Server([False, False, True], [error])
    await kept(server)
    assert server.revived == 2
    assert caplog.messages[0] == "The disk is full (0 MB left) Free some space."


@pytest.mark.parametrize("error", [PermissionError("closed"), OSError("stale file handle"), ValueError("odd")])
async def test_a_look_that_fails_does_not_end_the_watch(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    server = Server([True, error, False, True])
    await kept(server)
    assert server.revived == 1
    assert caplog.messages[0] == "The embedded database cannot be looked after"


async def test_who_ends_waits_for_a_start_that_is_under_way() -> None:
    begun, may_end, ended = threading.Event(), threading.Event(), []

    class Slow(Server):
        def restart_if_dead(self) -> bool:
            begun.set()
            may_end.wait(30)
            ended.append(True)
            return True

    async def use() -> None:
        async with supervised(Slow([False, True])):
            await asyncio.to_thread(begun.wait, 30)

    using = asyncio.create_task(use())
    await asyncio.to_thread(begun.wait, 30)
    await asyncio.sleep(0.05)
    assert not using.done()
    may_end.set()
    await asyncio.wait_for(using, 30)
    assert ended


@given(st.integers(0, 10_000))
def test_pauses_grow_and_are_bounded(troubles: int) -> None:
    assert 0.0 <= pause(troubles) <= pause(troubles + 1) <= LONGEST_PAUSE
