"""The listener for operators: whether the process lives, whether it can do its work, and whether what the index holds
is as fresh as the settings want it."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from aiohttp import web

from bot.app.product import Product
from bot.app.readiness import Check, Readiness
from bot.app.scheduled_jobs import permission_warnings, triggers_of
from bot.app.serving import ServingProcess
from bot.http_listener import health, http_listener
from config.chat import ServeSettings
from domain.errors import KbError
from storage.index.sources import SourceState

if TYPE_CHECKING:
    from indexer.scheduling.triggers import Trigger

IF_TAKEN = (
    "set KB_AGENT_OPS_PORT: each process on a machine takes a port of its own; 0 takes a free one, which is printed;"
    " an empty value switches this listener off."
)

OVERDUE = timedelta(seconds=30)
"""Seconds after its deadline in which a question may still end before it counts as overdue."""

PLATFORM_KEPT, FRESHNESS_KEPT = 60.0, 30.0
"""Seconds for which the result of the login and freshness checks is kept, since each costs requests."""


GRACE = timedelta(hours=12)
"""For so long after it was due, content is still fresh: a night's reading takes its time, and may wait for a window."""


def readiness_of(service: "ServingProcess") -> Readiness:
    """What has to be in order for a process that serves."""
    product = service.product
    condition = product.storage.health()

    async def database() -> list[str]:
        await condition.ping()
        return []

    async def schema() -> list[str]:
        wrong = await condition.schema_problem()
        return [wrong] if wrong else []

    async def connection() -> list[str]:
        return [words for each in service.listeners if (words := await each.trouble())]

    checks = {
        "database": Check(database),
        "schema": Check(schema),
        "queue": Check(lambda: _queue(service)),
        "login": Check(lambda: _login(service), PLATFORM_KEPT),
        "connection": Check(connection),
        "freshness": Check(lambda: freshness_problems(product), FRESHNESS_KEPT),
    }
    return Readiness(checks, lambda words: product.masker.mask(words).text)


async def _queue(service: "ServingProcess") -> list[str]:
    lost = timedelta(seconds=service.product.settings.serve.worker_lost)
    found = await service.product.storage.health().queue_health(service.platforms, lost=lost, grace=OVERDUE)
    troubles = []
    if not found.workers:
        troubles.append("No worker has given a sign of life lately")
    if found.overdue:
        troubles.append(f"{found.overdue} of {found.open} open questions are past their deadline")
    return troubles


async def _login(service: "ServingProcess") -> list[str]:
    """Platforms that refuse our login."""
    troubles = []
    for each in service.opened:
        try:
            await each.check()
        except KbError as error:
            troubles.append(f"{each.name}: {error.what}")
    return troubles


@asynccontextmanager
async def operations_listener(serve: "ServeSettings", readiness: Readiness) -> AsyncIterator[str]:
    """Inside, `/healthz` and `/readyz` are answered; gives what listens where, in words, empty where nothing does.

    Raises:
        Misconfigured: the address cannot be listened on.
    """
    if serve.ops_host is None or serve.ops_port is None:
        yield ""
        return

    async def ready(_request: "web.Request") -> "web.StreamResponse":
        found = await readiness.as_json()
        return web.json_response(found, status=200 if found["ready"] else 503)

    pages = {"/healthz": health, "/readyz": ready}
    async with http_listener(serve.ops_host, serve.ops_port, {}, pages=pages, if_taken=IF_TAKEN) as address:
        yield f"operations at {address}/readyz"


async def freshness_problems(product: "Product") -> list[str]:
    """What is not fresh, in words that name sources and nothing of what is in them. Raises Transient."""
    storage, settings = product.storage, product.settings
    if await storage.version("live") is None:
        return ["Nothing is indexed yet: kb index PATH_OR_URL"]
    states, now = await storage.sources.states(), await storage.scheduled_runs().now()
    trigger = triggers_of(settings).get("content") if settings.schedule.schedule else None
    return [*permission_warnings(states, now, settings.access), *overdue_content(states, trigger, now)]


def overdue_content(states: Sequence[SourceState], trigger: "Trigger | None", now: datetime) -> list[str]:
    """The sources that were not read to their end although that was due. trigger: of reading all content."""
    from indexer.scheduling.triggers import next_due

    found = []
    for each in states:
        done, name = each.last_done_at, each.source.name
        if done is None and each.last_run_state not in {None, "running"}:
            found.append(f"The content of {name} was never read to its end. See: kb runs")
        elif done and trigger and next_due(trigger, done).due_at + GRACE < now:
            found.append(f"The content of {name} was read to its end last at {done:%Y-%m-%d %H:%M} UTC. See: kb runs")
    return found
