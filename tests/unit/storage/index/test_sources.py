"""Sources: added once, changed, and removed without a trace."""

import asyncio

import pytest

from domain.access import Acl, Scope, user
from domain.errors import Refused
from domain.search import SearchRequest
from domain.text.tokens import Analyzer
from storage.index.runs import RunKind, RunState
from storage.index.sources import Source
from storage.index.writer import PostgresWriter
from storage.open import Storage
from tests.fakes.documents import SOURCE, a_document, put
from tests.unit.storage.conftest import EMBEDDER, OTHER
from tests.unit.storage.rows import count, rows

NET = "SELECT sum(CASE WHEN removed THEN -chunks ELSE chunks END), sum(CASE WHEN removed THEN -tokens ELSE tokens END)"


async def net(storage: Storage) -> list[tuple[int, int]]:
    """Chunks and tokens that each version's segments hold in the end."""
    return [
        (int(row[0]), int(row[1]))
        for row in await rows(storage, f"{NET} FROM segments GROUP BY version_id ORDER BY version_id")
    ]


async def test_sources_keep_their_options(storage: Storage) -> None:
    wanted = Source("site", "web", {"url": "https://example.com", "audience": ["a@b.c"], "depth": 3})
    await storage.sources.add(wanted)
    assert await storage.sources.get("site") == wanted
    changed = Source("site", "files", {"path": "/srv"})
    await storage.sources.replace(changed)
    assert await storage.sources.get("site") == changed
    assert [state.source for state in await storage.sources.states()] == [changed]


async def test_a_name_is_given_once(storage: Storage) -> None:
    await storage.sources.add(Source("site", "web", {"url": "one"}))
    with pytest.raises(Refused, match="a source site already") as caught:
        await storage.sources.add(Source("site", "files", {"path": "two"}))
    assert "kb sources remove site" in caught.value.next_step
    assert (await storage.sources.get("site")).options == {"url": "one"}


async def test_one_of_many_who_add_a_name_at_once_succeeds(storage: Storage) -> None:
    wanted = [Source("site", "files", {"path": str(number)}) for number in range(5)]
    ends = await asyncio.gather(*map(storage.sources.add, wanted), return_exceptions=True)
    assert sum(end is None for end in ends) == 1
    assert sum(isinstance(end, Refused) for end in ends) == 4


@pytest.mark.parametrize("method", ["get", "remove"])
async def test_an_unknown_source_is_refused(storage: Storage, method: str) -> None:
    with pytest.raises(Refused, match="no source nowhere"):
        await getattr(storage.sources, method)("nowhere")


async def test_states_count_what_is_shown_and_what_is_hidden(storage: Storage, writer: PostgresWriter) -> None:
    for name in "abc":
        await put(writer, EMBEDDER, a_document(name), "text")
    await writer.hide(SOURCE, ["b"])
    async with storage.runs.begin(SOURCE) as first:
        await storage.runs.finish(first, "done", {})
    async with storage.runs.begin(SOURCE) as second:
        await storage.runs.finish(second, "failed", {})
    found = {state.source.name: state for state in await storage.sources.states()}
    assert list(found) == sorted(found)
    docs, wiki = found[SOURCE], found[OTHER]
    assert (docs.documents, docs.hidden, docs.last_run_id, docs.last_run_state) == (2, 1, second, "failed")
    assert (wiki.documents, wiki.hidden, wiki.last_run_id, wiki.last_finished_at) == (0, 0, None, None)


async def test_the_last_run_is_that_of_the_content(storage: Storage, writer: PostgresWriter) -> None:
    runs: list[int] = []
    did: list[tuple[RunKind, RunState]] = [("content", "done"), ("content", "failed"), ("permissions", "done")]
    for kind, state in [*did, ("hint", "done")]:
        async with storage.runs.begin(SOURCE, kind) as run_id:
            await storage.runs.finish(run_id, state, {})
            runs.append(run_id)
    (found,) = (state for state in await storage.sources.states() if state.source.name == SOURCE)
    assert (found.last_run_id, found.last_run_state) == (runs[1], "failed")
    assert found.last_done_at == (await storage.runs.get(runs[0])).finished_at


async def test_a_removed_source_leaves_nothing_behind(storage: Storage, writer: PostgresWriter) -> None:
    bobs = Acl.any_of(user("bob@example.com"))
    for number in range(6):
        await put(writer, EMBEDDER, a_document(f"d{number}"), "some words", ("words of Bob", bobs))
    await writer.hide(SOURCE, ["d1"])
    await writer.update_metadata(a_document("described alone"))
    await put(writer, EMBEDDER, a_document("kept", source=OTHER), "kept words altogether")
    building = await storage.rebuild(EMBEDDER.identity, Analyzer())
    await put(building, EMBEDDER, a_document("d0"), "other words")
    assert await storage.sources.remove(SOURCE) == 7
    assert [state.source.name for state in await storage.sources.states()] == [OTHER]
    for table, left in {"documents": 1, "indexed_documents": 1, "chunks": 1, "vectors": 1}.items():
        assert await count(storage, table) == left, table
    assert await net(storage) == [(1, 3), (0, 0)]
    request = SearchRequest("words", retrievals=("lexical",))
    hits = await storage.search(EMBEDDER.identity).search(request, Scope.member("bob@example.com"))
    assert len(hits.rankings["lexical"]) == 1
    for each in (writer, building):
        await each.finish()
    assert sorted(row[0] for row in await rows(storage, "SELECT term FROM postings")) == ["altogeth", "kept", "word"]


async def test_a_removed_source_may_be_added_again(storage: Storage, writer: PostgresWriter) -> None:
    await put(writer, EMBEDDER, a_document("a"), "first words")
    await storage.sources.remove(SOURCE)
    await storage.sources.add(Source(SOURCE, "files", {}))
    assert await writer.indexed_documents(SOURCE) == {}
    await put(writer, EMBEDDER, a_document("a"), "first words")
    assert await net(storage) == [(1, 2)]


async def test_a_document_of_a_removed_source_is_refused(storage: Storage, writer: PostgresWriter) -> None:
    await storage.sources.remove(SOURCE)
    with pytest.raises(Refused, match=f"no source {SOURCE}"):
        await put(writer, EMBEDDER, a_document("a"), "text")
    with pytest.raises(Refused, match=f"no source {SOURCE}"):
        await writer.update_metadata(a_document("a"))
    assert await count(storage, "chunks") == 0


async def test_removing_a_source_while_it_is_written_leaves_nothing_behind(
    storage: Storage, writer: PostgresWriter
) -> None:
    for number in range(5):
        await put(writer, EMBEDDER, a_document(f"d{number}"), "old words", "more words")

    async def write(name: str) -> None:
        for number in range(10):
            try:
                await put(writer, EMBEDDER, a_document(name, content=str(number)), "new words", "and more")
            except Refused:
                return

    writing = [asyncio.create_task(write(name)) for name in ("d0", "d1", "e0", "e1")]
    await asyncio.sleep(0.05)
    await storage.sources.remove(SOURCE)
    await asyncio.gather(*writing)
    for table in ("documents", "indexed_documents", "chunks", "vectors"):
        assert await count(storage, table) == 0, table
    assert await net(storage) == [(0, 0)]


async def test_removing_waits_for_a_document_that_is_half_written(storage: Storage, writer: PostgresWriter) -> None:
    await put(writer, EMBEDDER, a_document("a"), "old words")
    async with storage.engine.begin() as blocking:
        await blocking.exec_driver_sql("SELECT 1 FROM indexed_documents FOR UPDATE")
        writing = asyncio.create_task(put(writer, EMBEDDER, a_document("a", content="2"), "new words", "second"))
        await asyncio.sleep(0.2)
        removing = asyncio.create_task(storage.sources.remove(SOURCE))
        await asyncio.sleep(0.2)
        assert not removing.done()
    await asyncio.gather(writing, removing)
    assert await count(storage, "chunks") == 0
    assert await count(storage, "documents") == 0
    assert await net(storage) == [(0, 0)]


async def test_purging_and_writing_one_document_take_turns(storage: Storage, writer: PostgresWriter) -> None:
    await put(writer, EMBEDDER, a_document("a"), "one", "two")

    async def write(number: int) -> None:
        await put(writer, EMBEDDER, a_document("a", content=str(number)), "three plain words")

    await asyncio.gather(*(work for n in range(8) for work in (write(n), writer.purge(SOURCE, ["a"]))))
    held = await count(storage, "chunks")
    assert held == await count(storage, "documents") == await count(storage, "vectors")
    assert held in {0, 1}
    assert await net(storage) == [(held, 3 * held)]
