"""Chunks a second that are indexed: by one process, with a worker that shares the run, and with a server of embeddings.

    python -m benchmarks.indexing [--copies N]

Each process has one core of its own, as if on machines of one core, so that a second worker has somewhere to run; one
process with both cores stands beside. The server of embeddings is one that answers at once with vectors of hashed
words, on no core in particular: with it, what is left is everything but embedding. Documents are this project's pages,
N times, with titles of their own. Seconds are those of the run itself, as its report says, without the start of the
command. Prints what it does on standard error and one JSON object on standard output, with the machine's load.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import psycopg

from benchmarks.measuring import KNOWLEDGE_BASE, new_folder, parser, report, say
from storage.server.embedded import EmbeddedServer
from tests.command import Kb, KbProcess, database_url, embeddings_env, rows, wait_for
from tests.fakes.embeddings_server import embeddings_server

PAGES = Path(__file__).parents[1] / "docs"
PORTS = {"API_PORT": "0", "HTTP_PORT": "0"}
PATIENCE = 3600.0
"""Seconds that a run may take."""


@contextmanager
def on_cores(cores: set[int]) -> Iterator[None]:
    """Processes that are started inside run on these cores."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def pages(folder: Path, copies: int) -> Path:
    """Writes the documents."""
    folder.mkdir()
    for copy in range(copies):
        for each in (*PAGES.glob("*.md"), *KNOWLEDGE_BASE.rglob("*.md")):
            text = each.read_text(encoding="utf-8")
            # another text in each part: an equal one would be embedded once
            (folder / f"{copy}-{each.parent.name}-{each.name}").write_text(
                text.replace("\n\n", f"\n\nEdition {copy}. ")
            )
    return folder


def ready(worker: KbProcess) -> bool:
    """Whether it takes work."""
    return "Working on sources alone" in worker.said


def indexed(kb: Kb, documents: Path, url: str, cores: set[int], workers: list[set[int]]) -> dict[str, object]:
    """One run over all documents, beside so many workers on these cores."""
    with ExitStack() as stack:
        for each in workers:
            with on_cores(each):
                worker = kb.having(WORKER_TAKES="indexing", SCHEDULE="false", **PORTS).start("-v", "worker")
            stack.callback(worker.close)
            wait_for(partial(ready, worker))
        with on_cores(cores):
            run = kb.start("index", str(documents), "--json")
        stack.callback(run.close)
        run.process.wait(PATIENCE)
        done = run.end()
    assert done.code == 0, done.err
    chunks, seconds = done.report["chunks"], done.report["seconds"]
    by = rows(url, "SELECT count(*) FROM chunks")[0][0]
    found = {"chunks": chunks, "in_the_index": by, "seconds": round(seconds, 1), "a_second": round(chunks / seconds, 1)}
    return {**found, "load": round(os.getloadavg()[0], 1)}


def main() -> None:
    """Measures, and prints."""
    given = parser(__doc__, copies=3).parse_args()
    first, second, *_ = sorted(os.sched_getaffinity(0))
    both, shared = {first, second}, {"INDEX_SHARED": "true"}
    with new_folder() as folder, embeddings_server() as embeddings:
        documents = pages(folder / "pages", given.copies)
        server = EmbeddedServer(folder / "data")
        server.start()
        local = {"KB_AGENT_DATA_DIR": str(folder / "data")}
        served = {**local, **embeddings_env(embeddings)}
        kinds: dict[str, tuple[Mapping[str, str], Mapping[str, str], set[int], list[set[int]]]] = {
            "one process": (local, {}, {first}, []),
            "one process and a worker": (local, shared, {first}, [{second}]),
            "one process, both cores": (local, {}, both, []),
            "one process, server of embeddings": (served, {}, {first}, []),
            "one process and a worker, server of embeddings": (served, shared, {first}, [{second}]),
        }
        found: dict[str, dict[str, object]] = {}
        try:
            for number, (name, (env, more, cores, workers)) in enumerate(kinds.items()):
                say(name)
                url = database_url(folder / "data", f"kb{number}")
                with psycopg.connect(database_url(folder / "data", "postgres"), autocommit=True) as connection:
                    connection.execute(f"CREATE DATABASE kb{number}".encode())
                kb = Kb({**env, "KB_AGENT_DATABASE_URL": url}, folder, fresh=True).having(**more)
                assert kb("db", "upgrade").code == 0
                found[name] = indexed(kb, documents, url, cores, workers)
                say(str(found[name]))
        finally:
            server.stop()
    one = float(str(found["one process"]["a_second"]))
    ratios = {name: round(float(str(each["a_second"])) / one, 2) for name, each in found.items()}
    report({"found": found, "ratios": ratios})


if __name__ == "__main__":
    main()
