"""An index of many chunks beside one of 100,000: writing, HNSW, search, a night in which one document of a hundred
changed, size on disk, memory.

    python -m benchmarks.large --folder DIR [--chunks N] [--questions N] [--writers N]

DIR is kept, and so is each stage's result: what was interrupted goes on where it stopped, and what is done is not done
again. Chunks and vectors are made (see benchmarks.corpus), with the knowledge graph that the product takes from their
texts, under 1,000 ACLs; embedding is not in it. writers: processes that write at one time. Seconds are by the clock,
those of interrupted writing included; `load` is the machine's load average of the last five minutes at the end of a
stage. Prints what it does on standard error and one JSON object on standard output.
"""

import asyncio
import json
import os
import subprocess
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import psutil
from sqlalchemy import text

from benchmarks.corpus import CHUNKS_A_DOCUMENT, MadeCorpus
from benchmarks.filtered_search import CHECKS, who
from benchmarks.large_writer import MERGE_EVERY, SOURCE, DocumentWriter, command, corpus_for, read
from benchmarks.last_check import last_check
from benchmarks.measuring import parser, product_in, report, say, spread, timed
from bot.app.product import Product
from domain.access import Scope
from domain.search import Retrieval, SearchRequest
from storage.index.sources import Source
from storage.index.writer import PostgresWriter

BESIDE = 100_000
"""Chunks of the index that the large one is compared with."""

NO_HNSW = 10**9
LOOK_SECONDS = 20.0
"""How often it is kept how far writing is."""

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
            self.note(name, {**await stage(), "load": round(os.getloadavg()[1], 1)})

    def note(self, name: str, found: Mapping[str, Any]) -> None:
        """Keeps a result."""
        self.stages[name] = dict(found)
        self._file.write_text(json.dumps(self.stages, indent=2), "utf-8")


class LargeIndex:
    """The index that is measured."""

    def __init__(
        self, product: Product, corpus: MadeCorpus, writer: PostgresWriter, folder: Path, results: Results
    ) -> None:
        self._product = product
        self._corpus = corpus
        self._writer = writer
        self._folder = folder
        self._results = results
        self._documents = DocumentWriter(product, writer)

    async def write(self, writers: int) -> Mapping[str, Any]:
        """Writes what is missing, by so many processes. What was written before an interruption counts as well."""
        before = self._results.stages.get("written", {"seconds": 0.0, "chunks": 0})
        there = len(await self._writer.indexed_documents(SOURCE)) * CHUNKS_A_DOCUMENT
        began = time.perf_counter()
        words = [command(self._folder, self._corpus.chunks, part, writers) for part in range(writers)]
        processes = [await asyncio.create_subprocess_exec(*each, stdout=PIPE) for each in words]
        looking = asyncio.create_task(self._look(before, there, began))
        try:
            done = [await _result(process) for process in processes]
        finally:
            looking.cancel()
            for process in processes:
                if process.returncode is None:
                    process.terminate()
        seconds = before["seconds"] + time.perf_counter() - began
        merging, _ = await timed(self._writer.finish(hnsw_from=NO_HNSW))
        return {
            "chunks_written": before["chunks"] + sum(int(each["chunks"]) for each in done),
            "writers": writers,
            "seconds": round(seconds),
            "ms_of_processor_a_chunk_last": _per_chunk(done),
            "finishing_seconds": round(merging / 1000),
        }

    async def _look(self, before: Mapping[str, float], there: int, began: float) -> None:
        """Keeps how far writing is, again and again."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            query = text("SELECT coalesce(sum(chunks), 0) FROM indexed_documents")
            async with self._product.storage.engine.connect() as connection:
                chunks = int((await connection.execute(query)).scalar_one())
            seconds = round(before["seconds"] + time.perf_counter() - began, 1)
            self._results.note("written", {"chunks": before["chunks"] + chunks - there, "seconds": seconds})
            say(f"{chunks} of {self._corpus.chunks} chunks, {seconds:.0f} s, load {os.getloadavg()[0]:.1f}")

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

    async def last_check(self) -> Mapping[str, Any]:
        """Milliseconds of the last check of rights before a reply is shown; see benchmarks.last_check."""
        question = self._corpus.questions(1)[0]
        return {each: await last_check(self._product, question, who(each), CHECKS) for each in ("all", "hundredth")}

    async def night(self) -> Mapping[str, Any]:
        """Looks at all documents, and writes those that changed."""
        looking, known = await timed(self._writer.indexed_documents(SOURCE))
        changed = [n for n in range(len(known)) if n % CHANGED == 0]
        writing = 0.0
        for place, number in enumerate(changed):
            made = self._corpus.document(number, edition=1)
            writing += (await timed(self._documents.put(*made)))[0]
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


async def _result(process: Process) -> dict[str, float]:
    said, _ = await process.communicate()
    if process.returncode:
        raise SystemExit(f"a writer ended with {process.returncode}")
    return read(said)


def _per_chunk(done: Sequence[Mapping[str, float]]) -> float | None:
    chunks = sum(each["chunks"] for each in done)
    return round(1000 * sum(each["processor_seconds"] for each in done) / chunks, 2) if chunks else None


async def measure(chunks: int, questions: int, writers: int, folder: Path) -> dict[str, Any]:
    """All stages for one size."""
    results = Results(folder)
    async with product_in(folder) as product:
        corpus = await corpus_for(folder, chunks, product)
        if SOURCE not in {each.source.name for each in await product.storage.sources.states()}:
            await product.storage.sources.add(Source(SOURCE, "files", {}))
        writer = await product.storage.writer(product.embedder.identity, product.analyzer)
        index = LargeIndex(product, corpus, writer, folder, results)
        await results.keep("write", lambda: index.write(writers))
        await results.keep("hnsw", index.build_hnsw)
        await results.keep("search", lambda: index.search(questions))
        await results.keep("last_check", index.last_check)
        await results.keep("sizes", index.sizes)
        await results.keep("night", index.night)
        await results.keep("search_after_the_night", lambda: index.search(questions))
    return {"chunks": chunks, **results.stages}


if __name__ == "__main__":
    options = parser(__doc__, chunks=1_000_000, questions=200, writers=1)
    options.add_argument("--folder", type=Path, required=True)
    given = options.parse_args()
    sizes = sorted({BESIDE, given.chunks})
    report(
        [
            asyncio.run(measure(size, given.questions, given.writers, made_folder(given.folder / str(size))))
            for size in sizes
        ]
    )
