"""`kb db`: the database's schema."""

from typing import TYPE_CHECKING

import click

from bot.cli.options import json_option, run
from bot.terminal.output import print_json, say, settings_in_force

if TYPE_CHECKING:
    from config.settings import Settings


@click.group()
def db() -> None:
    """Look after the database's schema."""


@db.command()
def upgrade() -> int:
    """Bring the schema up to this release. The embedded database is upgraded by itself."""
    return run(_upgrade(settings_in_force()))


async def _upgrade(settings: "Settings") -> int:
    from bot.app.database import database_options
    from storage.server.database import open_database
    from storage.server.migrate import current_revision, require_schema
    from storage.server.schema_check import require_whole

    async with open_database(database_options(settings)) as database:
        before = await current_revision(database.sessions)
        await require_schema(database.sessions, upgrade=True)
        after = await current_revision(database.sessions)
        await require_whole(database.sessions)
    say(f"The schema is at {after}" + (" already." if before == after else f"; it was {before or 'empty'}."))
    return 0


@db.command()
@json_option
def current(*, as_json: bool) -> int:
    """Show the schema's revision and the one that this release needs."""
    return run(_current(settings_in_force(), as_json=as_json))


async def _current(settings: "Settings", *, as_json: bool) -> int:
    from bot.app.database import database_options
    from storage.server.database import open_database
    from storage.server.migrate import current_revision
    from storage.tables import REVISION

    async with open_database(database_options(settings)) as database:
        found = await current_revision(database.engine)
    if as_json:
        print_json({"current": found, "needed": REVISION})
    else:
        say(f"{found or 'empty'} (this release needs {REVISION})")
    return 0 if found == REVISION else 1
