"""What tests share: one embedded server for the session, a database of its own for each test that needs one."""

import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from bot.main import Product, open_product
from config.load import load
from storage.database import DatabaseOptions
from storage.embedded import EmbeddedServer
from storage.open import Storage, open_storage
from tests.fakes.embedder import HashEmbedder

TEMPLATE = "kb_template"


def open_folder(prefix: str) -> Path:
    """A temporary folder that the server's own user can pass through, as root's tests need it; pytest's are closed."""
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    folder.chmod(0o711)
    return folder


def pytest_xdist_auto_num_workers() -> int:
    """Two workers for a processor: tests of whole conversations wait more than they work."""
    return (os.cpu_count() or 1) * 2


@pytest.fixture(scope="session")
def data_dir() -> Iterator[Path]:
    """The data folder of a running embedded server, which holds a database with our schema as a template."""
    import asyncio

    folder = open_folder("kb-test-")
    server = EmbeddedServer(folder)
    server.start()
    try:
        asyncio.run(_make_template(folder))
        yield folder
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


async def _make_template(folder: Path) -> None:
    async with open_storage(DatabaseOptions(None, folder, TEMPLATE)):
        pass


@pytest.fixture
def new_database(data_dir: Path) -> Iterator[Callable[[], str]]:
    """Makes databases with our schema and nothing in it; gives their names. They go with the test."""
    names: list[str] = []

    def make() -> str:
        names.append(f"test_{uuid4().hex}")
        with _server(data_dir) as connection:
            connection.execute(f'CREATE DATABASE "{names[-1]}" TEMPLATE {TEMPLATE}')
        return names[-1]

    yield make
    with _server(data_dir) as connection:
        for name in names:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _server(data_dir: Path) -> psycopg.Connection:
    cluster = EmbeddedServer(data_dir).cluster
    return psycopg.connect(host=str(cluster), user="postgres", dbname="postgres", autocommit=True)


@pytest.fixture
def database(new_database: Callable[[], str]) -> str:
    """The name of one such database."""
    return new_database()


@pytest.fixture
async def storage(data_dir: Path, database: str) -> AsyncIterator[Storage]:
    """An open, empty store."""
    async with open_storage(DatabaseOptions(None, data_dir, database)) as opened:
        yield opened


@pytest.fixture
async def product(data_dir: Path, database: str, tmp_path: Path) -> AsyncIterator[Product]:
    """The whole product over an empty store, with the small embedder."""
    settings = load({"KB_AGENT_DATA_DIR": str(data_dir)}, tmp_path)
    async with open_product(settings, database=database, model=HashEmbedder()) as opened:
        yield opened


@pytest.fixture(autouse=True)
def no_settings_from_outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Tests see no KB_AGENT_ variable of whoever runs them, and no kb.toml in the working folder."""
    for name in list(os.environ):
        if name.startswith("KB_AGENT_"):
            monkeypatch.delenv(name)
