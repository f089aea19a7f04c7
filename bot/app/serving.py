"""The part of the composition root that serves people: settings and an open product in, a running service out."""

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from importlib import import_module
from types import MappingProxyType
from typing import Any, Literal

from bot.app.answering import admins_of
from bot.app.configured_platforms import configured_platforms
from bot.app.digest import run_digest
from bot.app.housekeeping import close_abandoned, remove_what_is_too_old
from bot.app.indexing import index_source
from bot.app.platforms import Listener, OpenPlatform, PlatformDependencies
from bot.app.product import Product
from bot.app.recurring import run_periodically
from bot.app.run_reports import counts
from bot.app.scheduled_jobs import run_part
from bot.app.searching import source_summaries
from bot.app.shared_indexing import INDEX_BATCH, work_on_batch
from bot.app.webhooks import REFETCH, refetch, refetch_died, webhook_handlers
from bot.conversation.actions import ALL_SOURCES, BATCH_QUEUE, INDEX_QUEUE, PERMISSIONS_QUEUE, ConversationActions
from bot.conversation.answer_job import ConversationOptions
from bot.conversation.background_tasks import BackgroundTasks
from bot.conversation.chat_platform import ChatPlatform
from bot.conversation.corrections import ReplyCorrector
from bot.conversation.owner_questions import OwnerQuestions
from bot.conversation.service import ConversationService
from bot.http_listener import http_listener
from config.chat import ServeSettings
from config.schedule import AlertChannel
from config.settings import Settings
from domain.access import lowered
from domain.cancellation import MAX_WAIT_SECONDS, cancel_and_wait, cancellable_sleep
from domain.conversation import Platform, QuestionLimits
from domain.errors import KbError, Misconfigured, Transient
from domain.job_ports import MAX_WORKER_DEATHS, JobHandler, WorkerOptions
from domain.log_context import WAITING
from domain.masking import Masker
from domain.schedule import DIGEST, POSTPONED_AT_MOST, POSTPONED_FOR, SCHEDULED_TASK, SourceTaskKey
from storage.index.runs import SourceBusy

log = logging.getLogger(__name__)

LEFT_OVER_SECONDS = 10.0
"""For so much longer than a lost worker, a question is waited for that is in nobody's hands: who accepted it may still
wait for the platform to show a status message, which takes a request's whole time at worst."""

CLOSE_SECONDS, PRUNE_SECONDS = 60.0, 3600.0

CORRECT_BEATS = 4
"""Signs of life between two looks for posted answers that are to be corrected: 20 seconds, by default."""

DIED = f"each of {MAX_WORKER_DEATHS} attempts ended the process that was at it"
"""Why work is not begun again, for whom it concerns."""

AGAIN_SECONDS = 2.0
"""Before work is taken up again after the database was away."""


def longest_work(serve: ServeSettings) -> float:
    """Seconds that work may take to end. Closing what it used comes on top, MAX_WAIT_SECONDS for each thing."""
    return serve.shutdown_seconds + 4 * MAX_WAIT_SECONDS


@dataclass(frozen=True, slots=True)
class ServingProcess:
    """The service for conversations with all its parts. listeners: of the platforms that are listened to now."""

    product: Product
    opened: Sequence[OpenPlatform]
    conversations: ConversationService
    actions: ConversationActions
    listeners: list[Listener] = field(default_factory=list)

    @property
    def platforms(self) -> tuple[Platform, ...]:
        """The names of the platforms that are open."""
        return tuple(each.name for each in self.opened)

    @property
    def leaving(self) -> float:
        """Seconds that work may take to end."""
        return longest_work(self.product.settings.serve)

    async def work(self, takes: Literal["all", "questions", "indexing"]) -> None:
        """Answers what is queued for these platforms, reads sources when asked to, or does both, until it is cancelled.
        The database may go away and come back."""
        kinds = {"questions": self._answering, "indexing": self._reading}
        working = [each for name, works in kinds.items() if takes in {"all", name} for each in works()]
        workers = [asyncio.create_task(each) for each in working]
        try:
            await asyncio.wait(workers, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await cancel_and_wait(*workers, again=self.leaving, limit=self.leaving)  # each finishes what it is at
        for each in workers:
            if each.done() and not each.cancelled():
                each.result()  # it ended with an error

    def _answering(self) -> list[Coroutine[Any, Any, None]]:
        concurrency = max(1, self.product.settings.serve.worker_concurrency)

        async def answer(arguments: Mapping[str, object]) -> None:
            await self.conversations.answer(int(str(arguments["number"])))

        async def working(platform: Platform) -> None:
            # it takes a second or two to import, for which the first asker should not wait
            await asyncio.to_thread(import_module, "agent.answer_graph")
            await self._worker((platform,), {"answer": answer}, concurrency)

        # one that does not take our replies keeps nobody waiting but its own people
        return [working(platform) for platform in self.platforms]

    def _reading(self) -> list[Coroutine[Any, Any, None]]:
        # one source at a time a process, beside the questions: a night's reading must not take all of their places;
        # and beside it the permissions of one, which must not wait for the end of the night
        scheduled: dict[str, JobHandler] = {SCHEDULED_TASK: self._run_scheduled}
        readers = scheduled | {"reindex": self._reindex, REFETCH: partial(refetch, self.product)}
        ends = {SCHEDULED_TASK: self._fail_scheduled, "reindex": self._report_dead_reindex, REFETCH: refetch_died}
        working = [
            self._worker((INDEX_QUEUE,), readers, 1, ends),
            self._worker((PERMISSIONS_QUEUE,), scheduled, 1, ends),
        ]
        if self.product.settings.index.index_shared:
            batches: dict[str, JobHandler] = {INDEX_BATCH: partial(work_on_batch, self.product)}
            working.append(self._worker((BATCH_QUEUE,), batches, 1))
        return working

    async def _run_scheduled(self, arguments: Mapping[str, object]) -> None:
        channel = self.product.settings.schedule.digest_channel
        if arguments["job"] == DIGEST and channel is not None:
            await run_digest(self.product, self.opened, channel, arguments)
        else:
            await run_part(self.product, arguments)

    async def _fail_scheduled(self, arguments: Mapping[str, object]) -> None:
        """Records that a task of a scheduled run is given up; alerts tell it."""
        key = SourceTaskKey.from_arguments(arguments)
        log.error("%s of %s was given up for %s: %s", key.source, key.run, key.job, DIED)
        await self.product.storage.scheduled_runs().finish_task(key, "failed", DIED)

    async def _report_dead_reindex(self, arguments: Mapping[str, object]) -> None:
        source = str(arguments["source"])
        log.error("Reading %s again was given up: %s", source, DIED)
        await self._tell(arguments, f"{source}: {DIED}")

    async def _worker(
        self,
        queues: tuple[str, ...],
        tasks: Mapping[str, JobHandler],
        concurrency: int,
        dead_letter_handlers: Mapping[str, JobHandler] = MappingProxyType({}),
    ) -> None:
        settings = self.product.settings.serve
        options = WorkerOptions(
            queues=queues,
            concurrency=concurrency,
            heartbeat=settings.worker_heartbeat,
            lost=settings.worker_lost,
            grace=settings.shutdown_seconds,
        )
        while True:
            try:
                await self.product.storage.job_queue().run_worker(tasks, options, dead_letter_handlers)
            except Transient as error:
                log.warning("Work stopped: %s (%s)", error.what, error.why, extra=WAITING)
                await cancellable_sleep(AGAIN_SECONDS)

    async def run_forever(self) -> None:
        """Takes up what was left over, closes index runs of killed processes, corrects posted answers, and removes what
        is too old, until it is cancelled."""
        beat, storage = self.product.settings.serve.worker_heartbeat, self.product.storage
        prune = partial(remove_what_is_too_old, storage, self.product.settings)
        others = [
            asyncio.create_task(run_periodically("Housekeeping waits", storage.runs.close_lost, CLOSE_SECONDS)),
            asyncio.create_task(run_periodically("Corrections wait", self._corrector().run, CORRECT_BEATS * beat)),
            asyncio.create_task(run_periodically("Housekeeping waits", prune, PRUNE_SECONDS)),
            asyncio.create_task(self._close_abandoned()),
        ]
        try:
            await run_periodically("Housekeeping waits", self._take_up, beat)
        finally:
            await cancel_and_wait(*others)

    async def _close_abandoned(self, *, after: float = CLOSE_SECONDS) -> None:
        await cancellable_sleep(after)  # workers that begin with us tell askers first that it is too late
        close = partial(close_abandoned, self.product.storage.ledger())
        await run_periodically("Housekeeping waits", close, PRUNE_SECONDS)

    async def _take_up(self) -> None:
        patience = timedelta(seconds=self.product.settings.serve.worker_lost + LEFT_OVER_SECONDS)
        for number in await self.product.storage.ledger().requeue_lost(list(self.platforms), patience):
            log.warning("Question %s was left over; it is taken up now", number)

    def _corrector(self) -> ReplyCorrector:
        product = self.product
        wanted = product.settings.conversation
        return ReplyCorrector(
            product.storage.corrections(),
            product.search,
            product.storage.document_catalog(),
            product.masker,
            {each.name: each.chat for each in self.opened},
            wanted.correct_replies,
            timedelta(days=wanted.correct_days),
            self.conversations.options.domains,
        )

    async def _reindex(self, arguments: Mapping[str, object]) -> None:
        from indexer.run.dependencies import RunOptions

        product, source = self.product, str(arguments["source"])
        states = await product.storage.sources.states()
        options = RunOptions(
            prune_max_share=product.settings.index.prune_max_share,
            prune_confirmed=arguments.get("prune") == "confirm",
        )
        lines = []
        wanted = [state.source for state in states if source in (ALL_SOURCES, state.source.name)]
        for each in wanted:
            try:
                report = await index_source(product, each, product.writer, options, lambda _step: None)
                lines.append(f"{each.name}: {counts(report) or 'nothing has changed'}")
            except KbError as error:
                busy = isinstance(error, SourceBusy)
                if busy and "prune" in arguments:  # what was confirmed is what is missing now, not what will be then
                    log.warning("What is missing in %s is not hidden: another process has the source", each.name)
                if not busy or "prune" in arguments or not await self._postpone_reindex(arguments, each.name):
                    lines.append(f"{each.name}: {error.what}")
        if lines or not wanted:
            await self._tell(arguments, "; ".join(lines) or f"There is no source {source} any more.")

    async def _postpone_reindex(self, arguments: Mapping[str, object], source: str) -> bool:
        """Queues the reading of a source that another process has once more; False when it has waited for long, or the
        same waits already."""
        now = datetime.now(UTC)
        until = str(arguments.get("until") or (now + POSTPONED_AT_MOST).isoformat())
        again = {**arguments, "source": source, "until": until}
        put = partial(self.product.storage.job_queue().put, queue=INDEX_QUEUE, lock_key="reindex", delay=POSTPONED_FOR)
        if datetime.fromisoformat(until) <= now or not await put("reindex", again, unique_key=f"reindex:{source}"):
            return False
        if "until" not in arguments:
            log.info("The reading of %s that was asked for waits: another process has the source", source)
        return True

    async def _tell(self, arguments: Mapping[str, object], words: str) -> None:
        for platform in self.opened:
            if platform.name == arguments.get("platform"):
                await platform.tell(arguments, self.product.masker.mask(words).text)


def conversation_options(settings: Settings) -> ConversationOptions:
    """How conversations are led, by the settings."""
    wanted, lost = settings.conversation, settings.serve.worker_lost
    return ConversationOptions(
        limits=QuestionLimits(
            user_minute=wanted.questions_user_minute,
            channel_minute=wanted.questions_channel_minute,
            user_day=wanted.questions_user_day,
            waiting=wanted.questions_waiting,
            deadline=timedelta(seconds=wanted.answer_deadline),
        ),
        domains=tuple(lowered(domain) for domain in settings.access.email_domains),
        turns=wanted.memory_turns,
        idle=timedelta(hours=wanted.memory_hours),
        poll_seconds=min(1.0, lost / 6),
        # others take over after `lost`, and what was begun to be shown before takes a moment
        progress_valid_seconds=lost / 2,
    )


@asynccontextmanager
async def open_service(product: Product, only: OpenPlatform | None = None) -> AsyncIterator[ServingProcess]:
    """Conversations on the platforms that the settings name. only: one that is open, in their place.

    Raises:
        Misconfigured: none is named, or one does not accept us. Transient: one does not answer.
    """
    settings, storage = product.settings, product.storage
    async with AsyncExitStack() as stack:
        opened = [only] if only else await _open_platforms(product, stack)
        served = [each.name for each in opened]
        if not only:  # what serves one platform alone tells no channel anything
            _check_served("KB_AGENT_ALERT_CHANNEL", settings.schedule.alert_channel, served)
            _check_served("KB_AGENT_DIGEST_CHANNEL", settings.schedule.digest_channel, served)
        chats: dict[Platform, ChatPlatform] = {each.name: each.chat for each in opened}
        ledger, memory = storage.ledger(), storage.memory()
        options = conversation_options(settings)
        conversations = ConversationService(ledger, memory, product.answers, product.masker, chats, options)
        owner_questions = OwnerQuestions(
            ledger,
            storage.answer_records(),
            storage.document_owners(),
            storage.owner_requests(),
            chats,
            product.masker,
            options.domains,
        )
        actions = ConversationActions(
            ledger,
            memory,
            storage.feedback(),
            storage.job_queue(),
            product.search,
            partial(source_summaries, storage.sources),
            product.masker,
            chats,
            rights=product.answers.rights,
            audit=storage.audit_log(),
            owner_questions=owner_questions,
            admins=admins_of(settings),
            domains=options.domains,
        )
        yield ServingProcess(product, opened, conversations, actions)


def _check_served(setting: str, channel: AlertChannel | None, served: Sequence[Platform]) -> None:
    if channel is not None and channel.platform not in served:
        raise Misconfigured(
            f"{setting} names a channel of {channel.platform}, which is not served",
            why=f"These settings serve {', '.join(served)}.",
            next_step=f"Name a channel there, or set what docs/{channel.platform}.md says.",
        )


async def _open_platforms(product: Product, stack: AsyncExitStack) -> list[OpenPlatform]:
    """The platforms that the settings name; what they keep open ends with the stack."""
    opened: list[OpenPlatform] = []
    for name in configured_platforms(product.settings):
        platform = await _open_platform(name, product)
        stack.push_async_callback(platform.close)
        opened.append(platform)
    if not opened:
        raise Misconfigured(
            "There is no chat platform to serve, and no API",
            next_step="For Slack, set KB_AGENT_SLACK_BOT_TOKEN: docs/slack.md says how to come by it in ten minutes."
            " For Microsoft Teams, set KB_AGENT_TEAMS_APP_ID and what docs/teams.md names besides. For HTTP, set"
            " KB_AGENT_API_PORT: docs/http-api.md.",
        )
    return opened


async def open_chat(name: Platform, settings: Settings, masker: Masker) -> OpenPlatform:
    """A chat platform that the settings name.

    Raises:
        Misconfigured: it does not accept us. Transient: it does not answer.
    """
    # the platforms' libraries take a second to import each: only where the platform is served
    if name == "slack":
        from bot.app.serving_slack import open_for_slack

        return await open_for_slack(settings, masker)
    from bot.app.serving_teams import open_for_teams

    return await open_for_teams(settings, masker)


async def _open_platform(name: Platform, product: Product) -> OpenPlatform:
    if name == "web":
        from bot.app.serving_web import open_for_web

        return open_for_web(product)
    return await open_chat(name, product.settings, product.masker)


@asynccontextmanager
async def listening(service: ServingProcess) -> AsyncIterator[str]:
    """Inside, the platforms' deliveries come in, and health is told over HTTP; gives what listens where, in words. On
    the way out nothing more is accepted, and what was accepted gets its status message.

    Raises:
        Misconfigured: a platform does not accept what listening takes, or the address cannot be listened on.
    """
    serve, background = service.product.settings.serve, BackgroundTasks()
    given = PlatformDependencies(
        service.conversations, service.actions, background, service.product.storage.corrections()
    )
    async with AsyncExitStack() as stack:
        stack.push_async_callback(background.finish, serve.shutdown_seconds)
        listeners = [await stack.enter_async_context(each.listening(given)) for each in service.opened]
        handlers = webhook_handlers(service.product)
        for each in listeners:
            handlers.update(each.handlers)
        address = await stack.enter_async_context(http_listener(serve.http_host, serve.http_port, handlers))
        for each in listeners:
            await stack.enter_async_context(each.connection)
        service.listeners.extend(listeners)
        stack.callback(service.listeners.clear)
        yield "; ".join([*(each.where(address) for each in listeners), f"health at {address}/health"])
