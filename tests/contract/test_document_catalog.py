"""What domain.search_ports.DocumentCatalog promises, held against every implementation."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from domain.access import NOBODY, ORG, PUBLIC, Acl, Scope, user
from domain.documents import document_id
from domain.search import DocumentInfo, Filters
from tests.contract.knowledge import MEMBER, OTHER, Knowledge
from tests.fakes.documents import SOURCE, a_document
from tests.fakes.rights import EVERYONE

BOBS = Acl.any_of(user("bob@example.com"))
BOB_ASKS = Scope.member("bob@example.com")
DATE = datetime(2026, 3, 1, 12, tzinfo=UTC)


async def found(
    knowledge: Knowledge, name: str, scope: Scope = MEMBER, *, limit: int = 10, filters: Filters | None = None
) -> list[DocumentInfo]:
    return await knowledge.catalog.find(name, scope, filters=filters or Filters(), limit=limit)


async def titles(
    knowledge: Knowledge, name: str, scope: Scope = MEMBER, *, filters: Filters | None = None
) -> list[str]:
    return [info.title for info in await found(knowledge, name, scope, filters=filters)]


@pytest.fixture
async def shelf(knowledge: Knowledge) -> Knowledge:
    """Some documents with one part each."""
    for number, (external_id, title, path) in enumerate(
        [
            ("1", "Vacation Policy", "hr/policies/vacation.md"),
            ("2", "Travel Policy", "hr/policies/travel.md"),
            ("3", "Vacation Policy of 2019, withdrawn", "archive/old_vacation.md"),
            ("4", "Émile's Guide", "Handbook/guide_50%.md"),
            ("5", "Deployment", "ops/deploy.md"),
        ]
    ):
        document = a_document(external_id, title=title, path=path, updated_at=DATE + timedelta(days=number))
        await knowledge.put(document, "some text")
    return knowledge


VERY = {
    document_id(SOURCE, "2"): "Travel Policy",
    "hr/policies/travel.md": "Travel Policy",
    "travel.md": "Travel Policy",
    "https://docs.example/2": "Travel Policy",
    "Vacation Policy": "Vacation Policy",
    "guide_50%.md": "Émile's Guide",
    "  Émile's Guide ": "Émile's Guide",
}

LIKE = {
    "vacation policy": "Vacation Policy",
    "deploymant": "Deployment",
    "policy for travel": "Travel Policy",
    "the EMILE guide": "Émile's Guide",
    "old vacation": "Vacation Policy of 2019, withdrawn",
}


async def test_the_very_name_has_the_full_score(shelf: Knowledge) -> None:
    for name, title in VERY.items():
        first, *others = await found(shelf, name)
        assert (first.title, first.score) == (title, 1.0), name
        assert all(info.score < 1 for info in others), name


async def test_like_names_are_found_best_first(shelf: Knowledge) -> None:
    for name, title in LIKE.items():
        infos = await found(shelf, name)
        scores = [info.score for info in infos]
        assert infos[0].title == title, name
        assert scores == sorted(scores, reverse=True), name
        assert all(0.5 <= score < 1 for score in scores), name


async def test_a_name_that_fits_nothing_finds_nothing(shelf: Knowledge) -> None:
    assert await found(shelf, "xylophone") == []
    assert await found(shelf, "%") == []
    assert await found(shelf, "___") == []


async def test_no_name_lists_the_newest_first(shelf: Knowledge) -> None:
    await shelf.put(a_document("undated", title="Undated"), "some text")
    listed = await titles(shelf, " ")
    assert listed[0] == "Deployment"
    assert listed[-2:] == ["Vacation Policy", "Undated"]
    assert {info.score for info in await found(shelf, "")} == {1.0}


async def test_no_more_than_asked_for(shelf: Knowledge) -> None:
    for name in ("", "policy vacation"):
        everything = await found(shelf, name)
        assert await found(shelf, name, limit=2) == everything[:2]
        assert await found(shelf, name, limit=0) == []


async def test_a_document_is_described_in_full(knowledge: Knowledge) -> None:
    document = a_document("a", source=OTHER, title="T", path="x/y", updated_at=DATE)
    await knowledge.put(document, "one", ("two", BOBS), "three")
    (info,) = await found(knowledge, "T")
    expected = DocumentInfo(document.document_id, "T", document.url, "x/y", OTHER, "Ada", DATE, chunks=2, score=1.0)
    assert info == expected
    assert (await found(knowledge, "T", BOB_ASKS))[0].chunks == 3


@pytest.mark.filters_alone
async def test_nobody_finds_what_they_may_not_read(knowledge: Knowledge) -> None:
    await knowledge.put(a_document("a", title="Open plan"), "text")
    await knowledge.put(a_document("b", title="Secret plan", acl=BOBS), ("text", EVERYONE))
    await knowledge.put(a_document("c", title="Nobody's plan"), ("text", NOBODY))
    await knowledge.writer.update_metadata(a_document("d", title="Plan without parts"))
    for name in ("plan", "", "Secret plan", document_id(SOURCE, "b")):
        assert await titles(knowledge, name) in (["Open plan"], [])
        among = replace(BOB_ASKS, audience=frozenset({PUBLIC, ORG}))
        assert await titles(knowledge, name, among) in (["Open plan"], [])
        assert await titles(knowledge, name, Scope.outsider()) == []
    assert sorted(await titles(knowledge, "plan", BOB_ASKS)) == ["Open plan", "Secret plan"]


@pytest.mark.filters_alone
async def test_rights_withdrawn_and_documents_hidden_count_at_once(knowledge: Knowledge) -> None:
    for name in "abc":
        await knowledge.put(a_document(name, title=f"Plan {name}"), "text")
    await knowledge.writer.set_acl(SOURCE, ["a"], BOBS)
    await knowledge.writer.hide(SOURCE, ["b"])
    assert await titles(knowledge, "plan") == ["Plan c"]
    assert await knowledge.catalog.chunks(document_id(SOURCE, "a"), MEMBER) == []
    assert await knowledge.catalog.chunks(document_id(SOURCE, "b"), MEMBER) == []
    assert len(await knowledge.catalog.chunks(document_id(SOURCE, "a"), BOB_ASKS)) == 1


async def test_filters_narrow(knowledge: Knowledge) -> None:
    await knowledge.put(a_document("a", title="Plan A", labels=["x"], updated_at=DATE), "text")
    await knowledge.put(a_document("b", source=OTHER, title="Plan B", space="IT"), "text")
    for filters, expected in (
        (Filters(sources=(OTHER,)), ["Plan B"]),
        (Filters(labels=("x",)), ["Plan A"]),
        (Filters(spaces=("IT",)), ["Plan B"]),
        (Filters(since=DATE), ["Plan A"]),
        (Filters(titles=("plan a",)), ["Plan A"]),
        (Filters(spaces=("IT",), labels=("x",)), []),
    ):
        for name in ("plan", ""):
            assert await titles(knowledge, name, filters=filters) == expected


async def test_parts_come_in_order_from_where_one_asks(knowledge: Knowledge) -> None:
    document = a_document("a", title="T")
    ids = await knowledge.put(document, *"abcdefg")
    await knowledge.put(a_document("other"), *"xyz")
    read = knowledge.catalog.chunks
    everything = await read(document.document_id, MEMBER)
    assert [passage.chunk_id for passage in everything] == ids
    assert everything == await knowledge.search.passages(ids, MEMBER)
    assert {passage.author for passage in everything} == {"Ada"}
    assert [passage.text for passage in await read(document.document_id, MEMBER, first=2, limit=3)] == ["c", "d", "e"]
    assert await read(document.document_id, MEMBER, first=7) == []
    assert await read("0" * 32, MEMBER) == []


@pytest.mark.filters_alone
async def test_parts_that_may_not_be_seen_are_left_out(knowledge: Knowledge) -> None:
    document = a_document("a")
    await knowledge.put(document, "a", ("b", BOBS), "c", ("d", NOBODY), "e")
    for scope, expected in ((MEMBER, "ace"), (BOB_ASKS, "abce"), (Scope.outsider(), "")):
        passages = await knowledge.catalog.chunks(document.document_id, scope)
        assert [passage.text for passage in passages] == list(expected)
    after = await knowledge.catalog.chunks(document.document_id, MEMBER, first=1, limit=1)
    assert [passage.ordinal for passage in after] == [2]
    assert [each.ordinal for each in await knowledge.catalog.chunks(document.document_id, MEMBER, first=2)] == [4]
