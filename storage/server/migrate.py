"""Brings the schema up to this release."""

import logging
from importlib.resources import files
from time import monotonic
from typing import TYPE_CHECKING, Any

from psycopg import AsyncConnection as DriverConnection
from psycopg.errors import DeadlockDetected, LockNotAvailable

from domain.cancellation import cancellable_sleep
from domain.errors import Misconfigured, Transient
from storage.revision import REVISION
from storage.server.engine import Engine, text
from storage.server.pool import ConnectionPool
from storage.server.transactions import transaction

if TYPE_CHECKING:
    from sqlalchemy import Connection

log = logging.getLogger(__name__)

LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('kb-agent/schema', 0))"

LOCK_SECONDS = 1
"""Seconds for which a migration waits for a table, and everybody else with it."""

AGAIN_SECONDS, PATIENCE = 3.0, 1_800.0
"""Seconds between two tries, and for which it is tried."""


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


async def upgrade_schema(engine: Engine, *, patience: float = PATIENCE) -> None:
    """Runs the missing migrations in one transaction; a second caller at the same time waits and finds them done.

    While a migration waits for a table, all who come after it wait, too. So it does not wait for long, gives up all
    that it has, lets them pass, and tries again.

    Raises:
        Transient: after `patience` seconds a table was still in use.
    """
    until, told = monotonic() + patience, False
    while not await _upgraded(engine):
        if monotonic() > until:
            raise Transient(
                "The schema could not be upgraded: a table was in use all the time",
                why="A backup or a long statement holds it; the schema is as it was.",
                next_step="Run: kb db upgrade, when that has ended; pg_stat_activity shows it by its xact_start.",
            )
        if not told:
            log.warning("A table is in use, as by a backup: the upgrade is tried again until it is free")
            told = True
        await cancellable_sleep(AGAIN_SECONDS)


async def _upgraded(engine: Engine) -> bool:
    """Whether that was done; False where a table was in use."""
    try:
        async with transaction(engine) as connection:
            await connection.execute(text(LOCK))
            await connection.execute(text(f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'"))
            await connection.run_sync(_upgrade)
    except Transient as error:
        if isinstance(getattr(error.__cause__, "orig", None), LockNotAvailable | DeadlockDetected):
            return False
        raise
    return True


def _upgrade(connection: "Connection") -> None:
    from alembic import command  # takes as long to import as a question to answer, and is seldom needed
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(files("migrations")))
    command.upgrade(config, "head")
