"""Index versions: what is live, what is being built beside it, and the way back."""

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy.exc import IntegrityError

from domain.access import ORGANISATION, Acl, Scope, user
from domain.cosine_scale import COMMON_SCALE, CosineScale
from domain.errors import Misconfigured
from domain.search import Filters, SearchRequest
from domain.text.tokens import Analyzer
from storage.index import segment_merging
from storage.index.sources import Source
from storage.index.writer import PostgresWriter
from storage.open import Storage
from storage.tables import PARTITIONED
from tests.fakes.documents import SOURCE, a_document, put
from tests.fakes.embedder import HashEmbedder
from tests.unit.storage.conftest import EMBEDDER
from tests.unit.storage.rows import change, count, rows

MEMBER = Scope.member()
OTHER_MODEL = HashEmbedder(16)


async def words(storage: Storage, embedder: HashEmbedder, question: str) -> int:
    """How many chunks share a word with the question."""
    hits = await storage.search(embedder.identity).search(SearchRequest(question, retrievals=("lexical",)), MEMBER)
    return len(hits.rankings["lexical"])


async def states(storage: Storage) -> dict[str, int]:
    return dict(await rows(storage, "SELECT state, version_id FROM index_versions"))


async def partitions(storage: Storage) -> set[str]:
    query = (
        "SELECT inhrelid::regclass::text FROM pg_inherits JOIN pg_class c ON c.oid = inhparent WHERE c.relkind = 'p'"
    )
    return {row[0] for row in await rows(storage, query)}


def tables(*versions: int) -> set[str]:
    return {f"{table}_{version}" for table in PARTITIONED for version in versions}


async def test_what_cosines_mean_is_kept_with_a_version_and_told_with_what_is_found(storage: Storage) -> None:
    writer = await storage.writer(EMBEDDER.identity, Analyzer())
    await storage.sources.add(Source(SOURCE, "files", {}))
    await put(writer, EMBEDDER, a_document("a"), "a walrus")
    request = SearchRequest("walrus", retrievals=("lexical",))
    assert not writer.has_scale("")
    assert (await storage.search(EMBEDDER.identity).search(request, MEMBER)).scale == COMMON_SCALE
    measured = CosineScale(0.777, 0.857)
    await writer.keep_scale(measured, "query: ")
    assert (await storage.search(EMBEDDER.identity).search(request, MEMBER)).scale == measured
    assert (await storage.writer(EMBEDDER.identity, Analyzer())).has_scale("query: ")
    assert not (await storage.writer(EMBEDDER.identity, Analyzer())).has_scale(""), "cosines of other questions"
    copy = await storage.copied()
    assert copy
    assert copy.has_scale("query: ")


async def test_the_first_writer_makes_the_live_version_and_later_ones_join_it(storage: Storage) -> None:
    assert await storage.status() is None
    await asyncio.gather(*(storage.writer(EMBEDDER.identity, Analyzer()) for _ in range(4)))
    assert list(await states(storage)) == ["live"]
    status = await storage.status()
    assert status is not None
    assert (status.version.embedder, status.version.dimensions) == ("hash/8", 8)
    assert (status.documents, status.chunks, status.previous) == (0, 0, None)
    assert await partitions(storage) == tables(status.version.version_id)


async def test_a_rebuild_is_seen_when_it_is_published(storage: Storage, writer: PostgresWriter) -> None:
    await put(writer, EMBEDDER, a_document("a"), "ancient words")
    building = await storage.rebuild(OTHER_MODEL.identity, Analyzer("none"))
    await put(building, OTHER_MODEL, a_document("a", content="2"), "recent words", "more words")
    assert await words(storage, EMBEDDER, "ancient recent") == 1
    assert (await writer.indexed_documents(SOURCE))["a"].content_hash == a_document("a").content_hash
    await storage.publish()
    assert await words(storage, OTHER_MODEL, "recent") == 1
    assert await words(storage, OTHER_MODEL, "ancient") == 0
    with pytest.raises(Misconfigured, match="another embedding model"):
        await words(storage, EMBEDDER, "ancient")
    status = await storage.status()
    assert status is not None
    assert status.previous is not None
    assert (status.chunks, status.version.embedder, status.previous.embedder) == (2, "hash/16", "hash/8")
    assert (status.version.stemming, status.previous.stemming) == ("none", "english")


async def test_a_text_that_is_still_shown_is_not_opened_by_the_version_that_replaces_it(
    storage: Storage, writer: PostgresWriter
) -> None:
    closed = Acl.any_of(user("ada@example.com"))
    await put(writer, EMBEDDER, replace(a_document("a", acl=closed), version="1"), "the secret of before")
    await put(writer, EMBEDDER, replace(a_document("b", acl=closed), version="1"), "the same harbour")
    building = await storage.rebuild(EMBEDDER.identity, Analyzer())
    opened = replace(a_document("a", acl=ORGANISATION, content="2"), version="2")
    await put(building, EMBEDDER, opened, "the words that are left")
    await building.update_metadata(opened)
    await put(building, EMBEDDER, replace(a_document("b", acl=ORGANISATION), version="1"), "the same harbour")
    assert [await words(storage, EMBEDDER, word) for word in ("secret", "harbour")] == [0, 1]
    shown = {each.external_id: each.shown_version for each in (await building.indexed_documents(SOURCE)).values()}
    assert shown == {"a": "1", "b": "1"}
    await storage.publish()
    known = await building.indexed_documents(SOURCE)
    assert known["a"].shown_version is None
    assert closed.clauses <= known["a"].acl.clauses, "until its ACL is read the next time"
    assert await words(storage, EMBEDDER, "left") == 0


async def test_the_way_back_and_forth(storage: Storage, writer: PostgresWriter) -> None:
    await put(writer, EMBEDDER, a_document("a"), "ancient words")
    before = await states(storage)
    building = await storage.rebuild(EMBEDDER.identity, Analyzer())
    await put(building, EMBEDDER, a_document("a"), "recent words")
    await storage.publish()
    back = await storage.roll_back()
    assert (back.state, back.version_id) == ("live", before["live"])
    assert await words(storage, EMBEDDER, "ancient") == 1
    forth = await storage.roll_back()
    assert forth.version_id != before["live"]
    assert await words(storage, EMBEDDER, "recent") == 1
    assert sorted(await states(storage)) == ["live", "previous"]


async def test_without_an_earlier_version_there_is_no_way_back(storage: Storage, writer: PostgresWriter) -> None:
    with pytest.raises(Misconfigured, match="no earlier index"):
        await storage.roll_back()
    assert list(await states(storage)) == ["live"]


async def test_nothing_is_published_when_nothing_was_built(storage: Storage, writer: PostgresWriter) -> None:
    await put(writer, EMBEDDER, a_document("a"), "words")
    with pytest.raises(Misconfigured, match="no new index"):
        await storage.publish()
    assert await words(storage, EMBEDDER, "words") == 1


async def test_an_unfinished_build_goes_on(storage: Storage, writer: PostgresWriter) -> None:
    await put(await storage.rebuild(EMBEDDER.identity, Analyzer()), EMBEDDER, a_document("a"), "begun")
    again = await storage.rebuild(EMBEDDER.identity, Analyzer())
    assert set(await again.indexed_documents(SOURCE)) == {"a"}
    assert (await again.indexed_documents(SOURCE))["a"].content_hash is not None
    await put(again, EMBEDDER, a_document("b"), "begun again")
    await storage.publish()
    assert await words(storage, EMBEDDER, "begun") == 2


@pytest.mark.parametrize("change_of", ["model", "tokens"])
async def test_an_unfinished_build_of_another_kind_makes_room(
    storage: Storage, writer: PostgresWriter, change_of: str
) -> None:
    await put(await storage.rebuild(EMBEDDER.identity, Analyzer()), EMBEDDER, a_document("a"), "begun")
    first = (await states(storage))["building"]
    model, analyzer = (OTHER_MODEL, Analyzer()) if change_of == "model" else (EMBEDDER, Analyzer("none"))
    again = await storage.rebuild(model.identity, analyzer)
    assert (await again.indexed_documents(SOURCE))["a"].content_hash is None
    versions = await states(storage)
    assert sorted(versions) == ["building", "live"]
    assert versions["building"] != first
    assert await partitions(storage) == tables(*versions.values())


async def test_old_versions_go_with_all_that_is_theirs(storage: Storage, writer: PostgresWriter) -> None:
    for number in range(4):
        building = await storage.rebuild(EMBEDDER.identity, Analyzer())
        await put(building, EMBEDDER, a_document("a", content=str(number)), f"words of {number}")
        await storage.publish()
        versions = await states(storage)
        assert sorted(versions) == ["live", "previous"]
        assert await partitions(storage) == tables(*versions.values())
    kept = {row[0] for row in await rows(storage, "SELECT DISTINCT version_id FROM segments")}
    assert kept == set((await states(storage)).values())
    assert await count(storage, "indexed_documents") == 2
    assert await words(storage, EMBEDDER, "words") == 1


@pytest.mark.parametrize("state", ["live", "previous", "building"])
async def test_there_is_one_version_of_each_state_at_most(storage: Storage, writer: PostgresWriter, state: str) -> None:
    await storage.rebuild(EMBEDDER.identity, Analyzer())
    await storage.publish()
    await storage.rebuild(EMBEDDER.identity, Analyzer())
    columns = "state, EMBEDDER, dimensions, stemming, analyzer"
    another = f"INSERT INTO index_versions ({columns}) VALUES (:state, 'x', 1, 'none', 'x')"
    with pytest.raises(IntegrityError):
        await change(storage, another, state=state)


async def test_rights_hiding_and_purging_hold_in_every_version(storage: Storage, writer: PostgresWriter) -> None:
    for name in ("hidden", "purged", "kept"):
        await put(writer, EMBEDDER, a_document(name), "words")
    building = await storage.rebuild(EMBEDDER.identity, Analyzer())
    for name in ("hidden", "purged", "kept"):
        await put(building, EMBEDDER, a_document(name), "words")
    await storage.publish()
    now = await storage.writer(EMBEDDER.identity, Analyzer())
    await now.hide(SOURCE, ["hidden"])
    await now.purge(SOURCE, ["purged"])
    await storage.roll_back()
    assert await words(storage, EMBEDDER, "words") == 1
    assert await storage.search(EMBEDDER.identity).count_documents(MEMBER, Filters()) == 1
    assert set(await writer.indexed_documents(SOURCE)) == {"hidden", "kept"}


async def test_a_writer_of_another_model_is_refused(storage: Storage, writer: PostgresWriter) -> None:
    with pytest.raises(Misconfigured, match="another embedding model") as caught:
        await storage.writer(OTHER_MODEL.identity, Analyzer())
    assert "kb reindex --full" in caught.value.next_step


async def test_a_search_for_another_model_is_refused(storage: Storage, writer: PostgresWriter) -> None:
    ids = await put(writer, EMBEDDER, a_document("a"), "words")
    search = storage.search(replace(EMBEDDER.identity, name="other"))
    for asked in (
        search.search(SearchRequest("words"), MEMBER),
        search.passages(ids, MEMBER),
        search.count_documents(MEMBER, Filters()),
    ):
        with pytest.raises(Misconfigured, match="another embedding model"):
            await asked


async def test_an_index_of_other_tokens_is_refused(storage: Storage, writer: PostgresWriter) -> None:
    await put(writer, EMBEDDER, a_document("a"), "words")
    await change(storage, "UPDATE index_versions SET analyzer = 'words-0/english/snowball-1'")
    with pytest.raises(Misconfigured, match="another release's tokens") as caught:
        await words(storage, EMBEDDER, "words")
    assert "kb reindex --full" in caught.value.next_step
    with pytest.raises(Misconfigured, match="another release's tokens"):
        await storage.writer(EMBEDDER.identity, Analyzer())


async def test_an_index_of_the_release_before_keeps_its_tokens(storage: Storage, writer: PostgresWriter) -> None:
    await put(writer, EMBEDDER, a_document("a"), "ask IT")
    await change(storage, "DELETE FROM postings WHERE term = 'IT'")
    await change(storage, "UPDATE index_versions SET analyzer = replace(analyzer, 'words-3', 'words-2')")
    older = await storage.writer(EMBEDDER.identity, Analyzer())
    await put(older, EMBEDDER, a_document("b"), "reach IT")
    assert not await rows(storage, "SELECT FROM postings WHERE term = 'IT'")
    hits = await storage.search(EMBEDDER.identity).search(SearchRequest("ask IT", retrievals=("lexical",)), MEMBER)
    assert hits.term_idf.keys() == {"ask"}
    await older.purge(SOURCE, ["a", "b"])
    assert not await rows(storage, "SELECT FROM postings")


async def test_what_has_no_words_goes_from_an_index_of_other_tokens(storage: Storage, writer: PostgresWriter) -> None:
    await put(writer, EMBEDDER, a_document("a"), "—")
    await change(storage, "UPDATE index_versions SET analyzer = 'words-0/english/snowball-1'")
    await change(storage, "DELETE FROM segments")
    await writer.purge(SOURCE, ["a"])
    assert await rows(storage, "SELECT count(*) FROM chunks") == [(0,)]


async def test_what_goes_from_an_index_of_other_tokens_leaves_no_word_behind(
    storage: Storage, writer: PostgresWriter
) -> None:
    await put(writer, EMBEDDER, a_document("a"), "harbour seals", "walrus harbour")
    await put(writer, EMBEDDER, a_document("b"), "harbour lights")
    await change(storage, "UPDATE postings SET term = 'old-' || term")
    await change(storage, "UPDATE index_versions SET analyzer = 'words-0/english/snowball-1'")
    await writer.purge(SOURCE, ["a"])
    held = "SELECT term, sum(CASE WHEN removed THEN -1 ELSE 1 END * octet_length(entries)) / 8 FROM postings GROUP BY 1"
    assert {term: int(entries) for term, entries in await rows(storage, held)} == {"old-harbour": 1, "old-light": 1}
    left = "SELECT sum(CASE WHEN removed THEN -1 ELSE 1 END * chunks) FROM segments"
    assert [int(row[0]) for row in await rows(storage, left)] == [1]
    await segment_merging.compact(storage.engine, 1)
    assert {term: int(entries) for term, entries in await rows(storage, held)} == {"old-harbour": 1, "old-light": 1}
