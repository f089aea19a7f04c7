"""The listener for operators: whether the process lives, whether it can do its work, and its metrics."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST

from bot.app.freshness import freshness_problems
from bot.app.metrics_page import OVERDUE
from bot.app.readiness import Check, Readiness
from bot.app.serving import ServingProcess
from bot.http_listener import health, http_listener
from config.chat import ServeSettings
from domain.errors import KbError

IF_TAKEN = (
    "set KB_AGENT_OPS_PORT: each process on a machine takes a port of its own; 0 takes a free one, which is printed;"
    " an empty value switches this listener off."
)

PLATFORM_KEPT, FRESHNESS_KEPT = 60.0, 30.0
"""Seconds for which the result of the login and freshness checks is kept, since each costs requests."""


def readiness_of(service: "ServingProcess") -> Readiness:
    """What has to be in order for a process that serves."""
    product = service.product
    condition = product.storage.health()

    async def database() -> list[str]:
        await condition.ping()
        return []

    async def told(problem: Awaitable[str]) -> list[str]:
        return [words] if (words := await problem) else []

    async def connection() -> list[str]:
        return [words for each in service.listeners if (words := await each.trouble())]

    checks = {
        "database": Check(database),
        "schema": Check(lambda: told(condition.schema_problem())),
        "queue": Check(lambda: _queue(service)),
        "login": Check(lambda: _login(service), PLATFORM_KEPT),
        "connection": Check(connection),
        "freshness": Check(lambda: freshness_problems(product), FRESHNESS_KEPT),
    }
    notes = {"row_security": Check(lambda: told(condition.row_security_problem()), PLATFORM_KEPT)}
    if product.settings.storage.database_read_url is not None:
        notes["read_replica"] = Check(lambda: told(condition.replica_problem()))
    return Readiness(checks, lambda words: product.masker.mask(words).text, notes=notes)


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
    troubles = []
    for each in service.opened:
        try:
            await each.check()
        except KbError as error:
            troubles.append(f"{each.name}: {error.what}")
    return troubles


@asynccontextmanager
async def operations_listener(
    serve: "ServeSettings", readiness: Readiness, metrics: Callable[[], Awaitable[bytes]]
) -> AsyncIterator[str]:
    """Inside, `/healthz`, `/readyz` and `/metrics` are answered; gives what listens where, in words, empty where
    nothing does. metrics: gives the page of metrics.

    Raises:
        Misconfigured: the address cannot be listened on.
    """
    if serve.ops_host is None or serve.ops_port is None:
        yield ""
        return

    async def ready(_request: "web.Request") -> "web.StreamResponse":
        found = await readiness.as_json()
        return web.json_response(found, status=200 if found["ready"] else 503)

    async def measured(_request: "web.Request") -> "web.StreamResponse":
        return web.Response(body=await metrics(), headers={"Content-Type": CONTENT_TYPE_LATEST})

    pages = {"/healthz": health, "/readyz": ready, "/metrics": measured}
    async with http_listener(serve.ops_host, serve.ops_port, {}, pages=pages, if_taken=IF_TAKEN) as address:
        yield f"operations at {address}/readyz"
