"""A batch of documents on its way into the index: cut, then embedded together."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from domain.documents import Chunk, SourceDocument
from domain.index_ports import NO_GRAPH, KnowledgeWriter, PropositionRow
from domain.knowledge_graph import DocumentGraph
from domain.model_ports import Embedder, TokenCounter, Vectors
from indexer.chunking.chunker import chunk_document
from indexer.chunking.packer import ChunkLimits
from indexer.chunking.propositions import SentenceUnit, code_lines, sentence_units
from indexer.graph.annotation import Annotator
from indexer.graph.document_graph import document_graph


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A document in chunks, which waits to be embedded."""

    document: SourceDocument
    chunks: list[Chunk]
    new: bool
    """Whether the index did not have it."""
    units: list[list[SentenceUnit]]
    """Of each chunk; none where the index has no level of propositions."""
    masked_anew: bool = False
    """Whether only its masking is newer than that of what the index has."""
    graph: DocumentGraph = NO_GRAPH
    """Its part of the knowledge graph."""

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
    ) -> "PreparedDocument":
        """`document` in chunks, and these in units when `propositions` asks for them; with `annotator` its part of the
        knowledge graph."""
        chunks = chunk_document(document, counter, limits)
        code = code_lines(document.blocks) if propositions else frozenset()
        parts = [sentence_units(chunk, code) for chunk in chunks] if propositions else []
        graph = document_graph(document.title, document.path, document.facts, chunks, annotator)
        return cls(document, chunks, new, parts, masked_anew, graph)


@dataclass(frozen=True, slots=True)
class EmbeddedBatch:
    """The vectors of a batch of documents."""

    by_text: dict[bytes, Vectors]
    """By the text's hash."""
    made: int
    """For how many chunks the index had no vector."""
    tokens: int
    """How many the model read."""
    dimensions: int

    def rows(self, ready: PreparedDocument) -> Vectors:
        """One row for each chunk: float32, shape (chunks, dimensions)."""
        rows = np.array([self.by_text[chunk.text_hash] for chunk in ready.chunks], np.float32)
        return rows.reshape(-1, self.dimensions)

    def propositions(self, ready: PreparedDocument) -> list[PropositionRow]:
        """The units of all chunks, with their vectors."""
        return [
            PropositionRow(place, unit.start, unit.end, self.by_text[unit.text_hash])
            for place, of_chunk in enumerate(ready.units)
            for unit in of_chunk
        ]


async def embed_batch(
    batch: Sequence[PreparedDocument], embedder: Embedder, counter: TokenCounter, writer: KnowledgeWriter
) -> EmbeddedBatch:
    """A vector for each text of the batch: for a chunk the one that the index has, else a new one.

    Raises:
        Transient: the model's server or the database is away.
        Misconfigured: the model refuses us.
    """
    texts = {chunk.text_hash: chunk.embedded_text for ready in batch for chunk in ready.chunks}
    known = await writer.stored_vectors(list(texts))
    wanted = {text_hash: text for text_hash, text in texts.items() if text_hash not in known}
    made = len(wanted)
    parts = {unit.text_hash: unit.text for ready in batch for of_chunk in ready.units for unit in of_chunk}
    wanted |= {text_hash: text for text_hash, text in parts.items() if text_hash not in known}
    tokens = sum(map(len, await asyncio.to_thread(counter.offsets, list(wanted.values()))))
    vectors = await embedder.embed(list(wanted.values()))
    by_text = {key: row.astype(np.float32) for key, row in known.items()} | dict(zip(wanted, vectors, strict=True))
    return EmbeddedBatch(by_text, made, tokens, embedder.identity.dimensions)
