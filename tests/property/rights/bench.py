"""The product over a small company's Confluence and Jira, and what each reader gets of it."""

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, get_args
from uuid import uuid4

from sqlalchemy import text

from agent.options import AgentOptions
from agent.rights import RightsCheck
from agent.state import ToolRequest
from agent.tools.base import ToolContext
from agent.tools.registry import ToolSources, tools
from agent.tools.toolbox import Toolbox, ToolOutcome
from bot.app.connectors import open_live
from bot.app.indexing import index_source
from bot.app.product import Product, open_product
from config.load import load
from domain.access import Scope
from domain.answers import Turn
from domain.conversation import Audience, ConversationPlace, Identity, Participant, RecordedOutcome, scope_of
from domain.errors import KbError
from domain.search import Filters, Passage
from indexer.run.dependencies import RunOptions
from indexer.run.report import RunReport
from storage.index.sources import Source
from tests.contract.conversations import Conversations, in_postgresql, incoming
from tests.fakes.atlassian import Fault, LocalAtlassian, local_atlassian
from tests.fakes.embedder import HashEmbedder
from tests.flows.atlassian.company_sync import DESK, WIKI, sources
from tests.property.rights.company import SmallCompany, found_small
from tests.property.rights.oracle import STAFF

T = TypeVar("T")
EMPTY = "TRUNCATE questions, turns, feedback, procrastinate_jobs, procrastinate_events RESTART IDENTITY CASCADE"
PEOPLE = ("ann", "ben", "cat", "dan", "eve")
GUEST = "guest"
"""Somebody of another organisation, with the address of one of ours."""
PLACES: tuple[Audience, ...] = get_args(Audience)
MANY = 100
"""More than there are documents."""


@dataclass(frozen=True)
class Reader:
    """Who asks, and who reads along."""

    person: str
    place: Audience

    @property
    def address(self) -> str:
        """What the chat platform says of the person."""
        return f"{PEOPLE[-1] if self.person == GUEST else self.person}.lee@example.com"

    @property
    def scope(self) -> Scope:
        """As the bot makes it."""
        return scope_of(Identity(self.address, self.person != GUEST, self.person), self.place, ("example.com",))

    @property
    def participant(self) -> Participant:
        """On the platform."""
        return Participant("slack", self.person)

    @property
    def conversation(self) -> ConversationPlace:
        """A private chat, or a channel for each audience."""
        private = self.place == "asker"
        return ConversationPlace("slack", "T1", f"D{self.person}" if private else f"C{self.place}", private=private)


class Bench:
    """Keeps the product open from one example to the next. Each begins with another company, read once."""

    def __init__(self, data_dir: Path, folder: Path, database: str, **settings: str) -> None:
        self._runner = asyncio.Runner()
        self._open, self._example = AsyncExitStack(), AsyncExitStack()
        environ = {"KB_AGENT_DATA_DIR": str(data_dir), "SERVICE_TOKEN": "service-token", **settings}
        environ |= {"KB_AGENT_ATLASSIAN_PATIENCE": "10", "KB_AGENT_INDEX_PROPOSITIONS": "true"}
        opening = open_product(load(environ, folder), database=database, model=HashEmbedder())
        self.product: Product = self.run(self._open.enter_async_context(opening))
        self.conversations: Conversations = in_postgresql(self.product.storage)
        self.at: LocalAtlassian
        self.company: SmallCompany
        self.sources: dict[str, Source] = {}
        self.tools: ToolSources

    def run(self, work: Awaitable[T]) -> T:
        """Waits for it."""

        async def do() -> T:
            return await work

        return self._runner.run(do())

    def close(self) -> None:
        """Ends everything."""
        self.run(self._example.aclose())
        self.run(self._open.aclose())
        self._runner.close()

    async def begin(self) -> None:
        """Another company in place of the one before: with Confluence Data Center, which tells of spaces that are open
        to anybody and has groups within groups, and Jira Cloud, which tells who is in a security level."""
        await self._example.aclose()
        self.at = self._example.enter_context(local_atlassian())
        self.company = found_small(self.at.world, self.at.bot)
        self.at.admit()
        storage = self.product.storage
        async with storage.engine.begin() as connection:
            await connection.execute(text(EMPTY))
        for each in (sources(self.at, "datacenter")[0], sources(self.at, "cloud")[1]):
            configured = Source(each.name, each.kind, {**each.options, "organisation_groups": [STAFF]})
            if each.name in self.sources:
                await storage.sources.remove(each.name)
            await storage.sources.add(configured)
            self.sources[each.name] = configured
        self.live = await self._example.enter_async_context(open_live(self.product.settings, storage))
        self.tools = ToolSources(
            self.product.search,
            self.product.retriever,
            self.product.embedder,
            storage.document_catalog(),
            storage.grep(),
            storage.propositions(self.product.embedder.identity),
            self.product.graph,
            live=self.live,
            access=tuple(self.live.values()),
        )

    async def read(self, name: str, options: RunOptions) -> RunReport:
        """An index run over one source."""
        return await index_source(self.product, self.sources[name], self.product.writer, options, lambda _step: None)

    async def read_broken(self, name: str, options: RunOptions, after: int) -> None:
        """An index run that ends at some request, as when its process is ended, if it makes so many."""
        loop, run = asyncio.get_running_loop(), asyncio.create_task(self.read(name, options))
        self.at.before("", lambda: loop.call_soon_threadsafe(run.cancel), after=after)
        try:
            await run
        except (asyncio.CancelledError, KbError):
            pass
        finally:
            self.at.heal()

    async def read_failing(self, name: str, options: RunOptions, fault: Fault, where: str, seed: int) -> None:
        """An index run of which three in ten of some requests fail."""
        self.at.fail(where, fault, times=None, rate=0.3, seed=seed)
        try:
            await self.read(name, options)
        except KbError:
            pass  # it gave up as a whole
        finally:
            self.at.heal()

    async def held(self) -> dict[str, str]:
        """Ids in their source of all that is indexed and not hidden, by the index's own."""
        writer = await self.product.writer()
        return {
            state.document_id: state.external_id
            for name in (WIKI, DESK)
            for state in (await writer.indexed_documents(name)).values()
            if not state.hidden and state.content_hash is not None
        }

    async def listed(self, scope: Scope) -> list[str]:
        """Ids of all documents that somebody finds."""
        found = await self.product.storage.document_catalog().find("", scope, filters=Filters(), limit=MANY)
        return [each.document_id for each in found]

    async def counted(self, scope: Scope) -> int:
        """How many documents somebody is told of."""
        return await self.product.search.count_documents(scope, Filters())

    async def call(self, reader: Reader, tool: str, args: Mapping[str, Any], question: str) -> ToolOutcome:
        """What a tool gives when a plan of the agent calls it."""
        offered = tools(self.tools, AgentOptions(), reader.scope, None, masker=self.product.masker)
        context = ToolContext(reader.scope, Filters(), question, MANY)
        (outcome,) = await Toolbox(offered).run([ToolRequest(tool, args)], context, 1)
        return outcome

    async def still_open(self, reader: Reader, passages: Sequence[Passage]) -> tuple[list[Passage], RightsCheck]:
        """What the last check leaves of passages, for a reply that cites all of them."""
        check = RightsCheck(self.product.search, self.tools.access, reader.scope, seconds=30)
        closed = await check.closed(passages, passages)
        return [each for each in passages if each.chunk_id not in closed], check

    async def remember(self, reader: Reader, turn: Turn) -> None:
        """Ends a question of the reader so."""
        asked = incoming(uuid4().hex, asker=reader.participant, place=reader.conversation, words=turn.question)
        await self.conversations.ended(asked, RecordedOutcome("answered", turn))

    async def remembered(self, reader: Reader) -> tuple[Turn, ...]:
        """The turns with which the reader's next question there would be asked."""
        since = self.conversations.now().replace(year=2000)
        return await self.conversations.memory.turns(reader.participant, reader.conversation, limit=MANY, since=since)

    async def grow_old(self, name: str) -> None:
        """Time passes in which the permissions of a source are not read."""
        async with self.product.storage.engine.begin() as connection:
            query = text("UPDATE sources SET permissions_until = now() WHERE name = :name")
            await connection.execute(query, {"name": name})
