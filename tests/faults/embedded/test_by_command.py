"""The same faults as a person meets them: by the `kb` command, with its message and exit code."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command import Kb
from tests.faults.embedded.test_services import running, without_vectors

pytestmark = pytest.mark.faults

__all__ = ["without_vectors"]  # a fixture


def over(folder: Path, tmp_path: Path, **more: str) -> Kb:
    """The command over a data folder."""
    return Kb({"KB_AGENT_DATA_DIR": str(folder), **more}, tmp_path)


def assert_told(kb: Kb, *expected: str, code: int = 2) -> None:
    done = kb("status")
    assert done.code == code, done
    assert done.out == ""
    assert done.err.startswith("Error: ")
    assert "next: " in done.err
    assert "Traceback" not in done.err
    for words in expected:
        assert words in done.err


def test_first_starts_at_once_all_end_well(folder: Path, tmp_path: Path) -> None:
    started = [over(folder, tmp_path).start("status", "--json") for _ in range(3)]
    done = [process.end() for process in started]
    assert [each.code for each in done] == [3, 3, 3], done  # 3: nothing is indexed yet


def test_a_stale_lock_file(data: Path, tmp_path: Path) -> None:
    (data / "postgresql" / "postmaster.pid").write_text("999999\n/elsewhere\n0\n5432\n\n\n0 0\nready\n")
    done = over(data, tmp_path)("status")
    assert done.code == 0, done


def test_a_folder_of_an_older_release(data: Path, tmp_path: Path) -> None:
    (data / "postgresql" / "PG_VERSION").write_text("16\n")
    assert_told(over(data, tmp_path), "made by another release", "PostgreSQL 16")


@pytest.mark.everyday
def test_a_full_disk(disk: Callable[[str], Path], tmp_path: Path) -> None:
    assert_told(over(disk("size=20m,mode=711") / "data", tmp_path), "The disk is full", "Free some space")


def test_a_server_without_pgvector(data: Path, without_vectors: Path, tmp_path: Path) -> None:
    with running(data / "postgresql", without_vectors) as found:
        kb = over(tmp_path, tmp_path, KB_AGENT_DATABASE_URL=found.by_socket())
        assert_told(kb, "lacks pgvector 0.8", "not installed")


@pytest.mark.parametrize(
    ("url", "expected", "code"),
    [
        ("nonsense", "KB_AGENT_DATABASE_URL is not usable", 2),
        ("mysql://u:secret@127.0.0.1/kb", "only PostgreSQL will do", 2),
        ("postgresql://u:secret@127.0.0.1:1/kb", "does not answer", 1),
    ],
)
def test_a_wrong_url(tmp_path: Path, url: str, expected: str, code: int) -> None:
    kb = over(tmp_path, tmp_path, KB_AGENT_DATABASE_URL=url, KB_AGENT_DATABASE_CONNECT_SECONDS="2")
    assert_told(kb, expected, code=code)
    assert "secret" not in kb("status").err
