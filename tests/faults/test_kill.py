"""What a killed or interrupted `kb index` leaves behind, and how the next run goes on."""

import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from tests.command import Kb, KbProcess, connected, database_url, rows, wait_for
from tests.fakes.embedding_moments import held, once_indexing, right
from tests.fakes.embeddings_server import EmbeddingsServer, status
from tests.faults.index_state import IndexState, assert_same, assert_whole, index_state

pytestmark = pytest.mark.faults

SEED = 20260731
FILES = 60
FIRST = 4
"""Requests for embeddings that the first batch of documents takes at most."""
WORDS = (
    *(
        "amber",
        "basalt",
        "cedar",
        "delta",
        "ember",
        "fjord",
        "garnet",
        "harbour",
        "island",
        "juniper",
        "kelp",
        "lagoon",
    ),
    *("marble", "nectar", "onyx", "pebble", "quartz", "ridge", "saffron", "timber", "umbra", "valley", "willow"),
    *("yarrow", "zephyr", "größe", "保証", "naïve", "KB-4711", "settings.py", "getUserName"),
)


def a_document(rng: random.Random) -> str:
    """A few sections of a few sentences."""
    sections = []
    for number in range(rng.randint(2, 6)):
        sentences = (" ".join(rng.choices(WORDS, k=rng.randint(5, 14))) for _ in range(rng.randint(10, 16)))
        sections.append(f"## Part {number}\n\n" + " ".join(f"The {sentence}." for sentence in sentences))
    return f"# {' '.join(rng.choices(WORDS, k=3)).title()}\n\n" + "\n\n".join(sections) + "\n"


def fill(folder: Path, rng: random.Random) -> None:
    for number in range(FILES):
        path = folder / f"part{number % 4}" / f"note{number}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(a_document(rng))


def change(folder: Path, rng: random.Random, step: int) -> None:
    """Edits, renames, removes and adds a few files."""
    files = sorted(folder.rglob("*.md"))
    for path in rng.sample(files, 12):
        kind = rng.choice(["edit", "edit", "append", "rename", "remove"])
        if kind == "edit":
            path.write_text(a_document(rng))
        elif kind == "append":
            path.write_text(path.read_text() + f"\n## Added {step}\n\nA line of {rng.choice(WORDS)}.\n")
        elif kind == "rename":
            path.rename(path.with_name(f"renamed{step}-{path.name}"))
        else:
            path.unlink()
    for number in range(4):
        (folder / f"new{step}-{number}.md").write_text(a_document(rng))


WRITTEN = "SELECT count(*) FROM indexed_documents WHERE indexed_at > (SELECT max(started_at) FROM runs)"
"""Documents written since the latest run began."""


class Watch:
    """Looks at a database while something writes to it."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection

    def number(self, query: str) -> int:
        row = self._connection.execute(query.encode()).fetchone()
        assert row is not None
        return int(row[0])


@pytest.fixture
def watch(url: str) -> Iterator[Watch]:
    with connected(url) as connection:
        yield Watch(connection)


def kill_at_random(process: KbProcess, watch: Watch, rng: random.Random, runs: int) -> bool:
    """Kills a run somewhere between its first and its last write; tells whether it was still running.

    runs: how many there were before it.
    """
    threshold = rng.choice([0, 0, 1, 3, 6, 10, 14])
    wait_for(lambda: process.process.poll() is not None or watch.number("SELECT count(*) FROM runs") > runs)
    wait_for(lambda: process.process.poll() is not None or watch.number(WRITTEN) >= threshold)
    time.sleep(rng.uniform(0, 0.06 if threshold else 0.6))
    alive = process.process.poll() is None
    process.kill()
    return alive


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documents as they are at first."""
    folder = tmp_path_factory.mktemp("company")
    fill(folder, random.Random(SEED))
    return folder


@pytest.fixture(scope="module")
def whole(shared: Kb, company: Path) -> IndexState:
    """What a run over them makes that nothing disturbs."""
    assert shared("index", str(company), "--source", "docs").code == 0
    return index_state(shared.env["KB_AGENT_DATABASE_URL"])


def test_ten_kills_cost_nothing(
    kb: Kb,
    kb_process: Callable[..., KbProcess],
    docs: Path,
    url: str,
    watch: Watch,
    data_dir: Path,
    new_database: Callable[[], str],
) -> None:
    rng = random.Random(SEED)
    fill(docs, rng)
    alive = []
    for step in range(10):
        runs = watch.number("SELECT count(*) FROM runs")
        process = kb_process("index", str(docs), "--json")
        alive.append(kill_at_random(process, watch, rng, runs))
        assert_whole(index_state(url))
        assert process.left_behind() == []
        change(docs, rng, step)
    assert sum(alive) >= 5, "most kills are to hit a run at work"

    for _ in range(2):  # the second one purges what the first one missed
        last = kb("reindex", "--prune=confirm", "--json").report
    assert (last["added"], last["changed"], last["embedded"]) == (0, 0, 0)
    state = index_state(url)
    assert_whole(state)
    other = database_url(data_dir, new_database())
    assert kb.having(DATABASE_URL=other)("index", str(docs)).code == 0
    assert_same(state, index_state(other))
    states = [run["state"] for run in kb("runs", "--json").json["runs"]]
    assert states.count("interrupted") == sum(alive)
    assert states.count("done") == len(states) - sum(alive)


@pytest.mark.parametrize("by", ["Ctrl-C", "SIGTERM"])
def test_an_interrupted_run_ends_in_order_and_the_next_one_goes_on(
    kb: Kb,
    kb_process: Callable[..., KbProcess],
    company: Path,
    whole: IndexState,
    url: str,
    watch: Watch,
    embeddings: EmbeddingsServer,
    by: str,
) -> None:
    gate = threading.Event()
    embeddings.fail_next(*[once_indexing(right)] * FIRST, once_indexing(held(gate)))
    before = signal.getsignal(signal.SIGINT)
    if by == "SIGTERM":
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # as a shell does for what it runs in the background
    process = kb_process("index", str(company), "--source", "docs")
    signal.signal(signal.SIGINT, before)
    wait_for(lambda: not embeddings.faults and watch.number(WRITTEN) > 5)
    process.look()
    process.interrupt() if by == "Ctrl-C" else process.process.terminate()
    done = process.end()
    gate.set()
    assert (done.code, done.out) == (130, "")
    assert "Traceback" not in done.err
    assert process.offspring, "the parser was at work"
    assert process.left_behind() == []

    (run,) = kb("runs", "--json").json["runs"]
    assert run["state"] == "interrupted"
    assert 5 < run["report"]["added"] < FILES
    kept = f"docs: {run['report']['added']} documents written so far: kept; the next run goes on from there"
    assert done.err.endswith(f"{kept}\n\nStopped.\n")
    assert run["report"]["added"] == rows(url, "SELECT count(*) FROM documents")[0][0], "it counts what it wrote"
    assert_whole(index_state(url))
    if by == "SIGTERM":
        return  # the rest is the same
    report = kb("index", str(company), "--json").report
    assert report["unchanged"] == run["report"]["added"]
    assert report["added"] == FILES - run["report"]["added"]
    assert_same(index_state(url), whole)


def test_a_model_that_fails_in_mid_run_costs_what_was_not_embedded(
    kb: Kb, company: Path, whole: IndexState, url: str, embeddings: EmbeddingsServer
) -> None:
    embeddings.fail_next(*[once_indexing(right)] * FIRST, once_indexing(status(503, retry_after="3600")))
    done = kb("index", str(company), "--source", "docs", "--json")
    assert done.code == 1
    error = done.json["error"]
    assert error["what"] == "The embeddings endpoint 127.0.0.1 is not available"
    assert "3600 s" in error["why"]
    assert error["next"]
    (run,) = kb("runs", "--json").json["runs"]
    assert run["state"] == "failed"
    kept = rows(url, "SELECT count(*) FROM documents")[0][0]
    assert 0 < kept == run["report"]["added"] < FILES
    assert_whole(index_state(url))

    embeddings.fail_next(once_indexing(status(401)))
    refused = kb("index", str(company), "--json")
    assert refused.code == 2
    assert "refuses our key" in refused.json["error"]["what"]
    assert_whole(index_state(url))

    report = kb("index", str(company), "--json").report
    assert (report["unchanged"], report["added"]) == (kept, FILES - kept)
    assert_same(index_state(url), whole)
