"""`kb schedule`."""

import asyncio
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from bot.cli.index_runs import print_reports, run_each
from bot.cli.options import json_option, open_store, operator, with_settings
from bot.markup.plain_text import one_line
from bot.terminal.output import print_json, print_result, say, settings_in_force
from config.settings import Settings
from domain.errors import Refused

if TYPE_CHECKING:
    from domain.schedule import ScheduledRun, ScheduledRunTable
    from indexer.run.report import RunReport
    from indexer.scheduling.triggers import Trigger
    from storage.open import Storage

_Shown = dict[str, Any]  # as it is printed as JSON


@click.group(invoke_without_command=True)
@json_option
@click.pass_context
def schedule(context: click.Context, *, as_json: bool) -> int:
    """Show what kb serve and kb worker read by themselves, and when."""
    return asyncio.run(_show(settings_in_force(), as_json=as_json)) if context.invoked_subcommand is None else 0


@schedule.command(name="run")
@click.argument("name")
@click.option("--queue", "queued", is_flag=True, help="Leave the work to kb serve and kb worker, and do not wait.")
@json_option
@with_settings
async def run_now(settings: Settings, name: str, *, queued: bool, as_json: bool) -> int:
    """Do the job NAME now, here: content, permissions or prune. The job digest is left to kb serve in any case."""
    from bot.app.scheduled_jobs import job_named
    from domain.schedule import DIGEST

    if name != DIGEST:
        job_named(name)
    elif settings.schedule.digest_channel is None:
        raise Refused("No channel gets a digest", next_step="Set KB_AGENT_DIGEST_CHANNEL: see docs/gaps.md")
    return await (_queue if queued or name == DIGEST else _do)(settings, name, as_json=as_json)


async def _show(settings: Settings, *, as_json: bool) -> int:
    from bot.app.scheduled_jobs import JOBS, triggers_of

    triggers = triggers_of(settings)
    names = dict.fromkeys((*JOBS, *triggers))
    async with open_store(settings) as storage:
        table = storage.scheduled_runs()
        latest = {name: await table.latest(name) for name in names}
        now = await table.now()
    jobs = [_job(name, triggers.get(name), latest[name], now) for name in names]
    if as_json:
        channel = settings.schedule.alert_channel
        told = channel.platform if channel else None
        print_json({"takes_part": settings.schedule.schedule, "jobs": jobs, "alerts": told})
        return 0
    say("\n\n".join(_job_text(each) for each in jobs))
    say(f"\nWhat fails is told {alerts_text(settings)}.")
    if not settings.schedule.schedule:
        say("\nProcesses with these settings start none of it: KB_AGENT_SCHEDULE is false.")
    return 0


def alerts_text(settings: Settings) -> str:
    """Where operators are told what failed, in words."""
    channel = settings.schedule.alert_channel
    if channel is None:
        return "in the log alone: KB_AGENT_ALERT_CHANNEL names no channel or chat"
    return f"on {channel.platform}, where KB_AGENT_ALERT_CHANNEL says"


def _job(name: str, trigger: "Trigger | None", last: "ScheduledRun | None", now: datetime) -> _Shown:
    """All that is shown of a job, as JSON has it."""
    from domain.schedule import REGISTERED
    from indexer.scheduling.triggers import next_start

    found: _Shown = {"name": name, "cron": None, "next": None, "last": None}
    if trigger is not None:
        next_at = next_start(trigger, now, last.due_at if last else now)
        local = next_at.astimezone(trigger.zone)
        found |= {
            "cron": str(trigger.cron),
            "timezone": trigger.zone.key,
            "window": str(trigger.window) if trigger.window else None,
            "next": {"local": local.isoformat(timespec="minutes"), "utc": f"{next_at:%Y-%m-%dT%H:%MZ}"},
        }
    if last is not None and last.name != REGISTERED:
        found["last"] = _last(last)
    return found


def _last(row: "ScheduledRun") -> _Shown:
    seconds = (row.finished_at - (row.started_at or row.claimed_at)).total_seconds() if row.finished_at else None
    return {
        "tick": row.name,
        "due_at": row.due_at,
        "taken_at": row.claimed_at,
        "state": row.state,
        "seconds": None if seconds is None else round(seconds, 1),
        "sources": {name: {"state": task.state, "detail": task.summary} for name, task in row.progress.tasks.items()},
    }


def _job_text(job: _Shown) -> str:
    following, last = job["next"], job["last"]
    if following is None:
        head = [f"{job['name']}: off"]
    else:
        window = f", within {job['window']}" if job["window"] else ""
        head = [
            f"{job['name']}: {job['cron']} ({job['timezone']}{window})",
            f"  next: {following['local']} ({following['utc']})",
        ]
    return "\n".join([*head, *(_last_lines(last) if last else ["  last: never"])])


def _last_lines(last: _Shown) -> list[str]:
    took = "" if last["seconds"] is None else f" in {last['seconds']} s"
    lines = [f"  last: {last['tick']} {last['state']}{took}"]
    for name, part in last["sources"].items():
        detail = f": {one_line(part['detail'])}" if part["detail"] else ""
        lines.append(f"    {one_line(name)}: {part['state']}{detail}")
    return lines


async def _queue(settings: Settings, name: str, *, as_json: bool) -> int:
    from bot.app.asked_runs import queue_run

    async with open_store(settings) as storage:
        run, names = await queue_run(storage, name, operator())
    text = f"Queued for kb serve or kb worker: {name} of {', '.join(map(one_line, names))}. See: kb schedule"
    print_result({"job": name, "tick": run, "sources": names}, text, as_json=as_json)
    return 0


async def _do(settings: Settings, name: str, *, as_json: bool) -> int:
    from bot.app.asked_runs import claimed, note_run
    from bot.app.gated_runs import run_unless_worse
    from bot.app.indexing import kind_of, open_to_index
    from bot.app.scheduled_jobs import job_named, record_part, source_names
    from bot.terminal.progress import progress_bar
    from domain.schedule import SourceTaskKey

    async def read(storage: "Storage") -> list[str]:
        return await source_names(storage.sources, name)

    kind = kind_of(job_named(name).options(settings))
    async with open_to_index(settings, read, kind, actor=operator()) as product:
        names = await read(product.storage)
        table = product.storage.scheduled_runs()
        run = await claimed(table, name, names, queue="")
        await note_run(product.storage, name, run, operator())
        options = job_named(name).options(settings)

        async def read_one(source: str) -> "RunReport | None":
            async def work() -> "RunReport":
                found = await product.storage.sources.get(source)
                with progress_bar(source, quiet=as_json) as show:
                    return await run_unless_worse(product, found, options, show)

            return await record_part(product, SourceTaskKey(name, run, source), work)

        try:
            reports, errors = await run_each(names, read_one)
        finally:  # Ctrl-C: nobody else goes on with it. What has ended stays as it is.
            await asyncio.shield(_close(table, name, run, names))
    return print_reports(reports, errors, as_json=as_json)


async def _close(table: "ScheduledRunTable", job: str, run: str, names: list[str]) -> None:
    from domain.schedule import SourceTaskKey

    for name in names:
        await table.finish_task(SourceTaskKey(job, run, name), "failed", "it was interrupted")
