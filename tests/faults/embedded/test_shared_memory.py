"""A server with little shared memory, as a container has it: a real one, whose /dev/shm is small."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.text.tokens import Analyzer
from storage.index import vectors
from storage.open import open_storage
from storage.server.database import DatabaseOptions
from storage.server.engine import text
from storage.server.transactions import transaction
from tests.architecture.checkout import ROOT
from tests.fakes.documents import a_document, put
from tests.faults.embedded.servers import EMBEDDER

pytestmark = pytest.mark.faults

SERVE = """
import sys
from pathlib import Path
from storage.server.embedded import EmbeddedServer
server = EmbeddedServer(Path(sys.argv[1]))
server.start()
print("started", flush=True)
sys.stdin.read()
server.stop()
"""


@pytest.fixture
def cramped(data: Path) -> Iterator[Path]:
    """The data folder of a running server with 16 MB of shared memory; skips where a process cannot be given less."""
    command = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs -o size=16m tmpfs /dev/shm && exec "$@"', "sh"]
    process = subprocess.Popen(
        [*command, sys.executable, "-c", SERVE, str(data)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"},
    )
    assert process.stdout
    started = process.stdout.readline()
    if not started:
        pytest.skip(f"no process can be given less shared memory here: {process.communicate()[1].strip()[-300:]}")
    yield data
    process.communicate()
    assert process.returncode == 0


async def test_hnsw_is_built_by_one_process_where_there_is_too_little(cramped: Path) -> None:
    async with open_storage(DatabaseOptions(None, cramped)) as storage:
        writer = await storage.writer(EMBEDDER.identity, Analyzer())
        await put(writer, EMBEDDER, a_document("new"), *(f"walrus {number}" for number in range(50)))
        async with transaction(storage.engine) as connection:
            # as for a large one: a parallel build takes 64 MB of shared memory at least
            await connection.execute(text("ALTER TABLE vectors_1 SET (parallel_workers = 2)"))
            assert await vectors.update_hnsw(connection, 1, EMBEDDER.identity.dimensions, hnsw_from=1)
        async with storage.engine.connect() as connection:
            names = text("SELECT indexname FROM pg_indexes WHERE indexname LIKE '%hnsw%'")
            assert (await connection.execute(names)).scalars().all() == ["vectors_1_hnsw"]
