"""Brings the schema up to this release."""

from importlib.resources import files

from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from domain.errors import Misconfigured
from storage.server.transactions import transaction
from storage.tables import REVISION

LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('kb-agent/schema', 0))"


async def current_revision(engine: AsyncEngine) -> str | None:
    """The schema's revision; None for an empty database."""
    async with transaction(engine) as connection:
        return await read_revision(connection)


async def read_revision(connection: AsyncConnection) -> str | None:
    """The schema's revision; None for an empty database."""
    if not (await connection.execute(text("SELECT to_regclass('alembic_version') IS NOT NULL"))).scalar_one():
        return None
    found: str | None = (await connection.execute(text("SELECT version_num FROM alembic_version"))).scalar_one_or_none()
    return found


async def require_schema(engine: AsyncEngine, found: str | None, *, upgrade: bool) -> None:
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


async def upgrade_schema(engine: AsyncEngine) -> None:
    """Runs the missing migrations in one transaction; a second caller at the same time waits and finds them done."""
    async with transaction(engine) as connection:
        await connection.execute(text(LOCK))
        await connection.run_sync(_upgrade)


def _upgrade(connection: Connection) -> None:
    from alembic import command  # takes as long to import as a question to answer, and is seldom needed
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(files("migrations")))
    command.upgrade(config, "head")
