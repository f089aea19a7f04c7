"""Searching where many chunks are permitted, so that candidates are tested best first and not all selected before."""

import pytest

from domain.access import NOBODY, Acl, Scope, user
from domain.search import Filters, SearchRequest
from domain.text.tokens import Analyzer
from storage.index.sources import Source
from storage.index.writer import PostgresWriter
from storage.open import Storage
from tests.fakes.documents import a_document, put
from tests.unit.storage.conftest import EMBEDDER

BOBS = Acl.any_of(user("bob@example.com"))
ADA, BOB = Scope.member("ada@example.com"), Scope.member("bob@example.com")


@pytest.fixture
async def mixed(writer: PostgresWriter) -> list[str]:
    """30 chunks of Bob's that match better than any of the 20 of everybody; gives the ids of these, best first."""
    await put(writer, EMBEDDER, a_document("rest", acl=NOBODY), *["another matter"] * 60)
    for number in range(3):
        await put(writer, EMBEDDER, a_document(f"bob{number}", acl=BOBS), *["salary salary salary"] * 10)
    ids = []
    for number in range(20):
        document = a_document(f"d{number:02}", space="x" if number % 4 else "y")
        ids.append(await put(writer, EMBEDDER, document, "salary " + "word " * number))
    return [chunk_id for (chunk_id,) in ids]


@pytest.mark.check
@pytest.mark.parametrize("exact_max", [1, 19, 20, 10_000])
async def test_the_best_permitted_are_found_behind_any_number_of_others(
    storage: Storage, mixed: list[str], exact_max: int
) -> None:
    search = storage.search(EMBEDDER.identity, exact_max=exact_max)
    for limit in (1, 3, 20, 50):
        request = SearchRequest("salary", EMBEDDER.vectors(["salary"])[0], limit=limit)
        hits = await search.search(request, ADA)
        assert [hit.chunk_id for hit in hits.rankings["lexical"]] == mixed[:limit]
        assert {hit.chunk_id for hit in hits.rankings["dense"]} <= set(mixed)
        assert len(hits.rankings["dense"]) == min(limit, 20)
        assert all(set(scores) <= set(mixed) for scores in hits.scores.values())
        assert len((await search.search(request, BOB)).rankings["lexical"]) == limit


@pytest.mark.check
@pytest.mark.parametrize("exact_max", [1, 4, 10_000])
async def test_a_filter_holds_however_many_it_leaves(storage: Storage, mixed: list[str], exact_max: int) -> None:
    search = storage.search(EMBEDDER.identity, exact_max=exact_max)
    request = SearchRequest("salary", retrievals=("lexical",), limit=3, filters=Filters(spaces=("y",)))
    hits = await search.search(request, ADA)
    assert [hit.chunk_id for hit in hits.rankings["lexical"]] == mixed[::4][:3]


async def test_what_is_searched_is_tokenised_as_the_index_was(storage: Storage) -> None:
    await storage.sources.add(Source("docs", "files", {}))
    plain = await storage.writer(EMBEDDER.identity, Analyzer("none"))
    await put(plain, EMBEDDER, a_document("a"), "the vacations")
    search = storage.search(EMBEDDER.identity)
    for asked, found in {"vacations": 1, "vacation": 0, "the": 1}.items():
        hits = await search.search(SearchRequest(asked, retrievals=("lexical",)), ADA)
        assert len(hits.rankings["lexical"]) == found
        assert hits.stemming == "none"
        assert set(hits.term_idf) == {asked}
