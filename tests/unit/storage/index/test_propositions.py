"""The level of propositions: which versions have it, what is left of it, and searching many."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from uuid import uuid4

import numpy as np
import pytest

from domain.access import ORGANISATION, Acl, Scope, user
from domain.errors import Misconfigured
from domain.index_ports import PropositionRow
from domain.model_ports import EmbedderIdentity, Vectors
from domain.search import Filters, Proposition
from domain.text.tokens import Analyzer
from storage.index.sources import Source
from storage.index.vectors import HnswEffort
from storage.index.writer import PostgresWriter
from storage.open import Storage, open_storage
from storage.search.propositions import PostgresPropositions
from storage.server.database import DatabaseOptions
from tests.fakes.documents import SOURCE, a_document, chunks_of
from tests.unit.storage.rows import count, rows

pytestmark = pytest.mark.check

MODEL = EmbedderIdentity("made/16", 16, 100)
ANALYZER = Analyzer()
ENOUGH = 1000
UNITS = 5
BOBS = Acl.any_of(user("bob@example.com"))
ANYONE = Scope.member()


def around(number: int, seed: int) -> Vectors:
    rows = np.eye(16)[0] * 3 + np.random.default_rng(seed).normal(size=(number, 16))
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True), np.float32)


async def write(writer: PostgresWriter, name: str, vectors: Vectors, acl: Acl = ORGANISATION, space: str = "") -> None:
    """A document with a unit a row, UNITS of them in each chunk."""
    document = a_document(name, acl=acl, space=space)
    chunks = chunks_of(document, [f"{name} {number}" for number in range(-(-len(vectors) // UNITS))])
    units = [PropositionRow(n // UNITS, n % UNITS, n % UNITS + 1, vector) for n, vector in enumerate(vectors)]
    await writer.put(document, chunks, vectors[: len(chunks)], units)


@pytest.fixture(scope="module")
async def many(data_dir: Path) -> AsyncIterator[Storage]:
    """4,000 units: a fortieth in the space `few`, a fortieth Bob's alone. Tests do not change it."""
    async with open_storage(DatabaseOptions(None, data_dir, f"units_{uuid4().hex}")) as storage:
        await storage.sources.add(Source(SOURCE, "files", {}))
        writer = await storage.writer(MODEL, ANALYZER, propositions=True)
        for number in range(40):
            acl, space = (BOBS if number == 20 else ORGANISATION), "few" if number == 7 else "rest"
            await write(writer, f"d{number}", around(100, number), acl, space)
        await writer.finish(hnsw_from=ENOUGH)
        yield storage


@pytest.fixture
async def writer(storage: Storage) -> PostgresWriter:
    """Into a live version with the level."""
    await storage.sources.add(Source(SOURCE, "files", {}))
    return await storage.writer(MODEL, ANALYZER, propositions=True)


def places(found: Sequence[Proposition]) -> set[tuple[str, int]]:
    return {(unit.chunk_id, unit.start) for unit in found}


async def test_hnsw_is_built_over_units_apart_from_chunks(many: Storage) -> None:
    status = await many.status()
    assert status is not None
    assert status.version.propositions_hnsw_upto > 0
    assert status.version.hnsw_upto == 0, "800 chunks are too few"
    named = "SELECT indexname FROM pg_indexes WHERE indexdef LIKE '%hnsw%'"
    assert [row[0] for row in await rows(many, named)] == ["propositions_1_hnsw"]


@pytest.mark.parametrize("filters", [Filters(), Filters(spaces=("few",)), Filters(spaces=("rest",))])
@pytest.mark.parametrize("effort", [HnswEffort(), HnswEffort(ef_search=20, max_scan=300)], ids=["usual", "little"])
async def test_hnsw_finds_what_comparing_all_finds(many: Storage, filters: Filters, effort: HnswEffort) -> None:
    fast, exact = many.propositions(MODEL, exact_max=5, effort=effort), many.propositions(MODEL, exact_max=10**6)
    shares = []
    for question in around(10, 99):
        found = await fast.nearest(question, ANYONE, filters=filters, limit=10)
        reference = await exact.nearest(question, ANYONE, filters=filters, limit=10)
        assert len(found) == len(reference) == 10
        assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)
        shares.append(len(places(found) & places(reference)) / 10)
    assert np.mean(shares) >= (0.9 if effort == HnswEffort() else 0.5)


@pytest.mark.parametrize("exact_max", [5, 10**6])
async def test_rights_hold_within_the_search(many: Storage, exact_max: int) -> None:
    search = many.propositions(MODEL, exact_max=exact_max)
    filters = Filters(documents=(a_document("d20").document_id, a_document("d21").document_id))
    question = around(1, 20)[0]  # the nearest of all is Bob's
    mine = await search.nearest(question, ANYONE, filters=filters, limit=150)
    assert {unit.document_id for unit in mine} == {a_document("d21").document_id}
    assert len(mine) == 100
    bobs = await search.nearest(question, Scope.member("bob@example.com"), filters=filters, limit=150)
    assert bobs[0].document_id == a_document("d20").document_id
    assert len(bobs) == 150


async def test_no_row_outlives_its_chunk(storage: Storage, writer: PostgresWriter) -> None:
    await write(writer, "a", around(10, 1))
    await write(writer, "b", around(7, 2))
    await write(writer, "a", around(3, 3))
    assert await count(storage, "propositions") == 10
    await writer.purge(SOURCE, ["b"])
    assert await count(storage, "propositions") == 3
    positions = await rows(storage, "SELECT position, first, last FROM propositions ORDER BY position")
    assert [tuple(row) for row in positions] == [(0, 0, 1), (1, 1, 2), (2, 2, 3)]
    await storage.sources.remove(SOURCE)
    assert await count(storage, "propositions") == 0


async def test_a_version_keeps_the_level_that_it_was_made_with(storage: Storage, writer: PostgresWriter) -> None:
    assert (await storage.writer(MODEL, ANALYZER)).has_propositions, "asked for no more, and still kept whole"
    building = await storage.rebuild(MODEL, ANALYZER)
    assert not building.has_propositions
    await storage.publish()
    assert not await storage.propositions(MODEL).available()
    with pytest.raises(Misconfigured, match="has no propositions") as caught:
        await storage.writer(MODEL, ANALYZER, propositions=True)
    assert "kb reindex --full" in caught.value.next_step
    assert not (await storage.writer(MODEL, ANALYZER)).has_propositions
    await storage.roll_back()
    assert await storage.propositions(MODEL).available()


async def test_an_unfinished_version_with_other_levels_makes_room(storage: Storage, writer: PostgresWriter) -> None:
    first = await storage.rebuild(MODEL, ANALYZER)
    document = a_document("a")
    await first.put(document, chunks_of(document, ["text"]), around(1, 1))
    second = await storage.rebuild(MODEL, ANALYZER, propositions=True)
    assert second.has_propositions
    assert (await second.indexed_documents(SOURCE))["a"].content_hash is None
    await write(second, "a", around(3, 1))
    again = await storage.rebuild(MODEL, ANALYZER, propositions=True)
    assert (await again.indexed_documents(SOURCE))["a"].content_hash is not None


async def test_nothing_indexed_is_no_level_and_a_clear_word(storage: Storage) -> None:
    search: PostgresPropositions = storage.propositions(MODEL)
    assert not await search.available()
    with pytest.raises(Misconfigured, match="Nothing is indexed yet"):
        await search.nearest(around(1, 1)[0], ANYONE, filters=Filters())
