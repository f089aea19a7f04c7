"""One source spread over several workers: the same index as by one process, also when one of them is killed, and
nothing is written of a run that was given up."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bot.app.connectors import open_connector, open_parser
from bot.app.indexing import record_run, tools_of
from bot.app.product import Product, open_product
from bot.app.shared_indexing import sharing_of
from config.load import load
from domain.errors import Transient
from indexer.run.batch import PreparedDocument
from indexer.run.dependencies import RunOptions
from indexer.run.index_run import IndexRun
from indexer.run.packed_batch import packed
from indexer.run.report import RunReport
from storage.index.sources import Source
from tests.command import Kb, KbProcess, rows, wait_for
from tests.fakes.documents import a_document
from tests.fakes.embedder import HashEmbedder
from tests.fakes.embeddings_server import EmbeddingsServer, Fault
from tests.faults.index_state import assert_same, assert_whole, index_state
from tests.faults.test_kill import a_document as a_text

pytestmark = pytest.mark.faults

FILES, BATCH, SEED = 10, 6, 20261125
SHARING = {"INDEX_SHARED": "true", "WORKER_HEARTBEAT": "0.5", "WORKER_LOST": "1.5"}
GRAPH = """
    SELECT (SELECT count(*) FROM mentions), (SELECT count(*) FROM relations), (SELECT sum(documents) FROM entity_counts)
"""
WAITING = "SELECT count(*) FROM index_batches"
DONE = "documents of a run were embedded and written here"


def after(seconds: float) -> Fault:
    """The right answer, later."""

    def wait(handler: object, right: object) -> None:
        time.sleep(seconds)
        handler.reply(200, right)  # type: ignore[attr-defined] # the handler of the embeddings server

    return wait


@pytest.fixture
def source(docs: Path) -> Source:
    rng = random.Random(SEED)
    for number in range(FILES):
        (docs / f"note{number}.md").write_text(a_text(rng))
    return Source("docs", "files", {"path": str(docs), "audience": "everyone"})


async def indexed(product: Product, source: Source, *, shared: bool) -> RunReport:
    """A recorded run, in batches of a few chunks."""

    @asynccontextmanager
    async def opened() -> AsyncIterator[IndexRun]:
        writer = await product.writer()
        async with open_connector(source, product.settings) as connector, open_parser(product.settings) as parser:
            tools = replace(tools_of(product, writer, parser), chunks_at_once=BATCH)
            run = IndexRun(source.name, connector, tools, RunOptions(), lambda _step: None)
            run.sharing = sharing_of(product, writer) if shared else None
            yield run

    return await record_run(product, source.name, opened())


@contextmanager
def working(kb: Kb, count: int) -> Iterator[list[KbProcess]]:
    """Inside, so many workers take indexing."""
    worker = kb.having(**SHARING, API_PORT="0", HTTP_PORT="0", WORKER_TAKES="indexing", SCHEDULE="false")
    workers = [worker.start("-v", "worker") for _ in range(count)]
    try:
        wait_for(lambda: all("Working on sources alone" in each.said for each in workers))
        yield workers
    finally:
        for each in workers:
            each.close()


async def test_three_processes_make_the_index_that_one_makes_also_when_one_of_them_is_killed(
    kb: Kb, url: str, source: Source, embeddings: EmbeddingsServer
) -> None:
    async with open_product(load(kb.env, kb.folder)) as product:
        table = product.storage.sources
        await table.add(source)
        alone = await indexed(product, source, shared=False)
        one, graph = index_state(url), rows(url, GRAPH)
        with working(kb, 2) as workers:
            for killed in (False, True):
                await table.remove(source.name)
                await table.add(source)
                embeddings.fail_next(*[after(0.3)] * 200)
                run = asyncio.create_task(indexed(product, source, shared=True))
                if killed:
                    await asyncio.to_thread(wait_for, lambda: rows(url, WAITING) > [(1,)])
                    workers[0].kill()
                report = await run
                embeddings.faults.clear()
                assert all(DONE in each.said for each in workers), [each.said[-2000:] for each in workers]
                three = index_state(url)
                assert_whole(three)
                assert_same(one, three)
                assert rows(url, GRAPH) == graph
                assert all(np.allclose(row, three.vectors[each], atol=1e-3) for each, row in one.vectors.items())
                assert counted(report) == counted(alone)
                assert rows(url, "SELECT count(*) FROM index_batches") == [(0,)]


def counted(report: RunReport) -> list[object]:
    """What does not depend on who did it, and when."""
    names = ("listed", "added", "changed", "unchanged", "chunks", "failed", "skipped", "complete", "outcome")
    return [getattr(report, name) for name in names]


async def test_a_worker_writes_nothing_of_a_run_that_was_given_up(kb: Kb, data_dir: Path, database: str) -> None:
    environ = {"KB_AGENT_DATA_DIR": str(data_dir), "KB_AGENT_DATABASE_POOL": "2"}
    async with open_product(load(environ, kb.folder), database=database, model=HashEmbedder()) as product:
        batches, writer = product.storage.shared_batches(), await product.writer()
        await product.storage.sources.add(Source("wiki", "files", {}))
        ready = PreparedDocument(a_document("a", source="wiki", title="a"), [], new=True, units=[])
        async with product.storage.runs.begin("wiki") as run:
            number = await batches.add(run, writer.version_id, packed([ready]))
        async with batches.taken(number) as taken:
            assert taken is not None
            async with batches.taken(number) as again:
                assert again is None
            async with product.storage.runs.begin("wiki"):  # the run before is over
                with pytest.raises(Transient, match="has ended"):
                    await writer.of_batch(number).put(ready.document, [], np.empty((0, 64), np.float32))
        async with batches.taken(number) as gone:
            assert gone is None
