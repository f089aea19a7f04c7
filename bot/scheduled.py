"""What is done by itself at certain times, wired: the jobs, when they are due, and the work of one on one source."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from bot.atlassian import KINDS
from bot.conversation.desk import INDEX_QUEUE, PERMISSIONS_QUEUE
from bot.main import Product
from config.schedule import ScheduleSettings
from config.settings import AccessSettings, Settings
from domain.cron import Cron
from domain.errors import KbError, Refused
from domain.schedule import PERMISSIONS, Ended, PartKey
from domain.tasks import pause
from storage.sources import SourceState, SourceTable

if TYPE_CHECKING:  # APScheduler and the pipeline take a second to import, which no other command should wait for
    from indexer.pipeline import RunOptions
    from indexer.report import RunReport
    from indexer.schedule import Trigger

log = logging.getLogger(__name__)

WARN_SECONDS = 900.0
"""How often old permissions are warned of."""


@dataclass(frozen=True, slots=True)
class Job:
    """One line of the schedule. cron: when; None: never. options: how a source is read. windowed: whether it starts in
    the window alone. kinds: of the sources that it is about; empty: of any."""

    cron: Callable[[ScheduleSettings], Cron | None]
    options: Callable[[Settings], "RunOptions"]
    windowed: bool = True
    kinds: tuple[str, ...] = ()


def plain_pass(settings: Settings) -> "RunOptions":
    """A pass that takes in what changed, and hides and removes what a complete listing does not show."""
    from indexer.pipeline import RunOptions

    return RunOptions(prune_max_share=settings.index.prune_max_share)


def permissions_pass(settings: Settings) -> "RunOptions":
    """A pass that reads anew whom documents admit, and hides those that are missing."""
    from indexer.pipeline import RunOptions

    return RunOptions(permissions=True, prune_max_share=settings.index.prune_max_share)


JOBS: Mapping[str, Job] = {
    "content": Job(lambda wanted: wanted.schedule_content, plain_pass),
    PERMISSIONS: Job(lambda wanted: wanted.schedule_permissions, permissions_pass, windowed=False, kinds=KINDS),
    "prune": Job(lambda wanted: wanted.schedule_prune, plain_pass),
}
"""All of the schedule, in the order in which jobs that are due at one moment are taken."""


def job_named(name: str) -> Job:
    """A job. Raises Refused for another name."""
    if name not in JOBS:
        raise Refused(f"There is no job {name}", next_step=f"There are: {', '.join(JOBS)}")
    return JOBS[name]


def queue_of(job: str) -> str:
    """The queue of a job's work."""
    return PERMISSIONS_QUEUE if job == PERMISSIONS else INDEX_QUEUE


def triggers_of(settings: Settings) -> "dict[str, Trigger]":
    """When the jobs are due that are not turned off, by name."""
    from indexer.schedule import Trigger

    wanted = settings.schedule
    zone = wanted.schedule_timezone.zone if wanted.schedule_timezone else ZoneInfo("UTC")
    return {
        name: Trigger(cron, zone, wanted.schedule_window if job.windowed else None)
        for name, job in JOBS.items()
        if (cron := job.cron(wanted))
    }


async def source_names(sources: SourceTable, job: str) -> list[str]:
    """What the work of a job is about."""
    kinds = job_named(job).kinds
    return [each.source.name for each in await sources.states() if not kinds or each.source.kind in kinds]


async def keep_schedule(product: Product) -> None:
    """Takes what is due and queues its work, and warns of permissions that are too old, until it is cancelled. Any
    number of processes may do so."""
    from indexer.ticking import Ticker

    async def sources(job: str) -> list[str]:
        return await source_names(product.storage.sources, job)

    ticker = Ticker(triggers_of(product.settings), product.storage.ticks(), sources, queue_of)
    async with asyncio.TaskGroup() as group:
        group.create_task(ticker.keep())
        group.create_task(_keep_warning(product))


async def _keep_warning(product: Product) -> None:
    while True:
        try:
            now, limits = await product.storage.ticks().now(), product.settings.access
            for words in too_old(await product.storage.sources.states(), now, limits):
                log.warning(words)
        except KbError as error:
            log.warning("How old permissions are cannot be told: %s", error.what)
        await pause(WARN_SECONDS)


def too_old(states: Sequence[SourceState], now: datetime, limits: AccessSettings) -> list[str]:
    """What an operator should know of sources whose permissions were read longer ago than `acl_alert_age` says."""
    found = []
    for each in states:
        read_at, name = each.permissions_at, each.source.name
        if each.source.kind not in KINDS or (each.documents == 0 and read_at is None):
            continue
        if read_at is None:
            found.append(f"The permissions of {name} were never read: nobody finds anything of it. See: kb runs")
        elif (hours := (now - read_at).total_seconds() / 3600) > limits.acl_alert_age:
            until = each.permissions_until
            then = (
                "nobody finds anything of it"
                if until is None or until <= now
                else f"from {limits.acl_max_age:g} h on nobody finds anything of it"
            )
            found.append(f"The permissions of {name} are {hours:.1f} h old: {then}. See: kb schedule")
    return found


async def read_scheduled(product: Product, arguments: Mapping[str, object]) -> None:
    """Does the work of a tick on one source; see domain.schedule.TASK. What it cannot do is recorded."""
    from bot.indexing import run_pass

    key = PartKey(*(str(arguments[name]) for name in PartKey._fields))

    async def read() -> "RunReport":
        source = await product.storage.sources.get(key.source)
        options = job_named(key.job).options(product.settings)
        return await run_pass(product, source, product.writer, options, lambda _step: None)

    try:
        await recorded(product, key, read)
    except KbError as error:
        log.warning("%s of %s was not read for %s: %s", key.source, key.tick, key.job, error.what)


async def recorded(product: Product, key: PartKey, read: "Callable[[], Awaitable[RunReport]]") -> "RunReport | None":
    """The report of `read`, which is recorded with the tick; None, and nothing is read, when that was done already.

    Raises what `read` raises; a worker that is stopped leaves the work to another one.
    """
    from bot.indexing import reason_of

    table = product.storage.ticks()

    async def ended(state: Ended, said: str) -> None:
        await table.ended(key, state, product.masker.mask(said).text)

    if not await table.began(key):
        return None
    try:
        report = await read()
    except Exception as error:
        await ended("failed", reason_of(error))
        raise
    await ended(*outcome(report))
    return report


def outcome(report: "RunReport") -> tuple[Ended, str]:
    """How a part ended, and what is said of it: numbers, and no document's name. What was not read has to be looked
    at."""
    from bot.terminal.reports import counts, remark

    said = "; ".join(filter(None, (remark(report), counts(report)))) or "nothing has changed"
    return "attention" if report.outcome == "done" and report.failed else report.outcome, said
