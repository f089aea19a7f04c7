"""Search at 100,000 chunks for people who may read half, a tenth, a hundredth and a thousandth of them, with the
conditions of the queries and row-level security both on; what row-level security costs; and the last check of rights.

    python -m benchmarks.filtered_search [--chunks N] [--questions N]

Readers are admitted to documents drawn evenly. One more, `elsewhere`, may read half of the documents, and asks about
what the other half is about: the chunks nearest to the question are those that it may not see. The reference is made in
memory: scores of rank-bm25 over the same tokens, cosines of all vectors, the product's fusion of both.

Prints what it does on standard error and one JSON object on standard output.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pgvector.psycopg import register_vector_async
from psycopg.conninfo import make_conninfo
from psycopg_pool import AsyncConnectionPool
from rank_bm25 import BM25Okapi
from sqlalchemy import text

from agent.evaluation.measures import percentile
from agent.retrieval import fusion
from agent.retrieval.retriever import RetrievalOptions
from benchmarks.corpus import MadeCorpus
from benchmarks.last_check import last_check
from benchmarks.measuring import new_folder, parser, product_in, report, say, spread, timed
from bot.app.product import Product
from domain.access import Acl, Scope, group, user
from domain.documents import Chunk
from domain.model_ports import Vectors
from domain.search import Filters, Retrieval, SearchRequest
from storage.index.sources import Source
from storage.open import Storage
from storage.search.knowledge_search import PostgresSearch
from storage.server.app_role import VIEWS
from storage.server.connections import AS_APP, AppConnection
from storage.server.pool import Connection, ConnectionPool, open_pool

SOURCE = "bench"
SPACES = 1000
"""Each with an ACL of its own."""

SHARES = {"all": 1.0, "half": 0.5, "tenth": 0.1, "hundredth": 0.01, "thousandth": 0.001}
"""Of the documents that a reader may see, by the reader's name."""

ELSEWHERE = "elsewhere"
TOP = 10
WARM_UP = 5
CHECKS = 100
"""How often the last check of rights is made for each reader."""

Method = Literal["lexical", "dense", "hybrid"]
RETRIEVALS: tuple[Retrieval, ...] = ("lexical", "dense")
METHODS: tuple[Method, ...] = (*RETRIEVALS, "hybrid")
Scores = Mapping[Retrieval, NDArray[np.float64]]
"""Of every chunk, by its place."""


def who(reader: str) -> str:
    """The reader's e-mail address."""
    return f"{reader}@bench.example"


def acl_of(number: int) -> Acl:
    """Of a document: its space's group, and the readers."""
    space = number * 617 % SPACES
    readers = [name for name, share in SHARES.items() if space < share * SPACES]
    readers += [ELSEWHERE] if number % 2 else []
    return Acl.any_of(group(SOURCE, f"space {space}"), *(user(who(reader)) for reader in readers))


@dataclass(frozen=True, slots=True)
class Reference:
    """Every chunk in memory."""

    ids: Sequence[str]
    """Of the chunks, by place."""
    places: Mapping[str, int]
    """By chunk id."""
    acls: Sequence[Acl]
    """Of each chunk."""
    vectors: Vectors
    """As they are stored: of 16 bits a number."""
    words: BM25Okapi

    def scores(self, tokens: list[str], vector: Vectors) -> Scores:
        """What each retrieval makes of every chunk."""
        asked = vector.astype(np.float16).astype(np.float32)
        return {"lexical": self.words.get_scores(tokens), "dense": (self.vectors @ asked).astype(np.float64)}

    def visible(self, reader: str) -> NDArray[np.int64]:
        """The places of the chunks that a reader may see."""
        name = user(who(reader))
        return np.array([place for place, acl in enumerate(self.acls) if all(name in each for each in acl.clauses)])

    def best(self, scores: Scores, visible: NDArray[np.int64], method: Method, limit: int) -> dict[str, float]:
        """The best of the visible chunks, with their scores; by words those that share one."""
        if method == "hybrid":
            return self._fused(scores, visible)
        values = scores[method]
        order = visible[np.argsort(-values[visible], kind="stable")[:limit]]
        return {self.ids[each]: float(values[each]) for each in order if method == "dense" or values[each] != 0}

    def _fused(self, scores: Scores, visible: NDArray[np.int64]) -> dict[str, float]:
        """The product's fusion of the best by both."""
        options = RetrievalOptions()
        both = [self.best(scores, visible, method, options.candidates) for method in RETRIEVALS]
        union = [*both[0], *both[1]]
        exact = {name: {each: float(values[self.places[each]]) for each in union} for name, values in scores.items()}
        return fusion.normalised(exact, {"lexical": options.lexical_weight, "dense": 1 - options.lexical_weight})


@dataclass(slots=True)
class Found:
    """What searches of one kind found, against the reference."""

    ms: list[float] = field(default_factory=list)
    recall: list[float] = field(default_factory=list)
    too_few: int = 0
    """Searches that found less than is there, up to the limit."""
    forbidden: int = 0
    """Chunks that the reader may not see."""

    def add(self, ms: float, found: Sequence[str], best: Mapping[str, float], limit: int) -> None:
        """A search. Of chunks with equal scores, each is as good."""
        self.ms.append(ms)
        self.too_few += len(found) < min(limit, len(best))
        wanted = sorted(best.values(), reverse=True)[:TOP]
        if wanted:
            least = wanted[-1] - 1e-6
            self.recall.append(sum(best.get(each, -np.inf) >= least for each in found[:TOP]) / len(wanted))

    def figures(self) -> dict[str, Any]:
        """In numbers."""
        recall = {"mean": round(sum(self.recall) / len(self.recall), 3), "least": round(min(self.recall), 2)}
        return {"recall@10": recall, "too_few": self.too_few, "forbidden": self.forbidden, "ms": spread(self.ms)}


async def measure(chunks: int, questions: int, folder: Path) -> dict[str, Any]:
    """Everything, on a new database in `folder`."""
    async with product_in(folder) as product:
        corpus = await MadeCorpus.make(chunks, SOURCE, product.embedder, acl=acl_of, halves=True)
        known = await _fill(product, corpus)
        asked = corpus.questions(questions, first_half=True)
        return {
            "chunks": chunks,
            "filtered": await filtered(product, known, asked),
            "cost_of_row_security": await cost(product, asked),
            "last_check": {each: await last_check(product, asked[0], who(each), CHECKS) for each in SHARES},
        }


async def _fill(product: Product, corpus: MadeCorpus) -> Reference:
    """Writes the corpus, and keeps it."""
    await product.storage.sources.add(Source(SOURCE, "files", {}))
    writer = await product.storage.writer(product.embedder.identity, product.analyzer)
    chunks = [chunk async for written in corpus.written(writer) for chunk in written]
    await writer.finish()
    return await reference(product, chunks)


async def reference(product: Product, chunks: Sequence[Chunk]) -> Reference:
    """What is written, in memory."""
    say("building rank-bm25 in memory")
    words = BM25Okapi([product.analyzer.tokens(chunk.embedded_text) for chunk in chunks])
    ids = [chunk.chunk_id for chunk in chunks]
    places = {chunk_id: place for place, chunk_id in enumerate(ids)}
    vectors = np.zeros((len(ids), product.embedder.identity.dimensions), np.float32)
    query = text("SELECT chunk_id, embedding FROM vectors JOIN chunks USING (version_id, chunk_no)")
    async with product.storage.engine.connect() as connection:
        for chunk_id, vector in await connection.execute(query):
            vectors[places[chunk_id]] = vector.to_numpy()
    return Reference(ids, places, [chunk.acl for chunk in chunks], vectors, words)


async def filtered(product: Product, known: Reference, asked: Sequence[str]) -> dict[str, Any]:
    """By reader and method: what is found, against the best of what the reader may see."""
    every = [known.scores(product.analyzer.tokens(each), await product.retriever.embed(each)) for each in asked]
    figures: dict[str, Any] = {}
    for reader in (*SHARES, ELSEWHERE):
        say(f"asking as {reader}")
        visible = known.visible(reader)
        allowed = {known.ids[place] for place in visible}
        figures[reader] = {"chunks": len(visible)}
        for method in METHODS:
            found = Found()
            limit = TOP if method == "hybrid" else RetrievalOptions().candidates
            for question, scores in zip(asked, every, strict=True):
                ms, ids = await timed(_ids(product, question, Scope.member(who(reader)), method, limit))
                found.add(ms, ids, known.best(scores, visible, method, limit), limit)
                found.forbidden += len(set(ids) - allowed)
            figures[reader][method] = found.figures()
    return figures


async def _ids(product: Product, question: str, scope: Scope, method: Method, limit: int) -> list[str]:
    """Of the chunks found, best first."""
    if method == "hybrid":
        return [
            each.chunk_id for each in (await product.retriever.rank(question, scope, method=method, limit=limit)).ranked
        ]
    request = SearchRequest(question, await product.retriever.embed(question), retrievals=(method,), limit=limit)
    return [hit.chunk_id for hit in (await product.search.search(request, scope)).rankings[method]]


class UnguardedConnection(AppConnection):
    """A connection that says nothing of what is allowed."""

    def allow(self, acls: Collection[int]) -> None:
        """Nothing."""


@asynccontextmanager
async def _without(storage: Storage) -> AsyncIterator[ConnectionPool]:
    """Connections of the owner, for whom no policy holds, and the views without their condition."""
    owner = storage.urls.owner
    assert owner is not None
    async with storage.engine.begin() as connection:
        await connection.execute(text("CREATE SCHEMA IF NOT EXISTS without"))
        for view in VIEWS:
            query = text(f"SELECT pg_get_viewdef('{view}'::regclass)")
            joined = str((await connection.execute(query)).scalar_one()).partition("\n  WHERE ")[0]
            await connection.execute(text(f"CREATE OR REPLACE VIEW without.{view} AS {joined}".replace(":", "\\:")))
    pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
        make_conninfo(owner, options="-csearch_path=without,public"),
        connection_class=UnguardedConnection,
        kwargs={"autocommit": True, **AS_APP},
        configure=register_vector_async,
        min_size=0,
        max_size=1,
        open=False,
    )
    async with pool:
        yield ConnectionPool(pool)


Work = Callable[[PostgresSearch, str], Awaitable[object]]


async def cost(product: Product, asked: Sequence[str]) -> dict[str, Any]:
    """By reader: milliseconds of hybrid search with its passages, and of counting the documents that may be seen. Each
    without row-level security and with it, in turn."""
    identity, storage = product.embedder.identity, product.storage
    vectors = {each: await product.retriever.embed(each) for each in asked}
    limit = RetrievalOptions().candidates

    def works(scope: Scope) -> dict[str, Work]:
        async def search(engine: PostgresSearch, question: str) -> None:
            request = SearchRequest(question, vectors[question], retrievals=RETRIEVALS, limit=limit)
            found = await engine.search(request, scope)
            best = [hit.chunk_id for ranking in found.rankings.values() for hit in ranking[: TOP // 2]]
            await engine.passages(best, scope, neighbours=1)

        async def count(engine: PostgresSearch, _: str) -> None:
            await engine.count_documents(scope, Filters())

        return {"search_and_passages": search, "counting": count}

    async with _without(storage) as without, open_pool(storage.urls.app, size=1, connect_seconds=10) as pool:
        engines = {
            "without": replace(storage, pool=without).search(identity),
            "with": replace(storage, pool=pool).search(identity),
        }
        return {
            reader: {
                name: await _in_turn(engines, work, asked) for name, work in works(Scope.member(who(reader))).items()
            }
            for reader in SHARES
        }


async def _in_turn(engines: Mapping[str, PostgresSearch], work: Work, asked: Sequence[str]) -> dict[str, Any]:
    """Milliseconds with each engine, and how much more the second takes than the first, at the median of questions."""
    ms: dict[str, list[float]] = {name: [] for name in engines}
    for turn, question in enumerate([*asked[:WARM_UP], *asked]):
        for name in sorted(engines, reverse=turn % 2 == 0):
            ms[name].append((await timed(work(engines[name], question)))[0])
    first, second = (each[WARM_UP:] for each in ms.values())
    more = percentile([after / before - 1 for before, after in zip(first, second, strict=True)], 0.5)
    return {**{name: spread(each[WARM_UP:]) for name, each in ms.items()}, "more_percent": round(100 * more, 1)}


if __name__ == "__main__":
    given = parser(__doc__, chunks=100_000, questions=50).parse_args()
    with new_folder() as data:
        report(asyncio.run(measure(given.chunks, given.questions, data)))
