"""Opens everything that is kept."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from domain.injection import INJECTION_REVISION
from storage.index import versions
from storage.index.golden_results import GoldenResultTable
from storage.index.index_status import STATUS, IndexStatus
from storage.index.posting_cache import PostingCache
from storage.index.runs import RunTable
from storage.index.shared_batches import SharedBatches
from storage.index.sources import SourceTable
from storage.index.versions import IndexVersion, VersionState
from storage.permissions.acl_epoch import visibility_transaction
from storage.server.app_role import require_grants
from storage.server.database import DatabaseOptions, DatabaseUrls, open_database
from storage.server.engine import AsyncConnection, Engine
from storage.server.health import DatabaseHealth
from storage.server.migrate import require_schema
from storage.server.pool import ConnectionPool
from storage.server.replica import ReplicaPool
from storage.server.transactions import transaction

if TYPE_CHECKING:  # each is imported when it is asked for: a command needs few of them
    from domain.audit import AuditAction
    from domain.conversation import Participant
    from domain.model_ports import Embedder, EmbedderIdentity
    from domain.text.tokens import Analyzer
    from storage.conversations.answer_records import PostgresAnswerRecords
    from storage.conversations.corrections import PostgresCorrections
    from storage.conversations.feedback import PostgresFeedback
    from storage.conversations.ledger import PostgresLedger
    from storage.conversations.memory import PostgresMemory
    from storage.conversations.owner_requests import PostgresOwnerRequests
    from storage.conversations.reply_cache import PostgresReplyCache
    from storage.graph.analysis import GraphAnalysis
    from storage.graph.search import GraphSearchOptions, PostgresGraphSearch
    from storage.index.vectors import HnswEffort
    from storage.index.writer import PostgresWriter
    from storage.jobs.queue import PostgresJobQueue
    from storage.permissions.access_reader import PostgresAccessReader
    from storage.permissions.access_writer import PostgresAccessWriter
    from storage.permissions.document_owners import PostgresDocumentOwners
    from storage.privacy.audit_log import PostgresAuditLog
    from storage.privacy.personal_data import PersonalData
    from storage.schedule.alerts import AlertTable
    from storage.schedule.scheduled_runs import PostgresScheduledRuns
    from storage.search.document_catalog import PostgresDocumentCatalog
    from storage.search.grep import PostgresGrep
    from storage.search.grep_matching import GrepLimits
    from storage.search.knowledge_search import PostgresSearch
    from storage.search.propositions import PostgresPropositions
    from storage.web.api_tokens import PostgresApiTokens
    from storage.web.sessions import PostgresWebSessions
    from storage.web.shown_replies import PostgresShownReplies


@dataclass(frozen=True, slots=True)
class Storage:
    """An open store. Its tables and searches share one pool of connections, as the application's role; what is written
    into the index goes through `engine`, and what is read of all of it through `owner`, both as the owner."""

    engine: Engine
    sessions: Engine
    owner: ConnectionPool
    pool: ConnectionPool
    """See storage.server.database.Database."""
    sources: SourceTable
    runs: RunTable
    urls: DatabaseUrls
    kept_lists: PostingCache
    """Posting lists of the live version that searches have read, where they read."""
    ensure_room: Callable[[], None] = lambda: None
    replica: ReplicaPool | None = None
    searched: ConnectionPool | None = None
    """Where searches read; None: in `pool`. The two before: see storage.server.database.Database."""
    actor: "Participant | None" = None
    """On whose behalf sources and tokens are changed and the index is switched; such an act then has its entry in the
    audit log, in the same transaction."""

    def acting(self, actor: "Participant") -> "Storage":
        """The same store, on behalf of somebody."""
        return replace(self, sources=SourceTable(self.engine, self.owner, actor), actor=actor)

    def replicated(self) -> "Storage":
        """The same store, whose searches read in the replica where there is one, as long as that is near. What it may
        not show any more it may find for that long: for who checks rights by the primary before showing."""
        kept = PostingCache(self.kept_lists.limit)
        return replace(self, searched=self.replica, kept_lists=kept) if self.replica else self

    def search(
        self,
        embedder: "EmbedderIdentity",
        *,
        exact_max: int = 10_000,
        effort: "HnswEffort | None" = None,
        state: VersionState = "live",
    ) -> "PostgresSearch":
        """Searching the version in that state for questions embedded by `embedder`."""
        from storage.search.knowledge_search import PostgresSearch

        where, kept = self.searched or self.pool, self.kept_lists if state == "live" else None
        return PostgresSearch(
            where, embedder, exact_max=exact_max, effort=effort, state=state, primary=self.pool, kept_lists=kept
        )

    def grep(self, *, small: int = 2_000, limits: "GrepLimits | None" = None) -> "PostgresGrep":
        """Finding lines by pattern; see storage.search.grep."""
        from storage.search.grep import PostgresGrep

        return PostgresGrep(self.searched or self.pool, small=small, limits=limits)

    def document_catalog(self) -> "PostgresDocumentCatalog":
        """Documents by name, and part after part."""
        from storage.search.document_catalog import PostgresDocumentCatalog

        return PostgresDocumentCatalog(self.pool)

    def graph_search(
        self,
        walking: "GraphSearchOptions | None" = None,
        *,
        embedder: "Embedder | None" = None,
        state: VersionState = "live",
    ) -> "PostgresGraphSearch":
        """The knowledge graph of the version in that state; see storage.graph.search."""
        from storage.graph.search import PostgresGraphSearch

        return PostgresGraphSearch(self.searched or self.pool, walking, embedder=embedder, state=state)

    def propositions(
        self, embedder: "EmbedderIdentity", *, exact_max: int = 10_000, effort: "HnswEffort | None" = None
    ) -> "PostgresPropositions":
        """Searching propositions, where the live version has them, for questions embedded by `embedder`."""
        from storage.search.propositions import PostgresPropositions

        return PostgresPropositions(self.searched or self.pool, embedder, exact_max=exact_max, effort=effort)

    def reply_cache(self, *, limit: int = 50_000, max_age: timedelta = timedelta(days=7)) -> "PostgresReplyCache":
        """What models replied: so many replies, for so long."""
        from storage.conversations.reply_cache import PostgresReplyCache

        return PostgresReplyCache(self.pool, limit, max_age)

    def ledger(self) -> "PostgresLedger":
        """Which questions were accepted, and what became of them."""
        from storage.conversations.ledger import PostgresLedger

        return PostgresLedger(self.pool)

    def memory(self) -> "PostgresMemory":
        """What was asked and replied."""
        from storage.conversations.memory import PostgresMemory

        return PostgresMemory(self.pool)

    def audit_log(self) -> "PostgresAuditLog":
        """What administrators did, what was shared, and who was erased."""
        from storage.privacy.audit_log import PostgresAuditLog

        return PostgresAuditLog(self.pool, self.engine)

    def personal_data(self) -> "PersonalData":
        """What is kept of one person."""
        from storage.privacy.personal_data import PersonalData

        return PersonalData(self.engine)

    def corrections(self) -> "PostgresCorrections":
        """Which posted answers may have to be corrected."""
        from storage.conversations.corrections import PostgresCorrections

        return PostgresCorrections(self.engine)

    def answer_records(self) -> "PostgresAnswerRecords":
        """How answers came about, and how good they are."""
        from storage.conversations.answer_records import PostgresAnswerRecords

        return PostgresAnswerRecords(self.pool)

    def document_owners(self) -> "PostgresDocumentOwners":
        """Whom documents belong to."""
        from storage.permissions.document_owners import PostgresDocumentOwners

        return PostgresDocumentOwners(self.owner, self.document_catalog())

    def owner_requests(self) -> "PostgresOwnerRequests":
        """Which questions were sent to the owner of a document."""
        from storage.conversations.owner_requests import PostgresOwnerRequests

        return PostgresOwnerRequests(self.pool)

    def feedback(self) -> "PostgresFeedback":
        """What readers think of replies."""
        from storage.conversations.feedback import PostgresFeedback

        return PostgresFeedback(self.pool)

    def api_tokens(self) -> "PostgresApiTokens":
        """The tokens of programs."""
        from storage.web.api_tokens import PostgresApiTokens

        return PostgresApiTokens(self.pool, self.actor)

    def web_sessions(self) -> "PostgresWebSessions":
        """Who is signed in to the pages."""
        from storage.web.sessions import PostgresWebSessions

        return PostgresWebSessions(self.pool)

    def shown_replies(self) -> "PostgresShownReplies":
        """What is shown of replies over HTTP."""
        from storage.web.shown_replies import PostgresShownReplies

        return PostgresShownReplies(self.pool)

    def job_queue(self) -> "PostgresJobQueue":
        """The queue of work. It opens connections of its own only while a worker works."""
        from storage.jobs.queue import PostgresJobQueue

        return PostgresJobQueue(self.pool, self.urls.app, self.urls.direct)

    def access_writer(self, max_age: timedelta) -> "PostgresAccessWriter":
        """What sources say of whom they admit, which holds for `max_age`."""
        from storage.permissions.access_writer import PostgresAccessWriter

        return PostgresAccessWriter(self.engine, self.sessions, max_age)

    def alerts(self) -> "AlertTable":
        """What operators were told of."""
        from storage.schedule.alerts import AlertTable

        return AlertTable(self.pool)

    def health(self) -> DatabaseHealth:
        """Whether the database can be worked with."""
        return DatabaseHealth(self.owner, self.pool, self.replica)

    def golden_results(self) -> GoldenResultTable:
        """How index versions fared with golden questions."""
        return GoldenResultTable(self.engine, self.owner)

    def access_reader(self) -> "PostgresAccessReader":
        """Whom an ACL admits, by what is known of the people of sources."""
        from storage.permissions.access_reader import PostgresAccessReader

        return PostgresAccessReader(self.pool)

    def graph_analysis(self) -> "GraphAnalysis":
        """The knowledge graph as a whole, for its operator."""
        from storage.graph.analysis import GraphAnalysis

        return GraphAnalysis(self.engine)

    def scheduled_runs(self) -> "PostgresScheduledRuns":
        """The runs of the schedule, and what became of them."""
        from storage.schedule.scheduled_runs import PostgresScheduledRuns

        return PostgresScheduledRuns(self.pool)

    async def writer(
        self, embedder: "EmbedderIdentity", analyzer: "Analyzer", *, propositions: bool = False
    ) -> "PostgresWriter":
        """Writing into the live version; a first one is made when there is none, with the level of propositions when
        that is asked for. A version that has the level keeps it, also when it is not asked for any more.

        Raises Misconfigured when the live version was made with another model or other tokens, or lacks the level.
        """
        from storage.index.writer import PostgresWriter

        async with transaction(self.engine) as connection:
            await versions.lock(connection)
            if (live := await versions.find(connection, "live")) is None:
                live = await versions.create(connection, "live", embedder, analyzer, propositions=propositions)
        live.check(embedder.name)
        if propositions:
            live.require_propositions()
        return PostgresWriter(self.engine, live, self.ensure_room)

    def shared_batches(self) -> SharedBatches:
        """What waits to be embedded and written by any worker."""
        return SharedBatches(self.engine, self.sessions)

    async def rebuild(
        self, embedder: "EmbedderIdentity", analyzer: "Analyzer", *, propositions: bool = False
    ) -> "PostgresWriter":
        """Writing into a version beside the live one: an unfinished one made with the same model, tokens and levels
        goes on, any other makes room. propositions: whether it has that level."""
        from storage.index.writer import PostgresWriter

        wanted = (embedder.name, analyzer.name, propositions)
        async with transaction(self.engine) as connection:
            await versions.lock(connection)
            building = await versions.find(connection, "building")
            copied = await versions.is_copy(connection, "building")  # what did not change would not be read
            if building and (copied or (building.embedder, building.analyzer, building.propositions) != wanted):
                await versions.drop(connection, "building")
                building = None
            if building is None:
                building = await versions.create(connection, "building", embedder, analyzer, propositions=propositions)
        return PostgresWriter(self.engine, building, self.ensure_room)

    async def rebuilding(self) -> bool:
        """Whether `rebuild` has begun a version that does not answer yet; a copy of the live one is none."""
        async with transaction(self.engine) as connection:
            building = await versions.find(connection, "building")
            return building is not None and not await versions.is_copy(connection, "building")

    async def copied(self) -> "PostgresWriter | None":
        """Writing into a copy of the live version, made anew beside it; None where there is none to be copied, or
        `rebuild` has begun a version. Writers into the live one wait while it is copied."""
        from storage.index.writer import PostgresWriter

        async with transaction(self.engine) as connection:
            await versions.lock(connection)
            copy = await versions.copy_live(connection)
        return PostgresWriter(self.engine, copy, self.ensure_room) if copy else None

    async def drop_copied(self, number: int) -> None:
        """Removes such a copy, unless another version is being built by now."""
        async with transaction(self.engine) as connection:
            await versions.lock(connection)
            building = await versions.find(connection, "building")
            if building is not None and building.version_id == number:
                await versions.drop(connection, "building")

    async def publish(
        self, *, allow_loss: bool = False, accept_worse: bool = False, checked: int | None = None
    ) -> None:
        """Makes the rebuilt version live. The one before stays for a way back, unless it passed another masking.
        accept_worse: whether golden questions were allowed to fail, for the audit log. checked: its number.

        Raises:
            Refused: documents that are shown now would be missing, and `allow_loss` does not say that they may.
            Misconfigured, Transient: see storage.index.versions.publish.
        """
        from storage.index.catching_up import exchanging

        async with exchanging(self.engine) as change:
            await versions.publish(change.connection, allow_loss=allow_loss, checked=checked)
            await self._note(change.connection, "index_switched", loss_allowed=allow_loss, worse_accepted=accept_worse)
            change.visibility_changed = True  # chunks of another version may admit others
        await versions.drop_outdated_masking(self.engine)

    async def roll_back(self, *, checked: int | None = None) -> IndexVersion:
        """Makes the previous version live again; see storage.index.versions.roll_back."""
        async with visibility_transaction(self.engine) as change:
            await versions.lock(change.connection)
            change.visibility_changed = True
            version = await versions.roll_back(change.connection, checked=checked)
            await self._note(change.connection, "index_rolled_back")
            return version

    async def _note(self, connection: AsyncConnection, action: "AuditAction", **detail: object) -> None:
        """An entry about the version that is live now."""
        live = await versions.find(connection, "live")
        if self.actor is not None and live is not None:
            from domain.audit import AuditEntry
            from storage.privacy.audit_log import add_entry

            await add_entry(connection, AuditEntry(self.actor, action, str(live.version_id), detail))

    async def version(self, state: VersionState) -> IndexVersion | None:
        """The version in that state."""
        return await versions.read(self.pool, state)

    async def status(self) -> IndexStatus | None:
        """What the live version holds; None when nothing was ever indexed."""
        if (live := await versions.read(self.owner, "live")) is None:
            return None
        row = await self.owner.fetch_one(STATUS, version=live.version_id, revision=INJECTION_REVISION)
        counts = (row.documents, row.chunks, row.segments, row.injections, row.not_examined, row.size)
        return IndexStatus(live, *counts, await versions.read(self.owner, "previous"))

    async def count_outdated_masking(self, masking: str) -> dict[str, int]:
        """By a version's state (`live`, `previous`, `building`): how many documents it holds that passed another
        masking than `masking`, or none."""
        return await versions.count_outdated_masking(self.owner, masking)


@asynccontextmanager
async def open_storage(options: DatabaseOptions) -> AsyncIterator[Storage]:
    """The store that `options` name. The embedded one's schema is brought up by itself.

    Raises:
        Misconfigured, Transient: see storage.server.database.open_database and storage.server.migrate.require_schema.
    """
    async with open_database(options) as database:
        engine, sessions = database.engine, database.sessions
        await require_schema(sessions, database.revision, upgrade=database.ours)
        if database.app_role is not None:
            await require_grants(database.owner, database.app_role, give=database.ours)
        ways = (engine, sessions, database.owner, database.pool)
        tables = SourceTable(engine, database.owner), RunTable(engine, sessions)
        kept = PostingCache(options.posting_cache)
        yield Storage(*ways, *tables, database.urls, kept, database.ensure_room, database.replica)
