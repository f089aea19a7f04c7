"""Posting lists are read once, as long as the index stays the same."""

import numpy as np
import pytest
from sqlalchemy import text

from domain.access import Scope
from domain.search import SearchRequest
from storage.index.packing import ENTRY, PostingList
from storage.index.posting_cache import PostingCache
from storage.index.writer import PostgresWriter
from storage.open import Storage
from storage.search.knowledge_search import PostgresSearch
from tests.fakes.documents import a_document, put
from tests.unit.storage.conftest import EMBEDDER


def of_size(entries: int) -> PostingList:
    return PostingList((np.zeros(entries, ENTRY),), np.empty(0, np.int32))


def test_of_too_many_those_unused_for_longest_go() -> None:
    cache = PostingCache(limit=3 * of_size(10).nbytes)
    cache.put("one", {term: of_size(10) for term in "abc"})
    assert cache.of("a").lists.keys() == {"a"}
    cache.put("one", {"d": of_size(10)})
    assert cache.of("abcd").lists.keys() == {"a", "c", "d"}
    cache.put("one", {"large": of_size(300)})
    assert cache.of(["a", "c", "d", "large"]).lists.keys() == {"a", "c", "d"}, "larger than all that is kept"


def test_lists_of_another_state_go() -> None:
    cache = PostingCache(2**20)
    cache.put("one", {"a": of_size(1)})
    assert cache.of("ab").state == "one"
    cache.put("two", {"b": of_size(2)})
    kept = cache.of("ab")
    assert (kept.state, set(kept.lists)) == ("two", {"b"})


async def found(search: PostgresSearch, asked: str) -> int:
    hits = await search.search(SearchRequest(asked, retrievals=("lexical",)), Scope.member())
    return len(hits.rankings["lexical"])


@pytest.mark.check
async def test_a_list_is_read_again_when_the_index_has_changed(storage: Storage, writer: PostgresWriter) -> None:
    search = storage.search(EMBEDDER.identity)
    await put(writer, EMBEDDER, a_document("a"), "walrus", "herring")
    assert await found(search, "walrus") == 1
    async with storage.engine.begin() as connection:  # behind the index's back: what would be read now is nothing
        await connection.execute(text("DELETE FROM postings"))
    assert await found(search, "walrus") == 1, "what was read before"
    assert await found(search, "herring") == 0, "what was not"
    assert await found(search, "walrus and herring") == 1
    await put(writer, EMBEDDER, a_document("b"), "walrus")
    assert await found(search, "walrus") == 1, "only the new one has an entry"


@pytest.mark.check
async def test_a_change_between_two_questions_is_seen(storage: Storage, writer: PostgresWriter) -> None:
    search = storage.search(EMBEDDER.identity)
    for number in range(1, 4):
        await put(writer, EMBEDDER, a_document(f"d{number}"), "walrus herring")
        assert await found(search, "walrus") == number
        assert await found(search, "herring walrus") == number
    await put(writer, EMBEDDER, a_document("d1", content="new"), "herring")
    assert (await found(search, "walrus"), await found(search, "herring")) == (2, 3)
