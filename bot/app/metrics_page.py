"""`/metrics` of the listener for operators, in the text format of Prometheus: what this process counted
(domain.metrics, and its memory, processor time and open files), and what the database and the readiness checks say now.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from prometheus_client import REGISTRY, CollectorRegistry, Gauge, generate_latest

from bot.app.readiness import FIRST, Readiness
from bot.app.serving import ServingProcess
from domain.cancellation import TimeLimitExceeded, run_with_timeout
from domain.errors import KbError
from storage.index.sources import SourceState
from storage.server.health import QueueHealth

DATABASE_SECONDS = 3.0
"""What the database is asked for may take so long, beside the time of the readiness checks."""

Value = tuple[str, tuple[str, ...], float]
"""Of a gauge: its name, the values of its labels, and its own."""

OVERDUE = timedelta(seconds=30)
"""Seconds after its deadline in which a question may still end before it counts as overdue."""

GAUGES = {
    "kb_ready": ("1 while this readiness check is in order, else 0: see /readyz.", ["check"]),
    "kb_open_questions": ("Questions on the platforms of this process that have not ended.", []),
    "kb_overdue_questions": (
        "Questions of all platforms but the terminal that have not ended though their deadline has passed.",
        [],
    ),
    "kb_workers": ("Workers that gave a sign of life lately.", []),
    "kb_source_documents": ("Documents that a source shows.", ["source"]),
    "kb_source_last_run_ok": (
        "1 where the last run over all content of a source read all documents and waits for nobody, else 0.",
        ["source"],
    ),
    "kb_source_read_timestamp_seconds": (
        "When all content of a source was last read to its end; where never, when it was added.",
        ["source"],
    ),
    "kb_source_permissions_expire_timestamp_seconds": ("Until when the permissions of a source hold.", ["source"]),
}
"""What is asked for when the page is read: name, meaning, labels."""


async def metrics_page(service: ServingProcess, readiness: Readiness) -> bytes:
    """The page. Of a database that is away `kb_ready` tells, and what it would say is missing: it is not asked again,
    because Prometheus waits 10 seconds for the page unless it is told otherwise."""
    troubles = await readiness.troubles()
    values: list[Value] = [("kb_ready", (check,), float(not found)) for check, found in troubles.items()]
    if not troubles.get(FIRST):
        with suppress(KbError, TimeLimitExceeded):  # it went away meanwhile: the next reading tells
            values += await run_with_timeout(DATABASE_SECONDS, _of_database(service))
    now, gauges = CollectorRegistry(), dict[str, Gauge]()
    for name, labels, value in values:
        if name not in gauges:
            gauges[name] = Gauge(name, *GAUGES[name], registry=now)
        (gauges[name].labels(*labels) if labels else gauges[name]).set(value)
    return generate_latest(REGISTRY) + generate_latest(now)


async def _of_database(service: ServingProcess) -> list[Value]:
    storage = service.product.storage
    lost = timedelta(seconds=service.product.settings.serve.worker_lost)
    queue = await storage.health().queue_health(service.platforms, lost=lost, grace=OVERDUE)
    return [*_queue(queue), *_sources(await storage.sources.states())]


def _queue(found: QueueHealth) -> Iterator[Value]:
    yield "kb_open_questions", (), found.open
    yield "kb_overdue_questions", (), found.overdue_anywhere
    yield "kb_workers", (), found.workers


def _sources(states: Iterable[SourceState]) -> Iterator[Value]:
    for each in states:
        name = (each.source.name,)
        yield "kb_source_documents", name, each.documents
        if each.last_run_state not in {None, "running"}:
            yield "kb_source_last_run_ok", name, float(each.last_run_state == "done")
        if since := each.last_done_at or each.added_at:
            yield "kb_source_read_timestamp_seconds", name, _unix(since)
        if each.permissions_until:
            yield "kb_source_permissions_expire_timestamp_seconds", name, _unix(each.permissions_until)


def _unix(moment: datetime) -> float:
    return moment.astimezone(UTC).timestamp()
