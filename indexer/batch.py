"""A batch of documents on its way into the index: cut, then embedded together."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from domain.documents import Chunk, SourceDocument
from domain.graph import DocumentGraph
from domain.ports import NO_GRAPH, Embedder, KnowledgeWriter, PropositionRow, TokenCounter, Vectors
from indexer.annotation import Annotator
from indexer.chunk import ChunkLimits, chunk_document
from indexer.graph import document_graph
from indexer.propositions import Unit, code_lines, units


@dataclass(frozen=True, slots=True)
class Ready:
    """A document that waits to be embedded. new: the index did not have it. units: of each chunk; none where the
    index has no level of propositions. masked_anew: only its masking is newer than that of what the index has. graph:
    its part of the knowledge graph."""

    document: SourceDocument
    chunks: list[Chunk]
    new: bool
    units: list[list[Unit]]
    masked_anew: bool = False
    graph: DocumentGraph = NO_GRAPH

    @classmethod
    def cut(
        cls,
        document: SourceDocument,
        counter: TokenCounter,
        limits: ChunkLimits,
        *,
        new: bool,
        propositions: bool,
        masked_anew: bool = False,
        annotator: Annotator | None = None,
    ) -> "Ready":
        """`document` in chunks, and these in units when `propositions` asks for them; with `annotator` its part of the
        knowledge graph."""
        chunks = chunk_document(document, counter, limits)
        code = code_lines(document.blocks) if propositions else frozenset()
        parts = [units(chunk, code) for chunk in chunks] if propositions else []
        graph = document_graph(document.title, document.path, document.facts, chunks, annotator)
        return cls(document, chunks, new, parts, masked_anew, graph)


@dataclass(frozen=True, slots=True)
class Embedded:
    """Vectors of a batch. by_text: by the text's hash. made: how many chunks the index had no vector for. tokens: that
    the model read."""

    by_text: dict[bytes, Vectors]
    made: int
    tokens: int
    dimensions: int

    def rows(self, ready: Ready) -> Vectors:
        """One row for each chunk: float32, shape (chunks, dimensions)."""
        rows = np.array([self.by_text[chunk.text_hash] for chunk in ready.chunks], np.float32)
        return rows.reshape(-1, self.dimensions)

    def propositions(self, ready: Ready) -> list[PropositionRow]:
        """The units of all chunks, with their vectors."""
        return [
            PropositionRow(place, unit.start, unit.end, self.by_text[unit.text_hash])
            for place, of_chunk in enumerate(ready.units)
            for unit in of_chunk
        ]


async def embed(batch: Sequence[Ready], embedder: Embedder, counter: TokenCounter, writer: KnowledgeWriter) -> Embedded:
    """A vector for each text of the batch: for a chunk the one that the index has, else a new one.

    Raises:
        Transient: the model's server or the database is away.
        Misconfigured: the model refuses us.
    """
    texts = {chunk.text_hash: chunk.embedded_text for ready in batch for chunk in ready.chunks}
    known = await writer.known_vectors(list(texts))
    wanted = {text_hash: text for text_hash, text in texts.items() if text_hash not in known}
    made = len(wanted)
    parts = {unit.text_hash: unit.text for ready in batch for of_chunk in ready.units for unit in of_chunk}
    wanted |= {text_hash: text for text_hash, text in parts.items() if text_hash not in known}
    tokens = sum(map(len, await asyncio.to_thread(counter.offsets, list(wanted.values()))))
    vectors = await embedder.embed(list(wanted.values()))
    by_text = {key: row.astype(np.float32) for key, row in known.items()} | dict(zip(wanted, vectors, strict=True))
    return Embedded(by_text, made, tokens, embedder.identity.dimensions)
