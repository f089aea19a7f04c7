"""How the index, its sources and its runs are, in the values of the page. No document is named."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from bot.app.freshness import freshness_problems
from bot.app.permission_age import permission_age
from bot.app.product import Product
from bot.app.run_reports import counts
from bot.app.scheduled_jobs import JOBS, triggers_of
from bot.web.administering_models import ProgressBody, RunBody
from bot.web.operating_models import IndexCard, NextRun, Overview, RunNote, SourceCard, VersionCard
from domain.schedule import DIGEST
from indexer.run.report import RunReport
from indexer.scheduling.triggers import next_start
from indexer.sources.registry import states_permissions
from storage.index.runs import RunRecord
from storage.index.sources import SourceState
from storage.index.unpublished_copy import UnpublishedCopy
from storage.index.versions import IndexVersion


async def overview(product: Product, runs: Sequence[RunBody]) -> Overview:
    """All of it. runs: the latest ones."""
    storage, now = product.storage, await product.storage.scheduled_runs().now()
    states = await storage.sources.states()
    last = {each.last_run_id: await storage.runs.get(each.last_run_id) for each in states if each.last_run_id}
    planned = await _planned(product, now)
    rights = any(states_permissions(each.source.kind) for each in states)
    return Overview(
        index=await _index(product),
        sources=tuple(_source(product, each, last.get(each.last_run_id or 0), planned, now) for each in states),
        runs=tuple(runs),
        jobs=tuple(name for name, job in JOBS.items() if rights or not job.of_permissions),
        takes_part=product.settings.schedule.schedule,
        problems=tuple(await freshness_problems(product)),
    )


async def _planned(product: Product, now: datetime) -> dict[str, NextRun]:
    """When each job of the schedule starts next that reads sources."""
    table, found = product.storage.scheduled_runs(), {}
    for name, trigger in triggers_of(product.settings).items():
        if name != DIGEST:
            last = await table.latest(name)
            at = next_start(trigger, now, last.due_at if last else now)
            window = f", within {trigger.window}" if trigger.window else ""
            found[name] = NextRun(job=name, at=at, why=f"{trigger.cron} ({trigger.zone.key}{window})")
    return found


async def _index(product: Product) -> IndexCard | None:
    storage = product.storage
    status = await storage.status()
    if status is None:
        return None
    golden = await storage.golden_results().load(status.version.version_id)
    return IndexCard(
        live=_version(status.version),
        documents=status.documents,
        chunks=status.chunks,
        database_bytes=status.size,
        previous=_version(status.previous) if status.previous else None,
        held=_version(held) if (held := await UnpublishedCopy(storage.engine, storage.owner).version()) else None,
        golden_asked=len(golden.passed),
        golden_failing=sum(not each for each in golden.passed.values()),
        golden_at=golden.at,
    )


def _version(version: IndexVersion) -> VersionCard:
    return VersionCard(number=version.version_id, embedder=version.embedder)


def _source(
    product: Product, state: SourceState, last: RunRecord | None, planned: Mapping[str, NextRun], now: datetime
) -> SourceCard:
    report = RunReport.from_json(last.report) if last else RunReport("")
    states_rights = states_permissions(state.source.kind)
    takes_part = product.settings.schedule.schedule
    return SourceCard.of(
        state,
        name=state.source.name,
        kind=state.source.kind,
        state=state.last_run_state or "",
        ended_at=state.last_finished_at,
        done_at=state.last_done_at,
        reason=last.reason if last else "",
        held_back=report.held_back,
        permissions=_permissions(product, state, now) if states_rights else "",
        next_runs=tuple(
            each for name, each in planned.items() if takes_part and (states_rights or not JOBS[name].of_permissions)
        ),
    )


def _permissions(product: Product, state: SourceState, now: datetime) -> str:
    age = permission_age(state, product.settings.access, now)
    if age.hours is None:
        return "hidden: never read"
    return f"{age.state}: read {age.hours:.1f} h ago"


def run_body(record: RunRecord) -> RunBody:
    """A run, without names of documents."""
    return RunBody.of(
        record,
        id=record.run_id,
        counts=counts(RunReport.from_json(record.report)),
        progress=ProgressBody.model_validate(record.progress) if record.progress and not record.finished_at else None,
    )


def run_note(record: RunRecord) -> RunNote:
    """All about a run that names no document."""
    report = RunReport.from_json(record.report)
    stages = dict(sorted(report.stages.items(), key=lambda stage: -stage[1]))
    return RunNote.of(report, run=run_body(record), stages=stages)
