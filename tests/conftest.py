"""What tests share: one embedded server for the session, a database of its own for each test that needs one."""

import asyncio
import gc
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, settings

from config.load import load
from storage.open import Storage, open_storage
from storage.server.database import DatabaseOptions
from storage.server.embedded import EmbeddedServer
from storage.server.postgres_options import OPTIONS
from tests.command import TEMPLATE, app_url, database_url
from tests.databases import ReusedDatabase, copy_template, drop, make_once
from tests.fakes.embedder import HashEmbedder

if TYPE_CHECKING:
    from bot.app.product import Product


def open_folder(prefix: str, where: Path | None = None) -> Path:
    """A temporary folder that the server's own user can pass through, as root's tests need it; pytest's are closed."""
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=where))
    folder.chmod(0o711)
    return folder


# how long an example takes says how busy the machine is
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", PATIENT, max_examples=20)
settings.register_profile("long", PATIENT, max_examples=500)
settings.load_profile("quick")

FAST = {
    **OPTIONS,
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "autovacuum": "off",
    "max_connections": "300",
}
"""How the tests' server runs: nothing of it outlives them, and all workers share it."""

MEMORY, ROOM = Path("/dev/shm"), 4 << 30
"""Where the tests' server keeps its files if there are so many free bytes: half of its time goes into files."""

FOLDER = pytest.StashKey[Path]()


def pytest_configure(config: pytest.Config) -> None:
    """The data folder of the tests' server: pytest's own process makes it, workers are told where it is."""
    given = getattr(config, "workerinput", {}).get("data_dir")
    config.stash[FOLDER] = Path(given) if given else open_folder("kb-test-", _place())


@pytest.hookimpl(optionalhook=True)  # of xdist, which `-p no:xdist` leaves out
def pytest_configure_node(node: Any) -> None:
    """Tells a worker of xdist."""
    node.workerinput["data_dir"] = str(node.config.stash[FOLDER])


def pytest_unconfigure(config: pytest.Config) -> None:
    """Removes the folder when all workers have ended."""
    if not hasattr(config, "workerinput"):
        shutil.rmtree(config.stash[FOLDER], ignore_errors=True)


def _place() -> Path | None:
    """The file system in memory, where it has room."""
    return MEMORY if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays until the end: the garbage collector need not go through it again and again."""
    gc.disable()
    found = yield
    gc.freeze()
    gc.enable()
    return found


def pytest_itemcollected(item: pytest.Item) -> None:
    """Marks flows and faults, which take seconds each: `make test` runs those alone that are marked `everyday`."""
    folder = item.path.relative_to(item.config.rootpath).parts[1]
    if folder in {"flows", "faults"} and not item.get_closest_marker("everyday"):
        item.add_marker("check")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deals modules with whole processes, and folders of others, out to the workers, which begin with a share each.

    What waits comes early: what is left at the end is short. What reads all of the code comes first, in one worker.
    """
    workers = int(getattr(config, "workerinput", {}).get("workercount", 1))
    groups: dict[tuple[int, Path], list[pytest.Item]] = {}
    for item in items:
        waits = not {"flows", "faults"}.isdisjoint(item.path.parts)
        rank = 0 if "architecture" in item.path.parts else 1 if waits else 2
        groups.setdefault((rank, item.path if waits else item.path.parent), []).append(item)
    order = sorted(groups)
    items[:] = [item for first in range(workers) for group in order[first::workers] for item in groups[group]]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Two workers for each processor: tests of whole processes wait."""
    return 2 * (os.cpu_count() or 1)


@pytest.fixture(scope="session")
def data_dir(pytestconfig: pytest.Config) -> Iterator[Path]:
    """The data folder of a running embedded server, which holds a database with our schema as a template. All workers
    share it: the first one starts it, the last one to leave stops it."""
    folder = pytestconfig.stash[FOLDER]
    server = EmbeddedServer(folder, FAST)
    server.start()
    try:
        make_once(folder / "template", lambda: asyncio.run(_make_template(folder)))
        yield folder
    finally:
        server.stop()


async def _make_template(folder: Path) -> None:
    async with open_storage(DatabaseOptions(None, folder, TEMPLATE)):
        pass


@pytest.fixture(scope="session")
def reused_database(data_dir: Path) -> Iterator[ReusedDatabase]:
    """The database that this worker's tests have, one after the other."""
    database = ReusedDatabase(data_dir, f"test_{uuid4().hex}")
    yield database
    database.drop()


@pytest.fixture
def database(reused_database: ReusedDatabase) -> str:
    """The name of a database with our schema and nothing in it."""
    return reused_database.emptied()


@pytest.fixture
def new_database(data_dir: Path) -> Iterator[Callable[[], str]]:
    """Makes more of them; gives their names. They go with the test."""
    names: list[str] = []

    def make() -> str:
        names.append(f"test_{uuid4().hex}")
        copy_template(data_dir, names[-1])
        return names[-1]

    yield make
    for name in names:
        drop(data_dir, name)


@pytest.fixture
async def storage(data_dir: Path, database: str) -> AsyncIterator[Storage]:
    """An open, empty store."""
    url = database_url(data_dir, database)
    async with open_storage(DatabaseOptions(app_url(url), data_dir, owner_url=url)) as opened:
        yield opened


@pytest.fixture
async def product(data_dir: Path, database: str, tmp_path: Path) -> "AsyncIterator[Product]":
    """The whole product over an empty store, with the small embedder."""
    from bot.app.product import open_product  # all of the product: most runs of a few tests need it not

    settings = load({"KB_AGENT_DATA_DIR": str(data_dir)}, tmp_path)
    async with open_product(settings, database=database, model=HashEmbedder()) as opened:
        yield opened


@pytest.fixture(autouse=True)
def no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests see no KB_AGENT_ variable of whoever runs them."""
    for name in list(os.environ):
        if name.startswith("KB_AGENT_"):
            monkeypatch.delenv(name)
