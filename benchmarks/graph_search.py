"""Searching through the knowledge graph at 100,000 entities and 500,000 relations: latency, and memory of the process.

    python -m benchmarks.graph_search [--entities N] [--questions N]

Half of the entities are documents; each document speaks of ten things, some far more often spoken of than others. All
documents are in one space and link to one page: hubs of which every chunk speaks.
Prints what it does on standard error and one JSON object on standard output.
"""

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from hashlib import md5
from pathlib import Path
from typing import Any

import psutil
from sqlalchemy import text

from agent.evaluation.measures import percentile
from agent.providers.minilm import open_minilm
from bot.app.product import Product, open_product
from config.load import load
from domain.access import ORGANISATION, Scope
from domain.documents import BlockKind, Chunk, SourceDocument, Span, digest
from domain.graph_search import GraphRequest
from storage.index.sources import Source

SOURCE = "bench"
SPOKEN_OF = 10
"""Things that a document speaks of."""

# one document is written by the product; the others are made from it by the server
_FILL = (
    "SELECT setseed(0.5)",
    """
    INSERT INTO documents (document_no, document_id, source_no, external_id, title, url, path, media_type, space,
                           labels, author, acl_id)
    SELECT n, md5('d' || n), source_no, n::text, 'Thing ' || n, 'https://wiki.example/' || n, n::text, media_type,
           space, labels, author, acl_id
    FROM documents, generate_series({first}, {last}) AS n WHERE document_no = 1
    """,
    """
    INSERT INTO chunks (version_id, chunk_no, chunk_id, document_no, ordinal, kind, title, heading_path, text,
                        first_line, last_line, text_hash)
    SELECT version_id, 2 * n + part, md5('c' || n || '/' || part), n, part, kind, 'Thing ' || n, heading_path,
           'Part ' || part, 1, 1, text_hash
    FROM chunks, generate_series({first}, {last}) AS n, generate_series(0, 1) AS part WHERE chunk_no = 1
    """,
    """
    INSERT INTO vectors (version_id, chunk_no, embedding)
    SELECT version_id, 2 * n + part, embedding
    FROM vectors, generate_series({first}, {last}) AS n, generate_series(0, 1) AS part WHERE chunk_no = 1
    """,
    """
    INSERT INTO entities (entity_no, key, kind, name)
    SELECT n, 'name:thing ' || n, 'name', 'thing ' || n FROM generate_series(2 * {first}, 2 * {last} + 1) AS n
    """,
    """
    INSERT INTO entities (entity_no, key, kind, name)
    VALUES (1000000001, 'space:ops', 'space', 'ops'), (1000000002, 'page:wiki.example/1', 'page', 'wiki.example/1')
    ON CONFLICT DO NOTHING
    """,
    """
    CREATE TEMPORARY TABLE spoken AS
    SELECT DISTINCT n AS document_no, 2 * n + part AS chunk_no,
           2 + floor(power(random(), 2) * (2 * {last} - 1))::int AS entity_no
    FROM generate_series({first}, {last}) AS n, generate_series(0, 1) AS part, generate_series(1, {each}) AS place
    """,
    """
    INSERT INTO mentions (version_id, entity_no, chunk_no, role, document_no, confidence, surface)
    SELECT v.version_id, n, 2 * n, 'title', n, 1, 'Thing ' || n
    FROM index_versions v, generate_series({first}, {last}) AS n
    UNION ALL
    SELECT v.version_id, entity_no, chunk_no, 'mention', document_no, 0.8, 'Thing ' || entity_no
    FROM index_versions v, spoken
    UNION ALL
    SELECT v.version_id, hub, 2 * n + part, CASE WHEN n = 2 AND hub = 1000000002 THEN 'identity' ELSE 'link' END, n, 1,
           'hub'
    FROM index_versions v, generate_series({first}, {last}) AS n, generate_series(0, 1) AS part,
         generate_series(1000000001, 1000000002) AS hub
    """,
    """
    INSERT INTO relations (version_id, subject_no, predicate, object_no, chunk_no, pattern, document_no, confidence,
                           guarded)
    SELECT v.version_id, document_no, 'uses', entity_no, chunk_no, 'verb', document_no, 0.8, false
    FROM index_versions v, spoken WHERE document_no <> entity_no
    """,
    "DROP TABLE spoken",
    "DELETE FROM entity_counts",
    """
    INSERT INTO entity_counts (version_id, entity_no, documents)
    SELECT version_id, entity_no, count(DISTINCT document_no) FROM mentions GROUP BY 1, 2
    """,
    *(f"ANALYZE {name}" for name in ("documents", "chunks", "vectors", "entities", "mentions", "relations")),
    "ANALYZE entity_counts",
)


async def measure(entities: int, questions: int, folder: Path) -> dict[str, Any]:
    """Everything, on a new database in `folder`."""
    model = open_minilm(folder / "models", 2)
    async with open_product(load({"KB_AGENT_DATA_DIR": str(folder)}, folder), model=model) as product:
        await _first(product)
        _say("making a tenth")
        await _fill(product, 2, entities // 20)
        small = await asyncio.to_thread(_memory, folder, questions)
        _say("making the rest")
        await _fill(product, entities // 20 + 1, entities // 2)
        asked = _asked(questions, entities // 2)
        vector = await product.retriever.embed("How do these hang together?")
        found = {
            "as_a_third_list": await _times(
                asked, lambda one: product.graph.related_chunks(_request(one, vector=vector), Scope.member())
            ),
            "as_a_tool": await _times(
                asked,
                lambda one: product.graph.related_chunks(_request(one, vector=vector, loose=True), Scope.member()),
            ),
            "what_lies_around": await _times(
                asked, lambda one: product.graph.neighbourhoods(f"Thing {one[0]}", Scope.member())
            ),
        }
        counts = await _counts(product)
    return {**counts, "ms": found, "memory_mb": {"at_a_tenth": small, "at_all": _memory(folder, questions)}}


async def _first(product: Product) -> None:
    await product.storage.sources.add(Source(SOURCE, "files", {}))
    writer = await product.storage.writer(product.embedder.identity, product.analyzer)
    document = SourceDocument(SOURCE, "1", "Thing 1", "https://wiki.example/1", "1", (), ORGANISATION, digest("1"))
    chunk = Chunk(document.document_id, 0, "Thing 1", (), "Part 0", BlockKind.PROSE, Span(1, 1), ORGANISATION)
    await writer.put(document, [chunk], await product.embedder.embed([chunk.text]))


async def _fill(product: Product, first: int, last: int) -> None:
    async with product.storage.engine.begin() as connection:
        for statement in _FILL:
            await connection.exec_driver_sql(statement.format(first=first, last=last, each=SPOKEN_OF // 2))


async def _counts(product: Product) -> dict[str, int]:
    async with product.storage.engine.connect() as connection:
        return {
            table: int((await connection.execute(text(f"SELECT count(*) FROM {table}"))).scalar_one())
            for table in ("documents", "entities", "mentions", "relations")
        }


def _asked(count: int, documents: int) -> list[tuple[int, ...]]:
    """For each question two things that it names and five documents that retrieval may have found."""
    chosen = random.Random(7)
    return [tuple(chosen.randint(2, documents) for _ in range(7)) for _ in range(count)]


def _request(asked: tuple[int, ...], *, vector: Any, loose: bool = False) -> GraphRequest:
    hits = {chunk_id(number): 1 - place / 10 for place, number in enumerate(asked[2:])}
    words = f"How does Thing {asked[0]} hang together with Thing {asked[1]}?"
    return GraphRequest(words, hits, vector, limit=40, loose=loose)


def chunk_id(document: int) -> str:
    """The id of a document's first chunk, as the server makes it."""
    return md5(f"c{document}/0".encode(), usedforsecurity=False).hexdigest()


async def _times(
    asked: list[tuple[int, ...]], ask: Callable[[tuple[int, ...]], Awaitable[list[Any]]]
) -> dict[str, float]:
    """p50 and p95 in milliseconds, one client, the first ten questions not counted; and how much is found."""
    for one in asked[:10]:
        await ask(one)
    times, found = [], []
    for one in asked:
        started = time.perf_counter()
        found.append(len(await ask(one)))
        times.append(1000 * (time.perf_counter() - started))
    shown = {"p50": percentile(times, 0.5), "p95": percentile(times, 0.95), "found": sum(found) / len(found)}
    return {name: round(value, 2) for name, value in shown.items()}


def _memory(folder: Path, questions: int) -> int:
    """Resident size in MB of another process that has asked the graph."""
    _say("measuring the memory of an answering process")
    command = [sys.executable, "-m", "benchmarks.graph_search", "--ask", str(folder), "--questions", str(questions)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


async def ask(folder: Path, questions: int) -> int:
    """Asks the graph in `folder`; this process's resident size afterwards, in MB."""
    model = open_minilm(folder / "models", 2)
    async with open_product(load({"KB_AGENT_DATA_DIR": str(folder)}, folder), model=model) as product:
        documents = (await _counts(product))["documents"]
        for one in _asked(questions, documents):
            await product.graph.related_chunks(_request(one, vector=None, loose=True), Scope.member())
    return int(psutil.Process().memory_info().rss // 2**20)


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def main() -> None:
    """Measures, and prints the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entities", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--ask", type=Path, help="Only ask the graph in this folder, and print this process's size.")
    options = parser.parse_args()
    if options.ask:
        print(asyncio.run(ask(options.ask, options.questions)))
        return
    with tempfile.TemporaryDirectory(prefix="kb-bench-") as folder:
        Path(folder).chmod(0o755)  # the embedded server runs as another user when started by root
        print(json.dumps(asyncio.run(measure(options.entities, options.questions, Path(folder))), indent=2))


if __name__ == "__main__":
    main()
