"""A batch on its way into the index: what is embedded, and what goes with which document."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from domain.documents import Block, BlockKind, SourceDocument
from domain.model_ports import TextKind, Vectors
from indexer.chunking.packer import ChunkLimits
from indexer.run.batch import PreparedDocument, embed_batch
from tests.fakes.documents import a_document
from tests.fakes.embedder import HashEmbedder
from tests.fakes.knowledge import MemoryKnowledge

PARKING = "Visitors park on level two. It has forty places. Staff park on the roof of the annexe."


class CountingEmbedder(HashEmbedder):
    """Keeps the texts that it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[str] = []

    async def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        self.given.extend(texts)
        return await super().embed(texts, kind)


def written(name: str, *blocks: Block) -> SourceDocument:
    return replace(a_document(name, title="Offices"), blocks=blocks)


def cut(document: SourceDocument, embedder: HashEmbedder, *, propositions: bool) -> PreparedDocument:
    return PreparedDocument.cut(document, embedder, ChunkLimits(), new=True, propositions=propositions)


async def test_units_are_embedded_with_their_chunks_and_point_into_them() -> None:
    embedder = CountingEmbedder()
    memory = MemoryKnowledge(embedder.identity, propositions=True)
    code = Block(BlockKind.CODE, "open --gate visitors --level 2")
    ready = cut(written("a", Block(BlockKind.PROSE, PARKING), code), embedder, propositions=True)
    embedded = await embed_batch([ready], embedder, embedder, memory)
    assert embedded.made == len(ready.chunks) == 1
    rows = embedded.propositions(ready)
    shown = [ready.chunks[row.chunk].text[row.start : row.end] for row in rows]
    assert shown == ["Visitors park on level two. It has forty places.", "Staff park on the roof of the annexe."]
    assert sorted(embedder.given) == sorted([ready.chunks[0].embedded_text, *(f"Offices\n{text}" for text in shown)])
    for row, text in zip(rows, shown, strict=True):
        np.testing.assert_allclose(row.vector, embedder.vectors([f"Offices\n{text}"])[0], atol=1e-6)
    await memory.put(ready.document, ready.chunks, embedded.rows(ready), rows)


async def test_without_the_level_chunks_alone_are_embedded() -> None:
    embedder = CountingEmbedder()
    memory = MemoryKnowledge(embedder.identity)
    ready = cut(written("a", Block(BlockKind.PROSE, PARKING)), embedder, propositions=False)
    embedded = await embed_batch([ready], embedder, embedder, memory)
    assert embedder.given == [ready.chunks[0].embedded_text]
    assert embedded.propositions(ready) == []
    await memory.put(ready.document, ready.chunks, embedded.rows(ready), embedded.propositions(ready))


async def test_equal_texts_are_embedded_once_and_known_chunks_not_again() -> None:
    embedder = CountingEmbedder()
    memory = MemoryKnowledge(embedder.identity, propositions=True)
    first, second = (
        cut(written(name, Block(BlockKind.PROSE, PARKING)), embedder, propositions=True) for name in ("a", "b")
    )
    embedded = await embed_batch([first, second], embedder, embedder, memory)
    assert len(embedder.given) == len(set(embedder.given)) == 3
    await memory.put(first.document, first.chunks, embedded.rows(first), embedded.propositions(first))
    again = await embed_batch([second], embedder, embedder, memory)
    assert again.made == 0
    assert len(again.rows(second)) == 1
    assert len(again.propositions(second)) == 2


async def test_a_document_of_no_text_has_rows_of_the_right_shape() -> None:
    embedder = HashEmbedder()
    ready = cut(written("a"), embedder, propositions=True)
    embedded = await embed_batch([ready], embedder, embedder, MemoryKnowledge(embedder.identity))
    assert embedded.rows(ready).shape == (0, embedder.identity.dimensions)
    assert embedded.propositions(ready) == []
