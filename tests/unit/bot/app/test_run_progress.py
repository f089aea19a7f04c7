"""How far a run is stands in the database while it goes."""

import asyncio

from bot.app.run_progress import NOTE_SECONDS, NotedProgress
from indexer.run.dependencies import RunProgress
from storage.open import Storage


async def test_the_last_step_is_noted_while_it_goes(storage: Storage) -> None:
    shown: list[RunProgress] = []
    progress = NotedProgress(shown.append)
    async with storage.runs.begin("docs") as run_id, progress.noting(storage.runs, run_id):
        progress(RunProgress("listing 3"))
        progress(RunProgress("indexing", 2, 3, 9))
        for _ in range(200):
            if (await storage.runs.get(run_id)).progress:
                break
            await asyncio.sleep(NOTE_SECONDS / 10)
        assert (await storage.runs.get(run_id)).progress == {"doing": "indexing", "done": 2, "total": 3}
        await storage.runs.finish(run_id, "done", {})
        await storage.runs.note_progress(run_id, "late", 3, 3)
    assert (await storage.runs.get(run_id)).progress == {"doing": "indexing", "done": 2, "total": 3}, "it has ended"
    assert len(shown) == 2
