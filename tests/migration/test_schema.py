"""The migrations make the schema that storage.tables describes, once, whoever asks for it."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import uuid4

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from procrastinate.schema import SchemaManager
from sqlalchemy import Connection, text

from domain.errors import Misconfigured
from domain.text.tokens import Analyzer
from storage.open import Storage, open_storage
from storage.revision import REVISION
from storage.server.database import Database, DatabaseOptions, open_database
from storage.server.embedded import EmbeddedServer
from storage.server.engine import Engine
from storage.server.migrate import current_revision, require_schema, upgrade_schema
from storage.tables import PARTITIONED, metadata
from tests.fakes.embedder import HashEmbedder
from tests.unit.storage.rows import rows

VERSIONS = Path(__file__).parents[2] / "migrations"


def service(data_dir: Path, name: str) -> DatabaseOptions:
    """The session's server as an outside service, whose schema is not ours to change unasked."""
    return DatabaseOptions(f"postgresql://postgres@/{name}?host={EmbeddedServer(data_dir).cluster}", data_dir)


@pytest.fixture
def bare(data_dir: Path) -> str:
    """Name of a new database without a schema; it goes with the server."""
    import psycopg

    name = f"bare_{uuid4().hex}"
    with psycopg.connect(host=str(EmbeddedServer(data_dir).cluster), user="postgres", autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
    return name


@asynccontextmanager
async def opened(options: DatabaseOptions) -> AsyncIterator[Database]:
    async with open_database(options) as database:
        yield database


async def structure(engine: Engine) -> list[str]:
    """Every table, column, index, constraint and sequence, in words."""
    column = "concat(attrelid::regclass, ' ', attname, ' ', atttypid::regtype, attnotnull, attstorage, attidentity)"
    ours = "SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace"
    queries = [
        f"SELECT {column} FROM pg_attribute WHERE attnum > 0 AND attrelid IN ({ours})",
        "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'",
        "SELECT conname || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace",
        "SELECT sequencename || data_type FROM pg_sequences WHERE schemaname = 'public'",
    ]
    async with engine.connect() as connection:
        return sorted([word for query in queries for word in (await connection.execute(text(query))).scalars()])


def _differences(connection: Connection) -> list[object]:
    def ours(_object: object, name: str | None, kind: str, _reflected: bool, _other: object) -> bool:
        partition = re.fullmatch(
            r"(chunks|vectors|propositions|postings|mentions|relations|entity_counts)_\d+", name or ""
        )
        others = name == "alembic_version" or (name or "").startswith("procrastinate_")
        return kind != "table" or not (partition or others)

    options = {"compare_type": True, "compare_server_default": True, "include_object": ours}
    return list(compare_metadata(MigrationContext.configure(connection, opts=options), metadata))


async def test_the_migrations_make_exactly_the_tables(storage: Storage) -> None:
    await storage.writer(HashEmbedder().identity, Analyzer())  # with partitions
    async with storage.engine.connect() as connection:
        assert await connection.run_sync(_differences) == []


async def test_what_is_not_compared_is_there(storage: Storage) -> None:
    found = "\n".join(await structure(storage.engine))
    assert "acls_clauses_once" in found
    assert "EXCLUDE USING hash (clauses WITH =)" in found
    assert "UNIQUE (state) DEFERRABLE" in found
    for sequence in metadata._sequences.values():
        assert f"{sequence.name}{'bigint' if 'BIG' in repr(sequence.data_type).upper() else 'integer'}" in found
    async with storage.engine.connect() as connection:
        kept = await connection.execute(
            text("SELECT relname, partstrat::text FROM pg_partitioned_table, pg_class WHERE pg_class.oid = partrelid")
        )
        assert {tuple(row) for row in kept} == {(table, "l") for table in PARTITIONED}


def test_this_release_needs_the_newest_migration() -> None:
    config = Config()
    config.set_main_option("script_location", str(VERSIONS))
    config.set_main_option("path_separator", "os")
    script = ScriptDirectory.from_config(config)
    assert script.get_heads() == [REVISION]
    assert len(list(script.walk_revisions())) == len(list((VERSIONS / "versions").glob("[0-9]*.py")))


async def test_an_upgrade_changes_nothing_where_nothing_is_missing(storage: Storage) -> None:
    before = await structure(storage.engine)
    for _ in range(2):
        await upgrade_schema(storage.engine)
        await require_schema(storage.engine, await current_revision(storage.owner), upgrade=False)
    assert await structure(storage.engine) == before
    assert await current_revision(storage.owner) == REVISION


async def test_an_upgrade_makes_a_schema_where_there_was_none(data_dir: Path, bare: str, storage: Storage) -> None:
    async with opened(service(data_dir, bare)) as database:
        assert await current_revision(database.owner) is None
        await upgrade_schema(database.engine)
        assert await current_revision(database.owner) == REVISION
        assert await structure(database.engine) == await structure(storage.engine)


async def test_many_first_starts_at_once_make_one_schema(data_dir: Path) -> None:
    name = f"first_{uuid4().hex}"

    async def start() -> list[str]:
        async with open_storage(DatabaseOptions(None, data_dir, name)) as storage:
            return await structure(storage.engine)

    first, *others = await asyncio.gather(*(start() for _ in range(4)))
    assert first
    assert all(other == first for other in others)


async def test_a_service_without_our_schema_is_left_alone(data_dir: Path, bare: str) -> None:
    with pytest.raises(Misconfigured, match="schema is not this release's") as caught:
        async with open_storage(service(data_dir, bare)):
            pytest.fail("opened")
    assert "kb db upgrade" in caught.value.next_step
    assert "empty" in caught.value.why
    async with opened(service(data_dir, bare)) as database:
        assert await current_revision(database.owner) is None


@pytest.mark.parametrize(
    ("revision", "said", "next_step"),
    [
        ("0000", "schema is not this release's", "kb db upgrade"),
        ("9999", "made by a later release", "Run the later release"),
    ],
)
async def test_a_service_of_another_release_is_refused_and_left_alone(
    data_dir: Path, new_database: Callable[[], str], revision: str, said: str, next_step: str
) -> None:
    options = service(data_dir, new_database())
    async with opened(options) as database:
        async with database.engine.begin() as connection:
            await connection.execute(text("UPDATE alembic_version SET version_num = :to"), {"to": revision})
        before = await structure(database.engine)
    with pytest.raises(Misconfigured, match=said) as caught:
        async with open_storage(options):
            pytest.fail("opened")
    assert next_step in caught.value.next_step
    assert revision in caught.value.why
    async with opened(options) as database:
        assert await structure(database.engine) == before
        assert await current_revision(database.owner) == revision


async def test_an_embedded_database_of_a_later_release_is_refused(data_dir: Path, database: str) -> None:
    async with opened(service(data_dir, database)) as found, found.engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(Misconfigured, match="made by a later release"):
        async with open_storage(DatabaseOptions(None, data_dir, database)):
            pytest.fail("opened")


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
