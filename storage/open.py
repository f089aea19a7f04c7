"""Opens everything that is kept."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from domain.ports import Embedder, EmbedderIdentity
from domain.text.tokens import Analyzer
from storage import versions
from storage.access import PostgresAccess
from storage.admission import PostgresAdmission
from storage.alerts import AlertTable
from storage.condition import Condition
from storage.database import DatabaseOptions, open_database
from storage.epoch import changing
from storage.faults import translated
from storage.feedback import PostgresFeedback
from storage.golden import GoldenTable
from storage.graph_analysis import GraphTable
from storage.graph_search import PostgresGraphSearch, Walking
from storage.grep import PostgresGrep
from storage.jobs import PostgresJobs
from storage.ledger import PostgresLedger
from storage.library import PostgresLibrary
from storage.matching import Limits
from storage.memory import PostgresMemory
from storage.migrate import require_schema
from storage.propositions import PostgresPropositions
from storage.readers import Readers
from storage.replies import PostgresReplies
from storage.runs import RunTable
from storage.search import PostgresSearch
from storage.sources import SourceTable
from storage.ticks import PostgresTicks
from storage.vectors import Effort
from storage.versions import IndexVersion, State
from storage.writer import PostgresWriter


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """What the live index holds. Sizes in bytes."""

    version: IndexVersion
    documents: int
    chunks: int
    segments: int
    size: int
    previous: IndexVersion | None


@dataclass(frozen=True, slots=True)
class Storage:
    """An open store. Its tables and searches share one pool of connections. sessions, ensure_room: see
    storage.database."""

    engine: AsyncEngine
    sessions: AsyncEngine
    readers: Readers
    sources: SourceTable
    runs: RunTable
    ensure_room: Callable[[], None] = lambda: None

    def search(
        self,
        embedder: EmbedderIdentity,
        *,
        exact_max: int = 10_000,
        effort: Effort | None = None,
        state: State = "live",
    ) -> PostgresSearch:
        """Searching the version in that state for questions embedded by `embedder`."""
        return PostgresSearch(self.readers, embedder, exact_max=exact_max, effort=effort, state=state)

    def grep(self, *, small: int = 2_000, limits: Limits | None = None) -> PostgresGrep:
        """Finding lines by pattern; see storage.grep."""
        return PostgresGrep(self.readers, small=small, limits=limits)

    def library(self) -> PostgresLibrary:
        """Documents by name, and part after part."""
        return PostgresLibrary(self.readers)

    def graph_search(
        self, walking: Walking | None = None, *, embedder: Embedder | None = None, state: State = "live"
    ) -> PostgresGraphSearch:
        """The knowledge graph of the version in that state; see storage.graph_search."""
        return PostgresGraphSearch(self.readers, walking, embedder=embedder, state=state)

    def propositions(
        self, embedder: EmbedderIdentity, *, exact_max: int = 10_000, effort: Effort | None = None
    ) -> PostgresPropositions:
        """Searching propositions, where the live version has them, for questions embedded by `embedder`."""
        return PostgresPropositions(self.readers, embedder, exact_max=exact_max, effort=effort)

    def replies(self, *, limit: int = 50_000, max_age: timedelta = timedelta(days=7)) -> PostgresReplies:
        """What models replied: so many replies, for so long."""
        return PostgresReplies(self.readers, limit, max_age)

    def ledger(self) -> PostgresLedger:
        """Which questions were accepted, and what became of them."""
        return PostgresLedger(self.readers)

    def memory(self) -> PostgresMemory:
        """What was asked and replied."""
        return PostgresMemory(self.readers)

    def feedback(self) -> PostgresFeedback:
        """What readers think of replies."""
        return PostgresFeedback(self.readers)

    def jobs(self) -> PostgresJobs:
        """The queue of work. It opens connections of its own only while a worker works."""
        direct = None if self.sessions.url == self.engine.url else self.sessions.url
        return PostgresJobs(self.readers, self.engine.url, direct)

    def access(self, max_age: timedelta) -> PostgresAccess:
        """What sources say of whom they admit, which holds for `max_age`."""
        return PostgresAccess(self.engine, self.sessions, max_age)

    def alerts(self) -> AlertTable:
        """What operators were told of."""
        return AlertTable(self.readers)

    def condition(self) -> Condition:
        """Whether the database can be worked with."""
        return Condition(self.engine, self.readers)

    def golden(self) -> GoldenTable:
        """How index versions fared with golden questions."""
        return GoldenTable(self.engine)

    def admission(self) -> PostgresAdmission:
        """Whom an ACL admits, by what is known of the people of sources."""
        return PostgresAdmission(self.readers)

    def graph(self) -> GraphTable:
        """The knowledge graph as a whole, for its operator."""
        return GraphTable(self.engine)

    def ticks(self) -> PostgresTicks:
        """What was due at certain times, and what became of it."""
        return PostgresTicks(self.readers)

    async def writer(
        self, embedder: EmbedderIdentity, analyzer: Analyzer, *, propositions: bool = False
    ) -> PostgresWriter:
        """Writing into the live version; a first one is made when there is none, with the level of propositions when
        that is asked for. A version that has the level keeps it, also when it is not asked for any more.

        Raises Misconfigured when the live version was made with another model or other tokens, or lacks the level.
        """
        with translated():
            async with self.engine.begin() as connection:
                await versions.lock(connection)
                live = await versions.find(connection, "live")
                if live is None:
                    live = await versions.create(connection, "live", embedder, analyzer, propositions=propositions)
                await versions.complete(connection, live.version_id)
        live.check(embedder.name)
        if propositions:
            live.require_propositions()
        return PostgresWriter(self.engine, live, self.ensure_room)

    async def rebuild(
        self, embedder: EmbedderIdentity, analyzer: Analyzer, *, propositions: bool = False
    ) -> PostgresWriter:
        """Writing into a version beside the live one: an unfinished one made with the same model, tokens and levels
        goes on, any other makes room. propositions: whether it has that level."""
        wanted = (embedder.name, analyzer.name, propositions)
        with translated():
            async with self.engine.begin() as connection:
                await versions.lock(connection)
                building = await versions.find(connection, "building")
                if building and (building.embedder, building.analyzer, building.propositions) != wanted:
                    await versions.drop(connection, "building")
                    building = None
                if building is None:
                    building = await versions.create(
                        connection, "building", embedder, analyzer, propositions=propositions
                    )
                await versions.complete(connection, building.version_id)
        return PostgresWriter(self.engine, building, self.ensure_room)

    async def publish(self, *, allow_loss: bool = False, checked: int | None = None) -> None:
        """Makes the rebuilt version live. The one before stays for a way back, unless it passed another masking.
        checked: the number that the rebuilt one must have.

        Raises:
            Refused: documents that are shown now would be missing, and `allow_loss` does not say that they may.
            Misconfigured, Transient: see storage.versions.publish.
        """
        with translated():
            async with changing(self.engine) as change:
                await versions.lock(change.connection)
                await versions.publish(change.connection, allow_loss=allow_loss, checked=checked)
                change.rights = True  # chunks of another version may admit others
            await versions.drop_masked_otherwise(self.engine)

    async def roll_back(self) -> IndexVersion:
        """Makes the previous version live again. Raises Misconfigured when there is none."""
        with translated():
            async with changing(self.engine) as change:
                await versions.lock(change.connection)
                change.rights = True
                return await versions.roll_back(change.connection)

    async def version(self, state: State) -> IndexVersion | None:
        """The version in that state."""
        with translated():
            async with self.engine.connect() as connection:
                return await versions.find(connection, state)

    async def status(self) -> IndexStatus | None:
        """What the live version holds; None when nothing was ever indexed."""
        with translated():
            async with self.engine.connect() as connection:
                live = await versions.find(connection, "live")
                if live is None:
                    return None
                row = (await connection.execute(_STATUS, {"version": live.version_id})).one()
                previous = await versions.find(connection, "previous")
        return IndexStatus(live, row.documents, row.chunks, row.segments, row.size, previous)

    async def masked_otherwise(self, masking: str) -> dict[str, int]:
        """By a version's state (`live`, `previous`, `building`): how many documents it holds that passed another
        masking than `masking`, or none."""
        with translated():
            async with self.engine.connect() as connection:
                return await versions.masked_otherwise(connection, masking)


_STATUS = text(
    """
    SELECT (SELECT count(*) FROM indexed_documents JOIN documents USING (document_no)
            WHERE version_id = :version AND hidden_at IS NULL) AS documents,
           (SELECT coalesce(sum(chunks), 0) FROM indexed_documents JOIN documents USING (document_no)
            WHERE version_id = :version AND hidden_at IS NULL) AS chunks,
           (SELECT count(*) FROM segments WHERE version_id = :version) AS segments,
           pg_database_size(current_database()) AS size
    """
)


@asynccontextmanager
async def open_storage(options: DatabaseOptions) -> AsyncIterator[Storage]:
    """The store that `options` name. The embedded one's schema is brought up by itself.

    Raises:
        Misconfigured, Transient: see storage.database.open_database and storage.migrate.require_schema.
    """
    async with open_database(options) as database:
        engine, sessions = database.engine, database.sessions
        await require_schema(sessions, upgrade=database.ours)
        runs = RunTable(engine, sessions)
        yield Storage(engine, sessions, database.readers, SourceTable(engine), runs, database.ensure_room)
