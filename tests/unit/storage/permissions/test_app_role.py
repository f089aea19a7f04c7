"""The role of the application: what it owns, sees and changes, and what is said where it lacks a right."""

import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from domain.errors import KbError, Misconfigured
from storage.open import Storage, open_storage
from storage.server.app_role import CLOSED, POLICIES, bypassing_role
from storage.server.database import APP_ROLE, DatabaseOptions
from storage.server.pool import Connection
from tests.command import ROOT, app_url, database_url
from tests.unit.storage.permissions.guarded_index import ADA, ASKS, BOB, SECRET, fill
from tests.unit.storage.rows import change, rows


async def test_the_application_owns_nothing_and_changes_nothing_that_is_indexed(storage: Storage) -> None:
    await fill(storage, secrets=True)
    owned = f"SELECT count(*) FROM pg_class WHERE relowner = '{APP_ROLE}'::regrole"
    rights = f"SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = '{APP_ROLE}'"
    assert await rows(storage, owned) == [(0,)]
    assert await rows(storage, rights) == [(False, False, False, False)]
    assert await bypassing_role(storage.pool) is None
    for statement in (
        "DELETE FROM documents",
        "UPDATE chunks SET acl_id = NULL",
        "UPDATE acls SET clauses = '[]'",
        "INSERT INTO directory SELECT * FROM directory",
        "SELECT options FROM sources",
        "SELECT facts FROM indexed_documents",
        "SELECT text FROM chunks_1",
        "SELECT * FROM refusals",
        "SELECT * FROM runs",
        "ALTER TABLE documents DISABLE ROW LEVEL SECURITY",
        "DROP POLICY allowed ON documents",
        "DELETE FROM visible_chunks",
        "DELETE FROM audit_entries",
        "UPDATE audit_entries SET actor = 'nobody'",
        "CREATE OR REPLACE VIEW visible_chunks AS SELECT c, d FROM chunks c, documents d",
        "SET ROLE postgres",
    ):
        with pytest.raises(KbError):
            await storage.pool.execute(statement.encode())


async def test_each_table_has_a_policy_or_a_reason(storage: Storage) -> None:
    """A new table needs row-level security, or a reason on the page."""
    query = """
        SELECT relname, relispartition, relrowsecurity, has_any_column_privilege(:role, c.oid, 'SELECT') AS granted,
               ARRAY(SELECT polname::text FROM pg_policy WHERE polrelid = c.oid) AS policies
        FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
    """
    found = await rows(storage, query, role=APP_ROLE)
    assert [each.relname for each in found if each.relispartition and each.granted] == []
    tables = {each.relname: each for each in found if not each.relispartition}
    assert {name for name, each in tables.items() if each.policies == ["allowed"]} == {*POLICIES}
    assert {name for name, each in tables.items() if each.policies == ["own"]} == {"turns"}
    assert {name for name, each in tables.items() if each.relrowsecurity and not each.policies} == {*CLOSED}
    assert {name for name, each in tables.items() if not each.granted} == {*CLOSED, "alembic_version"}
    page = (ROOT / "docs" / "decisions" / "row-level-security.md").read_text()
    assert {name for name in (*POLICIES, *CLOSED, "turns") if f"`{name}`" not in page} == set()
    rows_of_page = page.partition("| table without a policy | why |")[2].partition("\n\n")[0].splitlines()
    reasons = {name for row in rows_of_page if row for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    open_tables = {name for name, each in tables.items() if not each.relrowsecurity}
    assert {name for name in open_tables if not name.startswith("procrastinate_")} == reasons


async def test_a_transaction_that_names_a_person_sees_and_changes_their_turns_alone(storage: Storage) -> None:
    """Whatever the query says. One that names nobody, as those of the release before, works on all."""
    turn = """INSERT INTO turns (platform, person, person_workspace, conversation, question, reply)
              VALUES ('slack', '{}', 'T', 'C', '', '')"""
    for person in ("U1", "U2"):
        await storage.pool.execute(turn.format(person).encode())
    count, remove = b"SELECT count(*) FROM turns", b"DELETE FROM turns"

    async def seen(connection: Connection) -> object:
        row = await (await connection.execute(count)).fetchone()
        return row and row[0]

    def acting(platform: str, person: str, work: Callable[[Connection], Awaitable[object]] = seen) -> Any:
        async def act(connection: Connection) -> object:
            connection.act_for(platform, person)
            return await work(connection)

        return storage.pool.run(act)

    async def removing(connection: Connection) -> object:
        return (await connection.execute(remove)).rowcount

    assert [await acting("slack", "U1"), await acting("slack", "U3"), await acting("teams", "U1")] == [1, 0, 0]
    assert await storage.pool.run(seen) == 2, "the next user of the connection acts for nobody"
    assert await acting("slack", "U1", removing) == 1
    with pytest.raises(KbError) as caught:
        await acting("slack", "U1", lambda connection: connection.execute(turn.format("U2").encode()))
    assert "row-level security" in str(caught.value.why)
    assert await storage.pool.execute(remove) == 1


async def test_what_only_the_owner_reads_is_closed_to_whom_it_is_granted(storage: Storage) -> None:
    """As after a grant by mistake."""
    ids = await fill(storage, secrets=True)
    await ASKS["passages"](storage, BOB, ids)
    await change(storage, "INSERT INTO refusals SELECT source_no, external_id, '', '' FROM documents")
    await change(storage, "INSERT INTO awaited_acls SELECT source_no, external_id, acl_id, now() FROM documents")
    await change(storage, "INSERT INTO correction_queue (document_id) SELECT document_id FROM documents")
    await change(storage, "INSERT INTO runs (source, state) VALUES ('a', 'done')")
    batch = "INSERT INTO index_batches (run_id, version_id, documents) SELECT run_id, version_id, '' FROM {}"
    await change(storage, batch.format("runs, index_versions"))
    await change(storage, f"GRANT SELECT ON {', '.join(CLOSED)} TO {APP_ROLE}")
    for table in CLOSED:
        assert await rows(storage, f"SELECT count(*) > 0 FROM {table}") == [(True,)]
        count = f"SELECT count(*) FROM {table}".encode()

        async def work(connection: Connection, count: bytes = count) -> object:
            connection.allow([1, 2])
            return await (await connection.execute(count)).fetchone()

        assert await storage.pool.run(work) == (0,)


async def test_one_role_for_all_is_named_and_works(data_dir: Path, database: str) -> None:
    """As with one URL, whose role owns the tables."""
    async with open_storage(DatabaseOptions(database_url(data_dir, database), data_dir)) as storage:
        ids = await fill(storage, secrets=True)
        assert (await storage.health().row_security_problem()).startswith("The database user postgres owns the tables")
        assert SECRET not in repr(await ASKS["passages"](storage, ADA, ids))
        assert SECRET in repr(await ASKS["passages"](storage, BOB, ids))


async def test_a_role_without_grants_is_told_what_to_do(data_dir: Path, database: str) -> None:
    """As after a restore, which grants nothing. The embedded server grants it by itself."""
    url = database_url(data_dir, database)
    options = DatabaseOptions(app_url(url), data_dir, owner_url=url)
    async with open_storage(options) as storage:
        await change(storage, f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {APP_ROLE}")
    with pytest.raises(Misconfigured, match="kb_app lacks a right") as caught:
        async with open_storage(options):
            pytest.fail("opened")
    assert caught.value.next_step == "Run: kb db upgrade"
    async with open_storage(DatabaseOptions(None, data_dir, database)) as storage:
        assert await storage.health().row_security_problem() == ""
        assert await storage.ledger().find(1) is None
