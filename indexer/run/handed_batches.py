"""The batches of one run that other workers do."""

from collections.abc import Callable, Sequence

from domain.cancellation import cancellable_sleep
from indexer.run.batch import PreparedDocument
from indexer.run.dependencies import RunDependencies
from indexer.run.sharing import BatchResult, BatchSharing, write_batch

LOOK_SECONDS = 0.2
"""Between two looks at what other workers do."""


class HandedBatches:
    """Hands batches over, and sees to it that all of them are done.

    sharing: None hands nothing over. note: told what became of each batch.
    """

    def __init__(
        self,
        sharing: BatchSharing | None,
        dependencies: RunDependencies,
        note: Callable[[Sequence[PreparedDocument], BatchResult], None],
    ) -> None:
        self._sharing = sharing
        self._dependencies = dependencies
        self._note = note
        self._handed: dict[int, Sequence[PreparedDocument]] = {}

    async def offer(self, batch: Sequence[PreparedDocument]) -> bool:
        """Whether another worker does a batch; takes in what was done by others meanwhile."""
        if self._sharing is None:
            return False
        await self._take_in(self._sharing)
        number = await self._sharing.hand_over(batch)
        if number is not None:
            self._handed[number] = batch
        return number is not None

    async def finish(self) -> None:
        """Waits until all is done that was handed over, and does what nobody is at: what waits still, and what a worker
        has left that died."""
        sharing = self._sharing
        while sharing is not None and self._handed:
            number, batch = next(iter(self._handed.items()))
            async with sharing.taken_back(number) as writer:
                if writer is not None:
                    done = await write_batch(batch, self._dependencies.embedder, self._dependencies.counter, writer)
                    await sharing.finish(number, done)
            await self._take_in(sharing)
            if number in self._handed:  # another worker does it: the next look is at another batch
                self._handed[number] = self._handed.pop(number)
                await cancellable_sleep(LOOK_SECONDS)

    async def _take_in(self, sharing: BatchSharing) -> None:
        for number, result in (await sharing.results()).items():
            if batch := self._handed.pop(number, None):
                self._note(batch, result)
