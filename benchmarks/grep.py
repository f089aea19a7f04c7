"""Grep at 100,000 chunks: looking words up first, against reading every text with the same engine, in the same run.

    python -m benchmarks.grep [--chunks N]

The full scan matches texts that are in memory already; what reading them all takes is said beside it. Prints what it
does on standard error and one JSON object on standard output.
"""

import asyncio
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import re2
from sqlalchemy import text

from agent.evaluation.measures import percentile
from benchmarks.corpus import MadeCorpus
from benchmarks.measuring import ms_since, new_folder, parser, product_in, report, spread, timed
from bot.app.product import Product
from domain.access import Scope
from domain.search import GrepRequest, GrepResult
from domain.search_ports import Grep
from storage.index.sources import Source
from storage.server.pool import Connection

SOURCE = "bench"
ROUNDS = 5

PATTERNS: Mapping[str, tuple[str, bool]] = {
    "rare word": ("deductible17", False),
    "part of a word": ("reimburs", False),
    "common word": ("employee", False),
    "two words": (r"vacation\w*\s+days", False),
    "far apart": (r"manager.*approv", False),
    "either": ("laptop|parking|password", False),
    "either case": ("vpn", True),
    "word at borders": (r"\bpassword\b", False),
    "a word that is nowhere": ("zyzzogeton", False),
}
"""Names, patterns, and whether case is ignored."""


async def measure(chunks: int, folder: Path) -> dict[str, Any]:
    """Everything, on a new database in `folder`."""
    async with product_in(folder) as product:
        texts = await _fill(product, await MadeCorpus.make(chunks, SOURCE, product.embedder))
        terms = await _terms(product)
        reading = await _read_all(product)
        grep = product.storage.grep()
        first, _ = await _ask(grep, *PATTERNS["either case"])
        found = {name: await _compare(grep, texts, *asked) for name, asked in PATTERNS.items()}
    ours = [value for each in found.values() for value in each.pop("all_ms")]
    scans = [each["full_scan_ms"] for each in found.values()]
    return {
        "chunks": len(texts),
        "terms": terms,
        "first_that_ignores_case_ms": round(first, 1),
        "grep_ms": spread(ours, 1),
        "full_scan_ms": spread(scans, 1),
        "reading_all_ms": round(reading, 1),
        "patterns": found,
    }


async def _fill(product: Product, corpus: MadeCorpus) -> list[str]:
    """Writes the corpus; gives every chunk's text."""
    await product.storage.sources.add(Source(SOURCE, "files", {}))
    writer = await product.storage.writer(product.embedder.identity, product.analyzer)
    texts = [chunk.text async for chunks in corpus.written(writer) for chunk in chunks]
    await writer.merge_segments()
    return texts


async def _terms(product: Product) -> int:
    async with product.storage.engine.connect() as connection:
        return int((await connection.execute(text("SELECT count(DISTINCT term) FROM postings"))).scalar_one())


async def _read_all(product: Product) -> float:
    """Milliseconds that reading every text takes, as a full scan would have to."""

    async def work(connection: Connection) -> None:
        await (await connection.execute(b"SELECT text FROM chunks")).fetchall()

    ms, _ = await timed(product.storage.pool.run(work))
    return ms


async def _ask(grep: Grep, pattern: str, ignore_case: bool, limit: int = 50) -> tuple[float, GrepResult]:
    """Milliseconds of one request, and what it found."""
    return await timed(grep.grep(GrepRequest(pattern, ignore_case, limit), Scope.member()))


async def _compare(grep: Grep, texts: list[str], pattern: str, ignore_case: bool) -> dict[str, Any]:
    """One pattern, both ways. Where all that matches can be read, both find as many."""
    times = [(await _ask(grep, pattern, ignore_case))[0] for _ in range(ROUNDS)]
    _, everything = await _ask(grep, pattern, ignore_case, len(texts))
    begun = time.perf_counter()
    scanned = await asyncio.to_thread(_scan, texts, pattern, ignore_case)
    scan_ms = ms_since(begun)
    assert not everything.complete or len(everything.hits) == scanned, (pattern, len(everything.hits), scanned)
    return {
        "all_ms": times,
        "grep_p50_ms": round(percentile(times, 0.5), 1),
        "full_scan_ms": round(scan_ms, 1),
        "matching": scanned,
        "read": everything.read,
        "complete": everything.complete,
    }


def _scan(texts: list[str], pattern: str, ignore_case: bool) -> int:
    """Texts, of one line each, that match."""
    options = re2.Options()
    options.case_sensitive = not ignore_case
    regex = re2.compile(pattern, options)
    return sum(regex.search(content) is not None for content in texts)


if __name__ == "__main__":
    with new_folder() as data:
        report(asyncio.run(measure(parser(__doc__, chunks=100_000).parse_args().chunks, data)))
