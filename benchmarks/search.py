"""Search at 100,000 chunks: lexical against rank-bm25 in the same run, hybrid latency, memory.

    python -m benchmarks.search [--chunks N] [--questions N]

Prints what it does on standard error and one JSON object on standard output.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rank_bm25 import BM25Okapi
from sqlalchemy import text

from agent.evaluation.measures import percentile
from benchmarks.corpus import MadeCorpus
from benchmarks.measuring import ms_since, new_folder, parser, product_in, report, say, spread, timed
from bot.app.product import Product
from domain.access import Scope
from domain.search import SearchRequest
from storage.index.sources import Source

SOURCE = "bench"


async def measure(chunks: int, questions: int, folder: Path) -> dict[str, Any]:
    """Everything, on a new database in `folder`."""
    async with product_in(folder) as product:
        corpus = await MadeCorpus.make(chunks, SOURCE, product.embedder)
        built = await _fill(product, corpus, folder)
        at_all = await asyncio.to_thread(_memory, folder)
        asked = corpus.questions(questions)
        hybrid = await _times(asked, lambda question: product.retriever.rank(question, Scope.member()))
        dense_recall = await _recall(product, asked[:50])
        share = await _frequency_share(product, asked[:50])
        lexical = await _times(asked, lambda question: _lexical(product, question))
        peer = await asyncio.to_thread(_rank_bm25, product, built.texts, asked[:30])
        same = [
            await _same_top_10(product, question, scores)
            for question, scores in zip(asked, peer["scores"], strict=False)
        ]
    return {
        "chunks": chunks,
        "frequency_share": share,
        "fill_seconds": built.seconds,
        "lexical_ms": lexical,
        "rank_bm25_ms": peer["ms"],
        "lexical_times_faster": round(peer["ms"]["p50"] / lexical["p50"], 1),
        "same_top_10": f"{sum(same)} of {len(same)}",
        "hybrid_ms": hybrid,
        "hnsw_recall@10": dense_recall,
        "memory_mb": {"at_a_tenth": built.memory_at_a_tenth, "at_all": at_all},
    }


@dataclass(frozen=True, slots=True)
class Filled:
    """The corpus in the index."""

    seconds: float
    """To write it."""
    texts: dict[str, str]
    """Every chunk's, by its id."""
    memory_at_a_tenth: dict[str, int]
    """See benchmarks.memory."""


async def _fill(product: Product, corpus: MadeCorpus, folder: Path) -> Filled:
    """Writes the corpus; stops after a tenth of it to measure an answering process."""
    await product.storage.sources.add(Source(SOURCE, "files", {}))
    writer = await product.storage.writer(product.embedder.identity, product.analyzer)
    texts: dict[str, str] = {}
    memory: dict[str, int] = {}
    seconds, started = 0.0, time.perf_counter()
    async for chunks in corpus.written(writer):
        texts |= {chunk.chunk_id: chunk.embedded_text for chunk in chunks}
        if not memory and len(texts) >= corpus.chunks // 10:
            await writer.finish()
            seconds += time.perf_counter() - started
            memory = await asyncio.to_thread(_memory, folder)
            started = time.perf_counter()
    await writer.finish()
    return Filled(round(seconds + time.perf_counter() - started, 1), texts, memory)


async def _frequency_share(product: Product, questions: list[str]) -> float:
    """Median over the questions: the sum of their words' document frequencies, as a share of all chunks."""
    query = text("SELECT coalesce(sum(octet_length(entries) / 8), 0) FROM postings WHERE term = ANY(:terms)")
    found = []
    async with product.storage.engine.connect() as connection:
        for question in questions:
            terms = sorted(set(product.analyzer.tokens(question)))
            found.append(float((await connection.execute(query, {"terms": terms})).scalar_one()))
    status = await product.storage.status()
    assert status is not None
    return round(percentile(found, 0.5) / status.chunks, 2)


async def _times(questions: list[str], ask: Callable[[str], Awaitable[object]]) -> dict[str, float]:
    """p50 and p95 in milliseconds, one client, the first question not counted."""
    await ask(questions[0])
    return spread([(await timed(ask(question)))[0] for question in questions])


async def _lexical(product: Product, question: str, limit: int = 10) -> Any:
    return await product.search.search(SearchRequest(question, retrievals=("lexical",), limit=limit), Scope.member())


def _rank_bm25(product: Product, texts: dict[str, str], questions: list[str]) -> dict[str, Any]:
    """rank-bm25 in memory over the same tokens: times of `get_scores`, and the scores by chunk id."""
    say("building rank-bm25 in memory")
    names = list(texts)
    peer = BM25Okapi([product.analyzer.tokens(texts[name]) for name in names])
    times, scores = [], []
    for question in questions:
        tokens = product.analyzer.tokens(question)
        started = time.perf_counter()
        values = peer.get_scores(tokens)
        times.append(ms_since(started))
        scores.append({names[i]: float(values[i]) for i in np.argsort(-values)[:50]})
    return {"ms": spread(times), "scores": scores}


async def _same_top_10(product: Product, question: str, reference: dict[str, float]) -> bool:
    """Whether our top 10 has the reference's scores, place by place, and each chunk its own score there."""
    ours = (await _lexical(product, question)).rankings["lexical"]
    best = sorted(reference.values(), reverse=True)[: len(ours)]
    return np.allclose([hit.score for hit in ours], best, rtol=1e-9) and all(
        np.isclose(reference.get(hit.chunk_id, hit.score), hit.score, rtol=1e-9) for hit in ours
    )


async def _recall(product: Product, questions: list[str]) -> float:
    """Share of the exact top 10 that the vector search in use finds."""
    exact = product.storage.search(product.embedder.identity, exact_max=10**9)
    shares = []
    for question in questions:
        vector = (await product.embedder.embed([question]))[0]
        request = SearchRequest(question, vector, retrievals=("dense",), limit=100)
        found = [
            {hit.chunk_id for hit in (await search.search(request, Scope.member())).rankings["dense"][:10]}
            for search in (product.search, exact)
        ]
        shares.append(len(found[0] & found[1]) / 10)
    return round(sum(shares) / len(shares), 3)


def _memory(folder: Path) -> dict[str, int]:
    """Resident size of another process that asks this index, in MB."""
    say("measuring the memory of an answering process")
    command = [sys.executable, "-m", "benchmarks.memory", str(folder)]
    return dict(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


if __name__ == "__main__":
    given = parser(__doc__, chunks=100_000, questions=200).parse_args()
    with new_folder() as data:
        report(asyncio.run(measure(given.chunks, given.questions, data)))
