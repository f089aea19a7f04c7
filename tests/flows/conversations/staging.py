"""The whole product in this process, between local servers, overheard."""

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from agent.service import AnswerService
from bot.app.answering import open_answers
from bot.app.indexing import index_source
from bot.app.product import Product, open_product
from bot.app.serving import ServingProcess, listening, open_service
from config.load import load
from domain.cancellation import cancel_and_wait
from indexer.run.dependencies import RunOptions
from storage.search.knowledge_search import PostgresSearch
from tests.command import PATIENCE, database_url, rows
from tests.fakes.embedder import HashEmbedder
from tests.fakes.model_server import ModelServer
from tests.fakes.slack import LocalSlack, local_slack
from tests.fakes.teams import LocalTeams, local_teams
from tests.fakes.teams_keys import TeamsKeys, teams_keys
from tests.flows.conversations.chats import Chat, Conversations, SlackChat, TeamsChat
from tests.flows.conversations.founding import Sites, address
from tests.flows.conversations.greedy_model import GreedyModel
from tests.flows.conversations.outlets import (
    Kept,
    Readers,
    look_at_metrics,
    look_at_model,
    look_at_rows,
    look_at_slack,
    look_at_spans,
    look_at_teams,
)
from tests.flows.conversations.over_http import STRANGERS
from tests.flows.conversations.overheard import (
    PRODUCT,
    Ear,
    OverheardAnswers,
    OverheardLog,
    OverheardPort,
    OverheardStorage,
    Swap,
    without_swap,
)
from tests.flows.slack.conftest import slack_env
from tests.flows.slack.talk import model_env
from tests.flows.teams.conftest import teams_env
from tests.flows.teams.talk import Post

OPEN = """
SELECT (SELECT count(*) FROM questions WHERE ended_at IS NULL)
     + (SELECT count(*) FROM procrastinate_jobs WHERE status IN ('todo', 'doing') AND queue_name <> 'index')
"""
CORRECTING = "SELECT count(*) FROM posted_replies WHERE claimed_until IS NOT NULL AND NOT fixed"
SPANS = InMemorySpanExporter()


@dataclass
class Platforms:
    """Both, on this machine."""

    slack: LocalSlack
    teams: LocalTeams
    keys: TeamsKeys

    @property
    def settings(self) -> dict[str, str]:
        """Settings that point the product to them."""
        return {**slack_env(self.slack), **teams_env(self.teams, self.keys)}


@contextmanager
def both_platforms() -> Iterator[Platforms]:
    """Slack and Teams."""
    with local_slack() as slack, local_teams() as teams, teams_keys() as keys:
        teams.unlimited()
        yield Platforms(slack, teams, keys)


def settings_of(platforms: Platforms, sites: Sites, data_dir: Path, model: ModelServer | None) -> dict[str, str]:
    """All settings, with their prefix."""
    wanted = {
        **platforms.settings,
        **(model_env(model) if model else {}),
        "DATA_DIR": str(data_dir),
        "OTEL": "true",
        "ANSWER_MIN_RELEVANCE": "0.12",
        "EMAIL_DOMAINS": "example.com",
        "READ_FOLDERS": "",
        "QUESTIONS_USER_MINUTE": "10000",
        "QUESTIONS_CHANNEL_MINUTE": "10000",
        "QUESTIONS_USER_DAY": "100000",
        "QUESTIONS_WAITING": "10000",
        "MODEL_CACHE_ENTRIES": "1000",
        "ADMINS": "ada@example.com",
        "API_PORT": "0",
        "API_MCP": "true",
        "API_REQUESTS_MINUTE": "100000",
        "OIDC_ISSUER": "https://issuer.example",  # nobody goes there: who is signed in here was so before
        "OIDC_CLIENT_ID": "kb",
    }
    given = {f"KB_AGENT_{name}": value for name, value in wanted.items() if value}
    return {**given, "SERVICE_TOKEN": sites.at.service.secret}


@dataclass
class Stage:
    """The product while it serves both platforms, and HTTP at `web`. url: of its database. seed: of what people do."""

    product: Product
    service: ServingProcess
    platforms: Platforms
    sites: Sites
    ear: Ear
    url: str
    seed: int
    model: ModelServer | None
    marks: dict[str, frozenset[str]]
    conversations: Conversations
    readers: dict[str, Readers]
    kept_for: Kept
    web: str

    async def settled(self) -> None:
        """Waits until nothing is left to be done."""
        if not await self._none(OPEN):
            left = rows(self.url, "SELECT * FROM questions WHERE ended_at IS NULL")
            raise AssertionError(f"something is left: {left}")

    async def _none(self, counted: str) -> bool:
        for _ in range(round(PATIENCE / 0.02)):
            await asyncio.sleep(0.02)
            if await asyncio.to_thread(rows, self.url, counted) == [(0,)]:
                return True
        return False

    async def act(self, count: int) -> None:
        """So many things are done, then all of it is waited for."""
        for _ in range(count):
            await asyncio.to_thread(self.conversations.act)
        await self.settled()

    async def indexed(self, *names: str) -> None:
        """Reads sources again, all where none is named."""
        for each in self.sites.sources():
            if not names or each.name in names:
                await self.product.storage.sources.replace(each)
                await index_source(self.product, each, self.product.writer, RunOptions(), lambda _step: None)

    async def corrected(self) -> None:
        """Waits until posted answers were looked through, also by the service, which does so when it hears of a change
        by itself."""
        corrector = self.service._corrector()
        for _ in range(3):
            await corrector.run()
            assert await self._none(CORRECTING), "a correction does not end"
        await self.settled()

    async def joined(self, person: str) -> None:
        """Somebody comes into every room; they see what was said there before, for which nobody can be blamed. What
        left until now must have been looked at."""
        for chat, readers in self.conversations.chats:
            for place in sorted(readers.rooms):
                if person not in readers.rooms[place]:
                    await asyncio.to_thread(chat.join, place, person)
        await self._look()
        self.ear.passed()

    async def leaks(self) -> list[str]:
        """All that its readers may not read, of what left since the last look."""
        found = await self._look()
        return found + self.ear.leaks()

    async def _look(self) -> list[str]:
        look_at_slack(self.platforms.slack, self.readers["slack"], self.ear)
        look_at_teams(self.platforms.teams, self.readers["teams"], self.ear)
        look_at_rows(self.url, self.readers, self.kept_for, self.ear)
        await look_at_metrics(self.service, self.ear)
        look_at_spans(SPANS, self.ear)
        if self.model is None:
            return []
        alone = look_at_model(self.model, self.marks, self.ear)
        return [f"request to check sentences: {word}" for word in alone]


@asynccontextmanager
async def staged(
    sites: Sites,
    platforms: Platforms,
    data_dir: Path,
    database: str,
    *,
    seed: int,
    model: ModelServer | None = None,
    live: bool = True,
    swap: Swap = without_swap,
) -> AsyncIterator[Stage]:
    """Inside, the product serves. model: gets a greedy one. live: whether anybody asks for what is read at its source.
    swap: a fault, see OverheardPort."""
    _collect_spans()
    marks: dict[str, frozenset[str]] = {}
    names = sites.names() if live else []
    if model is not None:
        model.rules[:] = [GreedyModel(sites.company.papers, names, random.Random(seed))]
    ear = Ear(sites.company)
    settings = load(settings_of(platforms, sites, data_dir, model), sites.folder)
    async with AsyncExitStack() as stack:
        product = await stack.enter_async_context(open_product(settings, database=database, model=HashEmbedder()))
        overheard = OverheardStorage(product.storage, ear, swap)
        answers = await stack.enter_async_context(
            open_answers(settings, overheard.as_storage, product.embedder, product.masker)
        )
        product = replace(
            product,
            answers=cast("AnswerService", OverheardAnswers(answers, ear, marks if model else None)),
            search=cast("PostgresSearch", OverheardPort(product.search, ear, swap)),
        )
        service = await stack.enter_async_context(open_service(product))
        where = await stack.enter_async_context(listening(service))
        tasks = [asyncio.create_task(service.work("all")), asyncio.create_task(service.run_forever())]
        stack.push_async_callback(cancel_and_wait, *tasks, again=30.0, limit=60.0)
        post = Post(where.rpartition("health at ")[2].removesuffix("/health"), platforms.teams, platforms.keys)
        alone = {**{address(each): each for each in sites.company.people}, **STRANGERS}
        readers = {"slack": Readers(), "teams": Readers(), "web": Readers(people=dict(alone))}
        on_slack, on_teams = SlackChat(platforms.slack, readers["slack"]), TeamsChat(post, readers["teams"], ear)
        on_slack.found(sites.company)
        on_teams.found(sites.company)
        chats: list[tuple[Chat, Readers]] = [(on_slack, readers["slack"]), (on_teams, readers["teams"])]
        conversations = Conversations(sites.company, chats, random.Random(seed), names)
        stack.enter_context(_overheard_log(ear))
        url = database_url(data_dir, database)
        yield Stage(
            *(product, service, platforms, sites, ear, url, seed, model, marks, conversations, readers),
            kept_for=overheard.kept_for,
            web=where.partition("API at ")[2].partition("/api/")[0],
        )


def _collect_spans() -> None:
    provider = trace.get_tracer_provider()
    if not isinstance(provider, TracerProvider):
        provider = TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(SPANS))
        trace.set_tracer_provider(provider)
    SPANS.clear()


@contextmanager
def _overheard_log(ear: Ear) -> Iterator[None]:
    handler, root = OverheardLog(ear), logging.getLogger()
    wanted = {root: logging.INFO} | {logging.getLogger(name): logging.DEBUG for name in PRODUCT}
    before = {each: each.level for each in wanted}
    root.addHandler(handler)
    try:
        for each, level in wanted.items():
            each.setLevel(level)
        yield
    finally:
        for each, level in before.items():
            each.setLevel(level)
        root.removeHandler(handler)


async def founded(sites: Sites, data_dir: Path, database: str) -> None:
    """Reads all sources of the made company into a database."""
    settings = load({"KB_AGENT_DATA_DIR": str(data_dir), "SERVICE_TOKEN": sites.at.service.secret}, sites.folder)
    async with open_product(settings, database=database, model=HashEmbedder()) as product:
        for each in sites.sources():
            await product.storage.sources.add(each)
            report = await index_source(product, each, product.writer, RunOptions(), lambda _step: None)
            assert report.complete, report
            assert not (*report.failed, *report.skipped, *report.unreadable), report
