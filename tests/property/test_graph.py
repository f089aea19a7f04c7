"""Whatever was added, changed and removed before: the graph is the one that the documents of now make together."""

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.documents import Chunk, SourceDocument
from domain.index_ports import KnowledgeWriter
from domain.knowledge_graph import DocumentGraph, Facts, Link, MentionRole, issue_key, key, page_key
from domain.knowledge_graph import EntityType as EntityKind
from domain.text.tokens import Analyzer
from indexer.graph.document_graph import document_graph, revision_of
from indexer.graph.plain_annotator import PlainAnnotator
from storage.index.sources import Source
from storage.open import Storage
from tests.fakes.documents import SOURCE, a_document, chunks_of
from tests.fakes.embedder import HashEmbedder
from tests.fakes.graph import stored, union
from tests.fakes.knowledge import MemoryKnowledge

pytestmark = pytest.mark.check

EMBEDDER = HashEmbedder(8)
RULES = PlainAnnotator()
SENTENCES = [
    "Ledger Core depends on Kafka Streams.",
    "The Customer Data Platform (CDP) feeds Billing Service.",
    "Billing Service's owner is Jane Doe.",
    "Jane Doe is the lead of Platform Team.",
    "PAY-7 blocks PAY-8, see https://wiki.example/pages/5.",
    "Ask ada@example.com about docs/runbook.md.",
    "Nothing is named here.",
    "Search API replaced Find API in Berlin Office.",
    "see the release approval process",
    "Platform Team runs Ledger Core.",
]
TITLES = ["Ledger Core", "Billing Service (service)", "PAY-7: Broken build", "runbook.md", "Notes"]


def part_of(document: SourceDocument, chunks: Sequence[Chunk]) -> DocumentGraph:
    return document_graph(document.title, document.path, document.facts, chunks, RULES)


class Maker:
    """Documents and what is done to them, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def document(self) -> SourceDocument:
        name = f"d{self.chance.randrange(6)}"
        found = a_document(name, title=self.chance.choice(TITLES), content=str(self.chance.random()))
        keys = (page_key(found.url), key(EntityKind.DOCUMENT, found.document_id))
        targets = [issue_key("PAY-8"), page_key("https://docs.example/d1"), key(EntityKind.LABEL, "new")]
        links = [Link("links to", self.chance.choice(targets), inverse=self.chance.random() < 0.3) for _ in range(2)]
        return replace(found, facts=Facts(keys, tuple(dict.fromkeys(links))))

    def texts(self) -> list[str]:
        return [" ".join(self.chance.sample(SENTENCES, 3)) for _ in range(self.chance.randint(0, 3))]


async def act(maker: Maker, writers: Sequence[KnowledgeWriter]) -> None:
    """One thing done alike to all writers."""
    document, texts, way = maker.document(), maker.texts(), maker.chance.random()
    chunks = chunks_of(document, texts)
    rows = EMBEDDER.vectors([each.embedded_text for each in chunks]).reshape(len(chunks), 8).astype(np.float32)
    for writer in writers:
        if way < 0.55:
            await writer.put(document, chunks, rows, (), part_of(document, chunks))
        elif way < 0.8:
            await writer.purge(SOURCE, [document.external_id])
        else:
            held = await writer.stored_text(SOURCE, document.external_id)
            if held:
                ids = [each.chunk_id for each in held.chunks]
                wanted = document_graph(
                    held.title, held.path, document.facts, held.chunks, RULES if way < 0.9 else None
                )
                await writer.replace_graph(SOURCE, document.external_id, wanted, ids)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 4))])
async def test_updates_give_what_a_full_build_gives(storage: Storage, seed: int) -> None:
    await storage.sources.add(Source(SOURCE, "files", {}))
    writer = await storage.writer(EMBEDDER.identity, Analyzer())
    memory, maker = MemoryKnowledge(EMBEDDER.identity), Maker(seed)
    for step in range(40):
        await act(maker, [writer, memory])
        if step % 8 == 7:
            assert await stored(storage.engine) == union(memory.graphs())


async def test_a_version_that_is_made_anew_has_the_same(storage: Storage) -> None:
    await storage.sources.add(Source(SOURCE, "files", {}))
    writer, maker = await storage.writer(EMBEDDER.identity, Analyzer()), Maker(7)
    memory = MemoryKnowledge(EMBEDDER.identity)
    for _ in range(30):
        await act(maker, [writer, memory])
    anew = await storage.rebuild(EMBEDDER.identity, Analyzer())
    for state in (await writer.indexed_documents(SOURCE)).values():
        held = await writer.stored_text(SOURCE, state.external_id)
        assert held is not None
        assert held.facts is not None
        document = replace(a_document(state.external_id, title=held.title), facts=held.facts)
        rows = EMBEDDER.vectors([each.embedded_text for each in held.chunks]).reshape(len(held.chunks), 8)
        part = document_graph(held.title, held.path, held.facts, held.chunks, RULES if state.graph_revision else None)
        await anew.put(document, held.chunks, rows.astype(np.float32), (), part)
    assert await stored(storage.engine, "building") == await stored(storage.engine)
    await storage.publish()
    assert await stored(storage.engine) == union(memory.graphs())


async def test_what_goes_leaves_nothing(storage: Storage) -> None:
    await storage.sources.add(Source(SOURCE, "files", {}))
    writer, maker = await storage.writer(EMBEDDER.identity, Analyzer()), Maker(3)
    for _ in range(20):
        await act(maker, [writer])
    await storage.rebuild(EMBEDDER.identity, Analyzer())
    await writer.purge(SOURCE, list(await writer.indexed_documents(SOURCE)))
    assert await stored(storage.engine) == union({})


TEXTS = st.lists(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=4).map(" ".join), max_size=4)


@given(TEXTS, st.sampled_from(TITLES))
def test_a_part_holds_together(texts: list[str], title: str) -> None:
    """Both ends of a relation are mentioned by its chunk; nothing is there twice; the same gives the same."""
    document = replace(Maker(1).document(), title=title)
    chunks = chunks_of(document, texts)
    part = part_of(document, chunks)
    there = {(each.key, each.chunk) for each in part.mentions}
    for relation in part.relations:
        assert {(relation.subject, relation.chunk), (relation.object, relation.chunk)} <= there
        assert 0 < relation.confidence <= 1
    assert len({(each.key, each.chunk, each.role) for each in part.mentions}) == len(part.mentions)
    assert len({replace(each, confidence=0) for each in part.relations}) == len(part.relations)
    assert {each.chunk for each in part.mentions} <= {chunk.ordinal for chunk in chunks}
    assert part == part_of(document, chunks)
    assert part.revision == revision_of(RULES) > 0


@given(st.lists(st.text(max_size=300), min_size=1, max_size=3), st.text(max_size=60))
def test_any_text_has_a_part(texts: list[str], title: str) -> None:
    document = replace(Maker(1).document(), title=title)
    part = part_of(document, chunks_of(document, texts))
    assert {MentionRole.IDENTITY} <= {each.role for each in part.mentions}
    assert all(each.key.partition(":")[2] for each in part.mentions)
