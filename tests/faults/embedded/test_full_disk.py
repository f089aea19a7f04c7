"""A disk that is full, or fills up: real ones, small."""

import asyncio
import os
import random
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from domain.access import Scope
from domain.errors import KbError, Misconfigured
from domain.search import Filters
from domain.text.tokens import Analyzer
from storage.index.sources import Source
from storage.open import Storage, open_storage
from storage.server.database import DatabaseOptions
from storage.server.embedded import FREE_BYTES_TO_WRITE, EmbeddedServer
from tests.fakes.documents import a_document, chunks_of, put
from tests.faults.embedded.client import use
from tests.faults.embedded.servers import EMBEDDER, fill, postmasters

pytestmark = pytest.mark.faults

MEGABYTE = 2**20
CHANCE = random.Random(5)


def free(place: Path) -> int:
    return shutil.disk_usage(place).free


def leave(place: Path, left: int) -> Path:
    """Fills the disk but for `left` bytes, as others do; gives the file that does it."""
    ballast = place / "ballast"
    with ballast.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, free(place) - left)
    return ballast


def noise(size: int) -> str:
    """Text that does not shrink."""
    return CHANCE.randbytes(size // 2).hex()


def assert_full(error: KbError | None) -> None:
    assert isinstance(error, Misconfigured)
    assert error.what == "The disk is full"
    assert "Free some space" in error.next_step


async def documents(storage: Storage) -> int:
    return await storage.search(EMBEDDER.identity).count_documents(Scope.member(), Filters())


@pytest.mark.everyday
def test_a_first_start_on_a_full_disk_says_so_and_leaves_nothing_half_made(disk: Callable[[str], Path]) -> None:
    place = disk("size=100m,mode=711")
    for left in (free(place), 0):
        ballast = leave(place, left) if not left else None
        with pytest.raises(Misconfigured, match="The disk is full") as caught:
            EmbeddedServer(place / "data").start()
        assert "MB" in caught.value.why
        assert not (place / "data" / "postgresql").exists()
        if ballast:
            ballast.unlink()


async def test_writing_stops_before_the_server_does(disk: Callable[[str], Path], filled: Path) -> None:
    place = disk("size=260m,mode=711")
    fill(filled, place)
    written = 1
    async with open_storage(DatabaseOptions(None, place)) as storage:
        writer = await storage.writer(EMBEDDER.identity, Analyzer())
        ballast = leave(place, FREE_BYTES_TO_WRITE + 8 * MEGABYTE)
        error = None
        while error is None and written < 100:
            try:
                document = a_document(f"d{written}")
                chunks = chunks_of(document, [noise(60_000) for _ in range(10)])
                await writer.put(document, chunks, EMBEDDER.vectors(["anything"] * 10))
                written += 1
            except KbError as caught:
                error = caught
        assert_full(error)
        assert written > 1
        assert await documents(storage) == written
        await writer.hide("docs", ["d1"])  # what tightens rights goes on
        assert await documents(storage) == written - 1
    assert await use(place) == written - 1  # also after a stop, on the disk as it is
    ballast.unlink()
    async with open_storage(DatabaseOptions(None, place)) as storage:
        writer = await storage.writer(EMBEDDER.identity, Analyzer())
        await put(writer, EMBEDDER, a_document("last"), "room again")
        assert await documents(storage) == written


@pytest.mark.parametrize("left", [2, 17], ids=["no room for tables", "no room for the log"])
async def test_a_disk_that_others_fill_costs_nothing_that_was_finished(
    disk: Callable[[str], Path], filled: Path, left: int
) -> None:
    place = disk("size=200m,mode=711")
    fill(filled, place)
    names: list[str] = []
    async with open_storage(DatabaseOptions(None, place)) as storage:
        ballast = leave(place, left * MEGABYTE)
        error = None
        while error is None and len(names) < 100:
            name = f"s{len(names)}"
            try:
                await storage.sources.add(Source(name, "files", {"noise": noise(1_000_000)}))
                names.append(name)
            except KbError as caught:
                error = caught
        assert_full(error)
        closing = time.monotonic()
    assert time.monotonic() - closing < 20  # also where the server went down, and is in the middle of coming up again
    with pytest.raises(Misconfigured, match="The disk is full"):
        await use(place)
    ballast.unlink()
    async with open_storage(DatabaseOptions(None, place)) as storage:
        assert {state.source.name for state in await storage.sources.states()} == {"docs", *names}
        assert await documents(storage) == 1
        await storage.sources.add(Source("after", "files", {}))
    await asyncio.to_thread(lambda: [server.wait(30) for server in postmasters(place)])
