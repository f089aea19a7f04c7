"""Brings the schema up to this release."""

from importlib.resources import files
from typing import TYPE_CHECKING, Any

from psycopg import AsyncConnection as DriverConnection

from domain.errors import Misconfigured
from storage.revision import REVISION
from storage.server.engine import Engine, text
from storage.server.pool import ConnectionPool
from storage.server.transactions import transaction

if TYPE_CHECKING:
    from sqlalchemy import Connection

LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('kb-agent/schema', 0))"


async def current_revision(owner: ConnectionPool) -> str | None:
    """The schema's revision; None for an empty database."""
    return await owner.run(read_revision)


async def read_revision(connection: DriverConnection[Any]) -> str | None:
    """The schema's revision; None for an empty database."""
    there = await (await connection.execute("SELECT to_regclass('alembic_version') IS NOT NULL")).fetchone()
    if not there or not there[0]:
        return None
    found = await (await connection.execute("SELECT version_num FROM alembic_version")).fetchone()
    return str(found[0]) if found else None


async def require_schema(engine: Engine, found: str | None, *, upgrade: bool) -> None:
    """Checks that the schema is this release's; brings it up when `upgrade` is set. found: its revision.

    Raises:
        Misconfigured: the schema is older and `upgrade` is off, or it is of a later release.
    """
    if found == REVISION:
        return
    if found is not None and found > REVISION:
        raise Misconfigured(
            "The database was made by a later release",
            why=f"Its schema is {found}; this release knows {REVISION}.",
            next_step="Run the later release.",
        )
    if not upgrade:
        raise Misconfigured(
            "The database's schema is not this release's",
            why=f"It is {found or 'empty'}; {REVISION} is needed.",
            next_step="Run: kb db upgrade",
        )
    await upgrade_schema(engine)


async def upgrade_schema(engine: Engine) -> None:
    """Runs the missing migrations in one transaction; a second caller at the same time waits and finds them done."""
    async with transaction(engine) as connection:
        await connection.execute(text(LOCK))
        await connection.run_sync(_upgrade)


def _upgrade(connection: "Connection") -> None:
    from alembic import command  # takes as long to import as a question to answer, and is seldom needed
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(files("migrations")))
    command.upgrade(config, "head")
