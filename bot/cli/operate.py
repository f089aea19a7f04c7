"""`kb runs`, `kb db` and `kb doctor`: for whoever keeps the product running."""

import asyncio
import logging
import shutil
import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import click

from bot.cli.findings import accounts
from bot.cli.options import json_option, run
from bot.terminal.output import print_json, say, settings_in_force
from bot.terminal.plain import counted, one_line, plain
from domain.errors import KbError

if TYPE_CHECKING:
    from config.settings import Settings
    from storage.runs import Run

log = logging.getLogger(__name__)


@click.command()
@click.argument("run_id", type=int, required=False, metavar="[ID]")
@click.option("--all", "everything", is_flag=True, help="Those of webhooks, too, which read single documents.")
@json_option
def runs(run_id: int | None, *, everything: bool, as_json: bool) -> int:
    """Show the latest index runs, or all about the run ID."""
    return run(_runs(settings_in_force(), run_id, everything=everything, as_json=as_json))


async def _runs(settings: "Settings", run_id: int | None, *, everything: bool, as_json: bool) -> int:
    from bot.main import database_options
    from bot.terminal.reports import manifest_text
    from indexer.report import RunReport
    from storage.open import open_storage
    from storage.runs import KINDS

    kinds = [kind for kind in KINDS if everything or kind != "hint"]
    async with open_storage(database_options(settings)) as storage:
        found = await storage.runs.latest(kinds=kinds) if run_id is None else [await storage.runs.get(run_id)]
        known = accounts([state.source for state in await storage.sources.states()])
    known += [str(each.report["embedder"]) for each in found if each.report.get("embedder")]
    if as_json:
        print_json({"runs": [_run_json(each) for each in found]}, known=known)
        return 0
    for each in found:
        say(_run_line(each), known=known)
    if run_id is not None and found[0].report:
        say(manifest_text(RunReport.from_json(found[0].report)), known=known)
    if not found:
        say("There was no run yet.")
    return 0


def _run_json(each: "Run") -> dict[str, object]:
    return {
        "id": each.run_id,
        "source": each.source,
        "kind": each.kind,
        "state": each.state,
        "reason": each.reason,
        "started_at": each.started_at.isoformat(),
        "finished_at": each.finished_at.isoformat() if each.finished_at else None,
        "report": dict(each.report),
    }


def _run_line(each: "Run") -> str:
    from bot.terminal.reports import counts
    from indexer.report import RunReport

    of_kind = "" if each.kind == "content" else f" ({each.kind})"
    line = (
        f"{each.run_id:>5}  {each.started_at:%Y-%m-%d %H:%M:%S} UTC  {each.state:<11}  {one_line(each.source)}{of_kind}"
    )
    done = "; ".join(filter(None, (one_line(each.reason), counts(RunReport.from_json(each.report)))))
    return f"{line}: {done}" if done else line


@click.group()
def db() -> None:
    """Look after the database's schema."""


@db.command()
def upgrade() -> int:
    """Bring the schema up to this release. The embedded database is upgraded by itself."""
    return run(_upgrade(settings_in_force()))


async def _upgrade(settings: "Settings") -> int:
    from bot.main import database_options
    from storage.database import open_database
    from storage.migrate import current_revision, require_schema
    from storage.schema import require_whole

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
    from bot.main import database_options
    from storage.database import open_database
    from storage.migrate import current_revision
    from storage.tables import REVISION

    async with open_database(database_options(settings)) as database:
        found = await current_revision(database.engine)
    if as_json:
        print_json({"current": found, "needed": REVISION})
    else:
        say(f"{found or 'empty'} (this release needs {REVISION})")
    return 0 if found == REVISION else 1


Check = Callable[["Settings"], Awaitable[str]]


@click.command()
@json_option
def doctor(*, as_json: bool) -> int:
    """Check everything that the product needs, and say what to do about what is missing."""
    return run(_doctor(settings_in_force(), as_json=as_json))


async def _doctor(settings: "Settings", *, as_json: bool) -> int:
    checks: dict[str, Check] = {
        "python": _python,
        "disk": _disk,
        "database": _database,
        "model": _model,
        "parser": _parser,
        "index": _index,
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


async def _python(_settings: "Settings") -> str:
    return f"{sys.version.split()[0]} on {sys.platform}"


async def _disk(settings: "Settings") -> str:
    from bot.main import data_dir

    folder = data_dir(settings)
    there = next(each for each in (folder, *folder.parents) if each.exists())
    free = shutil.disk_usage(there).free
    if free < 500 * 2**20:
        raise KbError(f"{folder} has {free // 2**20} MB left", next_step="Free some space: 500 MB is little enough.")
    return f"{free / 2**30:.1f} GB free for {folder}"


async def _database(settings: "Settings") -> str:
    from sqlalchemy import text

    from bot.main import database_options
    from storage.open import open_storage
    from storage.schema import require_whole

    query = "SELECT current_setting('server_version'), extversion FROM pg_extension WHERE extname = 'vector'"
    options = database_options(settings)
    async with open_storage(options) as storage:
        async with storage.engine.connect() as connection:
            server, vector = (await connection.execute(text(query))).one()
        await require_whole(storage.engine)
    return f"PostgreSQL {server} ({options.where}), pgvector {vector}, schema up to date and whole"


async def _model(settings: "Settings") -> str:
    from bot.main import open_models

    async with open_models(settings) as (embedder, _counter):
        await embedder.embed(["Is anybody there?"])
        identity = embedder.identity
    return f"{identity.name}, {identity.dimensions} dimensions"


async def _parser(settings: "Settings") -> str:
    from bot.main import open_parser

    async with open_parser(settings) as parser:
        parsed = await asyncio.wait_for(parser.parse(b"# Title\n\nWords.\n", "check.md"), 30)
    return f"reads files in a child process ({counted(len(parsed.blocks), 'block')} of a test page)"


async def _index(settings: "Settings") -> str:
    from bot.main import open_product

    async with open_product(settings) as product:
        found = await product.storage.status()
        if found is None:
            return "empty; start with: kb index PATH_OR_URL"
        found.version.check(product.embedder.identity.name)
    return f"{counted(found.documents, 'document')}, {counted(found.chunks, 'chunk')}, made with the model in use"


async def _alerts(settings: "Settings") -> str:
    from bot.cli.schedule import alerts_text
    from bot.serving_teams import named

    channel = settings.schedule.alert_channel
    served = {"slack": settings.slack.slack_bot_token is not None, "teams": named(settings.teams)}
    if channel is not None and not served[channel.platform]:
        raise KbError(
            f"KB_AGENT_ALERT_CHANNEL names a channel of {channel.platform}, which is not set up",
            next_step=f"Name a channel of a platform that is, or see docs/{channel.platform}.md",
        )
    return f"what fails on the schedule is told {alerts_text(settings)}"
