"""How fast the knowledge graph is built, without embedding: documents a minute of the whole pass over a data set with
the graph and without it, and the time that a document's part takes by itself.

    python -m benchmarks.graph FOLDER [--documents N]

FOLDER is a data set in the BEIR layout. Reading, parsing, masking, cutting and writing are the product's own; vectors
cost nothing. Prints one JSON object on standard output.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import text

from benchmarks.measuring import new_folder, parser, report, spread
from bot.app.connectors import open_parser
from bot.app.indexing import annotator_of, tools_of
from bot.app.product import Product, open_product
from config.load import load
from domain.index_ports import KnowledgeWriter
from domain.knowledge_graph import Facts
from domain.model_ports import Vectors
from indexer.graph.document_graph import document_graph
from indexer.run.dependencies import RunDependencies, RunOptions
from indexer.run.index_run import IndexRun
from indexer.run.report import RunReport
from indexer.sources.beir.data_set import BeirFolder
from indexer.sources.connector import ListedDocument, SkippedDocument
from storage.index.sources import Source
from tests.fakes.embedder import HashEmbedder

DIMENSIONS = 8


class Free(HashEmbedder):
    """Vectors that cost nothing; tokens are counted as a small model's would be."""

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """The same for all."""
        rows = np.zeros((len(texts), DIMENSIONS), np.float32)
        rows[:, 0] = 1.0
        return rows


class Beginning(BeirFolder):
    """The first documents of a data set."""

    def __init__(self, folder: Path, documents: int) -> None:
        super().__init__(folder)
        self._most = documents

    async def listing(self) -> AsyncIterator[ListedDocument | SkippedDocument]:
        """As many as wanted."""
        for item in islice([each async for each in super().listing()], self._most):
            yield item


async def measure(data: Beginning, folder: Path) -> dict[str, Any]:
    """Both passes, each into an index of its own, and the parts once more by themselves."""
    settings = load({"KB_AGENT_DATA_DIR": str(folder)}, folder)
    found: dict[str, Any] = {}
    for name in ("with", "without"):
        async with open_product(settings, database=f"graph_{name}", model=Free(DIMENSIONS)) as product:
            await product.storage.sources.add(Source(name, "beir", {}))
            began = time.process_time()
            report = await _pass(product, name, data, graph=name == "with")
            found[f"{name}_graph"] = {
                "documents": report.added,
                "chunks": report.chunks,
                "seconds": round(report.seconds, 1),
                "documents_a_minute": round(60 * report.added / report.seconds),
                "processor_seconds": round(time.process_time() - began, 1),  # without the server's and the parser's
            }
            if name == "with":
                found["graph"] = await _sizes(product) | await _parts(product, name)
    return found


async def _pass(product: Product, source: str, data: Beginning, *, graph: bool) -> RunReport:
    async with open_parser(product.settings) as parser:
        tools: RunDependencies = tools_of(product, await product.writer(), parser)
        tools = tools if graph else replace(tools, annotator=None)
        return await IndexRun(source, data, tools, RunOptions(), lambda _step: None).run()


async def _sizes(product: Product) -> dict[str, Any]:
    counts = "SELECT (SELECT count(*) FROM entities), (SELECT count(*) FROM mentions), (SELECT count(*) FROM relations)"
    size = "SELECT sum(pg_total_relation_size(oid))/1e6 FROM pg_class WHERE relname ~ :names AND relkind = 'r'"
    async with product.storage.engine.connect() as connection:
        entities, mentions, relations = (await connection.execute(text(counts))).one()
        names = {"names": "^(entities|(mentions|relations|entity_counts)_[0-9]+)$"}
        megabytes = (await connection.execute(text(size), names)).scalar_one()
    return {"entities": entities, "mentions": mentions, "relations": relations, "megabytes": round(float(megabytes))}


async def _parts(product: Product, source: str) -> dict[str, Any]:
    """Milliseconds of processor time for the part of each document, on one core."""
    writer: KnowledgeWriter = await product.writer()
    held = [await writer.stored_text(source, name) for name in list(await writer.indexed_documents(source))[:2_000]]
    times, chunks, annotator = list[float](), 0, annotator_of(product.settings.index)
    for each in filter(None, held):
        began = time.process_time()
        document_graph(each.title, each.path, each.facts or Facts(), each.chunks, annotator)
        times.append(1000 * (time.process_time() - began))
        chunks += len(each.chunks)
    return {
        "part_ms": spread(times),
        "chunk_ms": round(sum(times) / chunks, 2),
        "parts_a_minute_and_core": round(60_000 * len(times) / sum(times)),
    }


if __name__ == "__main__":
    options = parser(__doc__, documents=6_000)
    options.add_argument("folder", type=Path)
    given = options.parse_args()
    with new_folder() as data:
        report(asyncio.run(measure(Beginning(given.folder, given.documents), data)))
