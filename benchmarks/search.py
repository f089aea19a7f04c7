"""Search at 100,000 chunks: lexical against rank-bm25 in the same run, hybrid latency, memory.

    python -m benchmarks.search [--chunks N] [--questions N] [--lexical] [--folder DIR]

--lexical leaves out the index of vectors, hybrid search and memory. DIR is kept; what it holds is not written again.
Prints what it does on standard error and one JSON object on standard output.
"""

import asyncio
import gc
import json
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext
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
from domain.search import Hit, SearchRequest
from domain.text.languages import query_tokens
from storage.index.sources import Source
from storage.index.vectors import HNSW_FROM

SOURCE = "bench"

TURNS = 6
PEER_QUESTIONS = 5
"""So many of each turn are put to rank-bm25, too."""


async def measure(chunks: int, questions: int, folder: Path, *, lexical_only: bool) -> dict[str, Any]:
    """Everything, on the database in `folder`, which is filled where it is new."""
    async with product_in(folder) as product:
        corpus = await MadeCorpus.make(chunks, SOURCE, product.embedder)
        built = await _fill(product, corpus, folder, lexical_only=lexical_only)
        asked = corpus.questions(questions)
        found = {
            "chunks": chunks,
            "fill_seconds": built.seconds,
            "frequency_share": await _frequency_share(product, asked[:50]),
            **await _beside_rank_bm25(product, built.texts, asked),
        }
        if lexical_only:
            return found
        return {
            **found,
            "hybrid_ms": await _times(asked, lambda question: product.retriever.rank(question, Scope.member())),
            "hnsw_recall@10": await _recall(product, asked[:50]),
            "memory_mb": {"at_a_tenth": built.memory_at_a_tenth, "at_all": await asyncio.to_thread(_memory, folder)},
        }


async def _beside_rank_bm25(product: Product, texts: dict[str, str], asked: list[str]) -> dict[str, Any]:
    """Both over the same tokens, by turns of some questions each, so that other work on the machine meets both."""
    peer = await asyncio.to_thread(_rank_bm25_of, product, texts)
    gc.freeze()  # its objects, a hundred thousand dictionaries, would be looked through again and again meanwhile
    names, size = list(texts), len(asked) // TURNS
    await _lexical(product, asked[0])
    ours, theirs, same = [], [], []
    for turn in range(TURNS):
        mine = asked[turn * size : (turn + 1) * size]
        rows = [await timed(_lexical(product, question)) for question in mine]
        ours += [ms for ms, _ in rows]
        for question, (_, found) in zip(mine[:PEER_QUESTIONS], rows, strict=False):
            tokens, started = query_tokens(question, product.analyzer), time.perf_counter()
            values = peer.get_scores(tokens)
            theirs.append(ms_since(started))
            best = {names[i]: float(values[i]) for i in np.argsort(-values)[:50]}
            same.append(_same_top_10(found.rankings["lexical"], best))
    lexical, rank_bm25 = spread(ours), spread(theirs)
    return {
        "lexical_ms": lexical,
        "rank_bm25_ms": rank_bm25,
        "lexical_times_faster": round(rank_bm25["p50"] / lexical["p50"], 1),
        "same_top_10": f"{sum(same)} of {len(same)}",
    }


@dataclass(frozen=True, slots=True)
class Filled:
    """The corpus in the index."""

    seconds: float | None
    """To write it; None where it was there."""
    texts: dict[str, str]
    """Every chunk's, by its id."""
    memory_at_a_tenth: dict[str, int]
    """See benchmarks.memory."""


async def _fill(product: Product, corpus: MadeCorpus, folder: Path, *, lexical_only: bool) -> Filled:
    """Writes the corpus; stops after a tenth of it to measure an answering process."""
    if await product.storage.version("live"):
        say("making the texts of what is there")
        there = {each.chunk_id: each.embedded_text for _, chunks, _ in corpus.documents() for each in chunks}
        return Filled(None, there, {})
    await product.storage.sources.add(Source(SOURCE, "files", {}))
    writer = await product.storage.writer(product.embedder.identity, product.analyzer)
    texts: dict[str, str] = {}
    memory: dict[str, int] = {}
    seconds, started = 0.0, time.perf_counter()
    async for chunks in corpus.written(writer):
        texts |= {chunk.chunk_id: chunk.embedded_text for chunk in chunks}
        if not memory and not lexical_only and len(texts) >= corpus.chunks // 10:
            await writer.finish()
            seconds += time.perf_counter() - started
            memory = await asyncio.to_thread(_memory, folder)
            started = time.perf_counter()
    await writer.finish(hnsw_from=10**9 if lexical_only else HNSW_FROM)
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


def _rank_bm25_of(product: Product, texts: dict[str, str]) -> BM25Okapi:
    """rank-bm25 in memory over the same tokens."""
    say("building rank-bm25 in memory")
    return BM25Okapi([product.analyzer.tokens(text) for text in texts.values()])


def _same_top_10(ours: Sequence[Hit], reference: dict[str, float]) -> bool:
    """Whether our top 10 has the reference's scores, place by place, and each chunk its own score there."""
    best = sorted(reference.values(), reverse=True)[: len(ours)]
    return np.allclose([hit.score for hit in ours], best, rtol=1e-9) and all(
        np.isclose(reference.get(hit.chunk_id, hit.score), hit.score, rtol=1e-9) for hit in ours
    )


async def _recall(product: Product, questions: list[str]) -> float:
    """Share of the exact top 10 that the vector search in use finds."""
    exact = product.storage.search(product.embedder.identity, exact_max=10**9)
    shares = []
    for question in questions:
        vector = (await product.embedder.embed([question], "query"))[0]
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
    options = parser(__doc__, chunks=100_000, questions=200)
    options.add_argument("--lexical", action="store_true")
    options.add_argument("--folder", type=Path)
    given = options.parse_args()
    with new_folder() if given.folder is None else nullcontext(given.folder) as data:
        report(asyncio.run(measure(given.chunks, given.questions, data, lexical_only=given.lexical)))
