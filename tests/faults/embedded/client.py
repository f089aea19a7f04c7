"""A process that uses the embedded database of a folder: `python -m tests.faults.embedded.client FOLDER`.

Prints how many documents it holds, then waits for its standard input to end.
"""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from domain.errors import KbError
from storage.open import open_storage
from storage.server.database import DatabaseOptions

ROOT = Path(__file__).resolve().parents[3]


async def use(folder: Path) -> int:
    """Opens the folder's store; gives the number of documents that it shows."""
    async with open_storage(DatabaseOptions(None, folder)) as storage:
        status = await storage.status()
    return status.documents if status else 0


class Client:
    """The process, as tests see it."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-m", "tests.faults.embedded.client", str(folder)]
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def said(self) -> str:
        """Its first line: `ready N`, or what went wrong."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def leave(self) -> str:
        """Ends it in order; gives what it wrote to standard error."""
        return self.process.communicate(timeout=60)[1]

    def kill(self) -> None:
        """kill -9."""
        self.process.kill()
        self.process.communicate(timeout=60)


@contextmanager
def clients(folder: Path, count: int) -> Iterator[list[Client]]:
    """Some processes, started at once."""
    started = [Client(folder) for _ in range(count)]
    try:
        yield started
    finally:
        for client in started:
            if client.process.poll() is None:
                client.kill()


async def _main(folder: Path) -> None:
    try:
        async with open_storage(DatabaseOptions(None, folder)) as storage:
            status = await storage.status()
            print("ready", status.documents if status else 0, flush=True)
            await asyncio.to_thread(sys.stdin.read)
    except KbError as error:
        print(type(error).__name__, error.what, flush=True)


if __name__ == "__main__":
    asyncio.run(_main(Path(sys.argv[1])))
