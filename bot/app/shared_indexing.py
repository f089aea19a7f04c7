"""Runs whose batches any worker may embed and write, wired: what hands them over, and what a worker does with one."""

import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from bot.app.product import Product
from bot.conversation.actions import BATCH_QUEUE
from domain.errors import KbError, Refused
from indexer.run.packed_batch import packed, unpacked
from indexer.run.sharing import BatchResult, write_batch
from storage.index.writer import PostgresWriter, writer_of

if TYPE_CHECKING:
    from domain.index_ports import KnowledgeWriter
    from indexer.run.batch import PreparedDocument

log = logging.getLogger(__name__)

INDEX_BATCH = "index_batch"
"""The task of a batch's job."""

AHEAD = 2
"""Batches that wait or are worked on, for each place of a worker: enough that none waits for the next one."""


class SharedIndexing:
    """See indexer.run.sharing.BatchSharing. writer: of the run."""

    def __init__(self, product: Product, writer: PostgresWriter) -> None:
        self._product = product
        self._writer = writer
        self._batches = product.storage.shared_batches()
        self._run_id = 0
        self._open: set[int] = set()

    async def begin(self, run_id: int) -> None:
        """See BatchSharing."""
        self._run_id = run_id

    async def hand_over(self, batch: "Sequence[PreparedDocument]") -> int | None:
        """See BatchSharing."""
        places = await self._batches.places(BATCH_QUEUE, self._product.settings.serve.worker_lost)
        if len(self._open) >= AHEAD * places:
            return None
        try:
            version = await self._writer.current_version()
            number = await self._batches.add(self._run_id, version, packed(batch))
        except Refused:
            return None  # too large for a row
        self._open.add(number)
        name = f"batch:{number}"
        queue = self._product.storage.job_queue()
        await queue.put(INDEX_BATCH, {"batch": number}, queue=BATCH_QUEUE, lock_key=name, unique_key=name)
        return number

    async def results(self) -> dict[int, BatchResult]:
        """See BatchSharing."""
        done = await self._batches.take_results(self._run_id) if self._open else {}
        self._open -= done.keys()
        return {number: BatchResult.from_json(each) for number, each in done.items()}

    @asynccontextmanager
    async def taken_back(self, number: int) -> AsyncIterator[PostgresWriter | None]:
        """See BatchSharing."""
        async with self._batches.taken(number) as taken:
            if taken is None:  # else the run would wait for what nobody can end
                await self._batches.require(number)
            yield self._writer.of_batch(number) if taken else None

    async def finish(self, number: int, result: BatchResult) -> None:
        """See BatchSharing."""
        await self._batches.finish(number, result.as_json())

    async def end(self) -> None:
        """See BatchSharing."""
        await self._batches.give_up(self._run_id)


def sharing_of(product: Product, writer: "KnowledgeWriter") -> SharedIndexing | None:
    """What hands over the batches of a run that writes by `writer`; None where that is not into the database."""
    return SharedIndexing(product, writer) if isinstance(writer, PostgresWriter) else None


async def work_on_batch(product: Product, arguments: Mapping[str, object]) -> None:
    """Embeds and writes the batch of a job, unless somebody has. What cannot be done here its run does itself."""
    storage, number = product.storage, int(str(arguments["batch"]))
    try:
        async with storage.shared_batches().taken(number) as taken:
            if taken is None:
                return
            identity = product.embedder.identity
            writer = await writer_of(storage.owner, storage.engine, taken.version_id, identity, storage.ensure_room)
            batch = unpacked(taken.documents)
            done = await write_batch(batch, product.embedder, product.counter, writer.of_batch(number))
            await storage.shared_batches().finish(number, done.as_json())
        log.info("%s documents of a run were embedded and written here", len(batch))
        await writer.merge_segments()
    except KbError as error:
        log.warning("A batch of documents was left to others: %s", error.what)
