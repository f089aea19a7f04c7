"""Keeps the parts of the knowledge graph up to the rules of now where a document's text has not changed: made anew from
what the index holds of it, without its source, without embedding."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TypeVar

from domain.documents import Chunk, SourceDocument
from domain.errors import Refused
from domain.index_ports import IndexedDocument
from domain.knowledge_graph import DocumentGraph, Facts
from indexer.graph.document_graph import document_graph, revision_of
from indexer.run.dependencies import RunDependencies

log = logging.getLogger(__name__)
T = TypeVar("T")


class GraphRefresh:
    """The graph of one source. dependencies: of the index run. dry_run: nothing is written.

    made: how many documents got another part, or would.
    """

    def __init__(self, source: str, dependencies: RunDependencies, *, dry_run: bool) -> None:
        self.made = 0
        self._source = source
        self._writer = dependencies.writer
        self._annotator = dependencies.annotator
        self._revision = revision_of(dependencies.annotator)
        self._dry_run = dry_run

    async def ensure_current(self, state: IndexedDocument) -> bool:
        """Rebuilds the document's graph from stored text if it is outdated; False if the source must be read."""
        if state.graph_revision == self._revision:
            return True
        return state.has_facts and await self.renew(state.external_id)

    async def renew(self, external_id: str) -> bool:
        """Makes a document's part anew from what is stored of it. Returns whether that could be."""
        self.made += 1
        if self._dry_run:
            return True
        held = await self._writer.stored_text(self._source, external_id)
        if held is None or held.facts is None:
            return False
        graph = await self._build_graph(held.title, held.path, held.facts, held.chunks)
        ids = [chunk.chunk_id for chunk in held.chunks]
        await write_or_drop_graph(graph, lambda part: self._writer.replace_graph(self._source, external_id, part, ids))
        return True

    async def describe(self, document: SourceDocument) -> None:
        """Says anew what is known of a document whose text stays, and its part with it, at once or not at all: title,
        place and facts are part of that."""
        self.made += 1
        if self._dry_run:
            return
        held = await self._writer.stored_text(self._source, document.external_id)
        if held is None:  # another run removed it meanwhile
            await self._writer.update_metadata(document)
            return
        graph = await self._build_graph(document.title, document.path, document.facts, held.chunks)
        await self.confirm(document, [chunk.chunk_id for chunk in held.chunks], graph)

    async def confirm(self, document: SourceDocument, chunk_ids: Sequence[str], graph: DocumentGraph) -> bool:
        """As domain.index_ports.KnowledgeWriter; without the part where it is that which the database refuses."""
        return await write_or_drop_graph(graph, partial(self._writer.update_if_unchanged, document, chunk_ids))

    async def _build_graph(self, title: str, path: str, facts: Facts, chunks: Sequence[Chunk]) -> DocumentGraph:
        return await asyncio.to_thread(document_graph, title, path, facts, chunks, self._annotator)


async def write_or_drop_graph(graph: DocumentGraph, write: Callable[[DocumentGraph], Awaitable[T]]) -> T:
    """What `write` gives for a document's part of the graph. Where the database refuses it, the document is written
    without: it is found by its words, and other rules try again."""
    try:
        return await write(graph)
    except Refused as error:
        if not (graph.mentions or graph.relations):
            raise
        log.warning("A part of the knowledge graph was refused, and its document is kept without: %s", error.what)
    return await write(DocumentGraph(graph.revision, graph.facts))
