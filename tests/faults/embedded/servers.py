"""Looking after embedded servers in folders of the tests' own."""

import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import psutil

from domain.text.tokens import Analyzer
from storage.index.sources import Source
from storage.open import open_storage
from storage.server.database import DatabaseOptions
from tests.fakes.documents import SOURCE, a_document, put
from tests.fakes.embedder import HashEmbedder

EMBEDDER = HashEmbedder(8)


def postmasters(folder: Path) -> list[psutil.Process]:
    """The servers that run on the folder, or below it."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.NoSuchProcess, psutil.AccessDenied, psutil.ZombieProcess):
            words = process.cmdline()
            if "-D" in words and Path(words[words.index("-D") + 1]).is_relative_to(folder):
                found.append(process)
    return found


def end(folder: Path) -> None:
    """Stops whatever server still runs on the folder, without ceremony."""
    for server in postmasters(folder):
        with suppress(psutil.NoSuchProcess):
            server.send_signal(signal.SIGQUIT)
            server.wait(20)


def remove(folder: Path) -> None:
    """The folder goes, and whatever server still runs on it before."""
    end(folder)
    shutil.rmtree(folder, ignore_errors=True)


async def write_one(folder: Path) -> None:
    """A new data folder with one document, whose server has stopped."""
    async with open_storage(DatabaseOptions(None, folder)) as storage:
        await storage.sources.add(Source(SOURCE, "files", {}))
        writer = await storage.writer(EMBEDDER.identity, Analyzer())
        await put(writer, EMBEDDER, a_document("kept"), "what was written before")


def fill(filled: Path, folder: Path) -> None:
    """Copies a data folder, owners and modes with it."""
    subprocess.run(["cp", "-a", "--", f"{filled}/.", str(folder)], check=True)
