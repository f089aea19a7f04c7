"""Webhooks of sources: signed hints that a document be read again. Polling stays the truth: what is not
hinted at, or whose hint is lost, the schedule takes in."""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from aiohttp import web

from bot.app.indexing import index_source
from bot.app.product import Product
from bot.conversation.actions import INDEX_QUEUE
from bot.http_listener import Handler, body_of
from config.settings import Settings
from domain.errors import KbError, Refused, Transient
from domain.job_ports import JobQueue
from domain.log_context import WAITING
from indexer.sources.kind import WebhookFormat
from indexer.sources.registry import source_kinds
from indexer.sources.webhooks import delivery_id, signed
from storage.index.sources import Source

if TYPE_CHECKING:
    from indexer.run.dependencies import RunOptions

log = logging.getLogger(__name__)

PATH = "/webhooks/{source}"
REFETCH = "refetch"
"""The task of a job that reads one document."""

SOURCES_KEPT = 5.0
"""Seconds for which the configured sources are remembered: who has not signed costs no query."""

MAX_HINTS = 200
"""So many documents of a source wait to be read at most. Beyond, one job asks for all that changed."""

QUIET, LONGEST_BURST = 2.0, 30.0
"""Seconds without a further hint after which a burst is over, and after which it is read in any case."""

AFTER_ALL_ELSE = -1
"""The priority of hints: what is on the schedule, or asked for by people, comes first."""

DELIVERIES = 2_000
"""So many deliveries are remembered."""


@dataclass(frozen=True, slots=True)
class SignedSource:
    """A source that takes webhooks."""

    source: Source
    format: WebhookFormat
    secret: str
    """What its deliveries are signed with."""


def signed_sources(sources: list[Source], settings: "Settings") -> dict[str, SignedSource]:
    """The sources, by name, that were added with a secret that is in the environment."""
    found = {}
    for each in sources:
        kind, variable = source_kinds().get(each.kind), str(each.options.get("webhook_secret_env") or "")
        secret = settings.secrets.get(variable) if variable else None
        if kind and kind.webhook and secret is not None and secret.reveal():
            found[each.name] = SignedSource(each, kind.webhook, secret.reveal())
    return found


@dataclass(eq=False)
class Webhooks:
    """Takes deliveries.

    hooks: the sources that take any now. jobs: where the work is put. clock: seconds.
    """

    hooks: Callable[[], Awaitable[Mapping[str, SignedSource]]]
    jobs: JobQueue
    clock: Callable[[], float] = time.monotonic
    _hooks: Mapping[str, SignedSource] = field(default_factory=dict, init=False)
    _read_at: float | None = field(default=None, init=False)
    _seen: OrderedDict[str, None] = field(default_factory=OrderedDict, init=False)

    async def handle(self, request: web.Request) -> web.Response:
        """Answers a delivery, always with an empty body: 202 when it is taken, also for one that was taken before; 401
        when it is not signed, or there is no such source; 413 and 415 for bodies that are too large or packed, 400 for
        what cannot be read, 503 while the database is away."""
        body = await body_of(request)
        if isinstance(body, int):
            return web.Response(status=body)
        try:
            status = await self.taken(request.match_info["source"], body, request.headers)
        except Refused:
            status = 400
        except Transient as error:
            log.warning("A webhook could not be taken: %s", error.what, extra=WAITING)
            status = 503
        return web.Response(status=status)

    async def taken(self, name: str, body: bytes, headers: Mapping[str, str]) -> int:
        """The status that answers a delivery; its work is queued. Raises Refused and Transient."""
        hook = (await self._current()).get(name)
        # the same work for a source that there is not
        if not signed(hook.secret if hook else "", headers.get("X-Hub-Signature"), body) or hook is None:
            return 401
        delivery = f"{name} {delivery_id(headers.get(hook.format.delivery_header), body)}"
        if delivery in self._seen:
            return 202
        for external_id in hook.format.changed(body):
            await self._queue(name, external_id)
        self._seen[delivery] = None
        while len(self._seen) > DELIVERIES:
            self._seen.popitem(last=False)
        return 202

    async def _queue(self, source: str, external_id: str) -> None:
        """Puts the reading of a document into the queue; where many wait already, the reading of all that changes from
        now on, once."""
        lock_key = _lock_key(source)
        if await self.jobs.count_waiting(REFETCH, lock_key=lock_key) < MAX_HINTS:
            arguments, unique_key = {"source": source, "name": external_id}, f"{REFETCH}:{source}:{external_id}"
        else:
            arguments, unique_key = {"source": source, "since": datetime.now(UTC).isoformat()}, f"{REFETCH}:{source}"
        priority = AFTER_ALL_ELSE
        await self.jobs.put(
            REFETCH, arguments, queue=INDEX_QUEUE, lock_key=lock_key, unique_key=unique_key, priority=priority
        )

    async def _current(self) -> Mapping[str, SignedSource]:
        now = self.clock()
        if self._read_at is None or now - self._read_at > SOURCES_KEPT:
            self._hooks, self._read_at = await self.hooks(), now
        return self._hooks


def webhook_handlers(product: "Product") -> dict[str, Handler]:
    """What the listener serves of them, by path."""

    async def hooks() -> Mapping[str, SignedSource]:
        return signed_sources(await product.storage.sources.all_sources(), product.settings)

    return {PATH: Webhooks(hooks, product.storage.job_queue()).handle}


async def gather_burst(
    jobs: JobQueue, arguments: Mapping[str, object], sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
) -> list[Mapping[str, object]]:
    """The hints of one burst, of which the first brought `arguments`: all that wait once no more of them come."""
    lock_key, waited, before = _lock_key(str(arguments.get("source", ""))), 0.0, -1
    while waited < LONGEST_BURST and (now := await jobs.count_waiting(REFETCH, lock_key=lock_key)) != before:
        before, waited = now, waited + QUIET
        await sleep(QUIET)
    return [arguments, *await jobs.take_waiting(REFETCH, lock_key=lock_key)]


async def refetch(product: "Product", arguments: Mapping[str, object]) -> None:
    """Does the work of a burst of hints: reads these documents, and what changed since a time, and whom that admits.
    What cannot be done is left to the schedule."""
    name = str(arguments.get("source", ""))
    try:
        hints = await gather_burst(product.storage.job_queue(), arguments)
        source = await product.storage.sources.get(name)
    except KbError as error:
        log.warning("Hints of %s were not followed: %s", name, error.what)
        return
    for options in runs_of(hints):
        try:
            await index_source(product, source, product.writer, options, lambda _step: None, hinted=True)
        except KbError as error:  # the other run is made all the same
            log.warning("Hints of %s were not followed: %s", name, error.what)


async def refetch_died(arguments: Mapping[str, object]) -> None:
    """Says in the log that hints are not followed because workers died of it; the schedule reads what they named."""
    log.error(
        "Hints of %s were given up: %s", arguments.get("source", ""), "each attempt ended the process that was at it"
    )


def runs_of(hints: Sequence[Mapping[str, object]]) -> "list[RunOptions]":
    """The runs for a burst of hints: one over the documents that they name, which may have changed long before, and one
    over all that changed since the earliest moment that one of them gives."""
    from indexer.run.dependencies import RunOptions

    names = tuple(dict.fromkeys(str(each["name"]) for each in hints if each.get("name")))
    times = [datetime.fromisoformat(str(each["since"])) for each in hints if each.get("since")]
    runs = [RunOptions(names=names)] if names else []
    return [*runs, RunOptions(since=min(times))] if times else runs


def _lock_key(source: str) -> str:
    return f"source:{source}"
