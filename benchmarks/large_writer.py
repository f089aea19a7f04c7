"""One process of those that fill the large index; `benchmarks.large` starts them.

    python -m benchmarks.large_writer DIR CHUNKS PART PARTS

Writes the documents that the index in DIR does not hold yet, of those whose number has the rest PART when divided by
PARTS. Prints how many it wrote, and the seconds of its processor time, as JSON.
"""

import asyncio
import json
import os
import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.corpus import CHUNKS_A_DOCUMENT, MadeCorpus, real_sentences
from benchmarks.filtered_search import acl_of
from benchmarks.measuring import product_in, report
from bot.app.indexing import annotator_of
from bot.app.product import Product
from domain.documents import Chunk, SourceDocument
from domain.knowledge_graph import Facts
from domain.model_ports import Vectors
from indexer.graph.document_graph import document_graph
from storage.index.writer import PostgresWriter

SOURCE = "bench"
MERGE_EVERY = 100
"""Documents, as a run of the product merges now and then."""


async def corpus_for(folder: Path, chunks: int, product: Product) -> MadeCorpus:
    """The corpus of that size; its sentences are embedded once for all processes over the folder."""
    file, texts = folder / "sentences.npy", real_sentences()
    if not file.exists():
        np.save(file, await product.embedder.embed(texts))
    return MadeCorpus(chunks, SOURCE, texts, np.load(file), acl=acl_of)


class DocumentWriter:
    """Writes documents as an index run does, with the graph of their texts."""

    def __init__(self, product: Product, writer: PostgresWriter) -> None:
        self._annotator = annotator_of(product.settings.index)
        self._writer = writer

    async def put(self, document: SourceDocument, chunks: list[Chunk], vectors: Vectors) -> None:
        """Writes one document."""
        graph = document_graph(document.title, document.path, Facts(), chunks, self._annotator)
        await self._writer.put(document, chunks, vectors, graph=graph)


async def write(folder: Path, chunks: int, part: int, parts: int) -> dict[str, float]:
    """Writes what is missing of a part."""
    async with product_in(folder) as product:
        corpus = await corpus_for(folder, chunks, product)
        writer = await product.storage.writer(product.embedder.identity, product.analyzer)
        documents, known = DocumentWriter(product, writer), await writer.indexed_documents(SOURCE)
        numbers = range(part, chunks // CHUNKS_A_DOCUMENT, parts)
        missing = [number for number in numbers if f"made/{number}" not in known]
        began, parent = time.process_time(), os.getppid()
        for place, number in enumerate(missing, start=1):
            if os.getppid() != parent:
                break  # who started it was killed
            await documents.put(*corpus.document(number))
            if place % MERGE_EVERY == 0:
                await writer.merge_segments()
        return {
            "chunks": len(missing) * CHUNKS_A_DOCUMENT,
            "processor_seconds": round(time.process_time() - began, 1),
        }


def command(folder: Path, chunks: int, part: int, parts: int) -> list[str]:
    """What starts such a process."""
    return [sys.executable, "-m", "benchmarks.large_writer", str(folder), *map(str, (chunks, part, parts))]


def read(said: bytes) -> dict[str, float]:
    """What such a process printed."""
    found: dict[str, float] = json.loads(said)
    return found


if __name__ == "__main__":
    report(asyncio.run(write(Path(sys.argv[1]), *map(int, sys.argv[2:]))))
