"""A database that the release with migration 0010 wrote is used as it is: nothing is embedded again, and nothing is
indexed again unless files are read in another way since."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine

from domain.injection import INJECTION_REVISION
from domain.schedule import REGISTERED, SourceTask, SourceTaskKey
from indexer.run.index_run import PARSER_REVISION
from storage.open import Storage, open_storage
from storage.server.database import DatabaseOptions
from storage.server.schema_check import require_whole
from tests.command import Kb, database_url, embeddings_env, rows, write
from tests.contract.conversations import ADA, MANY, incoming
from tests.fakes.embeddings_server import EmbeddingsServer, embeddings_server

WRITTEN = Path(__file__).with_name("release_0010.sql")
DOCUMENTS = {
    "walrus": "# Feeding the walrus\n\nThe walrus is fed at noon, in the north pool.\n\nSee [Keepers](keepers.md).\n",
    "keepers": "# Keepers\n\nProject Nightingale is owned by Ada Byron.\n",
    "penguins": "# Penguins\n\nPenguins are fed at four o'clock, on the ice.\n",
}
FOUND = [
    ("6aebb10be3117118411c326c907123a3", 0.55, {"lexical": 1, "dense": 1}),
    ("fd7d46f888deb985e0b5638ec3419951", 0.268477, {"dense": 3, "graph": 1}),
    ("8e9619a9e7405d2ae0b1e4085fc46786", 0.082224, {"lexical": 2, "dense": 2}),
]
"""What that release's `kb search` gave for QUESTION: chunks, scores, places in the rankings."""
QUESTION = "When is the walrus fed?"
READ_ANEW = 0 if PARSER_REVISION == 2 else len(DOCUMENTS)
"""Documents that a run writes again although they are unchanged: all of them if PARSER_REVISION was raised since."""


@pytest.fixture
def url(data_dir: Path) -> Iterator[str]:
    """A database with the schema of migration 0010 and what that release wrote into it."""
    name = f"release_0010_{uuid4().hex}"
    with psycopg.connect(database_url(data_dir, "postgres"), autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}"'.encode())
    found = database_url(data_dir, name)
    with psycopg.connect(found, autocommit=True) as connection:
        connection.execute(b"CREATE EXTENSION vector")
    engine = create_engine(found.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as opened:
        config = Config(attributes={"connection": opened})
        config.set_main_option("script_location", str(files("migrations")))
        command.upgrade(config, "0010")
    engine.dispose()
    with psycopg.connect(found, autocommit=True) as connection:
        connection.execute(WRITTEN.read_bytes())
    yield found
    with psycopg.connect(database_url(data_dir, "postgres"), autocommit=True) as server:
        server.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


@pytest.fixture
def embeddings() -> Iterator[EmbeddingsServer]:
    with embeddings_server() as server:
        yield server


@pytest.fixture
def kb(data_dir: Path, url: str, embeddings: EmbeddingsServer, tmp_path: Path) -> Kb:
    env = {"KB_AGENT_DATA_DIR": str(data_dir), "KB_AGENT_DATABASE_URL": url, **embeddings_env(embeddings)}
    env["KB_AGENT_FUSION"] = "normalised"  # as that release did
    kb = Kb(env, tmp_path)
    done = kb("db", "upgrade")
    assert done.code == 0, done.err
    return kb


def test_a_search_finds_what_it_found_before(kb: Kb) -> None:
    found = kb("search", QUESTION, "--json").json["results"]
    assert [(each["chunk_id"], each["score"], each["methods"]) for each in found] == FOUND


def test_a_run_over_unchanged_documents_embeds_nothing_and_leaves_the_same_chunks(
    kb: Kb, url: str, embeddings: EmbeddingsServer, tmp_path: Path
) -> None:
    """Where they lie is written: it is another folder here. Only what is written again gets other chunk numbers.
    What that release wrote is looked at for text addressed to machines."""
    docs = write(tmp_path / "docs", **DOCUMENTS)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("UPDATE sources SET options = jsonb_set(options, '{path}', to_jsonb(%s::text))", [str(docs)])
    same = "to_jsonb(chunks) - 'injection_revision'" + (" - 'chunk_no'" if READ_ANEW else "")
    chunks = f"SELECT {same} FROM chunks ORDER BY chunk_id"
    before = rows(url, chunks)
    (run,) = kb("schedule", "run", "content", "--json").json["runs"]
    assert (run["listed"], run["added"], run["changed"], run["chunks"]) == (3, 0, READ_ANEW, READ_ANEW)
    assert rows(url, chunks) == before
    assert rows(url, "SELECT DISTINCT injection, injection_revision FROM chunks") == [("", INJECTION_REVISION)]
    assert rows(url, "SELECT DISTINCT version_id, state FROM index_versions") == [(1, "live")]
    assert len(embeddings.requests) == 2, "what the model's cosines mean is measured, and nothing embedded"
    assert rows(url, "SELECT cosine_answering IS NULL FROM index_versions") == [(False,)]


async def test_conversations_and_the_schedule_go_on(kb: Kb, data_dir: Path, url: str) -> None:
    async with open_storage(DatabaseOptions(url, data_dir)) as storage:
        await require_whole(storage.owner)
        await _schedule_goes_on(storage)
        answered, begun = await storage.ledger().find(1), await storage.ledger().begin_attempt(2)
        assert (answered and answered.result, begun and (begun.number, begun.attempt)) == ("answered", (2, 1))
        assert not (await storage.ledger().claim(incoming("1"), MANY)).fresh
        assert [each.number for each in await storage.memory().recent(ADA, limit=5)] == [1]


async def _schedule_goes_on(storage: Storage) -> None:
    """Its runs are read, its queued task is known as the one that waits, and is ended."""
    runs = storage.scheduled_runs()
    queued, done = await runs.history(5)
    registered = await runs.latest("prune")
    assert registered is not None
    assert (queued.state, done.state, registered.name) == ("queued", "done", REGISTERED)
    (arguments,) = await storage.job_queue().take_waiting("scheduled", lock_key="source:docs")
    key = SourceTaskKey.from_arguments(arguments)
    assert key == SourceTaskKey("content", queued.name, "docs")
    assert await runs.start_task(key)
    await runs.finish_task(key, "done", "3 unchanged")
    latest = await runs.latest("content")
    assert latest is not None
    assert latest.progress.tasks == {"docs": SourceTask("done", "3 unchanged")}
