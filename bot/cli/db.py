"""`kb db`: the database's schema."""

import click

from bot.cli.options import json_option, with_settings
from bot.terminal.output import print_result, say
from config.settings import Settings


@click.group()
def db() -> None:
    """Look after the database's schema."""


@db.command()
@with_settings
async def upgrade(settings: Settings) -> int:
    """Bring the schema up to this release, and grant the application's role what it needs. The embedded database is
    upgraded by itself."""
    from bot.app.database import database_options
    from storage.server.app_role import require_grants
    from storage.server.database import open_database
    from storage.server.migrate import current_revision, require_schema
    from storage.server.schema_check import require_whole

    async with open_database(database_options(settings)) as database:
        before = database.revision
        await require_schema(database.sessions, before, upgrade=True)
        if database.app_role is not None:
            await require_grants(database.owner, database.app_role, give=True)
        after = await current_revision(database.owner)
        await require_whole(database.owner)
    say(f"The schema is at {after}" + (" already." if before == after else f"; it was {before or 'empty'}."))
    return 0


@db.command()
@json_option
@with_settings
async def current(settings: Settings, *, as_json: bool) -> int:
    """Show the schema's revision and the one that this release needs."""
    from bot.app.database import database_options
    from storage.revision import REVISION
    from storage.server.database import open_database

    async with open_database(database_options(settings)) as database:
        found = database.revision
    text = f"{found or 'empty'} (this release needs {REVISION})"
    print_result({"current": found, "needed": REVISION}, text, as_json=as_json)
    return 0 if found == REVISION else 1
