"""The whole pass over one source: list, read, parse, chunk, embed, write, prune."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Protocol

from domain.documents import ParsedFile, digest, document_id
from domain.errors import KbError, Refused
from domain.ports import Embedder, IndexedState, KnowledgeWriter, TokenCounter
from indexer.batch import Embedded, Ready, embed
from indexer.chunk import ChunkLimits, fingerprint
from indexer.connectors.base import Connector, Listed, Passed
from indexer.document import source_document
from indexer.propositions import PROPOSITIONS_REVISION
from indexer.prune import decide
from indexer.report import RunReport

log = logging.getLogger(__name__)

CHUNKS_AT_ONCE = 192
"""Chunks embedded together: enough that batches of equal length fill, few enough that a kill costs seconds."""

MAX_ID = 2_000
"""Bytes of a document's id in its source: the index over ids in PostgreSQL takes rows of 2,704 bytes."""

PARSER_REVISION = 1
"""Raised whenever the same file would give other blocks, so that every file is read again."""


class FileParser(Protocol):
    """Raw bytes to blocks; see indexer.parse.sandbox.ParserPool."""

    async def parse(self, raw: bytes, name: str, media_type: str = "") -> ParsedFile:
        """The file's structure. Raises Refused when it has none that we can read."""


class Writer(KnowledgeWriter, Protocol):
    """A KnowledgeWriter with upkeep."""

    async def tidy(self) -> bool:
        """Merges what is due; may run while the writer is used."""

    async def finish(self) -> None:
        """Merges and builds what a finished run calls for."""


@dataclass(frozen=True, slots=True)
class Tools:
    """What a pass works with."""

    writer: Writer
    embedder: Embedder
    counter: TokenCounter
    parser: FileParser
    limits: ChunkLimits = field(default_factory=ChunkLimits)


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a pass goes.

    since: leave alone what is indexed and older, as its source says. document: index the document of this id alone.
    dry_run: write nothing. prune_max_share, prune_confirmed: see indexer.prune.
    """

    since: datetime | None = None
    document: str | None = None
    dry_run: bool = False
    prune_max_share: float = 0.2
    prune_confirmed: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """How far a pass is. total: documents to look at, 0 while it is not known. chunks: written so far."""

    doing: str
    done: int = 0
    total: int = 0
    chunks: int = 0


class Pass:
    """One pass over one source.

    source: its name. show: told of every step. report: what was done so far, also when the pass is broken off.
    """

    def __init__(
        self, source: str, connector: Connector, tools: Tools, options: RunOptions, show: Callable[[Step], None]
    ) -> None:
        self.report = RunReport(source, dry_run=options.dry_run)
        self._source = source
        self._connector = connector
        self._tools = tools
        self._options = options
        self._show = show
        revisions = [f"parser-{PARSER_REVISION}", fingerprint(tools.limits)]
        if tools.writer.propositions:
            revisions.append(f"propositions-{PROPOSITIONS_REVISION}")
        self._revision = digest(*revisions)
        self._present: set[str] = set()
        self._readdressed: set[str] = set()
        self._added: list[bytes] = []

    async def run(self) -> RunReport:
        """Does it. Whatever breaks it off, every document is in the index whole, in its old or its new form.

        Raises:
            Refused, Transient: the listing broke off, and nothing was pruned; or the database is away.
            Misconfigured: the disk is full, or the model refuses us.
        """
        started = time.monotonic()
        try:
            known = await self._tools.writer.indexed(self._source)
            known = await self._readdress(known)
            listed = await self._list(known)
            await self._index(listed, known)
            if self._options.document is None:
                await self._prune(known)
            if not self._options.dry_run:
                self._show(Step("tidying up", len(listed), len(listed), self.report.chunks))
                await self._tools.writer.finish()
        finally:
            self.report.seconds = round(time.monotonic() - started, 3)
        return self.report

    async def _readdress(self, known: dict[str, IndexedState]) -> dict[str, IndexedState]:
        """Gives every document that the index holds the ACL that the source has now, before anything is read: a
        tightened one must not wait for the rest of the run. Returns the states as they are then."""
        acl = self._connector.acl
        stale = [state.external_id for state in known.values() if state.acl != acl]
        if not stale or self._options.dry_run:
            return known
        await self._tools.writer.admit(self._source, stale, acl)
        self._readdressed.update(stale)
        return {external_id: replace(state, acl=acl) for external_id, state in known.items()}

    async def _list(self, known: dict[str, IndexedState]) -> list[Listed]:
        listed: dict[str, Listed] = {}
        async for found in self._connector.listing():
            item = _storable(found)
            self._present.add(item.external_id)
            if isinstance(item, Listed):
                listed[item.external_id] = item
                self._show(Step(f"listing {len(listed)}"))
                continue
            if item.below:
                self._present.update(each for each in known if each.startswith(item.external_id))
            if self._options.document in {None, document_id(self._source, item.external_id)}:
                self.report.skipped.append((item.path, item.reason))
        self.report.listed = len(listed)
        self.report.complete = True
        return [item for item in listed.values() if self._wanted(item, known.get(item.external_id))]

    def _wanted(self, item: Listed, state: IndexedState | None) -> bool:
        if self._options.document is not None:
            return document_id(self._source, item.external_id) == self._options.document
        since = self._options.since
        if since is None or item.modified_at is None or item.modified_at >= since:
            return True
        return state is None or state.content_hash is None or not self._described(item, state)

    async def _index(self, listed: list[Listed], known: dict[str, IndexedState]) -> None:
        """Prepares and embeds one batch while the batch before is written and segments are merged."""
        writing: asyncio.Task[None] | None = None
        tidying: asyncio.Task[bool] | None = None
        try:
            async for batch in self._batches(listed, known):
                vectors = await embed(batch, self._tools.embedder, self._tools.writer)
                self.report.embedded += vectors.made
                if writing:
                    await writing
                writing = asyncio.create_task(self._write(batch, vectors))
                if tidying is None or tidying.done():
                    tidying = asyncio.create_task(self._tools.writer.tidy())
        finally:
            for task in (writing, tidying):
                if task:
                    await task

    async def _batches(self, listed: list[Listed], known: dict[str, IndexedState]) -> AsyncIterator[list[Ready]]:
        batch: list[Ready] = []
        for place, item in enumerate(listed):
            self._show(Step("indexing", place, len(listed), self.report.chunks))
            ready = await self._prepare(item, known.get(item.external_id))
            if ready and self._options.dry_run:
                self._count(ready)
            elif ready:
                batch.append(ready)
            if sum(len(each.chunks) for each in batch) >= CHUNKS_AT_ONCE:
                yield batch
                batch = []
        if batch:
            yield batch

    async def _prepare(self, item: Listed, state: IndexedState | None) -> Ready | None:
        """What of a document has to be written; None when nothing has, or it cannot be read."""
        try:
            return await self._read(item, state)
        except Refused as error:
            self.report.skipped.append((item.path, error.what))
        except KbError as error:
            self.report.failed.append((item.path, error.what))
        except Exception:
            log.exception("Preparing a document failed")
            self.report.failed.append((item.path, "an error of ours; the log has the details"))
        return None

    async def _read(self, item: Listed, state: IndexedState | None) -> Ready | None:
        fetched = await self._connector.fetch(item)
        content_hash = digest(self._revision, item.title, fetched.media_type, fetched.raw)
        same = state is not None and state.content_hash == content_hash
        if same and state is not None and self._described(item, state):
            if item.external_id in self._readdressed:
                self.report.described += 1
            else:
                self.report.unchanged += 1
            return None
        parsed = await self._tools.parser.parse(fetched.raw, fetched.name, fetched.media_type)
        document = source_document(self._source, item, fetched, parsed, self._connector.acl, content_hash)
        if same:
            self.report.described += 1
            if not self._options.dry_run:
                await self._tools.writer.describe(document)
            return None
        new = state is None or state.content_hash is None
        counter, limits, propositions = self._tools.counter, self._tools.limits, self._tools.writer.propositions
        return await asyncio.to_thread(Ready.cut, document, counter, limits, new=new, propositions=propositions)

    def _described(self, item: Listed, state: IndexedState) -> bool:
        """Whether what the index says of an unchanged document still holds."""
        same_place = (state.url, state.path) == (item.url, item.path)
        return same_place and state.acl == self._connector.acl and not state.hidden

    def _count(self, ready: Ready) -> None:
        if ready.new:
            self.report.added += 1
            self._added.append(ready.document.content_hash)
        else:
            self.report.changed += 1

    async def _write(self, batch: list[Ready], vectors: Embedded) -> None:
        for ready in batch:
            rows, propositions = vectors.rows(ready), vectors.propositions(ready)
            try:
                await self._tools.writer.put(ready.document, ready.chunks, rows, propositions)
            except Refused as error:
                self.report.failed.append((ready.document.path, error.what))
                continue
            self._count(ready)
            self.report.chunks += len(ready.chunks)

    async def _prune(self, known: dict[str, IndexedState]) -> None:
        found = decide(
            known,
            self._present,
            self._added,
            max_share=self._options.prune_max_share,
            confirmed=self._options.prune_confirmed,
        )
        report = self.report
        report.renamed, report.held_back = len(found.renamed), len(found.held_back)
        report.hidden, report.purged = len(found.hide), len(found.purge) - len(found.renamed)
        report.added -= len(found.renamed)
        report.missing = [*found.hide, *found.held_back][:100]
        if not self._options.dry_run:
            await self._tools.writer.hide(self._source, found.hide)
            await self._tools.writer.purge(self._source, found.purge)


def _storable(item: Listed | Passed) -> Listed | Passed:
    """What was listed, or why it cannot be kept."""
    if isinstance(item, Listed) and len(item.external_id.encode()) > MAX_ID:
        return Passed(item.external_id, item.path[:200] + "…", f"its path is longer than {MAX_ID:,} bytes")
    return item
