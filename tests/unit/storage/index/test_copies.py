"""A copy of the live version, and what others write into the live one until the copy takes its place."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from domain.access import ORGANISATION, Acl, Scope, user
from domain.documents import CONTENT_BYTES, content_hash_of
from domain.errors import Refused, Transient
from domain.index_ports import PropositionRow
from domain.knowledge_graph import DocumentGraph, Mention, MentionRole, Relation, RelationOrigin
from domain.search import SearchRequest
from domain.text.tokens import Analyzer
from storage.index import versions
from storage.index.writer import PostgresWriter
from storage.open import Storage
from storage.server.engine import text
from tests.fakes import graph
from tests.fakes.documents import a_document, chunks_of, put
from tests.fakes.embedder import HashEmbedder
from tests.unit.storage.conftest import EMBEDDER, OTHER
from tests.unit.storage.rows import rows

MEMBER = Scope.member()
ADA = Acl.any_of(user("ada@example.com"))
ADA_ASKS = Scope.member("ada@example.com")


@pytest.fixture
async def copy(storage: Storage, writer: PostgresWriter) -> PostgresWriter:
    """A copy of a live version that holds a page of each of two sources; a run has written into the copy."""
    await put(writer, EMBEDDER, a_document("a"), "the walrus of docs")
    await put(writer, EMBEDDER, a_document("w", source=OTHER), "the seal of wiki", "the secret of wiki")
    found = await storage.copied()
    assert found
    await put(found, EMBEDDER, a_document("a", content="2"), "the otter of docs")
    return found


async def found(storage: Storage, word: str, scope: Scope = MEMBER) -> list[str]:
    """The texts that hold a word, of what somebody may see."""
    search = storage.search(EMBEDDER.identity)
    hits = await search.search(SearchRequest(word, retrievals=("lexical",)), scope)
    ids = [hit.chunk_id for hit in hits.rankings["lexical"]]
    return [each.text for each in await search.passages(ids, scope)]


async def sound(storage: Storage) -> None:
    """Every table of the live version holds the same chunks: those of the documents that it holds."""
    held = """
        SELECT (SELECT array_agg(chunk_no ORDER BY 1) FROM chunks WHERE version_id = v.version_id),
               (SELECT array_agg(chunk_no ORDER BY 1) FROM vectors WHERE version_id = v.version_id),
               (SELECT sum(chunks) FROM indexed_documents WHERE version_id = v.version_id),
               (SELECT sum(CASE WHEN removed THEN -chunks ELSE chunks END) FROM segments s
                WHERE s.version_id = v.version_id)
        FROM index_versions v WHERE state = 'live'
    """
    ((chunks, vectors, of_documents, of_segments),) = await rows(storage, held)
    assert chunks == vectors
    assert of_documents == of_segments == len(chunks)


async def test_what_was_added_is_there(storage: Storage, writer: PostgresWriter, copy: PostgresWriter) -> None:
    await put(writer, EMBEDDER, a_document("new", source=OTHER), "the narwhal of wiki")
    await storage.publish(checked=copy.version_id)
    assert await found(storage, "narwhal") == ["the narwhal of wiki"]
    assert await found(storage, "otter") == ["the otter of docs"]
    assert await found(storage, "walrus") == []
    await sound(storage)


async def test_a_changed_text_stays_changed(storage: Storage, writer: PostgresWriter, copy: PostgresWriter) -> None:
    await put(writer, EMBEDDER, a_document("w", source=OTHER, content="2"), "the dolphin of wiki")
    await storage.publish(checked=copy.version_id)
    assert await found(storage, "dolphin") == ["the dolphin of wiki"]
    assert await found(storage, "secret") == await found(storage, "seal") == []
    await sound(storage)
    await (await storage.writer(EMBEDDER.identity, Analyzer())).finish()
    assert await found(storage, "dolphin") == ["the dolphin of wiki"]


async def test_the_text_of_before_is_not_opened(storage: Storage, writer: PostgresWriter) -> None:
    await put(writer, EMBEDDER, a_document("w", source=OTHER, acl=ADA), "the secret of wiki")
    copy = await storage.copied()
    assert copy
    await put(writer, EMBEDDER, a_document("w", source=OTHER, content="2"), "the words that are left")
    await storage.publish(checked=copy.version_id)
    assert await found(storage, "secret") == []
    assert await found(storage, "left") == ["the words that are left"]


async def test_a_part_that_was_closed_stays_closed(
    storage: Storage, writer: PostgresWriter, copy: PostgresWriter
) -> None:
    closed = a_document("w", source=OTHER, content="2")
    await put(writer, EMBEDDER, closed, "the seal of wiki", ("the secret of wiki", ADA))
    await storage.publish(checked=copy.version_id)
    assert await found(storage, "secret") == []
    assert await found(storage, "secret", ADA_ASKS) == ["the secret of wiki"]
    assert await found(storage, "seal") == ["the seal of wiki"]


async def test_what_reads_the_index_knows_what_the_copy_holds(
    storage: Storage, writer: PostgresWriter, copy: PostgresWriter
) -> None:
    await put(writer, EMBEDDER, replace(a_document("w", source=OTHER), version="1"), "the seal of wiki")
    await put(copy, EMBEDDER, replace(a_document("w", source=OTHER, content="2"), version="2 c7"), "with a comment")
    await put(copy, EMBEDDER, replace(a_document("new", source=OTHER), version="1 c8"), "with another one")
    known, of_copy = [await each.indexed_documents(OTHER) for each in (writer, copy)]
    assert {name: (each.version, each.copy_version) for name, each in known.items()} == {
        "w": ("1", "2 c7"),
        "new": ("", "1 c8"),
    }
    assert {name: (each.version, each.shown_version, each.copy_version) for name, each in of_copy.items()} == {
        "w": ("2 c7", "1", None),
        "new": ("1 c8", None, None),
    }


async def test_a_document_that_was_closed_stays_closed(
    storage: Storage, writer: PostgresWriter, copy: PostgresWriter
) -> None:
    await writer.set_acl(OTHER, ["w"], ADA)
    await storage.publish(checked=copy.version_id)
    assert await found(storage, "seal") == []
    assert await found(storage, "seal", ADA_ASKS) == ["the seal of wiki"]


@pytest.mark.parametrize("way", ["hide", "purge"])
async def test_what_was_deleted_stays_away(
    storage: Storage, writer: PostgresWriter, copy: PostgresWriter, way: str
) -> None:
    await put(writer, EMBEDDER, a_document("w", source=OTHER, content="2"), "the dolphin of wiki")
    await (writer.hide if way == "hide" else writer.purge)(OTHER, ["w"])
    await storage.publish(checked=copy.version_id)
    assert await found(storage, "seal") == await found(storage, "dolphin") == []
    await sound(storage)


@pytest.mark.parametrize("way", ["copied", "rebuilt"])
async def test_what_was_deleted_and_added_again_shows_no_text_of_before(
    storage: Storage, writer: PostgresWriter, way: str
) -> None:
    for name in ("w", "same"):
        await put(writer, EMBEDDER, a_document(name, source=OTHER), f"the secret of {name}")
    await writer.hide(OTHER, ["w", "same"])
    other = await (storage.copied() if way == "copied" else storage.rebuild(EMBEDDER.identity, Analyzer()))
    assert other
    await put(other, EMBEDDER, a_document("w", source=OTHER, content="2"), "the harmless words of wiki")
    await put(other, EMBEDDER, a_document("same", source=OTHER), "the secret of same")
    assert await found(storage, "secret") == ["the secret of same"]
    assert await found(storage, "harmless") == []
    await sound(storage)
    await storage.publish()
    assert await found(storage, "secret") == ["the secret of same"]
    assert await found(storage, "harmless") == ["the harmless words of wiki"]
    await sound(storage)


async def test_a_text_that_was_taken_away_stays_away(
    storage: Storage, writer: PostgresWriter, copy: PostgresWriter
) -> None:
    await put(writer, EMBEDDER, a_document("w", source=OTHER, content="2"))
    await put(writer, EMBEDDER, a_document("empty", source=OTHER))
    await storage.publish(checked=copy.version_id)
    assert await found(storage, "seal") == []
    await sound(storage)


async def test_a_text_that_the_copy_took_away_stays_away(storage: Storage, writer: PostgresWriter) -> None:
    for name in ("w", "back", "again"):
        await put(writer, EMBEDDER, a_document(name, source=OTHER), f"the secret of {name}")
    copy = await storage.copied()
    assert copy
    for name in ("w", "back"):
        await put(copy, EMBEDDER, a_document(name, source=OTHER, content="2"))
    for name in ("back", "again"):
        await put(writer, EMBEDDER, a_document(name, source=OTHER, content="3"), f"the harmless words of {name}")
    await put(copy, EMBEDDER, a_document("again", source=OTHER, content="4"))
    await storage.publish(checked=copy.version_id)
    assert await found(storage, "secret") == []
    assert await found(storage, "harmless") == ["the harmless words of back"]
    await sound(storage)


async def test_of_one_document_what_was_written_last_holds(
    storage: Storage, writer: PostgresWriter, copy: PostgresWriter
) -> None:
    await put(writer, EMBEDDER, a_document("a", content="3"), "the later words of docs")
    await put(writer, EMBEDDER, a_document("w", source=OTHER, content="2"), "the earlier words of wiki")
    await put(copy, EMBEDDER, a_document("w", source=OTHER, content="3"), "the last words of wiki")
    await storage.publish(checked=copy.version_id)
    assert sorted(await found(storage, "words")) == ["the last words of wiki", "the later words of docs"]
    await sound(storage)


async def test_who_comes_to_read_a_document_reads_no_text_that_was_never_shown_to_them(
    storage: Storage, writer: PostgresWriter
) -> None:
    at = datetime.now(UTC)
    closed = replace(a_document("a", acl=ADA), acl_at=at)
    await put(writer, EMBEDDER, closed, "the walrus of docs")
    copy = await storage.copied()
    assert copy
    await put(copy, EMBEDDER, replace(closed, content_hash=b"2"), "the secret of docs")
    back = replace(closed, acl=ORGANISATION, content_hash=b"3", acl_at=at + timedelta(hours=1))
    assert await writer.update_if_unchanged(back, list(await ids(storage, "live"))), "as it was before"
    await storage.publish(checked=copy.version_id)
    assert await found(storage, "secret") == []
    assert await found(storage, "walrus") == ["the walrus of docs"]


async def test_nor_where_the_acl_was_read_before_that_text_was_written(
    storage: Storage, writer: PostgresWriter
) -> None:
    at = datetime.now(UTC)
    closed = replace(a_document("a", acl=ADA), acl_at=at)
    await put(writer, EMBEDDER, closed, "the walrus of docs")
    copy = await storage.copied()
    assert copy
    later = replace(closed, content_hash=b"2", acl_at=at + timedelta(microseconds=1))
    await put(copy, EMBEDDER, later, "the secret of docs")
    await writer.set_acl("docs", ["a"], ORGANISATION, at + timedelta(microseconds=2))
    await storage.publish(checked=copy.version_id)
    assert await found(storage, "secret") == []
    assert await found(storage, "walrus") == ["the walrus of docs"]
    await sound(storage)


async def ids(storage: Storage, state: str) -> list[str]:
    query = "SELECT chunk_id FROM chunks JOIN index_versions USING (version_id) WHERE state = :state ORDER BY ordinal"
    return [each for (each,) in await rows(storage, query, state=state)]


async def test_units_and_the_graph_come_along(storage: Storage, sources: list[str]) -> None:
    model = HashEmbedder(8)
    writer = await storage.writer(model.identity, Analyzer(), propositions=True)

    async def write(into: PostgresWriter, name: str, words: str, part: DocumentGraph, acl: Acl = ORGANISATION) -> None:
        document = a_document(name, source=OTHER, content=words)
        chunks = chunks_of(document, [(words, acl)])
        vectors = model.vectors([words])
        await into.put(document, chunks, vectors, [PropositionRow(0, 0, 3, vectors[0])], part)

    before, later, new = (a_graph(name) for name in ("ada", "bob", "eve"))
    await write(writer, "w", "the seal", before)
    await write(writer, "v", "the walrus", before)
    copy = await storage.copied()
    assert copy
    await write(writer, "w", "the dolphin", later, ADA)
    await write(writer, "new", "the narwhal", new)
    wanted = await graph.stored(storage.engine)
    await storage.publish(checked=copy.version_id)
    assert await graph.stored(storage.engine) == wanted
    units = """
        SELECT DISTINCT c.text, p.last, c.acl_id IS NULL AND m.acl_id IS NULL FROM propositions p
        JOIN index_versions v USING (version_id) JOIN chunks c USING (version_id, chunk_no)
        JOIN mentions m USING (version_id, chunk_no) WHERE v.state = 'live' ORDER BY 1
    """
    assert await rows(storage, units) == [
        ("the dolphin", 3, False),
        ("the narwhal", 3, True),
        ("the walrus", 3, True),
    ]


@pytest.mark.parametrize("way", ["described", "connected"])
async def test_what_changes_of_a_document_while_its_text_stays_comes_along(
    storage: Storage, writer: PostgresWriter, way: str
) -> None:
    document = replace(a_document("w", source=OTHER), content_hash=content_hash_of(b"w" * CONTENT_BYTES, "before"))
    chunks = chunks_of(document, ["the seal"])
    names = [chunk.chunk_id for chunk in chunks]
    await writer.put(document, chunks, EMBEDDER.vectors(["the seal"]), (), a_graph("ada"))
    copy = await storage.copied()
    assert copy
    masked = replace(document, content_hash=content_hash_of(b"w" * CONTENT_BYTES, "now"))
    if way == "described":
        assert await writer.update_if_unchanged(masked, names, a_graph("bob"))
    else:
        await writer.replace_graph(OTHER, "w", a_graph("bob"), names)
    await storage.publish(checked=copy.version_id)
    assert set((await graph.stored(storage.engine)).counts) == {"person:bob", "name:boat"}
    of_text = (await copy.indexed_documents(OTHER))["w"].content_hash
    assert of_text == (masked if way == "described" else document).content_hash
    await sound(storage)


async def test_a_writer_goes_on_in_the_copy(storage: Storage, writer: PostgresWriter, copy: PostgresWriter) -> None:
    await storage.publish(checked=copy.version_id)
    await put(writer, EMBEDDER, a_document("new", source=OTHER), "the narwhal of wiki")
    await put(writer, EMBEDDER, a_document("w", source=OTHER, content="2"), "the dolphin of wiki")
    assert await found(storage, "narwhal") == ["the narwhal of wiki"]
    assert await found(storage, "dolphin") == ["the dolphin of wiki"]
    assert await found(storage, "seal") == []
    await sound(storage)


async def test_a_run_ends_after_two_copies_came_into_use(
    storage: Storage, writer: PostgresWriter, copy: PostgresWriter
) -> None:
    await storage.publish(checked=copy.version_id)
    second = await storage.copied()
    assert second
    await put(second, EMBEDDER, a_document("new", source=OTHER), "the narwhal of wiki")
    await storage.publish(checked=second.version_id)
    known = (await writer.indexed_documents(OTHER))["new"]
    assert (known.content_hash, known.shown_version) == (a_document("new").content_hash, None)
    assert len(await writer.stored_vectors([chunks_of(a_document("w"), ["the seal of wiki"])[0].text_hash])) == 1
    stored = await writer.stored_text(OTHER, "new")
    assert stored
    assert [each.text for each in stored.chunks] == ["the narwhal of wiki"]
    await writer.update_metadata(replace(a_document("new", source=OTHER), version="7"))
    assert (await writer.indexed_documents(OTHER))["new"].version == "7"
    await writer.finish(hnsw_from=1)
    assert (await rows(storage, "SELECT hnsw_upto > 0 FROM index_versions WHERE state = 'live'"))[0][0]


async def test_a_writer_goes_on_in_no_other_version(
    storage: Storage, writer: PostgresWriter, copy: PostgresWriter
) -> None:
    await storage.publish(checked=copy.version_id)
    second = await storage.copied()
    assert second
    await storage.rebuild(EMBEDDER.identity, Analyzer())
    with pytest.raises(Transient, match="A new index came into use"):
        await put(second, EMBEDDER, a_document("a", content="4"), "not judged")
    await storage.publish(allow_loss=True)
    with pytest.raises(Transient, match="A new index came into use"):
        await put(copy, EMBEDDER, a_document("a", content="4"), "not read anew")


async def test_a_writer_goes_on_in_copies_of_copies_of_its_own_version_alone(
    storage: Storage, writer: PostgresWriter
) -> None:
    for number in range(3):
        copy = await storage.copied()
        assert copy
        await storage.publish(checked=copy.version_id)
        if number == 1:
            before_last = await storage.writer(EMBEDDER.identity, Analyzer())
    await put(writer, EMBEDDER, a_document("a"), "the walrus of docs")
    last = await storage.writer(EMBEDDER.identity, Analyzer())
    await storage.roll_back()
    await put(before_last, EMBEDDER, a_document("b"), "the seal of docs")
    copy = await storage.copied()
    assert copy
    await storage.publish(checked=copy.version_id)
    with pytest.raises(Transient, match="A new index came into use"):
        await put(last, EMBEDDER, a_document("a", content="2"), "into what it does not know")
    await storage.rebuild(EMBEDDER.identity, Analyzer())
    await storage.publish(allow_loss=True)
    copy = await storage.copied()
    assert copy
    await storage.publish(checked=copy.version_id)
    with pytest.raises(Transient, match="A new index came into use"):
        await put(before_last, EMBEDDER, a_document("b", content="2"), "not read anew")


async def test_a_copy_does_not_undo_a_rollback(storage: Storage, writer: PostgresWriter, copy: PostgresWriter) -> None:
    await storage.publish(checked=copy.version_id)
    second = await storage.copied()
    assert second
    await storage.roll_back()
    with pytest.raises(Refused, match="the index versions are others than they were"):
        await storage.publish(checked=second.version_id)
    assert await found(storage, "walrus") == ["the walrus of docs"]
    await storage.roll_back()
    await storage.publish(checked=second.version_id)
    assert await found(storage, "otter") == ["the otter of docs"]


async def test_a_document_that_is_being_written_is_waited_for(
    storage: Storage, writer: PostgresWriter, copy: PostgresWriter
) -> None:
    async with _held(storage, "w"):
        writing = asyncio.create_task(put(writer, EMBEDDER, a_document("w", source=OTHER, content="2"), "dolphin"))
        await _waiting(storage)
        publishing = asyncio.create_task(storage.publish(checked=copy.version_id))
        await asyncio.sleep(0.2)
        assert not publishing.done()
    await asyncio.gather(writing, publishing)
    assert await found(storage, "dolphin") == ["dolphin"]
    assert await found(storage, "seal") == []


async def test_what_is_removed_while_a_copy_is_made_is_not_in_the_copy(
    storage: Storage, writer: PostgresWriter
) -> None:
    await put(writer, EMBEDDER, a_document("w", source=OTHER), "the secret of wiki")
    async with storage.engine.begin() as connection:
        assert await versions.copy_live(connection)
        removing = asyncio.create_task(writer.purge(OTHER, ["w"]))
        await _waiting(storage)
    await removing
    assert await rows(storage, "SELECT text FROM chunks") == []


async def test_a_document_is_written_while_hnsw_is_about_to_be_built(storage: Storage, writer: PostgresWriter) -> None:
    await put(writer, EMBEDDER, a_document("a"), "the walrus of docs", "the otter of docs")
    async with storage.engine.begin() as connection:
        await connection.execute(text("SELECT FROM index_versions FOR SHARE"))  # as a writer begins
        building = asyncio.create_task(writer.finish(hnsw_from=1))
        await _waiting(storage)
        await connection.execute(text("DELETE FROM vectors WHERE chunk_no = 1"))
    await building
    assert (await rows(storage, "SELECT hnsw_upto FROM index_versions"))[0][0] == 2


async def test_a_document_is_removed_while_hnsw_is_about_to_be_built_over_propositions(
    storage: Storage, sources: list[str]
) -> None:
    model = HashEmbedder(8)
    writer = await storage.writer(model.identity, Analyzer(), propositions=True)
    document = a_document("a")
    vectors = model.vectors(["the walrus", "the otter"])
    units = [PropositionRow(each, 0, 3, vector) for each, vector in enumerate(vectors)]
    await writer.put(document, chunks_of(document, ["the walrus", "the otter"]), vectors, units)
    async with storage.engine.begin() as connection:
        await connection.execute(text("DELETE FROM propositions WHERE chunk_no = 1"))
        building = asyncio.create_task(writer.finish(hnsw_from=1))
        await _waiting(storage)
        await connection.execute(text("DELETE FROM vectors WHERE chunk_no = 1"))
    await building
    assert (await rows(storage, "SELECT propositions_hnsw_upto FROM index_versions"))[0][0] == 2


@pytest.mark.parametrize("tables", [("vectors", "chunks"), ("chunks", "mentions")])
async def test_searches_do_not_break_off_while_a_copy_is_made(
    storage: Storage, writer: PostgresWriter, tables: tuple[str, str]
) -> None:
    """Whatever they lock first."""
    await put(writer, EMBEDDER, a_document("a"), "the walrus of docs")
    async with storage.engine.begin() as connection:
        await connection.execute(text(f"SELECT FROM {tables[0]}"))
        copying = asyncio.create_task(storage.copied())
        await _waiting(storage)
        await connection.execute(text(f"SELECT FROM {tables[1]}"))
    copy = await copying
    assert copy
    async with storage.engine.begin() as connection:
        await connection.execute(text(f"SELECT FROM {tables[0]}"))
        dropping = asyncio.create_task(storage.drop_copied(copy.version_id))
        await _waiting(storage)
        await connection.execute(text(f"SELECT FROM {tables[1]}"))
    await dropping


@asynccontextmanager
async def _held(storage: Storage, name: str) -> AsyncIterator[None]:
    """Inside, the row of a document is locked."""
    async with storage.engine.begin() as connection:
        await connection.execute(text("SELECT FROM documents WHERE external_id = :name FOR UPDATE"), {"name": name})
        yield


async def _waiting(storage: Storage) -> None:
    """Returns once somebody waits for a lock."""
    async with asyncio.timeout(10):
        while not (await rows(storage, "SELECT count(*) FROM pg_locks WHERE NOT granted"))[0][0]:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


def a_graph(name: str) -> DocumentGraph:
    """One person and a thing that it owns, in the first chunk."""
    person, thing = f"person:{name}", "name:boat"
    mentions = tuple(Mention(key, 0, MentionRole.MENTION, 0.9, key) for key in (person, thing))
    return DocumentGraph(
        1, mentions=mentions, relations=(Relation(person, "owns", thing, 0, 0.9, RelationOrigin.VERB),)
    )
