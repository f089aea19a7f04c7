"""Searching the version that is being built, and what is kept of golden questions."""

import pytest

from domain.access import Scope
from domain.errors import Misconfigured, Transient
from domain.search import SearchRequest
from domain.text.tokens import Analyzer
from storage.index.versions import VersionState
from storage.index.writer import PostgresWriter
from storage.open import Storage
from tests.fakes.documents import a_document, put
from tests.fakes.embedder import HashEmbedder
from tests.unit.storage.conftest import EMBEDDER
from tests.unit.storage.rows import change

MEMBER = Scope.member()
OTHER_MODEL = HashEmbedder(16)


async def texts(storage: Storage, model: HashEmbedder, question: str, state: VersionState) -> set[str]:
    """Texts of what is found in a version, by words and by meaning."""
    search = storage.search(model.identity, state=state)
    request = SearchRequest(question, model.vectors([question])[0], model.identity.name)
    hits = await search.search(request, MEMBER)
    ids = list(dict.fromkeys(hit.chunk_id for ranking in hits.rankings.values() for hit in ranking))
    return {passage.text for passage in await search.passages(ids, MEMBER)}


async def test_each_version_is_searched_by_itself(storage: Storage, writer: PostgresWriter) -> None:
    await put(writer, EMBEDDER, a_document("a"), "ancient words")
    building = await storage.rebuild(OTHER_MODEL.identity, Analyzer("none"))
    await put(building, OTHER_MODEL, a_document("a", content="2"), "recent words")
    assert await texts(storage, OTHER_MODEL, "words", "building") == {"recent words"}
    assert await texts(storage, EMBEDDER, "words", "live") == {"ancient words"}
    with pytest.raises(Misconfigured, match="another embedding model"):
        await texts(storage, EMBEDDER, "words", "building")
    with pytest.raises(Misconfigured, match="no index in the state previous"):
        await texts(storage, EMBEDDER, "words", "previous")


async def test_what_is_hidden_from_readers_is_hidden_in_each(storage: Storage, writer: PostgresWriter) -> None:
    building = await storage.rebuild(EMBEDDER.identity, Analyzer())
    await put(building, EMBEDDER, a_document("a"), "hidden words")
    await put(building, EMBEDDER, a_document("b"), "other words")
    await writer.hide("docs", ["a"])
    assert await texts(storage, EMBEDDER, "words", "building") == {"other words"}


async def test_only_the_version_that_was_checked_is_published(storage: Storage, writer: PostgresWriter) -> None:
    await put(writer, EMBEDDER, a_document("a"), "words")
    await put(await storage.rebuild(EMBEDDER.identity, Analyzer()), EMBEDDER, a_document("a"), "words")
    checked = await storage.version("building")
    assert checked is not None
    await put(await storage.rebuild(OTHER_MODEL.identity, Analyzer()), OTHER_MODEL, a_document("a"), "words")
    with pytest.raises(Transient, match="not in use yet"):
        await storage.publish(checked=checked.version_id)
    live, building = await storage.version("live"), await storage.version("building")
    assert live is not None
    assert building is not None
    assert live.embedder == EMBEDDER.identity.name
    await storage.publish(checked=building.version_id)
    assert await storage.version("live") == await storage.version("live")
    assert await storage.version("building") is None


async def test_results_are_kept_with_their_version(storage: Storage, writer: PostgresWriter) -> None:
    golden = storage.golden_results()
    live = await storage.version("live")
    assert live is not None
    nothing = await golden.load(live.version_id)
    assert (nothing.passed, nothing.at) == ({}, None)
    await golden.save(live.version_id, {"a": True, "b": True})
    await golden.save(live.version_id, {"b": False, "c": True})
    kept = await golden.load(live.version_id)
    assert kept.passed == {"a": True, "b": False, "c": True}
    assert kept.at is not None
    await storage.rebuild(EMBEDDER.identity, Analyzer())
    building = await storage.version("building")
    assert building is not None
    assert (await golden.load(building.version_id)).passed == {}
    await storage.publish()
    assert (await golden.load(live.version_id)).passed == kept.passed, "also of the previous one"
    await change(storage, f"DELETE FROM index_versions WHERE version_id = {live.version_id}")
    await golden.save(live.version_id, {"a": True})
    assert (await golden.load(live.version_id)).passed == {}
