"""What is done by itself at certain times, wired: the jobs, when they are due, and the work of one on one source."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from bot.app.gated_runs import run_unless_worse
from bot.app.golden_questions import failing_after_run
from bot.app.indexing import reason_of
from bot.app.product import Product
from bot.app.run_reports import counts, remark
from bot.conversation.actions import INDEX_QUEUE, PERMISSIONS_QUEUE
from config.schedule import ScheduleSettings
from config.settings import AccessSettings, Settings
from domain.cancellation import cancellable_sleep
from domain.cron import Cron
from domain.errors import KbError, Refused
from domain.schedule import DIGEST, PERMISSIONS, SourceTaskKey, SourceTaskResult
from indexer.run.report import RunReport
from indexer.sources.registry import states_permissions
from storage.index.runs import SourceBusy
from storage.index.sources import SourceState, SourceTable

if TYPE_CHECKING:  # APScheduler and the pipeline take a second to import, which no other command should wait for
    from indexer.run.dependencies import RunOptions
    from indexer.scheduling.triggers import Trigger

log = logging.getLogger(__name__)

WARN_SECONDS = 900.0
"""How often old permissions are warned of."""


@dataclass(frozen=True, slots=True)
class ScheduledJob:
    """One line of the schedule."""

    cron: Callable[[ScheduleSettings], Cron | None]
    """When; None: never."""
    windowed: bool = True
    """Whether it starts in the window alone."""
    of_permissions: bool = False
    """Whether it reads permissions alone, and those sources alone that state them."""

    def options(self, settings: Settings) -> "RunOptions":
        """How a source is read. In any case, what a complete listing does not show is hidden; what changed is taken in,
        or whom documents admit is read anew."""
        from indexer.run.dependencies import RunOptions

        return RunOptions(permissions=self.of_permissions, prune_max_share=settings.index.prune_max_share)


JOBS: Mapping[str, ScheduledJob] = {
    "content": ScheduledJob(lambda wanted: wanted.schedule_content),
    PERMISSIONS: ScheduledJob(lambda wanted: wanted.schedule_permissions, windowed=False, of_permissions=True),
    "prune": ScheduledJob(lambda wanted: wanted.schedule_prune),
}
"""All of the schedule, in the order in which jobs that are due at one moment are taken."""


def job_named(name: str) -> ScheduledJob:
    """A job. Raises Refused for another name."""
    if name not in JOBS:
        raise Refused(f"There is no job {name}", next_step=f"There are: {', '.join(JOBS)}")
    return JOBS[name]


def queue_of(job: str) -> str:
    """The queue of a job's work."""
    return PERMISSIONS_QUEUE if job == PERMISSIONS else INDEX_QUEUE


def triggers_of(settings: Settings) -> "dict[str, Trigger]":
    """When the jobs are due that are not turned off, by name."""
    from indexer.scheduling.triggers import Trigger

    wanted = settings.schedule
    zone = wanted.schedule_timezone.zone if wanted.schedule_timezone else ZoneInfo("UTC")
    found = {
        name: Trigger(cron, zone, wanted.schedule_window if job.windowed else None)
        for name, job in JOBS.items()
        if (cron := job.cron(wanted))
    }
    if wanted.digest_channel and wanted.schedule_digest:
        found[DIGEST] = Trigger(wanted.schedule_digest, zone)
    return found


async def source_names(sources: SourceTable, job: str) -> list[str]:
    """What the work of a job is about."""
    if job == DIGEST:
        return [DIGEST]
    every = not job_named(job).of_permissions
    return [each.source.name for each in await sources.states() if every or states_permissions(each.source.kind)]


async def run_scheduler(product: Product) -> None:
    """Takes what is due and queues its work, and warns of permissions that are too old, until it is cancelled. Any
    number of processes may do so."""
    from indexer.scheduling.scheduler import Scheduler

    async def sources(job: str) -> list[str]:
        return await source_names(product.storage.sources, job)

    ticker = Scheduler(triggers_of(product.settings), product.storage.scheduled_runs(), sources, queue_of)
    async with asyncio.TaskGroup() as group:
        group.create_task(ticker.run_forever())
        group.create_task(_run_warnings(product))


async def _run_warnings(product: Product) -> None:
    while True:
        try:
            now, limits = await product.storage.scheduled_runs().now(), product.settings.access
            for words in permission_warnings(await product.storage.sources.states(), now, limits).values():
                log.warning(words)
        except KbError as error:
            log.warning("How old permissions are cannot be told: %s", error.what)
        await cancellable_sleep(WARN_SECONDS)


def permission_warnings(states: Sequence[SourceState], now: datetime, limits: AccessSettings) -> dict[str, str]:
    """What an operator should know of sources whose permissions are older than `acl_alert_age` says, by their names."""
    found = {}
    for each in states:
        read_at, name = each.permissions_at, each.source.name
        if not states_permissions(each.source.kind) or (each.documents == 0 and read_at is None):
            continue
        if read_at is None:
            found[name] = f"The permissions of {name} were never read: nobody finds anything of it. See: kb runs"
        elif (hours := (now - read_at).total_seconds() / 3600) > limits.acl_alert_age:
            until = each.permissions_until
            then = (
                "nobody finds anything of it"
                if until is None or until <= now
                else f"from {limits.acl_max_age:g} h on nobody finds anything of it"
            )
            found[name] = f"The permissions of {name} are {hours:.1f} h old: {then}. See: kb schedule"
    return found


async def run_part(product: Product, arguments: Mapping[str, object]) -> None:
    """Does the task of a scheduled run for one source; see domain.schedule. What it cannot do is recorded."""
    key = SourceTaskKey.from_arguments(arguments)

    async def read() -> "RunReport":
        source = await product.storage.sources.get(key.source)
        options = job_named(key.job).options(product.settings)
        return await run_unless_worse(product, source, options, lambda _step: None)

    try:
        await record_part(product, key, read)
    except KbError as error:
        log.warning("%s of %s was not read for %s: %s", key.source, key.run, key.job, error.what)


async def _ask_golden(product: Product, source: str) -> None:
    """Says in the log which golden questions a run has made worse; an alert tells it, too (bot.app.alerts)."""
    try:
        for question in await failing_after_run(product):
            log.error("Since the run over %s, a golden question fails: %s", source, question.question)
    except KbError as error:
        log.warning("The golden questions were not asked after the run over %s: %s", source, error.what)


async def record_part(
    product: Product, key: SourceTaskKey, read: "Callable[[], Awaitable[RunReport]]"
) -> "RunReport | None":
    """The report of `read`, recorded with the scheduled run; None, and nothing is read, when that was done already, or
    when another process has the source and the task was put back into the queue: that process may have been taken for
    dead while it had the task.

    Raises what `read` raises; a worker that is stopped leaves the work to another one.
    """
    table = product.storage.scheduled_runs()

    if not await table.start_task(key):
        return None
    try:
        report = await read()
    except Exception as error:
        why = product.masker.mask(reason_of(error)).text
        if isinstance(error, SourceBusy) and await table.postpone_task(key, why):
            log.info("%s of %s waits for %s: %s", key.source, key.run, key.job, error.what)
            return None
        await table.finish_task(key, "failed", why)
        raise
    result, said = part_outcome(report)
    await table.finish_task(key, result, product.masker.mask(said).text)
    if not job_named(key.job).of_permissions:
        await _ask_golden(product, key.source)
    return report


def part_outcome(report: "RunReport") -> tuple[SourceTaskResult, str]:
    """How a task ended, and what is said of it: numbers, and no document's name."""
    said = "; ".join(filter(None, (remark(report), counts(report)))) or "nothing has changed"
    return report.outcome, said
