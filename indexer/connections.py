"""Keeps the parts of the knowledge graph up to the rules of now where a document's text has not changed: made anew from
what the index holds of it, without its source, without embedding."""

import asyncio

from domain.documents import SourceDocument
from domain.ports import IndexedState
from indexer.graph import document_graph, revision_of
from indexer.tools import Tools


class Connections:
    """The graph of one source. tools: of the pass. dry_run: nothing is written.

    made: how many documents got another part, or would.
    """

    def __init__(self, source: str, tools: Tools, *, dry_run: bool) -> None:
        self.made = 0
        self._source = source
        self._writer = tools.writer
        self._annotator = tools.annotator
        self._revision = revision_of(tools.annotator)
        self._dry_run = dry_run

    async def current(self, state: IndexedState) -> bool:
        """Whether an unchanged document has the part that it should have; where that can be made of what is stored, it
        has it then. Else its source has to be asked."""
        if state.graph == self._revision:
            return True
        return state.facts and await self.renew(state.external_id)

    async def renew(self, external_id: str, document: SourceDocument | None = None) -> bool:
        """Makes a document's part anew from its stored chunks. document: as its source has it now, where that was read.
        Returns whether that could be."""
        self.made += 1
        if self._dry_run:
            return True
        held = await self._writer.held(self._source, external_id)
        facts = document.facts if document else held.facts if held else None
        if held is None or facts is None:
            return False
        graph = await asyncio.to_thread(document_graph, held.title, held.path, facts, held.chunks, self._annotator)
        await self._writer.connect(self._source, external_id, graph, [chunk.chunk_id for chunk in held.chunks])
        return True
