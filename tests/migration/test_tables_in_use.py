"""The schema is upgraded under running processes: where a table is in use, as by a backup, nobody is held up."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine

from domain.errors import Transient
from storage.revision import REVISION
from storage.server.database import DatabaseOptions, open_database
from storage.server.migrate import current_revision, upgrade_schema
from tests.command import connected, database_url

BEFORE = "0017"
"""The migration after it wants the table `turns` for itself."""

LONGEST = 2.5
"""Seconds that a statement of another process may take meanwhile."""


@pytest.fixture
def url(data_dir: Path) -> Iterator[str]:
    """A database with an earlier schema."""
    name = f"in_use_{uuid4().hex}"
    with connected(database_url(data_dir, "postgres")) as server:
        server.execute(f'CREATE DATABASE "{name}"'.encode())
        found = database_url(data_dir, name)
        with connected(found) as connection:
            connection.execute("CREATE EXTENSION vector")
        engine = create_engine(found.replace("postgresql:", "postgresql+psycopg:"))
        with engine.begin() as opened:
            config = Config(attributes={"connection": opened})
            config.set_main_option("script_location", str(files("migrations")))
            command.upgrade(config, BEFORE)
        engine.dispose()
        yield found
        server.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


@asynccontextmanager
async def in_use(url: str) -> AsyncIterator[None]:
    """Inside, somebody reads the table, as pg_dump does."""
    async with await psycopg.AsyncConnection.connect(url) as connection:
        await connection.execute("SELECT count(*) FROM turns")
        yield


@pytest.mark.check
async def test_others_read_the_table_while_the_upgrade_waits_for_it(url: str, data_dir: Path) -> None:
    async with open_database(DatabaseOptions(url, data_dir)) as database:
        async with await psycopg.AsyncConnection.connect(url, autocommit=True) as other:
            async with in_use(url):
                upgrading = asyncio.create_task(upgrade_schema(database.sessions))
                for _ in range(20):
                    async with asyncio.timeout(LONGEST):
                        await other.execute("SELECT count(*) FROM turns")
                    await asyncio.sleep(0.2)
                assert not upgrading.done()
            await asyncio.wait_for(upgrading, 60)
        assert await current_revision(database.owner) == REVISION


async def test_a_table_that_stays_in_use_is_told_of_and_nothing_is_changed(url: str, data_dir: Path) -> None:
    async with open_database(DatabaseOptions(url, data_dir)) as database:
        async with in_use(url):
            with pytest.raises(Transient, match="in use") as raised:
                await upgrade_schema(database.sessions, patience=0.0)
            assert "kb db upgrade" in raised.value.next_step
        assert await current_revision(database.owner) == BEFORE
