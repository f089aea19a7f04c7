"""KnowledgeWriter over PostgreSQL: one document, one transaction."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.access import Acl
from domain.cosine_scale import CosineScale
from domain.documents import Chunk, Refusal, SourceDocument, document_id, masking_of
from domain.errors import Bug, Misconfigured, Transient
from domain.index_ports import NO_GRAPH, IndexedDocument, PropositionRow, StoredText
from domain.injection import injection_in
from domain.knowledge_graph import DocumentGraph
from domain.model_ports import EmbedderIdentity, Vectors
from domain.text.tokens import analyzer_named
from storage.index import (
    chunks,
    document_rows,
    graph_rows,
    injections,
    postings,
    refusals,
    segment_merging,
    shared_batches,
    vectors,
    versions,
)
from storage.index.chunks import AnalyzedChunk
from storage.index.propositions import PROPOSITION_VECTORS, write_propositions
from storage.index.text_samples import note_languages
from storage.index.versions import IndexVersion, keep_scale
from storage.permissions.acl_epoch import visibility_transaction
from storage.server.engine import Engine
from storage.server.pool import ConnectionPool
from storage.server.transactions import transaction

_ANALYZED = (
    *("documents", "chunks", "vectors", "propositions", "postings", "indexed_documents"),
    *("entities", "mentions", "relations", "entity_counts"),
)


class PostgresWriter:
    """Writes into one index version: domain.index_ports.KnowledgeWriter.

    version: the live one, or one that is being built beside it. ensure_room: called before anything is added;
    raises Misconfigured when the disk is full. batch_no: the batch that is written; once it is given up, Transient is
    raised in place of writing.
    """

    def __init__(
        self,
        engine: Engine,
        version: IndexVersion,
        ensure_room: Callable[[], None] = lambda: None,
        batch_no: int | None = None,
    ) -> None:
        self._engine = engine
        self._batch_no = batch_no
        self._ensure_room = ensure_room
        self._version = version
        self._analyzer = version.tokens()

    def of_batch(self, batch_no: int) -> "PostgresWriter":
        """The same, for a batch of storage.index.shared_batches."""
        return PostgresWriter(self._engine, self._version, self._ensure_room, batch_no)

    @property
    def version_id(self) -> int:
        """The number of the version."""
        return self._version.version_id

    async def current_version(self) -> int:
        """The number of the version, or of the copy of it that came into use."""
        async with transaction(self._engine) as connection:
            return await self._follow(connection)

    async def indexed_documents(self, source: str) -> dict[str, IndexedDocument]:
        async with transaction(self._engine) as connection:
            return await document_rows.indexed_documents(connection, await self._follow(connection), source)

    async def refusals(self, source: str) -> dict[str, Refusal]:
        async with transaction(self._engine) as connection:
            return await refusals.read(connection, source)

    async def save_refusals(self, source: str, refused: Mapping[str, Refusal], *, whole: bool) -> None:
        async with transaction(self._engine) as connection:
            await refusals.save(connection, source, refused, whole=whole)

    async def stored_vectors(self, text_hashes: Sequence[bytes]) -> dict[bytes, NDArray[np.float16]]:
        async with transaction(self._engine) as connection:
            return await vectors.stored_vectors(connection, await self._follow(connection), text_hashes)

    @property
    def has_propositions(self) -> bool:
        return self._version.propositions

    async def put(
        self,
        document: SourceDocument,
        chunk_list: Sequence[Chunk],
        rows: Vectors,
        propositions: Sequence[PropositionRow] = (),
        graph: DocumentGraph = NO_GRAPH,
    ) -> None:
        if propositions and not self.has_propositions:
            raise Bug("propositions were made for an index that has none")
        self._ensure_room()
        read = await asyncio.to_thread(self._read, chunk_list)  # before anything is locked: it takes longest
        async with visibility_transaction(self._engine) as change:
            connection = change.connection
            hidden, live = await self._hidden_text(connection, document)
            number = await self._lock_version(connection)
            if self._batch_no is not None:
                await shared_batches.hold(connection, self._batch_no)
            await lock_document(connection, document.document_id)
            if hidden is not None and live is not None:
                await take_out(connection, live, hidden)
            stored = await document_rows.upsert(connection, document, number)
            held = await document_rows.stored_hash(connection, number, stored.document_no)
            narrower, unlinked, gone = set[tuple[bytes, int]](), Counter[int](), set[str]()
            if held is not None:  # else the version has nothing of it
                narrower = await chunks.own_acls(connection, number, stored.document_no)
                unlinked = await graph_rows.remove(connection, number, [stored.document_no])
                gone = await remove_chunks(connection, self._version, [stored.document_no])
            numbers = await self._add(connection, stored.document_no, document, read, rows)
            await document_rows.mark_indexed(connection, number, stored.document_no, document, len(numbers), graph)
            await write_propositions(connection, number, numbers, propositions)
            if held is not None and masking_of(held) != masking_of(document.content_hash):
                await postings.delete_unused_terms(connection, number, gone)
            now = set[tuple[bytes, int]]()
            if any(chunk.acl != document.acl for chunk in chunk_list):
                now = await chunks.own_acls(connection, number, stored.document_no)
            change.visibility_changed = stored.visibility_changed or narrower != now
            linked = await graph_rows.write(connection, number, stored.document_no, numbers, graph)
            await graph_rows.update_counts(connection, number, linked, unlinked)

    async def _hidden_text(
        self, connection: AsyncConnection, document: SourceDocument
    ) -> tuple[int | None, IndexVersion | None]:
        """The number of a hidden document, and the live version, if that is another one and holds another text of it:
        writing the document shows it again, and that text is not to be shown. To be called before `_lock_version`, in
        the order of versions.EVERY."""
        if self._version.state != "building":
            return None, None
        hidden = await document_rows.hidden_text(connection, document, self._version.version_id)
        return hidden, None if hidden is None else await versions.hold_live(connection)

    def _read(self, chunk_list: Sequence[Chunk]) -> list[AnalyzedChunk]:
        return [
            AnalyzedChunk(chunk, self._analyzer.tokens(chunk.embedded_text), injection_in(chunk.embedded_text))
            for chunk in chunk_list
        ]

    async def _add(
        self,
        connection: AsyncConnection,
        document_no: int,
        document: SourceDocument,
        read: Sequence[AnalyzedChunk],
        rows: Vectors,
    ) -> list[int]:
        """Writes the chunks of a document with vectors and posting lists; returns their numbers."""
        version = self._version.version_id
        numbers = await chunks.new_numbers(connection, len(read))
        numbered = dict(zip(numbers, read, strict=True))
        await chunks.write(connection, version, document_no, document, numbered)
        await vectors.write(connection, version, numbers, rows)
        await postings.add(connection, version, {number: each.tokens for number, each in numbered.items()})
        return numbers

    async def stored_text(self, source: str, external_id: str) -> StoredText | None:
        async with transaction(self._engine) as connection:
            number = await self._follow(connection)
            row = await document_rows.find(connection, number, document_id(source, external_id))
            if row is None:
                return None
            parts = await chunks.stored_chunks(connection, number, row.document_no)
        facts = None if row.facts is None else graph_rows.facts_from_json(row.facts)
        return StoredText(row.title, row.path, facts, tuple(chunk for _, chunk in parts))

    async def replace_graph(
        self, source: str, external_id: str, graph: DocumentGraph, chunk_ids: Sequence[str]
    ) -> None:
        document = document_id(source, external_id)
        async with transaction(self._engine) as connection:
            number = await self._lock_version(connection)
            await lock_document(connection, document)
            row = await document_rows.find(connection, number, document)
            if row is None or await chunks.stored_ids(connection, number, document) != list(chunk_ids):
                return
            await document_rows.mark_graph(connection, number, row.document_no, graph)
            await self._rewrite_graph(connection, row.document_no, graph)

    async def _rewrite_graph(self, connection: AsyncConnection, document_no: int, graph: DocumentGraph) -> None:
        """Replaces the part of a document whose chunks stay."""
        number = self._version.version_id
        unlinked = await graph_rows.remove(connection, number, [document_no])
        numbers = [of for of, _ in await chunks.stored_chunks(connection, number, document_no)]
        linked = await graph_rows.write(connection, number, document_no, numbers, graph)
        await graph_rows.update_counts(connection, number, linked, unlinked)

    async def _lock_version(self, connection: AsyncConnection) -> int:
        """Holds the version in its state until the transaction ends; returns its number. Where a copy of it
        came into use, which has all that was written into it, or a copy of that, the writer goes on in the copy.
        Raises Transient when it was replaced by another one."""
        if await self._moved(connection, "FOR SHARE") in {"live", "building"}:
            return self._version.version_id
        raise Transient(
            "A new index came into use while this run wrote into the old one",
            why="Another process ended kb reindex --full.",
            next_step="Run the same command again: it writes into the new index.",
        )

    async def _follow(self, connection: AsyncConnection) -> int:
        """The number of the version to read: as `_lock_version`, but nothing is held, and one that was replaced is read
        for as long as it is there."""
        if await self._moved(connection) is None:
            return await self._lock_version(connection)
        return self._version.version_id

    async def _moved(self, connection: AsyncConnection, lock: str = "") -> str | None:
        """Goes on in the live version where that is a copy of this one. Returns the state of the version; None where it
        is not there any more. lock: how its row is locked."""
        of = self._version
        query = text(f"SELECT state FROM index_versions WHERE version_id = :version {lock}")
        state: str | None = (await connection.execute(query, {"version": of.version_id})).scalar_one_or_none()
        if state in {"live", "building"} or of.state == "building":
            return state
        live = await versions.hold_live(connection, of.version_id)
        self._version = live or of
        return "live" if live else state

    async def set_acl(
        self, source: str, external_ids: Sequence[str], acl: Acl, read_at: datetime | None = None
    ) -> None:
        async with visibility_transaction(self._engine) as change:
            change.visibility_changed = await document_rows.set_acl(
                change.connection, source, external_ids, acl, read_at
            )

    async def update_metadata(self, document: SourceDocument) -> None:
        async with visibility_transaction(self._engine) as change:
            number = await self._lock_version(change.connection)
            await lock_document(change.connection, document.document_id)
            stored = await document_rows.upsert(change.connection, document, number)
            await document_rows.mark_version(change.connection, number, stored.document_no, document.version)
            change.visibility_changed = stored.visibility_changed

    async def update_if_unchanged(
        self, document: SourceDocument, chunk_ids: Sequence[str], graph: DocumentGraph | None = None
    ) -> bool:
        async with visibility_transaction(self._engine) as change:
            connection = change.connection
            number = await self._lock_version(connection)
            await lock_document(connection, document.document_id)
            if await chunks.stored_ids(connection, number, document.document_id) != list(chunk_ids):
                return False
            stored = await document_rows.upsert(connection, document, number)
            await document_rows.mark_indexed(connection, number, stored.document_no, document, len(chunk_ids), graph)
            change.visibility_changed = stored.visibility_changed
            if graph is not None:
                await self._rewrite_graph(connection, stored.document_no, graph)
            return True

    async def hide(self, source: str, external_ids: Sequence[str], listed_at: datetime | None = None) -> None:
        async with visibility_transaction(self._engine) as change:
            change.visibility_changed = await document_rows.hide(change.connection, source, external_ids, listed_at)

    async def purge(self, source: str, external_ids: Sequence[str], hidden_by: datetime | None = None) -> None:
        for external_id in external_ids:
            async with visibility_transaction(self._engine) as change:
                await lock_document(change.connection, document_id(source, external_id))
                numbers = await document_rows.numbers(change.connection, source, [external_id], hidden_by)
                await remove_documents(change.connection, numbers)
                change.visibility_changed = bool(numbers)

    def has_scale(self, query_prefix: str) -> bool:
        """Whether it was known, when this writer was opened, what cosines of the version mean. query_prefix: see
        EmbedderIdentity."""
        return self._version.answering is not None and self._version.query_prefix == query_prefix

    async def keep_scale(self, scale: CosineScale, query_prefix: str) -> None:
        """Keeps what cosines of the version mean."""
        async with transaction(self._engine) as connection:
            await keep_scale(connection, await self._follow(connection), scale, query_prefix)

    async def merge_segments(self) -> bool:
        """Merges segments that are due; returns whether there were any."""
        return await segment_merging.merge_due(self._engine, await self.current_version()) > 0

    async def finish(self, *, hnsw_from: int = vectors.HNSW_FROM) -> None:
        """After a run: merges, removes entities that nothing mentions, marks what only an older detector of injections
        looked at, builds HNSW from that many vectors on, notes the languages of the texts, and refreshes the planner's
        statistics, which hold words of texts. A version kept for a way back goes when the live one was masked anew."""
        await self.merge_segments()
        version = self._version
        if version.state == "live":
            await versions.drop_outdated_masking(self._engine)
        await segment_merging.compact(self._engine, version.version_id)
        await injections.mark_outdated(self._engine, version.version_id)
        async with transaction(self._engine) as connection:
            await graph_rows.delete_unused(connection)
        for level in (vectors.CHUNK_VECTORS, *([PROPOSITION_VECTORS] if version.propositions else [])):
            # who removes a document holds the one table and waits for the other
            async with transaction(self._engine) as connection:
                await vectors.update_hnsw(
                    connection, version.version_id, version.dimensions, level, hnsw_from=hnsw_from
                )
        # what it has read is not held while it waits for the version's row
        async with transaction(self._engine.in_autocommit()) as connection:
            await note_languages(connection, version.version_id)
        async with transaction(self._engine.in_autocommit()) as connection:
            for table in _ANALYZED:
                await connection.execute(text(f"ANALYZE {table}"))


async def writer_of(
    owner: ConnectionPool,
    engine: Engine,
    version_id: int,
    embedder: EmbedderIdentity,
    ensure_room: Callable[[], None],
) -> PostgresWriter:
    """Writing into the version of that number. Raises Misconfigured when it is not there, or of another model."""
    version = await versions.numbered(owner, version_id)
    if version is None:
        raise Misconfigured(f"There is no index version {version_id} any more")
    version.check(embedder.name)
    return PostgresWriter(engine, version, ensure_room)


async def remove_documents(connection: AsyncConnection, document_nos: Sequence[int]) -> None:
    """Removes documents from every version and forgets them."""
    # a copy that is being made is waited for, and none is made until this is committed: it would keep the text
    await connection.execute(text(f"{versions.EVERY} FOR KEY SHARE"))
    columns = "version_id, state, embedder, dimensions, stemming, analyzer, hnsw_upto"
    query = text(f"SELECT {columns} FROM index_versions ORDER BY version_id")
    unlinked: dict[int, Counter[int]] = {}
    rows = (await connection.execute(query)).all()
    # versions of other tokens first: their lists are read for seconds, and from the first delete_unused_terms on, until
    # this transaction ends, nobody may merge the lists of that version
    for row in sorted(rows, key=lambda row: analyzer_named(row.analyzer, row.stemming) is not None):
        unlinked[row.version_id] = await graph_rows.remove(connection, row.version_id, document_nos)
        gone = await remove_chunks(connection, IndexVersion(*row), document_nos)
        await postings.delete_unused_terms(connection, row.version_id, gone)
    await document_rows.delete(connection, document_nos)
    for version, counts in sorted(unlinked.items()):
        await graph_rows.update_counts(connection, version, {}, counts)


async def take_out(connection: AsyncConnection, version: IndexVersion, document_no: int) -> None:
    """Takes a document out of one version."""
    unlinked = await graph_rows.remove(connection, version.version_id, [document_no])
    await remove_chunks(connection, version, [document_no])
    await document_rows.mark_absent(connection, version.version_id, document_no)
    await graph_rows.update_counts(connection, version.version_id, {}, unlinked)


async def remove_chunks(connection: AsyncConnection, version: IndexVersion, document_nos: Sequence[int]) -> set[str]:
    """Takes the chunks of documents out of one version: rows, vectors and posting lists. Returns their terms."""
    texts = await chunks.embedded_texts(connection, version.version_id, document_nos)
    if not texts:
        return set()
    analyzer = analyzer_named(version.analyzer, version.stemming)
    if analyzer is not None:
        tokens_of = {number: analyzer.tokens(content) for number, content in texts.items()}
        await postings.remove(connection, version.version_id, tokens_of)
        gone = set().union(*tokens_of.values())
    else:  # of another release: what its tokens were is not known here
        gone = await postings.remove_unread(connection, version.version_id, texts)
    await chunks.delete(connection, version.version_id, list(texts))
    return gone


async def lock_document(connection: AsyncConnection, document: str) -> None:
    """Two writers of the same document take turns."""
    await connection.execute(
        text("SELECT pg_advisory_xact_lock(hashtextextended('kb-agent/document/' || :id, 0))"), {"id": document}
    )
