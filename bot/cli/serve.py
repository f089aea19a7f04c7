"""`kb serve` and `kb worker`, and how a process runs that serves or works until it is asked to end."""

import asyncio
import logging
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

import click

from bot.app.logs import is_log_json, write_log_as
from bot.cli.options import with_settings
from bot.terminal.output import say
from config.settings import Settings

if TYPE_CHECKING:
    from bot.app.serving import ServingProcess

log = logging.getLogger(__name__)


@click.command()
@with_settings
async def serve(settings: Settings) -> int:
    """Answer people on Slack, in Microsoft Teams and over HTTP, until it is asked to end.

    Settings say where and how: docs/slack.md, docs/teams.md, docs/http-api.md. Questions are answered by this process
    too, unless worker_concurrency is 0. What an operator should see goes to standard error; with kb -v serve, more.
    """
    return await _run_service(settings, listens=True)


@click.command()
@with_settings
async def worker(settings: Settings) -> int:
    """Answer questions that kb serve accepted, and read sources. Run as many as you like, on any machine with the same
    settings. KB_AGENT_WORKER_TAKES says whether one takes questions alone, or indexing alone.

    Processes on one machine differ in one of them, KB_AGENT_OPS_PORT: each answers /healthz and /readyz at its own.
    """
    return await _run_service(settings, listens=False)


async def _run_service(settings: Settings, *, listens: bool) -> int:
    """Works on questions until the process is asked to end; gives its exit code. listens: to the platforms, too."""
    from bot.app.health_endpoints import operations_listener, readiness_of
    from bot.app.metrics_page import metrics_page
    from bot.app.product import open_product
    from bot.app.serving import open_service
    from domain.cancellation import MAX_WAIT_SECONDS, cancel_and_wait

    root = logging.getLogger()
    root.setLevel(min(root.level, logging.WARNING))  # nobody looks at a command that runs for months
    # lines for each question and each index run, and where the process is
    for name in ("bot.conversation.question_log", "bot.app.indexing", __name__):
        logging.getLogger(name).setLevel(logging.INFO)
    write_log_as(settings.serve.log_format)
    name = "kb serve" if listens else "kb worker"
    async with (
        open_product(settings, supervised=True, application=name) as product,
        open_service(product) as service,
    ):
        readiness = readiness_of(service)
        metrics = partial(metrics_page, service, readiness)
        async with operations_listener(settings.serve, readiness, metrics) as operations:
            tasks = _started(service, works=not listens or settings.serve.worker_concurrency > 0)
            try:
                async with _heard(service, listens=listens) as where:
                    readiness.phase = "serving"
                    _tell(f"{'; '.join(filter(None, (where, operations)))}. Ctrl-C ends.")
                    await until(ended_when_asked(), tasks)
                    readiness.phase = "ending"
                    _tell("Ending: what runs is finished first.")
                    # no work is begun any more, while what listens ends, too. Told so twice, a worker would not wait
                    for task in (each for each in tasks if not each.cancelling()):
                        task.cancel()
            finally:
                await cancel_and_wait(*tasks, again=service.leaving, limit=service.leaving + MAX_WAIT_SECONDS)
    return 0


def _tell(words: str) -> None:
    """Says where the process is, on standard error: in the log, where that is read by a program."""
    if is_log_json():
        log.info(words)
    else:
        say(words, err=True)


@asynccontextmanager
async def _heard(service: "ServingProcess", *, listens: bool) -> AsyncIterator[str]:
    """Inside, the platforms are listened to, if `listens`; gives a description of what this process does."""
    from bot.app.serving import listening

    if not listens:
        takes = service.product.settings.serve.worker_takes
        works_on = {"all": "questions and sources", "questions": "questions alone", "indexing": "sources alone"}
        yield f"Working on {works_on[takes]}"
        return
    async with listening(service) as where:
        yield f"Serving: {where}"


def ended_when_asked() -> asyncio.Event:
    """Set by Ctrl-C, or when the system asks the process to end. Until it is called, either stops at once what is being
    opened."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for each in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(each, ended.set)
    return ended


def _started(service: "ServingProcess", *, works: bool) -> list["asyncio.Task[None]"]:
    from bot.app.alerts import run_alerting
    from bot.app.answer_scoring import run_scoring
    from bot.app.scheduled_jobs import run_scheduler

    work = [service.work(service.product.settings.serve.worker_takes)] if works else []
    wanted = service.product.settings.schedule
    schedule = [run_scheduler(service.product)] if wanted.schedule else []
    alerts = [run_alerting(service, wanted.alert_channel)] if wanted.alert_channel else []
    scoring = run_scoring(service.product.storage.answer_records())
    return [asyncio.create_task(each) for each in (*work, *schedule, *alerts, scoring, service.run_forever())]


async def until(ended: asyncio.Event, tasks: list["asyncio.Task[None]"]) -> None:
    """Waits for the end, or for a task that fails: then raises what it raised."""
    waiting = asyncio.create_task(ended.wait())
    done, _ = await asyncio.wait({waiting, *tasks}, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    for task in done - {waiting}:
        task.result()
