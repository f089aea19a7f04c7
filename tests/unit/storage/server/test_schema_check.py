"""What a database lacks is named: whatever a restore or a hand left out."""

from functools import partial

import pytest
from sqlalchemy import text

from domain.errors import Misconfigured
from domain.text.tokens import Analyzer
from storage.open import Storage
from storage.server.pool import Connection
from storage.server.schema_check import missing, require_whole
from tests.fakes.embedder import HashEmbedder

LOST = {
    "DROP EXTENSION vector CASCADE": ["extension vector", "column propositions.embedding", "column vectors.embedding"],
    "DROP TABLE vectors, propositions CASCADE": ["table propositions", "table vectors"],
    "DROP TABLE vectors_1": ["table vectors_1"],
    "ALTER TABLE documents DROP COLUMN acl_at": ["column documents.acl_at"],
    "DROP INDEX chunks_id": ["index chunks_id"],
    "DROP TRIGGER acl_added ON acls": ["trigger acl_added of acls"],
    "DROP FUNCTION acl_spread": ["function acl_spread"],
    "DROP POLICY allowed ON chunks": ["policy allowed of chunks"],
    "DROP VIEW visible_chunks": ["view visible_chunks of chunks"],
    "ALTER TABLE chunks DISABLE ROW LEVEL SECURITY": ["row-level security of chunks"],
    "DROP SEQUENCE acl_epoch": ["sequence acl_epoch"],
    "ALTER TABLE acls DROP CONSTRAINT acls_clauses_once": ["constraint acls_clauses_once of acls"],
    "ALTER TABLE runs DROP CONSTRAINT runs_pkey CASCADE": [
        "primary key (run_id) of runs",
        "foreign key (run_id) of index_batches",
    ],
    "ALTER TABLE sources DROP CONSTRAINT sources_name_key": ["unique key (name) of sources"],
    "ALTER TABLE turns DROP CONSTRAINT turns_question_no_fkey": ["foreign key (question_no) of turns"],
    "DROP TABLE procrastinate_periodic_defers": [
        "table procrastinate_periodic_defers",
        "index procrastinate_periodic_defers_job_id_fkey_v1",
    ],
    "DROP TRIGGER procrastinate_trigger_delete_jobs_v1 ON procrastinate_jobs": [
        "trigger procrastinate_trigger_delete_jobs_v1 of procrastinate_jobs"
    ],
    "UPDATE index_versions SET hnsw_upto = 5": ["index vectors_1_hnsw"],
    "CREATE TABLE of_somebody_else (x int); CREATE INDEX theirs ON documents (title)": [],
}


@pytest.fixture
async def made(storage: Storage) -> Storage:
    """A store with an index version."""
    await storage.writer(HashEmbedder().identity, Analyzer())
    return storage


async def test_what_is_missing_is_named(made: Storage) -> None:
    async def missing_after(connection: Connection, statements: str) -> list[str]:
        async with connection.transaction(force_rollback=True):  # nothing of it is committed
            await connection.execute(statements.encode())
            return await missing(connection)

    for statements, lost in LOST.items():
        assert await made.owner.run(partial(missing_after, statements=statements)) == lost
    assert await made.owner.run(missing) == []


async def test_what_to_do_is_said(made: Storage) -> None:
    await require_whole(made.owner)
    async with made.engine.begin() as connection:
        await connection.execute(text("DROP TABLE vectors, propositions CASCADE"))
    with pytest.raises(Misconfigured, match="lacks parts of its schema") as caught:
        await require_whole(made.owner)
    assert "Missing: table propositions, table vectors. A backup that was restored in part" in caught.value.why
    assert "CREATE EXTENSION vector" in caught.value.next_step


async def test_of_much_only_the_first_are_named(made: Storage) -> None:
    async with made.engine.begin() as connection:
        await connection.execute(text("DROP SCHEMA public CASCADE"))
        await connection.execute(text("CREATE SCHEMA public"))
    with pytest.raises(Misconfigured) as caught:
        await require_whole(made.owner)
    assert caught.value.why.count("table ") <= 12
    assert " more. A backup" in caught.value.why
