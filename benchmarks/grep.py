"""Grep at 100,000 chunks: looking words up first, against reading every text with the same engine, in the same run.

    python -m benchmarks.grep [--chunks N]

The full scan matches texts that are in memory already; what reading them all takes is said beside it. Prints what it
does on standard error and one JSON object on standard output.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import re2
from sqlalchemy import text

from agent.evaluation.measures import percentile
from agent.providers.minilm import open_minilm
from benchmarks.corpus import MadeCorpus
from bot.app.product import Product, open_product
from config.load import load
from domain.access import Scope
from domain.documents import Span
from domain.ports import Grep
from domain.search import GrepRequest
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
    settings = load({"KB_AGENT_DATA_DIR": str(folder)}, folder)
    corpus = await MadeCorpus.make(chunks, SOURCE, open_minilm(folder / "models", 2))
    async with open_product(settings) as product:
        texts = await _fill(product, corpus)
        terms = await _terms(product)
        reading = await _read_all(product)
        grep = product.storage.grep()
        first = await _ask(grep, *PATTERNS["either case"])
        found = {name: await _compare(grep, texts, *asked) for name, asked in PATTERNS.items()}
    ours = [value for each in found.values() for value in each.pop("all_ms")]
    scans = [each["full_scan_ms"] for each in found.values()]
    return {
        "chunks": len(texts),
        "terms": terms,
        "first_that_ignores_case_ms": round(first, 1),
        "grep_ms": {"p50": round(percentile(ours, 0.5), 1), "p95": round(percentile(ours, 0.95), 1)},
        "full_scan_ms": {"p50": round(percentile(scans, 0.5), 1), "p95": round(percentile(scans, 0.95), 1)},
        "reading_all_ms": round(reading, 1),
        "patterns": found,
    }


async def _fill(product: Product, corpus: MadeCorpus) -> list[str]:
    """Writes the corpus; gives every chunk's text."""
    await product.storage.sources.add(Source(SOURCE, "files", {}))
    writer = await product.storage.writer(product.embedder.identity, product.analyzer)
    texts: list[str] = []
    for number, (document, made, vectors) in enumerate(corpus.documents()):
        chunks = [replace(chunk, span=Span(chunk.ordinal + 1, chunk.ordinal + 1)) for chunk in made]  # a line each
        await writer.put(document, chunks, vectors)
        texts += [chunk.text for chunk in chunks]
        if number % 100 == 0:
            await writer.merge_segments()
            _say(f"{len(texts)} of {corpus.chunks} chunks")
    await writer.merge_segments()
    return texts


async def _terms(product: Product) -> int:
    async with product.storage.engine.connect() as connection:
        return int((await connection.execute(text("SELECT count(DISTINCT term) FROM postings"))).scalar_one())


async def _read_all(product: Product) -> float:
    """Milliseconds that reading every text takes, as a full scan would have to."""

    async def work(connection: Connection) -> None:
        await (await connection.execute(b"SELECT text FROM chunks")).fetchall()

    begun = time.perf_counter()
    await product.storage.pool.run(work)
    return 1000 * (time.perf_counter() - begun)


async def _ask(grep: Grep, pattern: str, ignore_case: bool, limit: int = 50) -> float:
    """Milliseconds of one request."""
    begun = time.perf_counter()
    await grep.grep(GrepRequest(pattern, ignore_case, limit), Scope.member())
    return 1000 * (time.perf_counter() - begun)


async def _compare(grep: Grep, texts: list[str], pattern: str, ignore_case: bool) -> dict[str, Any]:
    """One pattern, both ways. Where all that matches can be read, both find as many."""
    times = [await _ask(grep, pattern, ignore_case) for _ in range(ROUNDS)]
    everything = await grep.grep(GrepRequest(pattern, ignore_case, len(texts)), Scope.member())
    begun = time.perf_counter()
    scanned = await asyncio.to_thread(_scan, texts, pattern, ignore_case)
    scan_ms = 1000 * (time.perf_counter() - begun)
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


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def main() -> None:
    """Measures, and prints the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=100_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kb-bench-") as folder:
        Path(folder).chmod(0o755)  # the embedded server runs as another user when started by root
        print(json.dumps(asyncio.run(measure(options.chunks, Path(folder))), indent=2))


if __name__ == "__main__":
    main()
