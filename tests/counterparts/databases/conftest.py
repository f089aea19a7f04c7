"""One plain server for the session; a database of its own for each test that needs one."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from tests.command import Kb, embeddings_env
from tests.conftest import open_folder
from tests.counterparts.databases.servers import APP, Pooler, Server, pgbouncer, plain_server
from tests.fakes import handbook
from tests.fakes.embeddings_server import EmbeddingsServer, embeddings_server


@pytest.fixture(scope="session")
def server_folder() -> Iterator[Path]:
    """Where the servers keep what they need; open to their user."""
    folder = open_folder("kb-server-")
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def server(server_folder: Path) -> Iterator[Server]:
    """A plain PostgreSQL server."""
    with plain_server(server_folder) as running:
        yield running


@pytest.fixture(scope="session")
def pooler(server_folder: Path, server: Server) -> Iterator[Pooler]:
    """PgBouncer in transaction mode with three connections a database, in front of that server."""
    with pgbouncer(server_folder, server) as running:
        yield running


@pytest.fixture
def name(server: Server) -> Iterator[str]:
    """The name of a new database with pgvector, which belongs to an ordinary user."""
    made = f"kb_{uuid4().hex}"
    with server.database(made):
        yield made


@pytest.fixture(scope="session")
def embeddings() -> Iterator[EmbeddingsServer]:
    """A server of embeddings for all tests."""
    with embeddings_server() as running:
        yield running


@pytest.fixture(scope="session")
def bare(embeddings: EmbeddingsServer, tmp_path_factory: pytest.TempPathFactory) -> Kb:
    """The command, without a database."""
    data = tmp_path_factory.mktemp("data")
    return Kb({"KB_AGENT_DATA_DIR": str(data), **embeddings_env(embeddings)}, tmp_path_factory.mktemp("working"))


@pytest.fixture(scope="session")
def company(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a company's handbook."""
    return handbook.make(tmp_path_factory.mktemp("company") / "handbook")


@pytest.fixture
def without_role(server: Server) -> Iterator[Server]:
    """A server without the application's role."""
    server.execute(f"ALTER ROLE {APP} RENAME TO other_app")
    try:
        yield server
    finally:
        server.execute(f"DROP ROLE IF EXISTS {APP}")
        server.execute(f"ALTER ROLE other_app RENAME TO {APP}")
