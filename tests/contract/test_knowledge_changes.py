"""What KnowledgeWriter promises, as KnowledgeSearch shows it, held against every implementation."""

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from domain.access import NOBODY, ORG, PUBLIC, Acl, Scope, user
from domain.documents import document_id
from domain.search import Filters
from tests.contract.knowledge import MEMBER, OTHER, Knowledge
from tests.fakes.documents import SOURCE, a_document, chunks_of

ADA, BOB = user("ada@example.com"), user("bob@example.com")
BOBS = Acl.any_of(BOB)
BOB_ASKS = Scope.member("bob@example.com")
DATE = datetime(2026, 3, 1, 12, tzinfo=UTC)


async def test_what_is_replaced_is_gone(knowledge: Knowledge) -> None:
    old = await knowledge.put(a_document("a"), "ancient wording", "kept paragraph", "third")
    new = await knowledge.put(a_document("a", content="2"), "kept paragraph")
    assert await knowledge.found("ancient wording kept paragraph") == set(new)
    assert (await knowledge.hits("ancient")).rankings["lexical"] == ()
    assert [p.chunk_id for p in await knowledge.search.passages([*old, *new], MEMBER)] == new
    assert await knowledge.search.count_documents(MEMBER, Filters()) == 1


async def test_the_same_document_may_be_written_again(knowledge: Knowledge) -> None:
    for _ in range(3):
        ids = await knowledge.put(a_document("a"), "steady text", "another part")
    hits = await knowledge.hits("steady text part")
    assert sorted(hit.chunk_id for hit in hits.rankings["dense"]) == sorted(ids)
    assert sorted(hit.chunk_id for hit in hits.rankings["lexical"]) == sorted(ids)


async def test_hidden_documents_are_gone_until_described_or_written_again(knowledge: Knowledge) -> None:
    first, second = a_document("a"), a_document("b")
    ids = [*await knowledge.put(first, "tram lines"), *await knowledge.put(second, "tram stops")]
    await knowledge.writer.hide(SOURCE, ["a", "b", "unheard of"])
    assert await knowledge.found("tram") == set()
    assert await knowledge.search.passages(ids, MEMBER) == []
    assert await knowledge.search.count_documents(MEMBER, Filters()) == 0
    assert all(state.hidden for state in (await knowledge.writer.indexed_documents(SOURCE)).values())
    await knowledge.writer.update_metadata(first)
    assert await knowledge.found("tram") == {ids[0]}
    await knowledge.put(second, "tram stops")
    assert await knowledge.found("tram") == set(ids)
    assert not any(state.hidden for state in (await knowledge.writer.indexed_documents(SOURCE)).values())


async def test_hiding_is_by_source(knowledge: Knowledge) -> None:
    await knowledge.put(a_document("same"), "ferry")
    kept = await knowledge.put(a_document("same", source=OTHER), "ferry")
    await knowledge.writer.hide(SOURCE, ["same"])
    assert await knowledge.found("ferry") == set(kept)
    await knowledge.writer.purge(SOURCE, ["same"])
    assert await knowledge.found("ferry") == set(kept)
    assert set(await knowledge.writer.indexed_documents(OTHER)) == {"same"}


async def test_purged_documents_are_forgotten(knowledge: Knowledge) -> None:
    ids = [*await knowledge.put(a_document("a"), "canal"), *await knowledge.put(a_document("b"), "canal")]
    await knowledge.writer.hide(SOURCE, ["a"])
    await knowledge.writer.purge(SOURCE, ["a", "unheard of"])
    assert set(await knowledge.writer.indexed_documents(SOURCE)) == {"b"}
    assert await knowledge.found("canal") == {ids[1]}
    await knowledge.writer.update_metadata(a_document("b"))
    assert await knowledge.found("canal") == {ids[1]}


async def test_purging_changes_the_weight_of_words(knowledge: Knowledge) -> None:
    for number in range(6):
        await knowledge.put(a_document(f"d{number}"), "heron" if number < 3 else f"filler{number}")
    before = (await knowledge.hits("heron")).term_idf["heron"]
    await knowledge.writer.purge(SOURCE, ["d1", "d2"])
    assert (await knowledge.hits("heron")).term_idf["heron"] > before


async def test_describing_changes_place_rights_and_labels_but_not_content(knowledge: Knowledge) -> None:
    ids = await knowledge.put(a_document("a", title="Old"), "quay", ("quay of Bob", BOBS))
    moved = a_document("a", title="New", path="b/a", labels=["x"], acl=Acl.any_of(BOB, ADA), content="not read")
    await knowledge.writer.update_metadata(moved)
    (state,) = (await knowledge.writer.indexed_documents(SOURCE)).values()
    assert state.content_hash == a_document("a").content_hash
    assert (state.title, state.path, state.acl) == ("New", "b/a", moved.acl)
    (passage,) = await knowledge.search.passages(ids, MEMBER)
    assert passage.path == "b/a"
    assert await knowledge.found("quay", filters=Filters(labels=("x",))) == {ids[0]}
    assert await knowledge.found("quay", Scope.member()) == set()
    assert await knowledge.found("quay", BOB_ASKS) == set(ids)


async def test_a_document_may_be_known_without_content(knowledge: Knowledge) -> None:
    await knowledge.writer.update_metadata(a_document("a", title="Waiting"))
    (state,) = (await knowledge.writer.indexed_documents(SOURCE)).values()
    assert (state.external_id, state.content_hash, state.hidden) == ("a", None, False)
    assert state.document_id == document_id(SOURCE, "a")
    assert await knowledge.writer.indexed_documents(OTHER) == {}


async def test_known_vectors_are_those_of_equal_texts(knowledge: Knowledge) -> None:
    document = a_document("a", title="T")
    await knowledge.put(document, "one", "two")
    first, _, unknown = chunks_of(document, ["one", "two", "three"])
    known = await knowledge.writer.stored_vectors([first.text_hash, unknown.text_hash])
    assert set(known) == {first.text_hash}
    assert known[first.text_hash].dtype == np.float16
    assert known[first.text_hash] == pytest.approx(knowledge.embedder.vectors([first.embedded_text])[0], abs=1e-3)
    assert await knowledge.writer.stored_vectors([]) == {}


async def test_a_document_may_have_no_chunks(knowledge: Knowledge) -> None:
    await knowledge.put(a_document("a"), "soon empty")
    await knowledge.put(a_document("a", content="2"))
    assert await knowledge.found("soon empty") == set()
    assert (await knowledge.writer.indexed_documents(SOURCE))["a"].content_hash == a_document(
        "a", content="2"
    ).content_hash


async def test_passages_come_in_the_order_asked_for_and_without_those_that_are_gone(knowledge: Knowledge) -> None:
    ids = await knowledge.put(a_document("a"), *"abcdef")
    await knowledge.put(a_document("b", acl=BOBS), "forbidden")
    forbidden = chunks_of(a_document("b"), ["forbidden"])[0].chunk_id
    asked = [ids[4], "0" * 32, ids[0], forbidden, ids[2]]
    found = await knowledge.search.passages(asked, MEMBER)
    assert [passage.text for passage in found] == ["e", "a", "c"]
    assert await knowledge.search.passages([], MEMBER) == []


async def test_a_passage_carries_what_citing_it_needs(knowledge: Knowledge) -> None:
    document = a_document("guide", title="Guide", path="x/guide", updated_at=DATE)
    chunk = replace(chunks_of(document, ["first", "second"])[1], heading_path=("Part", "One"))
    vectors = knowledge.embedder.vectors([chunk.embedded_text])
    await knowledge.writer.put(document, [chunk], vectors)
    (passage,) = await knowledge.search.passages([chunk.chunk_id], MEMBER)
    assert (passage.document_id, passage.ordinal, passage.source) == (document.document_id, 1, SOURCE)
    assert (passage.title, passage.heading_path, passage.text) == ("Guide", ("Part", "One"), "second")
    assert (passage.url, passage.path, passage.updated_at) == (document.url, "x/guide", DATE)
    assert (passage.kind, passage.span) == (chunk.kind, chunk.span)
    assert passage.vector.dtype == np.float32
    assert passage.vector == pytest.approx(vectors[0], abs=1e-3)


async def test_neighbours_are_nearest_last_before_and_nearest_first_after(knowledge: Knowledge) -> None:
    ids = await knowledge.put(a_document("a"), *"abcde")
    await knowledge.put(a_document("other"), *"vwxyz")
    (middle,) = await knowledge.search.passages([ids[2]], MEMBER, neighbours=1)
    assert (middle.before, middle.after) == (("b",), ("d",))
    (near_end,) = await knowledge.search.passages([ids[3]], MEMBER, neighbours=3)
    assert (near_end.before, near_end.after) == (("a", "b", "c"), ("e",))
    (alone,) = await knowledge.search.passages([ids[2]], MEMBER)
    assert (alone.before, alone.after) == ((), ())


async def test_neighbours_leave_out_what_the_reader_may_not_see(knowledge: Knowledge) -> None:
    ids = await knowledge.put(a_document("a"), "a", ("b", BOBS), "c", ("d", NOBODY), "e")
    (found,) = await knowledge.search.passages([ids[2]], MEMBER, neighbours=2)
    assert (found.before, found.after) == (("a",), ("e",))
    (bobs,) = await knowledge.search.passages([ids[2]], BOB_ASKS, neighbours=1)
    assert (bobs.before, bobs.after) == (("b",), ())
    shown = replace(BOB_ASKS, audience=frozenset({PUBLIC, ORG}))
    (audiences,) = await knowledge.search.passages([ids[2]], shown, neighbours=1)
    assert (audiences.before, audiences.after) == ((), ())


async def test_confirming_takes_over_what_is_said_of_equal_chunks(knowledge: Knowledge) -> None:
    ids = await knowledge.put(a_document("a", title="T"), "one", "two")
    await knowledge.writer.hide(SOURCE, ["a"])
    renewed = a_document("a", title="T", path="moved", labels=["x"], content="same text, another masking")
    assert await knowledge.writer.update_if_unchanged(renewed, ids)
    (state,) = (await knowledge.writer.indexed_documents(SOURCE)).values()
    assert (state.content_hash, state.path, state.hidden) == (renewed.content_hash, "moved", False)
    assert await knowledge.found("two", filters=Filters(labels=("x",))) == set(ids)


async def test_confirming_other_chunks_changes_nothing(knowledge: Knowledge) -> None:
    ids = await knowledge.put(a_document("a"), "one", "two")
    await knowledge.writer.update_metadata(a_document("known"))
    before = await knowledge.writer.indexed_documents(SOURCE)
    for chunk_ids in (ids[:1], ids[::-1], [*ids, "more"], []):
        assert not await knowledge.writer.update_if_unchanged(a_document("a", path="moved", content="2"), chunk_ids)
    assert not await knowledge.writer.update_if_unchanged(a_document("known", content="2"), [])
    assert not await knowledge.writer.update_if_unchanged(a_document("unheard of"), [])
    assert await knowledge.writer.indexed_documents(SOURCE) == before


async def test_confirming_a_document_without_chunks(knowledge: Knowledge) -> None:
    await knowledge.put(a_document("a"))
    assert await knowledge.writer.update_if_unchanged(a_document("a", content="2"), [])
    assert (await knowledge.writer.indexed_documents(SOURCE))["a"].content_hash == a_document(
        "a", content="2"
    ).content_hash
