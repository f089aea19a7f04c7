"""Searching through the knowledge graph at 100,000 entities and 500,000 relations: latency, and memory of the process.

    python -m benchmarks.graph_search [--entities N] [--questions N]

Half of the entities are documents; each document speaks of ten things, some far more often spoken of than others. All
documents are in one space and link to one page: hubs of which every chunk speaks.
Prints what it does on standard error and one JSON object on standard output.
"""

import asyncio
import random
import subprocess
import sys
from collections.abc import Awaitable, Callable
from hashlib import md5
from pathlib import Path
from typing import Any

from sqlalchemy import text

from benchmarks.measuring import new_folder, parser, product_in, report, resident_mb, say, spread, timed
from bot.app.product import Product
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
    async with product_in(folder) as product:
        await _first(product)
        say("making a tenth")
        await _fill(product, 2, entities // 20)
        small = await asyncio.to_thread(_memory, folder, questions)
        say("making the rest")
        await _fill(product, entities // 20 + 1, entities // 2)
        asked = _asked(questions, entities // 2)
        vector = await product.retriever.embed("How do these hang together?")
        graph, me = product.graph, Scope.member()
        found = {
            "as_a_third_list": await _times(asked, lambda one: graph.related_chunks(_request(one, vector=vector), me)),
            "as_a_tool": await _times(
                asked, lambda one: graph.related_chunks(_request(one, vector=vector, loose=True), me)
            ),
            "what_lies_around": await _times(asked, lambda one: graph.neighbourhoods(f"Thing {one[0]}", me)),
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
    answers = [await timed(ask(one)) for one in asked]
    found = sum(len(each) for _, each in answers) / len(answers)
    return {**spread([ms for ms, _ in answers]), "found": round(found, 2)}


def _memory(folder: Path, questions: int) -> int:
    """Resident size in MB of another process that has asked the graph."""
    say("measuring the memory of an answering process")
    command = [sys.executable, "-m", "benchmarks.graph_search", "--ask", str(folder), "--questions", str(questions)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


async def ask(folder: Path, questions: int) -> int:
    """Asks the graph in `folder`; this process's resident size afterwards, in MB."""
    async with product_in(folder) as product:
        documents = (await _counts(product))["documents"]
        for one in _asked(questions, documents):
            await product.graph.related_chunks(_request(one, vector=None, loose=True), Scope.member())
    return resident_mb()


if __name__ == "__main__":
    options = parser(__doc__, entities=100_000, questions=200)
    options.add_argument("--ask", type=Path, help="Only ask the graph in this folder, and print this process's size.")
    given = options.parse_args()
    if given.ask:
        print(asyncio.run(ask(given.ask, given.questions)))
    else:
        with new_folder() as data:
            report(asyncio.run(measure(given.entities, given.questions, data)))
