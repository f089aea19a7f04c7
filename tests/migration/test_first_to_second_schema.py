"""From the first schema, with what it holds, to the second; and the release before on the second."""

from collections.abc import AsyncIterator
from importlib.resources import files
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text

from domain.access import Scope
from domain.errors import Misconfigured
from domain.search import Filters, SearchRequest
from domain.text.tokens import Analyzer
from storage.open import Storage, open_storage
from storage.revision import REVISION
from storage.server.database import DatabaseOptions, open_database
from storage.server.embedded import EmbeddedServer
from storage.server.engine import Engine
from storage.server.migrate import current_revision, upgrade_schema
from tests.fakes.documents import SOURCE, a_document, chunks_of, put
from tests.fakes.embedder import HashEmbedder
from tests.unit.storage.rows import change, rows

pytestmark = pytest.mark.check

EMBEDDER = HashEmbedder(8)
DOCUMENT = a_document("a", title="Parking")
CHUNK = chunks_of(DOCUMENT, ["visitors park on level two"])[0]
MEMBER = Scope.member()

# what the release before writes: a version with its partitions, and a document in it
VERSION = """
INSERT INTO index_versions (state, embedder, dimensions, stemming, analyzer)
VALUES (:state, 'hash/8', 8, 'english', :analyzer) RETURNING version_id
"""
PARTITION = "CREATE TABLE {0}_{1} PARTITION OF {0} FOR VALUES IN ({1})"
SHARED = """
INSERT INTO sources (name, kind, options) VALUES ('docs', 'files', '{}');
INSERT INTO acls (clauses) VALUES ('[[["org", ""]]]');
INSERT INTO documents (document_id, source_no, external_id, title, url, path, media_type, space, labels, author, acl_id)
SELECT :document_id, source_no, 'a', 'Parking', '', 'a', 'text/plain', '', '{}', '', acl_id FROM sources, acls
"""
CONTENT = """
INSERT INTO indexed_documents (version_id, document_no, content_hash, chunks)
SELECT :version, document_no, 'x', 1 FROM documents;
INSERT INTO chunks (version_id, chunk_no, chunk_id, document_no, ordinal, kind, title, heading_path, text, first_line,
                    last_line, text_hash)
SELECT :version, nextval('chunk_numbers'), :chunk_id, document_no, 0, 'prose', 'Parking', '{}', :text, 1, 1, :text_hash
FROM documents;
INSERT INTO vectors SELECT :version, chunk_no, CAST(:vector AS halfvec) FROM chunks WHERE version_id = :version
"""


async def run(engine: Engine, statements: str, **values: object) -> None:
    async with engine.begin() as connection:
        for statement in statements.split(";\n"):
            await connection.execute(text(statement), values)


async def a_version(engine: Engine, state: str) -> int:
    """A version as the release before makes it, with the document."""
    async with engine.begin() as connection:
        made = await connection.execute(text(VERSION), {"state": state, "analyzer": Analyzer().name})
        number = int(made.scalar_one())
        for table in ("chunks", "vectors", "postings"):
            await connection.execute(text(PARTITION.format(table, number)))
    vector = "[" + ",".join(map(str, EMBEDDER.vectors([CHUNK.embedded_text])[0])) + "]"
    values = {"chunk_id": CHUNK.chunk_id, "text": CHUNK.text, "text_hash": CHUNK.text_hash, "vector": vector}
    await run(engine, CONTENT, version=number, **values)
    return number


def _to_first(connection: Connection) -> None:
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(files("migrations")))
    command.upgrade(config, "0001")


@pytest.fixture
async def first(data_dir: Path) -> AsyncIterator[str]:
    """Name of a database with the first schema: a live version and the one before, with a document in both."""
    name = f"first_schema_{uuid4().hex}"
    cluster = EmbeddedServer(data_dir).cluster
    with psycopg.connect(host=str(cluster), user="postgres", autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
    async with open_database(DatabaseOptions(None, data_dir, name)) as database:
        async with database.engine.begin() as opened:
            await opened.run_sync(_to_first)
        await run(database.engine, SHARED, document_id=DOCUMENT.document_id)
        for state in ("previous", "live"):
            await a_version(database.engine, state)
        assert await current_revision(database.owner) == "0001"
    yield name
    with psycopg.connect(host=str(cluster), user="postgres", autocommit=True) as connection:
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


@pytest.fixture
async def upgraded(data_dir: Path, first: str) -> AsyncIterator[Storage]:
    """The same, opened by this release."""
    async with open_storage(DatabaseOptions(None, data_dir, first)) as storage:
        yield storage


async def found(storage: Storage, question: str) -> list[str]:
    request = SearchRequest("", EMBEDDER.vectors([question])[0], EMBEDDER.identity.name, ("dense",))
    hits = await storage.search(EMBEDDER.identity).search(request, MEMBER)
    return [hit.chunk_id for hit in hits.rankings["dense"]]


async def test_what_was_there_is_still_there(upgraded: Storage) -> None:
    assert await current_revision(upgraded.owner) == REVISION
    assert await found(upgraded, "parking") == [CHUNK.chunk_id]
    (passage,) = await upgraded.search(EMBEDDER.identity).passages([CHUNK.chunk_id], MEMBER)
    assert (passage.text, passage.title) == ("visitors park on level two", "Parking")
    await upgraded.roll_back()
    assert await found(upgraded, "parking") == [CHUNK.chunk_id]


async def test_every_version_has_its_partition_and_not_the_level(upgraded: Storage) -> None:
    partitions = "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'propositions'::regclass"
    assert sorted(row[0] for row in await rows(upgraded, partitions)) == ["propositions_1", "propositions_2"]
    assert not await upgraded.propositions(EMBEDDER.identity).available()
    vector = EMBEDDER.vectors(["parking"])[0]
    assert await upgraded.propositions(EMBEDDER.identity).nearest(vector, MEMBER, filters=Filters()) == []
    with pytest.raises(Misconfigured, match="has no propositions"):
        await upgraded.writer(EMBEDDER.identity, Analyzer(), propositions=True)


async def test_it_is_written_on_as_before(upgraded: Storage) -> None:
    writer = await upgraded.writer(EMBEDDER.identity, Analyzer())
    (new,) = await put(writer, EMBEDDER, a_document("a", title="Parking", content="2"), "staff park on the roof")
    assert await found(upgraded, "parking") == [new]
    await writer.finish()
    await writer.purge(SOURCE, ["a"])
    assert await found(upgraded, "parking") == []


async def test_a_whole_new_index_gets_the_level(upgraded: Storage) -> None:
    building = await upgraded.rebuild(EMBEDDER.identity, Analyzer(), propositions=True)
    await put(building, EMBEDDER, DOCUMENT, "visitors park on level two")
    await upgraded.publish()
    assert await upgraded.propositions(EMBEDDER.identity).available()
    assert [row[0] for row in await rows(upgraded, "SELECT to_regclass('propositions_1') IS NULL")] == [True]


async def test_the_release_before_goes_on_beside_it(upgraded: Storage) -> None:
    """A version that it makes has no partition of what came later; nothing fails for it."""
    number = await a_version(upgraded.engine, "building")
    ((partition,),) = await rows(upgraded, "SELECT to_regclass('propositions_' || :number)", number=number)
    assert partition is None
    await upgraded.publish()
    assert await found(upgraded, "parking") == [CHUNK.chunk_id]
    vector = EMBEDDER.vectors(["parking"])[0]
    assert await upgraded.propositions(EMBEDDER.identity).nearest(vector, MEMBER, filters=Filters()) == []
    writer = await upgraded.writer(EMBEDDER.identity, Analyzer())
    await put(writer, EMBEDDER, a_document("a", content="2"), "staff park on the roof")
    await writer.finish()
    for _ in range(2):  # until it is the oldest, which goes
        building = await upgraded.rebuild(EMBEDDER.identity, Analyzer(), propositions=True)
        await put(building, EMBEDDER, DOCUMENT, "visitors park on level two")
        await upgraded.publish()
    assert {row[0] for row in await rows(upgraded, "SELECT version_id FROM index_versions")} == {number + 1, number + 2}


async def test_the_release_before_drops_a_version_that_has_the_level(upgraded: Storage) -> None:
    """It leaves the partition behind, which is in nobody's way."""
    building = await upgraded.rebuild(EMBEDDER.identity, Analyzer(), propositions=True)
    await put(building, EMBEDDER, DOCUMENT, "visitors park on level two")
    for statement in ("DROP TABLE chunks_3", "DROP TABLE vectors_3", "DROP TABLE postings_3"):
        await change(upgraded, statement)
    await change(upgraded, "DELETE FROM index_versions WHERE version_id = 3")
    again = await upgraded.rebuild(EMBEDDER.identity, Analyzer(), propositions=True)
    await put(again, EMBEDDER, DOCUMENT, "visitors park on level two")
    await upgraded.publish()
    assert await upgraded.propositions(EMBEDDER.identity).available()


async def test_the_epoch_rises_from_its_first_change_on(upgraded: Storage) -> None:
    query = "SELECT last_value FROM acl_epoch"
    seen = [(await rows(upgraded, query))[0][0]]
    for _ in range(2):
        await rows(upgraded, "SELECT nextval('acl_epoch')")
        seen.append((await rows(upgraded, query))[0][0])
    assert seen[0] < seen[1] < seen[2]


async def test_a_second_upgrade_finds_nothing_to_do(upgraded: Storage) -> None:
    await upgrade_schema(upgraded.engine)
    assert await current_revision(upgraded.owner) == REVISION
