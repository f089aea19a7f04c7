"""A copy of the live version, and what others do to the live one until the copy takes its place."""

import asyncio

from storage.index import versions
from storage.index.writer import PostgresWriter
from storage.open import Storage
from storage.server.engine import text
from tests.fakes.documents import a_document, put
from tests.unit.storage.conftest import EMBEDDER, OTHER
from tests.unit.storage.rows import rows


async def test_what_is_removed_while_a_copy_is_made_is_not_in_the_copy(
    storage: Storage, writer: PostgresWriter
) -> None:
    await put(writer, EMBEDDER, a_document("w", source=OTHER), "the secret of wiki")
    async with storage.engine.begin() as connection:
        assert await versions.copy_live(connection)
        removing = asyncio.create_task(writer.purge(OTHER, ["w"]))
        await _waiting(storage)
    await removing
    assert await rows(storage, "SELECT text FROM chunks") == []


async def test_a_document_is_written_while_hnsw_is_about_to_be_built(storage: Storage, writer: PostgresWriter) -> None:
    await put(writer, EMBEDDER, a_document("a"), "the walrus of docs", "the otter of docs")
    async with storage.engine.begin() as connection:
        await connection.execute(text("SELECT FROM index_versions FOR SHARE"))  # as a writer begins
        building = asyncio.create_task(writer.finish(hnsw_from=1))
        await _waiting(storage)
        await connection.execute(text("DELETE FROM vectors WHERE chunk_no = 1"))
    await building
    assert (await rows(storage, "SELECT hnsw_upto FROM index_versions"))[0][0] == 2


async def _waiting(storage: Storage) -> None:
    """Returns once somebody waits for a lock."""
    async with asyncio.timeout(10):
        while not (await rows(storage, "SELECT count(*) FROM pg_locks WHERE NOT granted"))[0][0]:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
