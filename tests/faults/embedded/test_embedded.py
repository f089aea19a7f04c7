"""The embedded server: started by many, killed, left behind, and stopped by the last."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest

from domain.access import Scope
from domain.errors import Misconfigured, Transient
from domain.search import Filters, SearchRequest
from domain.text.tokens import Analyzer
from storage.open import Storage, open_storage
from storage.server.app_role import CLOSED, POLICIES
from storage.server.database import DatabaseOptions
from storage.server.embedded import EmbeddedServer
from storage.server.schema_check import require_whole
from tests.fakes.documents import a_document, put
from tests.faults.embedded.client import clients, use
from tests.faults.embedded.servers import EMBEDDER, postmasters


def documents(server: EmbeddedServer) -> int:
    """How many it holds, asked past our own code."""
    with psycopg.connect(host=str(server.cluster), user="postgres", dbname="kb") as connection:
        row = connection.execute("SELECT count(*) FROM documents").fetchone()
    assert row is not None
    return int(row[0])


def until_gone(process: psutil.Process) -> None:
    process.wait(30)


def pid_file(server: EmbeddedServer) -> Path:
    return server.cluster / "postmaster.pid"


# -- starting


@pytest.mark.faults
def test_first_starts_at_once_all_succeed_and_the_last_one_alive_stops_the_server(folder: Path) -> None:
    with clients(folder, 3) as (killed, first, last):
        assert [client.said() for client in (killed, first, last)] == ["ready 0"] * 3
        (server,) = postmasters(folder)
        killed.kill()
        assert first.leave() == ""
        assert documents(EmbeddedServer(folder)) == 0
        assert server.is_running()
        assert last.leave() == ""
        until_gone(server)
    assert not pid_file(EmbeddedServer(folder)).exists()
    assert not (folder / "postgresql.new").exists()


def test_the_folder_is_closed_to_others(data: Path) -> None:
    server = EmbeddedServer(data)
    server.start()
    try:
        assert server.cluster.stat().st_mode & 0o077 == 0
        assert (server.cluster / ".s.PGSQL.5432").stat().st_mode & 0o077 == 0
        with psycopg.connect(host=str(server.cluster), user="postgres") as connection:
            assert connection.execute("SHOW listen_addresses").fetchone() == ("",)
        assert (postmasters(data)[0].uids().effective == 0) is False
    finally:
        server.stop()


_OLDER = """
    DROP VIEW visible_chunks, visible_vectors, visible_propositions, visible_relations, visible_mentions;
    DROP TABLE posted_replies, answer_records, audit_entries, web_replies, api_tokens, web_sessions, owner_requests;
    DROP TABLE index_batches, correction_queue;
    DROP FUNCTION queue_document, queue_content, queue_version, queue_people CASCADE;
    DROP INDEX questions_team;
    ALTER TABLE runs DROP COLUMN progress;
    DROP POLICY own ON turns;
    ALTER TABLE turns DISABLE ROW LEVEL SECURITY;
    ALTER TABLE index_versions DROP COLUMN copied, DROP COLUMN cosine_unrelated, DROP COLUMN cosine_answering;
    ALTER TABLE index_versions DROP COLUMN cosine_asked, DROP COLUMN languages;
    ALTER TABLE index_versions DROP COLUMN copied_upto, DROP COLUMN copied_from;
    ALTER TABLE indexed_documents DROP COLUMN text_acl_at;
    DROP FUNCTION loose_chunks;
    DROP OWNED BY kb_app;
    DROP ROLE kb_app;
    UPDATE alembic_version SET version_num = '0011'
"""


async def test_a_folder_of_an_older_release_gets_the_role_and_the_policies(data: Path) -> None:
    """That release knows neither, and connects as the owner; one that still runs goes on beside this one."""
    server = EmbeddedServer(data)
    server.start()
    try:
        with psycopg.connect(host=str(server.cluster), user="postgres", dbname="kb", autocommit=True) as older:
            for table in POLICIES:
                older.execute(f"DROP POLICY allowed ON {table}".encode())
            for table in (*POLICIES, *CLOSED):
                older.execute(f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY".encode())
            older.execute(_OLDER.encode())
            async with open_storage(DatabaseOptions(None, data)) as storage:
                await require_whole(storage.owner)
                assert await storage.health().row_security_problem() == ""
                found = await storage.document_catalog().find("kept", Scope.member(), filters=Filters())
                assert [each.path for each in found] == ["kept"]
                older.execute("UPDATE documents SET title = 'changed'")
                assert older.execute("SELECT count(*) FROM chunks").fetchone() == (1,)
    finally:
        server.stop()


@pytest.fixture
def foreign() -> Iterator[psutil.Process]:
    """A living process that is no server."""
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    yield psutil.Process(process.pid)
    process.kill()
    process.wait()


def dead_pid() -> int:
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid


@pytest.mark.faults
@pytest.mark.parametrize(
    "owner", [pytest.param("dead", marks=pytest.mark.everyday), "foreign", "another server", "nobody"]
)
def test_a_lock_file_that_was_left_behind_is_no_hindrance(
    data: Path, data_dir: Path, foreign: psutil.Process, owner: str
) -> None:
    server = EmbeddedServer(data)
    server.start()
    left = pid_file(server).read_text().splitlines()
    assert left[7].strip() == "ready"
    server.stop()
    assert not pid_file(server).exists()
    session = int(pid_file(EmbeddedServer(data_dir)).read_text().splitlines()[0])
    pid = {"dead": dead_pid(), "foreign": foreign.pid, "another server": session, "nobody": ""}[owner]
    pid_file(server).write_text("\n".join([str(pid), *left[1:]]) if pid else "")
    os.chown(pid_file(server), server.cluster.stat().st_uid, server.cluster.stat().st_gid)
    started = time.monotonic()
    server.start()
    assert time.monotonic() - started < 30
    assert documents(server) == 1
    server.stop()
    assert foreign.is_running()
    assert psutil.pid_exists(session)


def test_a_half_made_cluster_is_made_anew(folder: Path) -> None:
    half = folder / "postgresql.new"
    half.mkdir()
    (half / "PG_VERSION").write_text("18\n")
    (half / "base").mkdir()
    assert asyncio.run(use(folder)) == 0
    assert not half.exists()
    assert (folder / "postgresql" / "base").is_dir()


def test_a_cluster_of_another_release_is_refused_and_left_alone(data: Path) -> None:
    (data / "postgresql" / "PG_VERSION").write_text("16\n")
    with pytest.raises(Misconfigured, match="another release") as caught:
        EmbeddedServer(data).start()
    assert "PostgreSQL 16" in caught.value.why
    assert str(data / "postgresql") in caught.value.next_step
    assert (data / "postgresql" / "PG_VERSION").read_text() == "16\n"
    assert postmasters(data) == []


def test_a_folder_that_holds_something_else_is_refused_and_left_alone(folder: Path) -> None:
    (folder / "postgresql").mkdir()
    (folder / "postgresql" / "notes.txt").write_text("mine")
    with pytest.raises(Misconfigured, match="not a database"):
        EmbeddedServer(folder).start()
    assert (folder / "postgresql" / "notes.txt").read_text() == "mine"


# -- being killed


@pytest.mark.faults
async def test_data_survives_a_killed_server(data: Path) -> None:
    server = EmbeddedServer(data)
    await asyncio.to_thread(server.start)
    (running,) = postmasters(data)
    running.send_signal(signal.SIGKILL)
    until_gone(running)
    assert pid_file(server).exists()
    await asyncio.to_thread(server.stop)  # who leaves has nothing to stop, and that is no failure
    assert await use(data) == 1


@pytest.mark.faults
async def test_a_server_killed_in_use_is_away_then_back_with_all_that_was_finished(data: Path) -> None:
    async with open_storage(DatabaseOptions(None, data, connect_seconds=1.0)) as storage:
        writer = await storage.writer(EMBEDDER.identity, Analyzer())
        await put(writer, EMBEDDER, a_document("second"), "also finished")
        (running,) = postmasters(data)
        running.send_signal(signal.SIGKILL)
        until_gone(running)
        with pytest.raises(Transient, match="does not answer"):
            await put(writer, EMBEDDER, a_document("third"), "not finished")
        with pytest.raises(Transient, match="does not answer"):
            await look(storage)
        again = EmbeddedServer(data)
        await asyncio.to_thread(again.start)
        try:
            assert await look(storage) == 2
            await put(writer, EMBEDDER, a_document("third"), "finished now")
            assert await look(storage) == 3
        finally:
            await asyncio.to_thread(again.stop)
    assert await use(data) == 3


@pytest.mark.faults
async def test_one_that_dies_in_use_is_started_again_by_one_of_those_who_use_it(data: Path) -> None:
    first, second = EmbeddedServer(data), EmbeddedServer(data)
    await asyncio.to_thread(first.start)
    await asyncio.to_thread(second.start)
    for _ in range(2):
        (running,) = postmasters(data)
        running.send_signal(signal.SIGKILL)
        until_gone(running)
        assert pid_file(first).exists()
        assert not first.is_running()
        done = await asyncio.gather(asyncio.to_thread(first.restart_if_dead), asyncio.to_thread(second.restart_if_dead))
        assert sorted(done) == [False, True]
        assert first.is_running()
        assert documents(second) == 1
        assert not await asyncio.to_thread(first.restart_if_dead)
    await asyncio.to_thread(first.stop)
    assert documents(second) == 1
    (running,) = postmasters(data)
    await asyncio.to_thread(second.stop)
    until_gone(running)  # the process is there for a moment when its files are closed


@pytest.mark.faults
async def test_a_store_that_is_kept_up_goes_on_after_a_kill(data: Path) -> None:
    async with open_storage(DatabaseOptions(None, data, supervised=True)) as storage:
        assert await look(storage) == 1
        (running,) = postmasters(data)
        running.send_signal(signal.SIGKILL)
        until_gone(running)
        async with asyncio.timeout(60):
            assert await look(storage) == 1
    assert postmasters(data) == []


async def look(storage: Storage) -> int:
    request = SearchRequest("finished written", EMBEDDER.vectors(["finished"])[0], retrievals=("dense",))
    return len((await storage.search(EMBEDDER.identity).search(request, Scope.member())).rankings["dense"])


# -- stopping


@pytest.mark.faults
def test_a_server_that_only_killed_clients_used_is_joined_and_then_stopped(data: Path) -> None:
    with clients(data, 1) as (killed,):
        assert killed.said() == "ready 1"
        killed.kill()
    (server,) = postmasters(data)
    assert asyncio.run(use(data)) == 1
    until_gone(server)


@pytest.mark.faults
def test_clients_within_one_process_count_each(data: Path) -> None:
    first, second = EmbeddedServer(data), EmbeddedServer(data)
    first.start()
    second.start()
    first.stop()
    first.stop()
    assert documents(second) == 1
    second.stop()
    assert postmasters(data) == []


@pytest.mark.faults
def test_a_server_that_is_kept_from_running_is_not_waited_for_and_stops_when_it_may(data: Path) -> None:
    server = EmbeddedServer(data)
    server.start()
    (process,) = postmasters(data)
    process.suspend()
    try:
        began = time.monotonic()
        server.stop()
        assert time.monotonic() - began < 20, "an operating system does not wait for longer"
    finally:
        process.resume()
    until_gone(process)
