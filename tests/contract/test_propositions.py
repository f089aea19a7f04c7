"""What PropositionSearch promises, and what KnowledgeWriter promises of propositions, held against every
implementation."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
import pytest

from domain.access import NOBODY, ORG, PUBLIC, Acl, Scope, user
from domain.documents import SourceDocument
from domain.errors import Bug, Misconfigured
from domain.index_ports import KnowledgeWriter, PropositionRow
from domain.search import Filters, Proposition
from domain.search_ports import PropositionSearch
from domain.text.tokens import Analyzer
from storage.index.sources import Source
from storage.open import open_storage
from storage.server.database import DatabaseOptions
from tests.contract.knowledge import MEMBER, OTHER
from tests.fakes.documents import SOURCE, a_document, chunks_of
from tests.fakes.embedder import HashEmbedder
from tests.fakes.knowledge import MemoryKnowledge
from tests.fakes.propositions import MemoryPropositions

BOB = user("bob@example.com")
BOBS = Acl.any_of(BOB)
BOB_ASKS = Scope.member("bob@example.com")
EMBEDDER = HashEmbedder()


@dataclass(frozen=True)
class Index:
    """One implementation. The parts of a chunk's text between bars are its units."""

    search: PropositionSearch
    writer: KnowledgeWriter

    async def put(self, document: SourceDocument, *texts: str | tuple[str, Acl]) -> list[str]:
        """Writes chunks with their units; gives the chunks' ids."""
        chunks = chunks_of(document, texts)
        places = [(number, *place) for number, chunk in enumerate(chunks) for place in parts(chunk.text)]
        vectors = EMBEDDER.vectors([chunks[number].text[start:end] for number, start, end in places])
        rows = [PropositionRow(*place, vector) for place, vector in zip(places, vectors, strict=True)]
        whole = EMBEDDER.vectors([chunk.embedded_text for chunk in chunks])
        await self.writer.put(document, chunks, whole.reshape(len(chunks), -1), rows)
        return [chunk.chunk_id for chunk in chunks]

    async def nearest(
        self, question: str, scope: Scope = MEMBER, *, filters: Filters | None = None, limit: int = 20
    ) -> list[Proposition]:
        vector = EMBEDDER.vectors([question])[0]
        return await self.search.nearest(vector, scope, filters=filters or Filters(), limit=limit)

    async def found(self, scope: Scope = MEMBER, filters: Filters | None = None) -> set[str]:
        """Ids of all chunks of which a unit may be seen."""
        return {unit.chunk_id for unit in await self.nearest("anything", scope, filters=filters, limit=1000)}


def parts(text: str) -> Sequence[tuple[int, int]]:
    ends = [place for place, character in enumerate(text) if character == "|"] + [len(text)]
    return list(zip([0, *(end + 1 for end in ends[:-1])], ends, strict=True))


@pytest.fixture
async def index(place: DatabaseOptions | None) -> AsyncIterator[Index]:
    """Each implementation in turn, empty, with the level."""
    if place is None:
        memory = MemoryKnowledge(EMBEDDER.identity, propositions=True)
        yield Index(MemoryPropositions(memory, EMBEDDER.identity), memory)
        return
    async with open_storage(place) as storage:
        for name in (SOURCE, OTHER):
            await storage.sources.add(Source(name, "files", {}))
        writer = await storage.writer(EMBEDDER.identity, Analyzer(), propositions=True)
        yield Index(storage.propositions(EMBEDDER.identity), writer)


@pytest.fixture
async def without(place: DatabaseOptions | None) -> AsyncIterator[Index]:
    """Each implementation in turn, empty, without the level."""
    if place is None:
        memory = MemoryKnowledge(EMBEDDER.identity)
        yield Index(MemoryPropositions(memory, EMBEDDER.identity), memory)
        return
    async with open_storage(place) as storage:
        await storage.sources.add(Source(SOURCE, "files", {}))
        writer = await storage.writer(EMBEDDER.identity, Analyzer())
        yield Index(storage.propositions(EMBEDDER.identity), writer)


async def test_the_nearest_units_come_first_with_their_place_and_cosine(index: Index) -> None:
    first, second = await index.put(
        a_document("a"), "the printer is jammed|lunch is at noon", "ask for paper|the printer is new"
    )
    document = a_document("a").document_id
    found = await index.nearest("the printer is jammed")
    assert [(unit.chunk_id, unit.start, unit.end) for unit in found[:2]] == [(first, 0, 21), (second, 14, 32)]
    assert {(unit.chunk_id, unit.start, unit.end) for unit in found[2:]} == {(first, 22, 38), (second, 0, 13)}
    assert {unit.document_id for unit in found} == {document}
    assert [unit.score for unit in found] == sorted((unit.score for unit in found), reverse=True)
    asked, other = EMBEDDER.vectors(["the printer is jammed", "the printer is new"])
    assert found[0].score == pytest.approx(1, abs=2e-3)
    assert found[1].score == pytest.approx(float(np.dot(asked, other)), abs=2e-3)
    assert await index.nearest("the printer is jammed", limit=2) == found[:2]


async def test_a_chunk_may_have_no_unit(index: Index) -> None:
    document = a_document("a")
    chunks = chunks_of(document, ["of no unit", "of one"])
    vectors = EMBEDDER.vectors(["x", "y"])
    await index.writer.put(document, chunks, vectors, [PropositionRow(1, 0, 6, vectors[1])])
    assert await index.found() == {chunks[1].chunk_id}
    await index.writer.put(a_document("a", content="2"), chunks, vectors)
    assert await index.found() == set()


async def test_scope_and_own_acls_of_chunks_hold_before_any_cut(index: Index) -> None:
    for number in range(8):
        await index.put(a_document(f"bob{number}", acl=BOBS), "salary table|salary table")
    mine, narrow, nobodys = await index.put(
        a_document("mine"), "a word on the salary", ("salary table", BOBS), ("salary table", NOBODY)
    )
    for limit in (1, 5):
        assert [unit.chunk_id for unit in await index.nearest("salary table", limit=limit)] == [mine]
    bobs = {unit.chunk_id for unit in await index.nearest("salary table", BOB_ASKS, limit=100)}
    assert len(bobs) == 10
    assert {mine, narrow} <= bobs
    assert nobodys not in bobs
    among = Scope(BOB_ASKS.asker, audience=frozenset({PUBLIC, ORG}))
    assert await index.found(among) == {mine}
    assert await index.found(Scope.outsider()) == set()


async def test_filters_hold_before_any_cut(index: Index) -> None:
    moment = datetime(2026, 3, 1, tzinfo=UTC)
    for number in range(5):
        await index.put(a_document(f"d{number}", space="IT"), "router router")
    (wanted,) = await index.put(
        a_document("hr", space="HR", labels=["x"], title="Handbook", updated_at=moment), "on the router in passing"
    )
    (other,) = await index.put(a_document("o", source=OTHER), "another router")
    for filters in (
        Filters(spaces=("HR",)),
        Filters(labels=("x", "y")),
        Filters(titles=("handb",)),
        Filters(since=moment),
        Filters(until=moment, sources=(SOURCE,)),
        Filters(documents=(a_document("hr").document_id,)),
    ):
        assert [unit.chunk_id for unit in await index.nearest("router", filters=filters, limit=1)] == [wanted]
    assert await index.found(filters=Filters(sources=(OTHER,))) == {other}
    assert await index.found(filters=Filters(spaces=("HR",), sources=(OTHER,))) == set()


async def test_hidden_and_purged_documents_have_none(index: Index) -> None:
    (kept,) = await index.put(a_document("kept"), "tram")
    (gone,) = await index.put(a_document("gone"), "tram")
    await index.writer.hide(SOURCE, ["gone"])
    assert await index.found() == {kept}
    await index.writer.update_metadata(a_document("gone"))
    assert await index.found() == {kept, gone}
    await index.writer.set_acl(SOURCE, ["gone"], BOBS)
    assert await index.found() == {kept}
    await index.writer.set_acl(SOURCE, ["gone"], a_document("gone").acl)
    await index.writer.purge(SOURCE, ["gone"])
    assert await index.found() == {kept}


async def test_what_is_replaced_is_gone(index: Index) -> None:
    await index.put(a_document("a"), "ancient wording|kept sentence", "third part")
    (new,) = await index.put(a_document("a", content="2"), "kept sentence")
    (unit,) = await index.nearest("ancient wording")
    assert (unit.chunk_id, unit.start, unit.end) == (new, 0, 13)


async def test_whoever_writes_or_searches_can_ask_for_the_level(index: Index) -> None:
    assert (index.writer.has_propositions, await index.search.available()) == (True, True)


async def test_without_the_level_nothing_is_found_and_nothing_fails(without: Index) -> None:
    assert (without.writer.has_propositions, await without.search.available()) == (False, False)
    document = a_document("a")
    chunks, vectors = chunks_of(document, ["text"]), EMBEDDER.vectors(["text"])
    await without.writer.put(document, chunks, vectors)
    assert await without.nearest("text") == []
    with pytest.raises(Bug):
        await without.writer.put(document, chunks, vectors, [PropositionRow(0, 0, 4, vectors[0])])
    await without.writer.purge(SOURCE, ["a"])


async def test_a_question_by_another_model_is_refused(place: DatabaseOptions | None) -> None:
    other = HashEmbedder(16)
    question = other.vectors(["text"])[0]
    if place is None:
        memory = MemoryKnowledge(EMBEDDER.identity, propositions=True)
        await memory.update_metadata(a_document("a"))
        with pytest.raises(Misconfigured, match="another embedding model"):
            await MemoryPropositions(memory, other.identity).nearest(question, MEMBER, filters=Filters())
        return
    async with open_storage(place) as storage:
        await storage.writer(EMBEDDER.identity, Analyzer(), propositions=True)
        with pytest.raises(Misconfigured, match="another embedding model"):
            await storage.propositions(other.identity).nearest(question, MEMBER, filters=Filters())
