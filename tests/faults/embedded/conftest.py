"""Embedded servers of the tests' own, in folders of their own."""

import asyncio
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import open_folder
from tests.faults.embedded.servers import end, fill, remove, write_one


@pytest.fixture
def folder() -> Iterator[Path]:
    """An empty folder, open to the server's user."""
    made = open_folder("kb-faults-")
    yield made
    remove(made)


@pytest.fixture(scope="session")
def filled() -> Iterator[Path]:
    """A data folder with one document, whose server has stopped. Tests copy it."""
    made = open_folder("kb-faults-")
    asyncio.run(write_one(made))
    yield made
    remove(made)


@pytest.fixture
def data(filled: Path, folder: Path) -> Path:
    """A data folder of the test's own with one document."""
    fill(filled, folder)
    return folder


@pytest.fixture
def disk(folder: Path) -> Iterator[Callable[[str], Path]]:
    """Mounts a disk of some size (`mount -o size=`) on a folder of its own; skips where that is not allowed."""
    mounted: list[Path] = []

    def mount(options: str) -> Path:
        place = folder / f"disk{len(mounted)}"
        place.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError:
            pytest.skip("there is no mount command to make a small disk with")
        if done.returncode:
            pytest.skip(f"a small disk cannot be mounted here: {done.stderr.strip()}")
        mounted.append(place)
        return place

    yield mount
    for place in mounted:
        end(place)
        subprocess.run(["umount", str(place)], check=True)
