"""The command over a database of the test's own and the small embedder behind a real local server."""

import fcntl
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from tests.command import RUNNING, Kb, KbProcess, connected, database_url, embeddings_env, own_database
from tests.databases import copy_template, drop, make_once
from tests.fakes import handbook
from tests.fakes.embeddings_server import EmbeddingsServer, embeddings_server
from tests.fakes.model_rules import fresh
from tests.fakes.model_server import ModelServer, model_server


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Shows what running processes have logged where a test fails."""
    report = yield
    if report.failed:
        report.sections += [(f"log of kb {each.process.pid}", each.said[-20_000:]) for each in RUNNING]
    return report


@pytest.fixture
def embeddings() -> Iterator[EmbeddingsServer]:
    """A server of embeddings, the test's own."""
    with embeddings_server() as server:
        yield server


@pytest.fixture(scope="module")
def shared_model() -> Iterator[ModelServer]:
    """A language model, for the tests of a module."""
    with model_server() as started:
        yield started


@pytest.fixture
def server(shared_model: ModelServer) -> ModelServer:
    """The same, as new."""
    return fresh(shared_model)


@pytest.fixture
def url(data_dir: Path, database: str) -> str:
    """The test's own database, as psycopg and KB_AGENT_DATABASE_URL name it."""
    return database_url(data_dir, database)


@pytest.fixture
def kb(data_dir: Path, url: str, embeddings: EmbeddingsServer, tmp_path: Path) -> Kb:
    """The command in this process; its working folder holds no settings."""
    folder = tmp_path / "working"
    folder.mkdir()
    env = {"KB_AGENT_DATA_DIR": str(data_dir), "KB_AGENT_DATABASE_URL": url, **embeddings_env(embeddings)}
    return Kb(env, folder)


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """An empty folder for documents."""
    folder = tmp_path / "docs"
    folder.mkdir()
    return folder


@pytest.fixture
def kb_process(kb: Kb) -> Iterator[Callable[..., KbProcess]]:
    """Starts the command as a child; whatever runs at the end of the test is ended."""
    started: list[KbProcess] = []

    def start(*words: str | bytes, **options: int) -> KbProcess:
        started.append(kb.start(*words, **options))
        return started[-1]

    yield start
    for each in started:
        each.close()


@pytest.fixture(scope="module")
def shared(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kb]:
    """The command over one database for all tests of a module that only read."""
    with embeddings_server() as server, own_database(data_dir, f"shared_{uuid4().hex}") as url:
        env = {"KB_AGENT_DATA_DIR": str(data_dir), "KB_AGENT_DATABASE_URL": url, **embeddings_env(server)}
        yield Kb(env, tmp_path_factory.mktemp("working"))


@pytest.fixture(scope="session")
def handbook_database(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of a database that holds the handbook, to be copied; one for all workers."""
    name = "handbook"

    def index() -> None:
        drop(data_dir, name)  # of a worker that failed
        copy_template(data_dir, name)
        folder = handbook.make(tmp_path_factory.mktemp("company") / "handbook")
        with embeddings_server() as server:
            env = {"KB_AGENT_DATABASE_URL": database_url(data_dir, name), **embeddings_env(server)}
            kb = Kb({"KB_AGENT_DATA_DIR": str(data_dir), **env}, tmp_path_factory.mktemp("working"))
            done = kb("index", str(folder))
        assert done.code == 0, done.err

    make_once(data_dir / name, index)
    return name


@pytest.fixture(scope="module")
def indexed(data_dir: Path, handbook_database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kb]:
    """The command over a database that holds the handbook, for the tests of a module."""
    with embeddings_server() as server, own_database(data_dir, f"chat_{uuid4().hex}", handbook_database) as url:
        env = {"KB_AGENT_DATA_DIR": str(data_dir), "KB_AGENT_DATABASE_URL": url, **embeddings_env(server)}
        yield Kb(env, tmp_path_factory.mktemp("working"))


@pytest.fixture
def measuring(kb: Kb, data_dir: Path) -> Iterator[Kb]:
    """The command, for one test of all workers at a time; the databases of data sets go with the test."""
    with (data_dir / "measuring.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield kb
        with connected(database_url(data_dir, "postgres")) as server:
            for (name,) in server.execute("SELECT datname FROM pg_database WHERE datname LIKE 'kb_eval_%'").fetchall():
                server.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())
