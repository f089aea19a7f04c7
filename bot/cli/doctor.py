"""`kb doctor`: checks everything that the product needs."""

import asyncio
import logging
import shutil
import sys
from collections.abc import Awaitable, Callable

import click

from bot.cli.options import json_option, with_settings
from bot.cli.schedule import alerts_text
from bot.markup.plain_text import counted, plain
from bot.terminal.output import print_json, say
from config.settings import Settings
from domain.errors import KbError

log = logging.getLogger(__name__)

Check = Callable[[Settings], Awaitable[str]]


@click.command()
@json_option
@with_settings
async def doctor(settings: Settings, *, as_json: bool) -> int:
    """Check everything that the product needs, and say what to do about what is missing."""
    checks: dict[str, Check] = {
        "python": _python,
        "disk": _disk,
        "database": _database,
        "row security": _row_security,
        "model": _model,
        "parser": _parser,
        "index": _index,
        "languages": _languages,
        "alerts": _alerts,
    }
    results = []
    for name, check in checks.items():
        try:
            results.append({"check": name, "ok": True, "detail": await check(settings)})
        except KbError as error:
            results.append({"check": name, "ok": False, "detail": str(error)})
        except Exception as error:  # the other checks shall have their turn
            log.exception("A check failed")
            results.append({"check": name, "ok": False, "detail": f"{type(error).__name__}: {error}"})
        if not as_json:
            say(f"{'ok    ' if results[-1]['ok'] else 'FAILED'} {name}: {plain(str(results[-1]['detail']))}")
    if as_json:
        print_json({"checks": results})
    return 0 if all(result["ok"] for result in results) else 1


async def _python(_settings: Settings) -> str:
    return f"{sys.version.split()[0]} on {sys.platform}"


async def _disk(settings: Settings) -> str:
    from bot.app.database import data_dir

    folder = data_dir(settings)
    there = next(each for each in (folder, *folder.parents) if each.exists())
    free = shutil.disk_usage(there).free
    if free < 500 * 2**20:
        raise KbError(f"{folder} has {free // 2**20} MB left", next_step="Free some space: 500 MB is little enough.")
    return f"{free / 2**30:.1f} GB free for {folder}"


async def _database(settings: Settings) -> str:
    from sqlalchemy import text

    from bot.app.database import database_options
    from storage.open import open_storage
    from storage.server.schema_check import require_whole

    query = "SELECT current_setting('server_version'), extversion FROM pg_extension WHERE extname = 'vector'"
    options = database_options(settings)
    async with open_storage(options) as storage:
        async with storage.engine.connect() as connection:
            server, vector = (await connection.execute(text(query))).one()
        await require_whole(storage.engine)
    return f"PostgreSQL {server} ({options.where}), pgvector {vector}, schema up to date and whole"


async def _row_security(settings: Settings) -> str:
    """Whether there is a second wall. The product works without it, so that this check fails only with an error."""
    from bot.app.database import database_options
    from storage.open import open_storage

    async with open_storage(database_options(settings)) as storage:
        problem = await storage.health().row_security_problem()
    return (
        f"{problem} (docs/deployment.md, Two roles)" if problem else "policies of the tables hold for the application"
    )


async def _model(settings: Settings) -> str:
    from bot.app.embedding import languages_of, open_models

    async with open_models(settings) as (embedder, _counter):
        languages = await languages_of(embedder)
        identity = embedder.identity
    return f"{identity.name}, {identity.dimensions} dimensions; {languages}"


async def _parser(settings: Settings) -> str:
    from bot.app.connectors import open_parser

    async with open_parser(settings) as parser:
        parsed = await asyncio.wait_for(parser.parse(b"# Title\n\nWords.\n", "check.md"), 30)
    return f"reads files in a child process ({counted(len(parsed.blocks), 'block')} of a test page)"


async def _index(settings: Settings) -> str:
    from bot.app.product import open_product

    async with open_product(settings) as product:
        found = await product.storage.status()
        if found is None:
            return "empty; start with: kb index PATH_OR_URL"
        found.version.check(product.embedder.identity.name)
    return f"{counted(found.documents, 'document')}, {counted(found.chunks, 'chunk')}, made with the model in use"


async def _languages(settings: Settings) -> str:
    """It is no fault where a language is in use that the model does not know: words are found in any."""
    from bot.app.database import database_options
    from bot.app.embedding import open_models
    from bot.app.languages_in_use import languages_in_use
    from storage.open import open_storage

    async with open_storage(database_options(settings)) as storage, open_models(settings) as (embedder, _counter):
        return await languages_in_use(storage, embedder)


async def _alerts(settings: Settings) -> str:
    from bot.app.platforms import configured_platforms

    wanted = settings.schedule
    channels = {"KB_AGENT_ALERT_CHANNEL": wanted.alert_channel, "KB_AGENT_DIGEST_CHANNEL": wanted.digest_channel}
    for setting, channel in channels.items():
        if channel is None or channel.platform in configured_platforms(settings):
            continue
        raise KbError(
            f"{setting} names a channel of {channel.platform}, which is not set up",
            next_step=f"Name a channel of a platform that is, or see docs/{channel.platform}.md",
        )
    return f"what fails on the schedule is told {alerts_text(settings)}"
