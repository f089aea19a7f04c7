"""What is said of a process's readiness, and how often is looked."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.app.health_endpoints import operations_listener
from bot.app.readiness import Check, Readiness
from config.load import load
from domain.errors import Transient


class Part:
    """Something that is in order, or not. looks: how often it was looked at."""

    def __init__(self, *troubles: str) -> None:
        self.troubles: Sequence[str] = troubles
        self.looks = 0
        self.error: Exception | None = None

    async def look(self) -> Sequence[str]:
        self.looks += 1
        if self.error is not None:
            raise self.error
        return self.troubles


def serving(**parts: Part) -> Readiness:
    return Readiness({name: Check(part.look, 0.0) for name, part in parts.items()}, phase="serving")


async def test_all_in_order_is_ready() -> None:
    assert await serving(database=Part(), queue=Part()).as_json() == {
        "ready": True,
        "phase": "serving",
        "checks": {"database": {"ok": True}, "queue": {"ok": True}},
    }


async def test_what_is_not_in_order_is_said() -> None:
    found = await serving(database=Part(), queue=Part("3 of 9 are late", "no worker")).as_json()
    assert found["ready"] is False
    assert found["checks"] == {
        "database": {"ok": True},
        "queue": {"ok": False, "why": ["3 of 9 are late", "no worker"]},
    }


async def test_a_note_is_told_and_does_not_count() -> None:
    wall, other = Part("There is no wall"), Part()
    readiness = serving(database=Part())
    readiness.notes = {"wall": Check(wall.look, 60.0), "other": Check(other.look, 60.0)}
    for _ in range(2):
        found = await readiness.as_json()
        assert found["ready"] is True
        assert found["notes"] == {"wall": {"ok": False, "why": ["There is no wall"]}, "other": {"ok": True}}
    assert (wall.looks, other.looks) == (1, 1)
    away = serving(database=Part("It is away"))
    away.notes = {"wall": Check(wall.look)}
    assert "notes" not in await away.as_json(), "nothing is known of it"


@pytest.mark.parametrize("phase", ["starting", "ending"])
async def test_a_process_that_starts_or_ends_is_not_ready(phase: str) -> None:
    readiness = serving(database=Part())
    readiness.phase = phase  # type: ignore[assignment] # of the parameters
    assert (await readiness.as_json())["ready"] is False


async def test_without_the_database_nothing_else_is_looked_at() -> None:
    database, queue = Part(), Part()
    database.error = Transient("The database does not answer", why="password=very-secret")
    found = await serving(queue=queue, database=database).troubles()
    assert queue.looks == 0
    assert found == {
        "database": ["The database does not answer"],
        "queue": ["Nothing is known of it while the database is away"],
    }


async def test_what_hangs_is_named_and_keeps_nobody_waiting() -> None:
    ended = asyncio.Event()

    class Hangs(Part):
        async def look(self) -> Sequence[str]:
            try:
                await asyncio.sleep(30)
            finally:  # as a driver does that takes leave of a server which hangs
                await ended.wait()
            return []

    readiness = Readiness({"queue": Check(Hangs().look)}, seconds=0.01)
    async with asyncio.timeout(20):
        assert await readiness.troubles() == {"queue": ["It did not answer within 0.01 s"]}
    ended.set()


async def test_a_check_that_breaks_is_a_trouble_and_no_error_of_the_listener(caplog: pytest.LogCaptureFixture) -> None:
    class Breaks(Part):
        async def look(self) -> Sequence[str]:
            raise ZeroDivisionError("secret words")

    assert await serving(queue=Breaks()).troubles() == {"queue": ["It could not be found out: ZeroDivisionError"]}
    assert "A check of whether this process can do its work failed" in caplog.text


async def test_it_is_looked_no_more_often_than_it_pays() -> None:
    now, part = 0.0, Part("late")
    readiness = Readiness({"queue": Check(part.look, 30.0)}, clock=lambda: now)
    await asyncio.gather(*(readiness.as_json() for _ in range(5)))
    assert part.looks == 1
    now, part.troubles = 31.0, ()
    assert await readiness.troubles() == {"queue": []}
    assert part.looks == 2


async def test_words_are_masked() -> None:
    readiness = Readiness({"queue": Check(Part("of ann@example.com").look)}, lambda words: words.replace("ann", "…"))
    assert await readiness.troubles() == {"queue": ["of …@example.com"]}


async def no_metrics() -> bytes:
    return b""


@pytest.mark.parametrize("name", ["ops_host", "ops_port"])
async def test_an_empty_setting_switches_the_listener_off(name: str, tmp_path: Path) -> None:
    serve = load({f"KB_AGENT_{name.upper()}": ""}, tmp_path).serve
    async with operations_listener(serve, serving(database=Part()), no_metrics) as where:
        assert where == ""
