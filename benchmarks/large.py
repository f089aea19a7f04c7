"""An index of a million chunks beside one of a tenth of it: writing, HNSW, search, a night in which one document of a
hundred changed, size on disk, memory.

    python -m benchmarks.large --folder DIR [--chunks N] [--questions N]

DIR is kept, and so is each stage's result: what was interrupted goes on where it stopped, and what is done is not done
again. Chunks and vectors are made (see benchmarks.corpus), with the knowledge graph that the product takes from their
texts, under 1,000 ACLs; embedding is not in it. Prints what it does on standard error and one JSON object on standard
output.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import psutil
from sqlalchemy import text

from benchmarks.corpus import CHUNKS_A_DOCUMENT, MadeCorpus
from benchmarks.filtered_search import acl_of, who
from benchmarks.measuring import parser, product_in, report, say, spread, timed
from bot.app.indexing import annotator_of
from bot.app.product import Product
from domain.access import Scope
from domain.documents import Chunk, SourceDocument
from domain.knowledge_graph import Facts
from domain.model_ports import Vectors
from domain.search import Retrieval, SearchRequest
from indexer.graph.document_graph import document_graph
from storage.index.sources import Source
from storage.index.writer import PostgresWriter

SOURCE = "bench"
NO_HNSW = 10**9
MERGE_EVERY = 100
"""Documents, as a run of the product merges now and then."""

CHANGED = 100
"""One document of so many changes in a night."""

Stage = Callable[[], Awaitable[Mapping[str, Any]]]


class Results:
    """What each stage gave, in a file of the folder."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "results.json"
        self.stages: dict[str, Any] = json.loads(self._file.read_text("utf-8")) if self._file.exists() else {}

    async def keep(self, name: str, stage: Stage) -> None:
        """Runs a stage that is not done yet."""
        if name not in self.stages:
            say(name)
            self.stages[name] = dict(await stage())
            self._file.write_text(json.dumps(self.stages, indent=2), "utf-8")


class LargeIndex:
    """The index that is measured."""

    def __init__(self, product: Product, corpus: MadeCorpus, writer: PostgresWriter, folder: Path) -> None:
        self._product = product
        self._corpus = corpus
        self._writer = writer
        self._folder = folder
        self._annotator = annotator_of(product.settings.index)

    async def write(self) -> Mapping[str, Any]:
        """Writes what is missing; the seconds are those of what was written now."""
        known = await self._writer.indexed_documents(SOURCE)
        missing = [n for n in range(self._corpus.chunks // CHUNKS_A_DOCUMENT) if f"made/{n}" not in known]
        making, seconds = 0.0, 0.0
        for place, number in enumerate(missing):
            began = time.perf_counter()
            made = self._corpus.document(number)
            making += time.perf_counter() - began
            seconds += (await timed(self._put(*made)))[0] / 1000
            if place % MERGE_EVERY == 0:
                seconds += (await timed(self._writer.merge_segments()))[0] / 1000
                say(f"{number * CHUNKS_A_DOCUMENT} of {self._corpus.chunks} chunks, {seconds:.0f} s")
        merging, _ = await timed(self._writer.finish(hnsw_from=NO_HNSW))
        return {
            "chunks_written": len(missing) * CHUNKS_A_DOCUMENT,
            "seconds": round(seconds),
            "making_the_corpus_seconds": round(making),
            "merging_seconds": round(merging / 1000),
        }

    async def _put(self, document: SourceDocument, chunks: list[Chunk], vectors: Vectors) -> None:
        graph = document_graph(document.title, document.path, Facts(), chunks, self._annotator)
        await self._writer.put(document, chunks, vectors, graph=graph)

    async def build_hnsw(self) -> Mapping[str, Any]:
        """HNSW over all vectors."""
        ms, _ = await timed(self._writer.finish(hnsw_from=1))
        return {"seconds": round(ms / 1000)}

    async def search(self, questions: int) -> Mapping[str, Any]:
        """Milliseconds of each kind of search, as somebody who may read all, and one document of a hundred."""
        asked = self._corpus.questions(questions)
        product, all_of_it, few = self._product, Scope.member(who("all")), Scope.member(who("hundredth"))
        kinds: dict[str, Callable[[str], Awaitable[object]]] = {
            "lexical": lambda q: self._lists(q, all_of_it, ("lexical",)),
            "dense": lambda q: self._lists(q, all_of_it, ("dense",)),
            "hybrid": lambda q: product.retriever.rank(q, all_of_it, method="hybrid"),
            "hybrid_with_graph": lambda q: product.retriever.rank(q, all_of_it),
            "one_in_a_hundred": lambda q: product.retriever.rank(q, few),
        }
        found = {name: await self._spread(asked, ask) for name, ask in kinds.items()}
        return {**found, "hnsw_recall@10": await self._recall(asked[:30], all_of_it)}

    async def _lists(self, question: str, scope: Scope, retrievals: tuple[Retrieval, ...]) -> object:
        vector = None if retrievals == ("lexical",) else await self._product.retriever.embed(question)
        request = SearchRequest(question, vector, retrievals=retrievals, limit=10)
        return await self._product.search.search(request, scope)

    async def _spread(self, asked: Sequence[str], ask: Callable[[str], Awaitable[object]]) -> dict[str, float]:
        for question in asked[:5]:
            await ask(question)
        return spread([(await timed(ask(question)))[0] for question in asked])

    async def _recall(self, asked: Sequence[str], scope: Scope) -> float:
        exact = self._product.storage.search(self._product.embedder.identity, exact_max=10**9)
        shares = []
        for question in asked:
            vector = await self._product.retriever.embed(question)
            request = SearchRequest(question, vector, retrievals=("dense",), limit=100)
            best = [
                {hit.chunk_id for hit in (await engine.search(request, scope)).rankings["dense"][:10]}
                for engine in (self._product.search, exact)
            ]
            shares.append(len(best[0] & best[1]) / 10)
        return round(sum(shares) / len(shares), 3)

    async def night(self) -> Mapping[str, Any]:
        """Looks at all documents, and writes those that changed."""
        looking, known = await timed(self._writer.indexed_documents(SOURCE))
        changed = [n for n in range(len(known)) if n % CHANGED == 0]
        writing = 0.0
        for place, number in enumerate(changed):
            made = self._corpus.document(number, edition=1)
            writing += (await timed(self._put(*made)))[0]
            if place % MERGE_EVERY == 0:
                writing += (await timed(self._writer.merge_segments()))[0]
        finishing, _ = await timed(self._writer.finish())
        return {
            "documents": len(changed),
            "listing_seconds": round(looking / 1000, 1),
            "writing_seconds": round(writing / 1000, 1),
            "finishing_seconds": round(finishing / 1000, 1),
        }

    async def sizes(self) -> Mapping[str, Any]:
        """Megabytes on disk by table with its indexes, and of memory."""
        query = text(
            "SELECT relname, pg_total_relation_size(oid) AS bytes FROM pg_class"
            " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY bytes DESC LIMIT 12"
        )
        async with self._product.storage.engine.connect() as connection:
            disk = {name: size >> 20 for name, size in await connection.execute(query)}
            whole = "SELECT pg_database_size(current_database())"
            everything = (await connection.execute(text(whole))).scalar_one() >> 20
            process = (await connection.execute(text("SELECT pg_backend_pid()"))).scalar_one()
        memory = await asyncio.to_thread(_answering_process, self._folder)
        return {"disk_mb": everything, "tables_mb": disk, "server_mb": _server_mb(process), "process_mb": memory}


def _server_mb(backend: int) -> int:
    """The server's memory, shared buffers counted once (Pss), of all its processes."""
    server = psutil.Process(backend).parent()
    assert server is not None
    processes = [server, *server.children(recursive=True)]
    return int(sum(process.memory_full_info().pss for process in processes) >> 20)


def _answering_process(folder: Path) -> dict[str, int]:
    command = [sys.executable, "-m", "benchmarks.memory", str(folder)]
    return dict(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


def made_folder(folder: Path) -> Path:
    """The folder, which is there now; open to the embedded server's user, which is another one when root starts it."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o755)
    return folder


async def measure(chunks: int, questions: int, folder: Path) -> dict[str, Any]:
    """All stages for one size."""
    results = Results(folder)
    async with product_in(folder) as product:
        corpus = await MadeCorpus.make(chunks, SOURCE, product.embedder, acl=acl_of)
        if SOURCE not in {each.source.name for each in await product.storage.sources.states()}:
            await product.storage.sources.add(Source(SOURCE, "files", {}))
        writer = await product.storage.writer(product.embedder.identity, product.analyzer)
        index = LargeIndex(product, corpus, writer, folder)
        await results.keep("write", index.write)
        await results.keep("hnsw", index.build_hnsw)
        await results.keep("search", lambda: index.search(questions))
        await results.keep("sizes", index.sizes)
        await results.keep("night", index.night)
        await results.keep("search_after_the_night", lambda: index.search(questions))
    return {"chunks": chunks, **results.stages}


if __name__ == "__main__":
    options = parser(__doc__, chunks=1_000_000, questions=200)
    options.add_argument("--folder", type=Path, required=True)
    given = options.parse_args()
    sizes = (given.chunks // 10, given.chunks)
    report([asyncio.run(measure(size, given.questions, made_folder(given.folder / str(size)))) for size in sizes])
