"""The index run over one source: list, fetch, parse, chunk, embed, write, prune."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count

from domain.documents import (
    SourceDocument,
    content_hash_of,
    content_of,
    digest,
    document_id,
    masking_of,
)
from domain.errors import KbError, Misconfigured, Refused
from domain.index_ports import IndexedDocument
from domain.knowledge_graph import with_blanks_for_controls
from indexer.chunking.chunker import chunking_fingerprint
from indexer.chunking.propositions import PROPOSITIONS_REVISION
from indexer.run.acl_sync import AclSync
from indexer.run.batch import EmbeddedBatch, PreparedDocument, embed_batch
from indexer.run.bounded_map import bounded_map
from indexer.run.dependencies import RunDependencies, RunOptions, RunProgress
from indexer.run.graph_refresh import GraphRefresh
from indexer.run.handed_batches import HandedBatches
from indexer.run.listing import listed_items, lists_all
from indexer.run.mask_document import Withheld, masked_document, with_facts
from indexer.run.masked_names import NamedDocument, masked_listing, masked_name
from indexer.run.prune import FEW_MISSING, PruneDecision, decide_pruning, report_missing
from indexer.run.refusals import Refusals, as_skipped
from indexer.run.report import RunReport
from indexer.run.restricted_parts import stored_version
from indexer.run.sharing import BatchResult, BatchSharing, write_embedded
from indexer.run.source_document import source_document
from indexer.sources.connector import (
    Connector,
    ListedDocument,
    PermissionSource,
    RemoteSource,
    SkippedDocument,
)

log = logging.getLogger(__name__)

PARSER_REVISION = 5
"""Raised whenever the same file would give other blocks, so that every file is read again."""


class IndexRun:
    """One index run over one source.

    report: what was done so far, also when the run is broken off. show: is told how far the run is, again and again.
    """

    def __init__(
        self,
        source: str,
        connector: Connector,
        dependencies: RunDependencies,
        options: RunOptions,
        show: Callable[[RunProgress], None],
    ) -> None:
        self.report = RunReport(
            source,
            dry_run=options.dry_run,
            masking=dependencies.masker.version,
            permissions=options.permissions,
            embedder=dependencies.embedder.identity.name,
        )
        self._source = source
        self._connector = connector
        self._dependencies = dependencies
        self._masker = dependencies.masker
        self._options = options
        self._show = show
        revisions = [f"parser-{PARSER_REVISION}", chunking_fingerprint(dependencies.limits)]
        if dependencies.writer.has_propositions:
            revisions.append(f"propositions-{PROPOSITIONS_REVISION}")
        self._revision = digest(*revisions)
        self._graph = GraphRefresh(source, dependencies, dry_run=options.dry_run)
        self._acls = AclSync(source, connector, dependencies, options, self._revision)
        self._refusals = Refusals(source, dependencies, self._revision, again=options.single)
        self.sharing: BatchSharing | None = None
        """Hands batches to other workers; None: this process does all of them."""
        self._present: set[str] = set()
        self._added: list[tuple[bytes, str]] = []

    async def run(self) -> RunReport:
        """Does it. Whatever breaks it off, every document is in the index whole, in its old or its new form.

        Raises:
            Refused, Transient: the listing broke off, and nothing was pruned; or the database is away.
            Misconfigured: the disk is full, or the model or the source refuses us.
        """
        started = time.monotonic()
        try:
            if not self._options.permissions or isinstance(self._connector, PermissionSource):
                await self._run()
        finally:
            report = self.report
            report.seconds = round(time.monotonic() - started, 3)
            report.readdressed, report.connected = len(self._acls.acl_changed), self._graph.made
            report.requests = self._connector.requests if isinstance(self._connector, RemoteSource) else 0
            secrets = self._masker.secrets
            report.unreadable = [(secrets(path).text, secrets(why).text) for path, why in self._acls.unreadable]
        return self.report

    async def _run(self) -> None:
        async with self._acls.alone():
            with self._stage("permissions"):
                known = await self._dependencies.writer.indexed_documents(self._source)
                known = await self._acls.read(known)
            with self._stage("listing"):
                listed, known = await self._list(known)
        if self._options.permissions:  # only what must not be shown as it is
            outdated = self._acls.exposed | self._acls.moved | self._acls.widened
            listed = [each for each in listed if each.stored.external_id in outdated]
        if listed or not self._options.permissions:
            await self._refusals.read()
            with self._stage("indexing"):
                await self._index(listed, known)
        await self._prune(known)
        if not self._options.dry_run:
            await self._refusals.save(whole=self.report.complete and not self._options.permissions)
        if not self._options.dry_run and not self._options.permissions:
            self._show(RunProgress("tidying up", len(listed), len(listed), self.report.chunks))
            with self._stage("tidying up"):
                await self._dependencies.writer.finish()

    @contextmanager
    def _stage(self, name: str) -> Iterator[None]:
        """Adds the time that a part of the run took to the report."""
        began = time.monotonic()
        try:
            yield
        finally:
            self.report.stages[name] = round(self.report.stages.get(name, 0.0) + time.monotonic() - began, 3)

    async def _list(self, known: dict[str, IndexedDocument]) -> tuple[list[NamedDocument], dict[str, IndexedDocument]]:
        """What has to be looked at, and the states once all documents admit whom they were listed with."""
        found: list[ListedDocument | SkippedDocument] = []
        try:
            async for item in listed_items(self._connector, self._options, known):
                found.append(item)
                self._show(RunProgress(f"listing {len(found)}"))
        except Exception:  # rights that were taken away apply at once, also where the listing broke off
            names = await asyncio.to_thread(masked_listing, found, self._masker)
            await self._acls.admit([each.stored for each in names.listed], names.skipped, known)
            raise
        names = await asyncio.to_thread(masked_listing, found, self._masker)
        listed = {each.stored.external_id: each for each in names.listed}
        known = await self._acls.admit([each.stored for each in listed.values()], names.skipped, known)
        self._note(listed, names.skipped, known)
        self.report.failed += [("(a name)", Withheld().what)] * names.withheld
        self.report.listed = len(listed)
        self.report.complete = lists_all(self._connector, self._options) and not names.withheld
        if self.report.complete:
            if isinstance(self._connector, PermissionSource) and not self._options.dry_run:
                # before new members of groups count: they may never have been allowed to read what is missing now
                await self._dependencies.writer.hide(self._source, self._missing(known, []).hide, self._acls.read_at)
            await self._acls.mark_fresh()
        wanted = [each for each in listed.values() if self._is_wanted(each.stored, known.get(each.stored.external_id))]
        return wanted, known

    def _note(
        self, listed: Collection[str], skipped: Sequence[SkippedDocument], known: Mapping[str, IndexedDocument]
    ) -> None:
        """Notes in the report what is there, and what is skipped."""
        self._present.update(listed, (each.external_id for each in skipped if not each.gone))
        for each in skipped:
            if each.below:
                self._present.update(name for name in known if name.startswith(each.external_id))
            if self._options.document in {None, document_id(self._source, each.external_id)}:
                state = None if each.gone else known.get(each.external_id)
                self.report.skipped.append((each.path, as_skipped(each.reason, state)))

    def _is_wanted(self, item: ListedDocument, state: IndexedDocument | None) -> bool:
        if self._options.document is not None:
            return document_id(self._source, item.external_id) == self._options.document
        since = self._options.since
        if (
            since is None
            or not lists_all(self._connector, self._options)
            or item.modified_at is None
            or item.modified_at >= since
        ):
            return True
        return state is None or not self._is_masked_now(state) or not self._is_as_listed(item, state)

    def _is_masked_now(self, state: IndexedDocument) -> bool:
        """Whether what this version of the index holds of a document passed the masking of now."""
        return masking_of(state.content_hash or b"") == self._masker.version

    async def _index(self, listed: list[NamedDocument], known: dict[str, IndexedDocument]) -> None:
        """Prepares and embeds one batch while the batch before is written and segments are merged; hands batches to
        other workers, where the run is shared."""
        writing: asyncio.Task[None] | None = None
        tidying: asyncio.Task[bool] | None = None
        handed = HandedBatches(self.sharing, self._dependencies, self._note_shared)
        try:
            async for batch in self._batches(listed, known):
                if await handed.offer(batch):
                    continue
                vectors = await embed_batch(
                    batch, self._dependencies.embedder, self._dependencies.counter, self._dependencies.writer
                )
                self.report.embedded += vectors.made
                self.report.tokens += vectors.tokens
                if writing:
                    await writing
                writing = asyncio.create_task(self._write(batch, vectors))
                if tidying is None or tidying.done():
                    tidying = asyncio.create_task(self._dependencies.writer.merge_segments())
        finally:
            for task in (writing, tidying):
                if task:
                    await task
        await handed.finish()

    async def _batches(
        self, listed: list[NamedDocument], known: dict[str, IndexedDocument]
    ) -> AsyncIterator[list[PreparedDocument]]:
        batch: list[PreparedDocument] = []
        at_once = self._connector.at_once if isinstance(self._connector, RemoteSource) else 1
        place = count()
        async for ready in bounded_map(
            listed, lambda item: self._prepare(item, known.get(item.stored.external_id)), at_once
        ):
            self._show(RunProgress("indexing", next(place), len(listed), self.report.chunks))
            if ready and self._options.dry_run:
                self._count(ready)
            elif ready:
                batch.append(ready)
            if sum(len(each.chunks) for each in batch) >= self._dependencies.chunks_at_once:
                yield batch
                batch = []
        if batch:
            yield batch

    async def _prepare(self, item: NamedDocument, state: IndexedDocument | None) -> PreparedDocument | None:
        """What of a document has to be written; None when nothing has, or it cannot be read."""
        try:
            return await self._read(item, state)
        except Refused as error:
            reason = self._masker.secrets(with_blanks_for_controls(error.what)).text
            self._refusals.note(item, error, reason)
            withdrawn = self.report.complete and item.stored.external_id in self._refusals.emptied
            self.report.skipped.append((item.stored.path, reason if withdrawn else as_skipped(reason, state)))
        except Misconfigured:  # it concerns every document, and repeated failures may lock the account
            raise
        except KbError as error:
            self.report.failed.append(
                (item.stored.path, self._masker.secrets(with_blanks_for_controls(error.what)).text)
            )
            # a document that cannot be masked is purged, unless its stored text passed the current masking
            held = state is not None and state.content_hash is not None and not self._is_masked_now(state)
            if isinstance(error, Withheld) and held and not self._options.dry_run:
                await self._dependencies.writer.purge(self._source, [item.stored.external_id])
        except Exception:
            log.exception("Preparing a document failed")
            self.report.failed.append((item.stored.path, "an error of ours; the log has the details"))
        return None

    async def _read(self, item: NamedDocument, state: IndexedDocument | None) -> PreparedDocument | None:
        version = self._version(item)
        metadata_current = state is not None and state.version == version and self._is_as_listed(item.stored, state)
        # with a version of the source's own, the document need not be read
        current = bool(version) and metadata_current and state is not None and self._is_masked_now(state)
        if current and state is not None and await self._graph.ensure_current(state):
            self._count_unchanged(item)
            return None
        if before := self._refusals.known(item):
            raise Refused(before)
        fetched = await self._connector.fetch(item.item)
        content = digest(self._revision, item.item.title, fetched.media_type, fetched.raw)
        content_hash = content_hash_of(content, self._masker.version)
        same = state is not None and state.content_hash == content_hash
        if same and metadata_current and state is not None and await self._graph.ensure_current(state):
            self._count_unchanged(item)
            return None
        parsed = await self._dependencies.parser.parse(fetched.raw, fetched.name, fetched.media_type)
        if why := parsed.metadata.get("cut"):
            self.report.cut.append((item.stored.path, f"read in part: it has {why}"))
        acl = self._acls.acl(item.stored)
        found = source_document(
            self._source, item.stored, fetched, parsed, acl, content_hash, version, self._acls.read_at
        )
        document = await asyncio.to_thread(masked_document, found, self._masker)
        document = await asyncio.to_thread(with_facts, document, fetched.links, parsed.mentions, self._masker)
        if same:
            if metadata_current:
                self._count_unchanged(item)
            else:
                self.report.count("described", document.path)
            await self._graph.describe(document)
            return None
        return await self._cut(document, state)

    def _count_unchanged(self, item: NamedDocument) -> None:
        if item.stored.external_id in self._acls.acl_changed:
            self.report.count("described", item.stored.path)
        else:
            self.report.unchanged += 1

    def _version(self, item: NamedDocument) -> str:
        """Under which version a document is stored. Empty where the listed one does not cover all of the text."""
        return stored_version(self._revision, item.item) if item.item.version_of_all else ""

    async def _cut(self, document: SourceDocument, state: IndexedDocument | None) -> PreparedDocument | None:
        """What has to be embedded and written; None when a newer masking left the document as it was."""
        known = state.content_hash if state else None
        new, same = known is None, known is not None and content_of(known) == content_of(document.content_hash)
        counter, limits = self._dependencies.counter, self._dependencies.limits
        propositions = self._dependencies.writer.has_propositions
        ready = await asyncio.to_thread(
            PreparedDocument.cut,
            document,
            counter,
            limits,
            new=new,
            masked_anew=same,
            propositions=propositions,
            annotator=self._dependencies.annotator,
        )
        if same and not self._options.dry_run:
            chunk_ids = [chunk.chunk_id for chunk in ready.chunks]
            if await self._graph.confirm(document, chunk_ids, ready.graph):
                self._count(ready)
                return None
        return ready

    def _is_as_listed(self, item: ListedDocument, state: IndexedDocument) -> bool:
        """Whether what the index says of an unchanged document still holds."""
        same_place = (state.url, state.path) == (item.url, item.path)
        return same_place and state.acl == self._acls.acl(item) and not state.hidden

    def _count(self, ready: PreparedDocument) -> None:
        path = ready.document.path
        if ready.new:
            self.report.count("added", path)
            self._added.append((content_of(ready.document.content_hash), path))
        else:
            self.report.count("masked_anew" if ready.masked_anew else "changed", path)

    async def _write(self, batch: list[PreparedDocument], vectors: EmbeddedBatch) -> None:
        self._note_written(batch, await write_embedded(batch, vectors, self._dependencies.writer))

    def _note_shared(self, batch: Sequence[PreparedDocument], result: BatchResult) -> None:
        self.report.embedded += result.embedded
        self.report.tokens += result.tokens
        self._note_written(batch, result.failed)

    def _note_written(self, batch: Sequence[PreparedDocument], failed: Mapping[str, str]) -> None:
        """Notes in the report what was written of a batch. failed: by path, why not."""
        for ready in batch:
            if why := failed.get(ready.document.path):
                self.report.failed.append((ready.document.path, why))
                continue
            self._count(ready)
            self.report.chunks += len(ready.chunks)

    def _missing(self, known: dict[str, IndexedDocument], added: Iterable[bytes]) -> PruneDecision:
        return decide_pruning(
            known,
            self._present,
            added,
            max_share=self._options.prune_max_share,
            confirmed=self._options.prune_confirmed,
            few=0 if isinstance(self._connector, PermissionSource) else FEW_MISSING,
            emptied=self._refusals.emptied,
        )

    async def _prune(self, known: dict[str, IndexedDocument]) -> None:
        if not self.report.complete:
            return
        found = self._missing(known, [content for content, _ in self._added])
        report = self.report
        report.renamed, report.held_back = len(found.renamed), len(found.deletion_suspended)
        # ids that the current masking changes: their documents are stored again under the masked id
        older = [external_id for external_id, state in known.items() if not self._is_masked_now(state)]
        names = await asyncio.to_thread(lambda: [masked_name(each, self._masker).text for each in older])
        unmasked = [each for each, name in zip(older, names, strict=True) if name != each and each not in found.purge]
        report.hidden = len(found.hide)
        report.purged = len(found.purge) + len(unmasked) - len(found.renamed)
        report.added -= len(found.renamed)
        report_missing(report, found, known, self._added)
        if report.held_back:
            warning = "%s of %s documents of %s are missing all at once; they are kept until an operator confirms it"
            log.warning(warning, report.held_back, sum(not each.hidden for each in known.values()), self._source)
        missing = [*found.hide, *found.deletion_suspended][:100]
        report.missing = [masked_name(each, self._masker).text for each in missing]
        if not self._options.dry_run:
            # a document that another run showed again since the listing was read is kept
            gone = [each for each in found.purge if each not in found.renamed]
            await self._dependencies.writer.hide(self._source, found.hide, self._acls.read_at)
            await self._dependencies.writer.purge(self._source, gone, self._acls.read_at)
            await self._dependencies.writer.purge(self._source, [*found.renamed, *unmasked])
