"""The embedded profile by itself: a database server in a fresh data folder, killed and interrupted."""

import os
import random
import shutil
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from storage.server.embedded import EmbeddedServer
from tests.command import Kb, embeddings_env, wait_for, write
from tests.conftest import open_folder
from tests.fakes.embedding_moments import held, once_indexing, right
from tests.fakes.embeddings_server import EmbeddingsServer, embeddings_server
from tests.faults.index_state import assert_same, assert_whole, index_state
from tests.faults.test_kill import FILES, FIRST, SEED, fill

pytestmark = pytest.mark.faults

PAGE = "# Walrus\n\nThe walrus is fed at noon.\n"


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A data folder that nothing is in yet; whatever server runs there is ended."""
    made = open_folder("kb-own-")
    yield made
    for process in servers(made):
        process.kill()
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture(scope="module")
def embeddings() -> Iterator[EmbeddingsServer]:
    with embeddings_server() as server:
        yield server


@pytest.fixture
def alone(folder: Path, embeddings: EmbeddingsServer, tmp_path: Path) -> Kb:
    """The command over that folder, with no database named."""
    return Kb({"KB_AGENT_DATA_DIR": str(folder), **embeddings_env(embeddings)}, tmp_path)


def servers(folder: Path) -> list[psutil.Process]:
    """Database servers of that folder."""
    found = []
    for process in psutil.process_iter(["name", "cmdline"]):
        words = process.info["cmdline"] or []
        if "postgres" in (process.info["name"] or "") and any(str(folder) in word for word in words):
            found.append(process)
    return found


def test_a_fresh_folder_is_all_that_is_needed_and_nothing_stays_running(alone: Kb, folder: Path) -> None:
    docs = write(alone.folder / "docs", walrus=PAGE)
    assert alone("status").code == 3
    assert servers(folder) == []
    assert alone("index", str(docs), "--json").report["added"] == 1
    assert "at noon. [1]" in alone("ask", "When is the walrus fed?").out
    assert alone("status", "--json").json["database"] == f"embedded, in {folder}"
    assert alone("sources", "remove", "docs", "--yes").code == 0
    assert servers(folder) == []


def test_two_commands_at_once_share_the_server(alone: Kb, folder: Path) -> None:
    both = [alone.start("status", "--json") for _ in range(2)]
    done = [each.end() for each in both]
    assert [each.code for each in done] == [0, 0], done
    assert servers(folder) == []


@pytest.mark.parametrize("seconds", [0.4, 0.7])
def test_ctrl_c_while_the_server_starts_leaves_none_behind(alone: Kb, folder: Path, seconds: float) -> None:
    process = alone.start("status")
    time.sleep(seconds)
    process.interrupt()
    done = process.end()
    assert done.code in {0, 130, -signal.SIGINT}  # the last: it was done, and Python about to end
    assert "Traceback" not in done.err
    assert process.left_behind() == []
    assert servers(folder) == []


def test_a_server_killed_in_mid_run_is_named_and_the_next_run_repairs(
    alone: Kb, folder: Path, embeddings: EmbeddingsServer, tmp_path: Path, kb: Kb, url: str
) -> None:
    docs = tmp_path / "many"
    docs.mkdir()
    fill(docs, random.Random(SEED))
    gate = threading.Event()
    embeddings.fail_next(*[once_indexing(right)] * FIRST, once_indexing(held(gate)))
    process = alone.start("index", str(docs))
    wait_for(lambda: not embeddings.faults)
    os.kill(int((folder / "postgresql" / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)
    gate.set()
    done = process.end()
    assert (done.code, done.out) == (1, "")
    assert "Error: The database does not answer\n  why: " in done.err
    assert "\n  next: Check the server, then try again." in done.err
    assert "Traceback" not in done.err
    assert process.left_behind() == []

    again = alone("index", str(docs), "--json")
    assert again.code == 0, again.out + (folder / "postgresql" / "server.log").read_text()[-3000:]
    report = again.report
    assert report["added"] + report["unchanged"] == FILES
    assert kb("index", str(docs)).code == 0
    server = EmbeddedServer(folder)
    server.start()
    try:
        state = index_state(server.conninfo("kb"))
        assert_whole(state)
        assert_same(state, index_state(url))
    finally:
        server.stop()
    states = [run["state"] for run in alone("runs", "--json").json["runs"]]
    assert states[:2] == ["done", "interrupted"]
