"""`kb doctor`: checks everything that the product needs."""

import asyncio
import logging
import shutil
import sys
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import TYPE_CHECKING, Any, TypeVar

import click

from bot.cli.options import json_option, open_store, with_settings
from bot.cli.schedule import alerts_text
from bot.markup.plain_text import counted, plain
from bot.terminal.output import print_json, say
from config.settings import Settings
from domain.errors import KbError

if TYPE_CHECKING:
    from domain.model_ports import Embedder
    from storage.open import Storage

log = logging.getLogger(__name__)

T = TypeVar("T")


class _Opened:
    """What several checks need: opened once, by the first of them that can."""

    def __init__(self, settings: Settings, stack: AsyncExitStack) -> None:
        self.settings = settings
        self._stack = stack
        self._known: dict[str, Any] = {}

    async def storage(self) -> "Storage":
        """Raises what open_storage raises."""
        return await self._once("storage", lambda: open_store(self.settings))

    async def embedder(self) -> "Embedder":
        """Raises what open_models raises."""
        from bot.app.embedding import open_models

        found, _counter = await self._once("models", lambda: open_models(self.settings))
        return found

    async def _once(self, what: str, opening: Callable[[], AbstractAsyncContextManager[T]]) -> T:
        if what not in self._known:
            self._known[what] = await self._stack.enter_async_context(opening())
        found: T = self._known[what]
        return found


Check = Callable[[_Opened], Awaitable[str]]


@click.command()
@json_option
@with_settings
async def doctor(settings: Settings, *, as_json: bool) -> int:
    """Check everything that the product needs, and say what to do about what is missing."""
    parsing = asyncio.create_task(_parse(settings))  # in a process of its own, beside the others
    checks: dict[str, Check] = {
        "python": _python,
        "disk": _disk,
        "database": _database,
        **({"direct connection": _direct_role} if _is_one_role_behind_a_pooler(settings) else {}),
        "row security": _row_security,
        **({"read replica": _read_replica} if settings.storage.database_read_url else {}),
        "embeddings": _embeddings,
        "language model": _language_model,
        "parser": lambda _: parsing,
        "index": _index,
        "languages": _languages,
        "alerts": _alerts,
    }
    results = []
    async with AsyncExitStack() as stack:
        opened = _Opened(settings, stack)
        for name, check in checks.items():
            results.append(await _result(name, check(opened)))
            if not as_json:
                say(f"{'ok    ' if results[-1]['ok'] else 'FAILED'} {name}: {plain(str(results[-1]['detail']))}")
    if as_json:
        print_json({"checks": results})
    return 0 if all(result["ok"] for result in results) else 1


async def _result(name: str, check: Awaitable[str]) -> dict[str, object]:
    try:
        return {"check": name, "ok": True, "detail": await check}
    except KbError as error:
        return {"check": name, "ok": False, "detail": str(error)}
    except Exception as error:  # the other checks shall have their turn
        log.exception("A check failed")
        return {"check": name, "ok": False, "detail": f"{type(error).__name__}: {error}"}


async def _python(_opened: _Opened) -> str:
    return f"{sys.version.split()[0]} on {sys.platform}"


async def _disk(opened: _Opened) -> str:
    from bot.app.database import data_dir

    folder = data_dir(opened.settings)
    there = next(each for each in (folder, *folder.parents) if each.exists())
    free = shutil.disk_usage(there).free
    if free < 500 * 2**20:
        raise KbError(f"{folder} has {free // 2**20} MB left", next_step="Free some space: 500 MB is little enough.")
    return f"{free / 2**30:.1f} GB free for {folder}"


async def _database(opened: _Opened) -> str:
    from bot.app.database import database_options
    from storage.server.schema_check import require_whole

    query = b"""
        SELECT current_setting('server_version') AS server, extversion AS vector
        FROM pg_extension WHERE extname = 'vector'
    """
    storage = await opened.storage()
    found = await storage.owner.fetch_one(query)
    await require_whole(storage.owner)
    where = database_options(opened.settings).where
    return f"PostgreSQL {found.server} ({where}), pgvector {found.vector}, schema up to date and whole"


def _is_one_role_behind_a_pooler(settings: Settings) -> bool:
    return bool(settings.storage.database_direct_url and not settings.storage.database_owner_url)


async def _direct_role(opened: _Opened) -> str:
    from storage.server.pooler import direct_role_problem

    storage = await opened.storage()
    problem = await direct_role_problem(storage.pool, storage.sessions)
    if problem:
        raise KbError(
            problem,
            why="kb db upgrade makes tables as the one, which the other may not use.",
            next_step="Name the same user in both, or the owner of the tables in KB_AGENT_DATABASE_OWNER_URL.",
        )
    return "what it makes is the application's, too"


async def _row_security(opened: _Opened) -> str:
    """Whether there is a second wall. The product works without it, so that this check fails only with an error."""
    problem = await (await opened.storage()).health().row_security_problem()
    return (
        f"{problem} (docs/deployment.md, Two roles)" if problem else "policies of the tables hold for the application"
    )


async def _read_replica(opened: _Opened) -> str:
    problem = await (await opened.storage()).health().replica_problem()
    if problem:
        raise KbError(
            f"The read replica is not searched in: {problem}",
            why="Searches go to the first server meanwhile.",
            next_step="Look after the replica, or correct or unset KB_AGENT_DATABASE_READ_URL.",
        )
    return f"follows by less than {opened.settings.storage.database_read_lag:g} s"


async def _embeddings(opened: _Opened) -> str:
    from bot.app.embedding import languages_of

    embedder = await opened.embedder()
    languages, identity = await languages_of(embedder), embedder.identity
    return f"{identity.name}, {identity.dimensions} dimensions; {languages}"


async def _language_model(opened: _Opened) -> str:
    from bot.app.model_checks import ask_language_model

    return await ask_language_model(opened.settings)


async def _parse(settings: Settings) -> str:
    from bot.app.connectors import open_parser

    async with open_parser(settings) as parser:
        parsed = await asyncio.wait_for(parser.parse(b"# Title\n\nWords.\n", "check.md"), 30)
    return f"reads files in a child process ({counted(len(parsed.blocks), 'block')} of a test page)"


async def _index(opened: _Opened) -> str:
    storage = await opened.storage()
    found = await storage.status()
    if found is None:
        return "empty; start with: kb index PATH_OR_URL"
    if opened.settings.embedding.embedding_base_url:
        from bot.app.embedding import models_of_index

        async with models_of_index(opened.settings, storage, patience=30) as (embedder, _counter):
            name = embedder.identity.name
    else:
        name = (await opened.embedder()).identity.name
    found.version.check(name)
    made = "made with the model in use"
    if not found.version.tokens().newest:
        made += "; with the words of an earlier release: kb reindex --full makes it anew"
    return f"{counted(found.documents, 'document')}, {counted(found.chunks, 'chunk')}, {made}"


async def _languages(opened: _Opened) -> str:
    """It is no fault where a language is in use that the model does not know: words are found in any."""
    from bot.app.languages_in_use import languages_in_use

    return await languages_in_use(await opened.storage(), await opened.embedder())


async def _alerts(opened: _Opened) -> str:
    from bot.app.configured_platforms import configured_platforms

    settings, wanted = opened.settings, opened.settings.schedule
    channels = {"KB_AGENT_ALERT_CHANNEL": wanted.alert_channel, "KB_AGENT_DIGEST_CHANNEL": wanted.digest_channel}
    for setting, channel in channels.items():
        if channel is None or channel.platform in configured_platforms(settings):
            continue
        raise KbError(
            f"{setting} names a channel of {channel.platform}, which is not set up",
            next_step=f"Name a channel of a platform that is, or see docs/{channel.platform}.md",
        )
    return f"what fails on the schedule is told {alerts_text(settings)}"
