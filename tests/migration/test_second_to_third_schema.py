"""From the second schema, with what it holds, to the third; and the release before on the third."""

from collections.abc import AsyncIterator
from importlib.resources import files
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from alembic import command
from alembic.config import Config
from procrastinate.schema import SchemaManager
from sqlalchemy import Connection, text

from domain.access import Scope
from domain.text.tokens import Analyzer
from storage.index.posting_cache import PostingCache
from storage.open import Storage, open_storage
from storage.revision import REVISION
from storage.search.snapshot import read_permitted_acls
from storage.server.database import DatabaseOptions, open_database
from storage.server.embedded import EmbeddedServer
from storage.server.migrate import current_revision, upgrade_schema
from tests.contract.conversations import ANSWERED, MANY, incoming
from tests.fakes.embedder import HashEmbedder
from tests.unit.storage.rows import change, rows

# a row in every table that the release before writes
HELD = """
INSERT INTO sources (name, kind, options) VALUES ('docs', 'files', '{}');
INSERT INTO acls (clauses) VALUES ('[[["org", ""]]]');
INSERT INTO documents (document_id, source_no, external_id, title, url, path, media_type, space, labels, author, acl_id)
SELECT 'd', source_no, 'a', 'Parking', '', 'a', 'text/plain', '', '{}', '', acl_id FROM sources, acls;
INSERT INTO index_versions (state, embedder, dimensions, stemming, analyzer, propositions)
VALUES ('live', 'hash/8', 8, 'english', 'words', true);
CREATE TABLE chunks_1 PARTITION OF chunks FOR VALUES IN (1);
CREATE TABLE vectors_1 PARTITION OF vectors FOR VALUES IN (1);
CREATE TABLE postings_1 PARTITION OF postings FOR VALUES IN (1);
CREATE TABLE propositions_1 PARTITION OF propositions FOR VALUES IN (1);
INSERT INTO indexed_documents (version_id, document_no, content_hash, chunks) VALUES (1, 1, 'x', 1);
INSERT INTO chunks (version_id, chunk_no, chunk_id, document_no, ordinal, kind, title, heading_path, text, first_line,
                    last_line, text_hash)
VALUES (1, nextval('chunk_numbers'), 'c', 1, 0, 'prose', 'Parking', '{}', 'level two', 1, 1, 'h');
INSERT INTO vectors VALUES (1, 1, '[1,2,3,4,5,6,7,8]');
INSERT INTO propositions VALUES (1, 1, 0, 0, 9, '[1,2,3,4,5,6,7,8]');
INSERT INTO segments VALUES (1, nextval('segment_numbers'), 0, false, 1, 2, 'm');
INSERT INTO postings VALUES (1, 'level', 1, false, 'e');
INSERT INTO runs (source, state) VALUES ('docs', 'done');
INSERT INTO model_replies (key, reply) VALUES ('k', '{}');
SELECT nextval('acl_epoch')
"""
TABLES = ["sources", "acls", "documents", "index_versions", "indexed_documents", "chunks", "vectors", "propositions"]
TABLES += ["segments", "postings", "runs", "model_replies", "acl_epoch", "chunk_numbers", "segment_numbers"]
Rows = dict[str, list[dict[str, object]]]
"""By table: its rows, by column."""


def _to_second(connection: Connection) -> None:
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(files("migrations")))
    command.upgrade(config, "0002")


async def contents(storage: Storage, held: Rows | None = None) -> Rows:
    """All rows of all tables of the second schema; of the columns of `held` alone, where it is given."""
    contents: Rows = {}
    for table in TABLES:
        found = [row for (row,) in await rows(storage, f"SELECT to_jsonb(one.*) FROM (SELECT * FROM {table}) AS one")]
        if held:
            found = [{name: row[name] for name in held[table][0]} for row in found]
        contents[table] = sorted(found, key=str)
    return contents


@pytest.fixture
async def second(data_dir: Path) -> AsyncIterator[tuple[DatabaseOptions, Rows]]:
    """A database with the second schema, and what it holds."""
    name = f"second_schema_{uuid4().hex}"
    cluster = EmbeddedServer(data_dir).cluster
    with psycopg.connect(host=str(cluster), user="postgres", autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
    options = DatabaseOptions(None, data_dir, name)
    async with open_database(options) as database:
        async with database.engine.begin() as opened:
            await opened.run_sync(_to_second)
            for statement in HELD.split(";\n"):
                await opened.execute(text(statement))
        assert await current_revision(database.owner) == "0002"
        ways = (database.engine, database.sessions, database.owner, database.pool)
        engine_alone = Storage(*ways, None, None, database.urls, PostingCache(0))  # type: ignore[arg-type] # nothing else is used
        held = await contents(engine_alone)
    yield options, held
    with psycopg.connect(host=str(cluster), user="postgres", autocommit=True) as connection:
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


async def test_what_was_there_is_there_as_it_was(second: tuple[DatabaseOptions, Rows]) -> None:
    options, held = second
    assert all(held.values())
    async with open_storage(options) as storage:
        assert await current_revision(storage.owner) == REVISION
        assert await contents(storage, held) == held
        await upgrade_schema(storage.engine)
        assert await contents(storage, held) == held


async def test_acls_of_before_and_those_that_the_release_before_adds_admit(
    second: tuple[DatabaseOptions, Rows],
) -> None:
    async with open_storage(second[0]) as storage:
        await change(storage, """INSERT INTO acls (clauses) VALUES ('[[["public", ""], ["user", "a:b@x.example"]]]')""")
        permitted = {
            name: (await storage.pool.run(lambda connection, scope=scope: read_permitted_acls(connection, scope)))[1]  # type: ignore[misc] # bound now
            for name, scope in {"member": Scope.member("a:b@x.example"), "outsider": Scope.outsider()}.items()
        }
        assert permitted == {"member": [1, 2], "outsider": [2]}


async def test_questions_can_be_asked(second: tuple[DatabaseOptions, Rows]) -> None:
    async with open_storage(second[0]) as storage:
        claim = await storage.ledger().claim(incoming(), MANY)
        assert await storage.ledger().enqueue(claim.number, {})
        assert await storage.ledger().begin_attempt(claim.number)
        assert await storage.ledger().close(claim.number, 1, ANSWERED)


async def test_the_release_before_goes_on_beside_it(second: tuple[DatabaseOptions, Rows]) -> None:
    """Nothing that it writes is another's now."""
    async with open_storage(second[0]) as storage:
        before = await contents(storage)
        for statement in HELD.split(";\n")[-3:]:
            await change(storage, statement.replace("'k'", "'other'"))
        after = await contents(storage)
        assert {table for table in TABLES if before[table] != after[table]} == {"runs", "model_replies", "acl_epoch"}
        await storage.rebuild(HashEmbedder(8).identity, Analyzer())


async def test_the_queue_is_as_the_library_makes_it(storage: Storage) -> None:
    """Its statements run as they are: percent signs, and all of a function at once."""
    created = {line.split()[2].partition("(")[0] for line in SchemaManager.get_schema().splitlines() if _makes(line)}
    found = """
    SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE 'procrastinate%'
    UNION SELECT proname FROM pg_proc WHERE proname LIKE 'procrastinate%'
    """
    assert {name for (name,) in await rows(storage, found)} == created
    ((source,),) = await rows(storage, "SELECT prosrc FROM pg_proc WHERE proname = 'procrastinate_finish_job_v1'")
    assert "(job id: %)" in source


def _makes(line: str) -> bool:
    return line.startswith(("CREATE TABLE", "CREATE FUNCTION"))
