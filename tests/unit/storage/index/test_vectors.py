"""Search over many vectors: HNSW has to find what comparing all of them finds, above all under a filter."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import numpy as np
import pytest
from numpy.typing import NDArray
from pgvector import HalfVector
from sqlalchemy import text

from domain.access import ORGANISATION, Acl, Scope, user
from domain.model_ports import EmbedderIdentity, Vectors
from domain.search import Filters, Hit, SearchRequest
from domain.text.tokens import Analyzer
from storage.index import vectors
from storage.index.sources import Source
from storage.index.vectors import HnswEffort
from storage.index.writer import PostgresWriter
from storage.open import Storage, open_storage
from storage.search.knowledge_search import PostgresSearch
from storage.server.database import DatabaseOptions
from tests.fakes.documents import SOURCE, a_document, chunks_of

pytestmark = pytest.mark.check

MODEL = EmbedderIdentity("made/16", 16, 100)
DOCUMENTS, CHUNKS = 100, 40
FEW = 5
"""Permitted chunks up to which every vector is compared, in these tests."""
ENOUGH = 1000
"""Vectors from which HNSW is built, in these tests."""

BOB = Scope.member("bob@example.com")
BOBS = Acl.any_of(user("bob@example.com"))


def unit(rows: NDArray[np.float64]) -> Vectors:
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True), np.float32)


async def write(writer: PostgresWriter, name: str, rows: Vectors, acl: Acl = ORGANISATION, **about: str) -> None:
    """A document of one chunk a row."""
    document = a_document(name, acl=acl, **about)  # type: ignore[arg-type] # texts alone are given here
    await writer.put(document, chunks_of(document, [f"{name} {number}" for number in range(len(rows))]), rows)


@pytest.fixture(scope="module")
async def many(data_dir: Path) -> AsyncIterator[Storage]:
    """4,000 chunks: a hundredth of them in the space `few`, a hundredth Bob's alone, a tenth in the space `far`, whose
    vectors point away from all others. Tests do not change it."""
    async with open_storage(DatabaseOptions(None, data_dir, f"vectors_{uuid4().hex}")) as storage:
        await storage.sources.add(Source(SOURCE, "files", {}))
        writer = await storage.writer(MODEL, Analyzer())
        chance = np.random.default_rng(1)
        north = np.eye(16)[0] * 3
        for number in range(DOCUMENTS):
            space = "few" if number == 7 else "far" if number % 10 == 9 else "rest"
            middle = -north if space == "far" else north
            rows = unit(middle + chance.normal(size=(CHUNKS, 16)))
            await write(writer, f"d{number}", rows, BOBS if number == 20 else ORGANISATION, space=space)
        await writer.finish(hnsw_from=ENOUGH)
        yield storage


def questions(count: int) -> Vectors:
    return unit(np.eye(16)[0] * 3 + np.random.default_rng(2).normal(size=(count, 16)))


async def found(
    search: PostgresSearch, vector: Vectors, limit: int, filters: Filters | None = None, scope: Scope | None = None
) -> tuple[Hit, ...]:
    request = SearchRequest("", vector, MODEL.name, ("dense",), limit, filters or Filters())
    return (await search.search(request, scope or Scope.member())).rankings["dense"]


def share(some: tuple[Hit, ...], reference: tuple[Hit, ...]) -> float:
    return len({hit.chunk_id for hit in some} & {hit.chunk_id for hit in reference}) / len(reference)


def fast(storage: Storage, effort: HnswEffort | None = None) -> PostgresSearch:
    return storage.search(MODEL, exact_max=FEW, effort=effort)


def exact(storage: Storage) -> PostgresSearch:
    return storage.search(MODEL, exact_max=10**6)


async def built(storage: Storage) -> int:
    status = await storage.status()
    assert status is not None
    return status.version.hnsw_upto


async def plan(storage: Storage, distance: str) -> str:
    """How the server would look for the nearest vectors by `distance`."""
    values = {"acls": [1], "vector": HalfVector(questions(1)[0]), "limit": 10}
    condition = vectors.ChunkCondition("d.acl_id = ANY(%(acls)s)", values)
    query = vectors._nearest(1, distance, distance, condition, vectors.CHUNK_VECTORS)

    async def work(connection: object) -> str:
        rows = await connection.execute(b"EXPLAIN " + query, values)  # type: ignore[attr-defined] # the driver's
        return "\n".join(row[0] for row in await rows.fetchall())

    return await storage.pool.run(work)


async def test_each_way_of_looking_is_planned_as_meant(many: Storage) -> None:
    assert "vectors_1_hnsw" in await plan(many, "v.embedding::halfvec(16) <#> %(vector)s::halfvec(16)")
    assert "hnsw" not in await plan(many, "v.embedding <#> %(vector)s")


async def test_hnsw_finds_nearly_all_of_the_nearest(many: Storage) -> None:
    shares = [share(await found(fast(many), q, 10), await found(exact(many), q, 10)) for q in questions(25)]
    assert np.mean(shares) >= 0.95


@pytest.mark.parametrize("limit", [1, 10, 40])
async def test_no_row_goes_missing_where_a_filter_leaves_a_hundredth(many: Storage, limit: int) -> None:
    filters = Filters(spaces=("few",))
    shares = []
    for question in questions(10):
        hits = await found(fast(many), question, limit, filters)
        reference = await found(exact(many), question, limit, filters)
        assert len(hits) == len(reference) == limit
        shares.append(share(hits, reference))
    assert np.mean(shares) >= 0.9


async def test_all_rows_are_found_where_more_are_asked_for_than_there_are(many: Storage) -> None:
    hits = await found(fast(many), questions(1)[0], 100, Filters(spaces=("few",)))
    assert len(hits) == CHUNKS
    assert hits == await found(exact(many), questions(1)[0], 100, Filters(spaces=("few",)))


async def test_no_row_goes_missing_where_rights_leave_a_hundredth(many: Storage) -> None:
    filters = Filters(documents=(a_document("d20").document_id, a_document("d21").document_id))
    mine = await found(fast(many), questions(1)[0], 50, filters)
    assert {hit.document_id for hit in mine} == {a_document("d21").document_id}
    assert len(mine) == CHUNKS
    assert len(await found(fast(many), questions(1)[0], 80, filters, BOB)) == 2 * CHUNKS


@pytest.mark.parametrize("effort", [HnswEffort(), HnswEffort(ef_search=20, max_scan=300)], ids=["usual", "little"])
async def test_what_lies_far_from_the_question_is_found_where_nothing_else_is_permitted(
    many: Storage, effort: HnswEffort
) -> None:
    filters = Filters(spaces=("far",))
    for question in questions(5):
        hits = await found(fast(many, effort), question, 10, filters)
        assert len(hits) == 10
        assert share(hits, await found(exact(many), question, 10, filters)) >= 0.9


async def test_hnsw_scores_are_cosines_best_first(many: Storage) -> None:
    question = questions(1)[0]
    hits = await found(fast(many), question, 30)
    reference = {hit.chunk_id: hit.score for hit in await found(exact(many), question, 4000)}
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert {hit.chunk_id: hit.score for hit in hits} == pytest.approx({h.chunk_id: reference[h.chunk_id] for h in hits})


@pytest.fixture
async def writer(storage: Storage) -> PostgresWriter:
    await storage.sources.add(Source(SOURCE, "files", {}))
    return await storage.writer(MODEL, Analyzer())


async def test_there_is_no_hnsw_below_its_number(storage: Storage, writer: PostgresWriter) -> None:
    await write(writer, "a", questions(19))
    await writer.finish(hnsw_from=20)
    assert await built(storage) == 0
    assert len(await found(fast(storage), questions(1)[0], 19)) == 19


async def test_hnsw_is_kept_up_with_what_is_written_and_removed(storage: Storage, writer: PostgresWriter) -> None:
    await write(writer, "old", questions(200))
    await write(writer, "gone", questions(100)[50:])
    await writer.finish(hnsw_from=20)
    first = await built(storage)
    south = unit(np.eye(16)[:1] * -1.0)
    await write(writer, "new", south)
    await writer.purge(SOURCE, ["gone"])
    await writer.finish(hnsw_from=20)
    assert await built(storage) == first
    assert (await found(fast(storage), south[0], 1))[0].document_id == a_document("new").document_id
    everything = await found(fast(storage), questions(1)[0], 1000)
    assert {hit.document_id for hit in everything} == {a_document(name).document_id for name in ("old", "new")}
    assert len(everything) == 201


async def test_hnsw_is_built_again_after_much_was_written(storage: Storage, writer: PostgresWriter) -> None:
    await write(writer, "a", questions(100))
    await writer.finish(hnsw_from=20)
    first = await built(storage)
    assert first > 0
    await write(writer, "b", questions(25))
    await writer.finish(hnsw_from=20)
    assert await built(storage) == first
    await write(writer, "c", questions(10))
    await writer.finish(hnsw_from=20)
    assert await built(storage) > first
    await write(writer, "a", questions(100))  # every one replaced, and then some
    await writer.finish(hnsw_from=20)
    assert len(await found(fast(storage), questions(1)[0], 500)) == 135


async def test_two_runs_may_end_at_once(storage: Storage, writer: PostgresWriter) -> None:
    await write(writer, "a", questions(200))
    await writer.finish(hnsw_from=20)
    await write(writer, "b", questions(2000))  # much, so that both want to build anew
    other = await storage.writer(MODEL, Analyzer())
    async with asyncio.TaskGroup() as both:
        both.create_task(writer.finish(hnsw_from=20))
        both.create_task(other.finish(hnsw_from=20))
    async with storage.engine.connect() as connection:
        query = "SELECT count(*) FROM pg_indexes WHERE indexdef LIKE '%hnsw%'"
        assert (await connection.execute(text(query))).scalar_one() == 1


async def test_searches_go_on_while_hnsw_is_built(storage: Storage, writer: PostgresWriter) -> None:
    await write(writer, "a", questions(2000))
    building = asyncio.create_task(writer.finish(hnsw_from=20))
    searched = 0
    while not building.done():
        assert len(await found(fast(storage), questions(1)[0], 10)) == 10
        searched += 1
    await building
    assert searched > 1


@pytest.mark.parametrize(
    ("rows", "allowed", "megabytes"),
    [
        (10_000, 64, 64),  # the least that is worth asking for
        (100_000, 64, 160),
        (1_000_000, 64, 512),  # more than a server without a setting of its own gives
        (1_000_000, 3_000, 1_605),
        (10_000_000, 3_000, 3_000),
    ],
)
def test_hnsw_is_built_in_as_much_memory_as_its_graph_takes(rows: int, allowed: int, megabytes: int) -> None:
    assert vectors.build_mb(rows, 384, allowed) == megabytes


@pytest.mark.parametrize(
    ("vectors", "given", "list_size"),
    [(10_000, 160, 160), (100_000, 160, 160), (1_000_000, 160, 402), (1_000_000, 40, 100), (20_000_000, 160, 1000)],
)
def test_more_vectors_take_a_longer_list_of_candidates(vectors: int, given: int, list_size: int) -> None:
    effort = HnswEffort(given, max_scan=7).over(vectors)
    assert (effort.ef_search, effort.max_scan) == (list_size, 7)
