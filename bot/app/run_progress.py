"""How far an index run is, noted in the database while it goes, for who looks from another process."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from domain.cancellation import cancel_and_wait, cancellable_sleep
from domain.errors import KbError
from storage.index.runs import RunTable

if TYPE_CHECKING:
    from indexer.run.dependencies import RunProgress

NOTE_SECONDS = 1.0
"""Between two notes; a shorter run leaves none."""


class NotedProgress:
    """Is told each step of a run, tells it on, and keeps the last one."""

    def __init__(self, show: "Callable[[RunProgress], None]") -> None:
        self._show = show
        self._last: RunProgress | None = None

    def __call__(self, step: "RunProgress") -> None:
        """A further step."""
        self._last = step
        self._show(step)

    @asynccontextmanager
    async def noting(self, runs: RunTable, run_id: int) -> AsyncIterator[None]:
        """Inside, the last step is noted again and again. That the database is away meanwhile ends no run."""
        task = asyncio.create_task(self._note(runs, run_id))
        try:
            yield
        finally:
            await cancel_and_wait(task)

    async def _note(self, runs: RunTable, run_id: int) -> None:
        noted: RunProgress | None = None
        while True:
            await cancellable_sleep(NOTE_SECONDS)
            step = self._last
            if step is None or step == noted:
                continue
            with suppress(KbError):
                await runs.note_progress(run_id, step.doing, step.done, step.total)
                noted = step
