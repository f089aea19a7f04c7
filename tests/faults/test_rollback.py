"""An upgrade of the oldest database that can be upgraded, and the way back by its backup (docs/deployment.md)."""

import os
import subprocess
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from storage.revision import REVISION
from storage.server.account import Account
from storage.server.programs import reachable_programs
from tests.command import Kb, database_url, embeddings_env, rows
from tests.fakes.embeddings_server import EmbeddingsServer
from tests.migration.test_release_0010 import DOCUMENTS, QUESTION, embeddings, url

pytestmark = pytest.mark.faults

__all__ = ["embeddings", "url"]  # fixtures

_TABLES = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')"


def contents(where: str) -> dict[str, str]:
    """A digest of all rows of each table."""
    whole = "SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) FROM \"{}\" t"
    return {name: rows(where, whole.format(name))[0][0] for (name,) in rows(where, _TABLES)}


def run(data_dir: Path, program: str, *words: str) -> None:
    programs = reachable_programs(Account.of_this_process(), data_dir)
    environment = {"PATH": os.defpath}
    done = subprocess.run([programs / program, *words], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr


def test_nothing_is_lost_forwards_or_backwards(
    data_dir: Path, url: str, embeddings: EmbeddingsServer, tmp_path: Path
) -> None:
    before, backup = contents(url), tmp_path / "kb.dump"
    run(data_dir, "pg_dump", "--format=custom", f"--file={backup}", f"--dbname={url}")
    kb = Kb({"KB_AGENT_DATA_DIR": str(data_dir), "KB_AGENT_DATABASE_URL": url, **embeddings_env(embeddings)}, tmp_path)
    refused = kb("ask", QUESTION)
    assert refused.code == 2, "a start of this release needs its schema"
    assert "kb db upgrade" in refused.err
    assert kb("db", "upgrade").code == 0
    assert REVISION in kb("db", "current").out
    assert "noon" in kb("ask", QUESTION).out
    held = {name: count for name, count in kept(url).items() if name in before}
    restored = f"rollback_{uuid4().hex}"
    back = database_url(data_dir, restored)
    with psycopg.connect(database_url(data_dir, "postgres"), autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{restored}" TEMPLATE template0'.encode())
        try:
            with psycopg.connect(back, autocommit=True) as connection:
                connection.execute("CREATE EXTENSION vector")
            words = ("--no-owner", "--no-privileges", "--no-comments", "--single-transaction")
            run(data_dir, "pg_restore", f"--dbname={back}", *words, str(backup))
            assert contents(back) == before
            assert kept(back)["documents"] == held["documents"] == len(DOCUMENTS)
            assert rows(back, "SELECT version_num FROM alembic_version") == [("0010",)]
        finally:
            server.execute(f'DROP DATABASE "{restored}" WITH (FORCE)'.encode())


def kept(where: str) -> dict[str, int]:
    """How many rows each table holds."""
    return {name: rows(where, f'SELECT count(*) FROM "{name}"')[0][0] for (name,) in rows(where, _TABLES)}
