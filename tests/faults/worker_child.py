"""Runs in a child process: `python worker_child.py URL HEARTBEAT LOST` works on the queues `slack` and `index`. It says
on standard output which question it has begun, and never ends one; the task `poison` ends the process."""

import asyncio
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path

from domain.job_ports import WorkerOptions
from storage.open import open_storage
from storage.server.database import DatabaseOptions


async def hang(arguments: Mapping[str, object]) -> None:
    print(arguments["number"], flush=True)
    await asyncio.Event().wait()


async def die(_: Mapping[str, object]) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def main() -> None:
    url, heartbeat, lost = sys.argv[1:]
    async with open_storage(DatabaseOptions(url, Path())) as storage:
        options = WorkerOptions(("slack", "index"), heartbeat=float(heartbeat), lost=float(lost))
        await storage.job_queue().run_worker({"answer": hang, "poison": die}, options)


if __name__ == "__main__":
    asyncio.run(main())
