"""What a migration leaves as it was: processes of the release before go on writing while the new one is started."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, text

from tests.command import database_url

OLDEST = "0010"
"""The schema of the oldest release that can be upgraded."""

_COLUMNS = text("""
    SELECT relname || '.' || attname AS name, format_type(atttypid, atttypmod) AS type,
           attnotnull AND NOT atthasdef AND attidentity = '' AS wanted, relname
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped
""")


@pytest.fixture
def empty(data_dir: Path) -> Iterator[str]:
    """A database with the extension and nothing else."""
    name = f"additive_{uuid4().hex}"
    with psycopg.connect(database_url(data_dir, "postgres"), autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}"'.encode())
        yield database_url(data_dir, name)
        server.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


def columns(connection: Connection) -> dict[str, tuple[str, bool, str]]:
    """By name: the type, whether an insert has to give a value, and the table."""
    return {row.name: (row.type, row.wanted, row.relname) for row in connection.execute(_COLUMNS)}


def test_no_migration_takes_away_or_demands_what_the_release_before_does_not_know(empty: str) -> None:
    engine = create_engine(empty.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as connection:
        connection.execute(text("CREATE EXTENSION vector"))
        connection.commit()
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(files("migrations")))
        later = [each.revision for each in ScriptDirectory.from_config(config).walk_revisions(OLDEST, "heads")]
        command.upgrade(config, OLDEST)
        before = columns(connection)
        assert len(later) > 10
        for revision in reversed(later):
            command.upgrade(config, revision)
            after = columns(connection)
            tables = {table for _, _, table in before.values()}
            gone = {name for name, about in before.items() if after.get(name) != about}
            assert gone == set(), f"{revision} changes these"
            new = {name for name in after.keys() - before.keys() if after[name][2] in tables and after[name][1]}
            assert new == set(), f"an insert of the release before {revision} lacks these"
            before = after
    engine.dispose()
