"""That nobody finds, reads or counts what they may not, held against every implementation of KnowledgeSearch."""

from dataclasses import replace

import pytest

from domain.access import NOBODY, ORG, ORGANISATION, PUBLIC, Acl, Principal, Scope, user
from domain.documents import document_id
from domain.search import Filters
from tests.contract.knowledge import MEMBER, Knowledge
from tests.fakes.documents import SOURCE, a_document
from tests.fakes.rights import EVERYONE

pytestmark = pytest.mark.filters_alone

ADA, BOB = user("ada@example.com"), user("bob@example.com")
BOBS = Acl.any_of(BOB)
BOB_ASKS = Scope.member("bob@example.com")


async def test_better_matches_of_other_people_leave_room_for_ones_own(knowledge: Knowledge) -> None:
    for number in range(40):
        await knowledge.put(a_document(f"bob{number}", acl=BOBS), "salary salary salary table")
    mine = await knowledge.put(a_document("mine"), "a long text which mentions the salary once and other matters too")
    for limit in (1, 3):
        hits = await knowledge.hits("salary table", limit=limit)
        assert {key: [hit.chunk_id for hit in ranking] for key, ranking in hits.rankings.items()} == {
            "lexical": mine,
            "dense": mine,
        }
        assert all(set(scores) == set(mine) for scores in hits.scores.values())
    assert len(await knowledge.found("salary table", BOB_ASKS, limit=100)) == 41


async def test_a_chunk_may_be_narrower_than_its_document(knowledge: Knowledge) -> None:
    everyones, bobs, nobodys = await knowledge.put(
        a_document("a"), "open budget", ("secret budget", BOBS), ("budget of nobody", NOBODY)
    )
    assert await knowledge.found("budget") == {everyones}
    assert await knowledge.found("budget", BOB_ASKS) == {everyones, bobs}
    assert await knowledge.search.passages([nobodys, bobs], MEMBER) == []
    assert [p.chunk_id for p in await knowledge.search.passages([nobodys, bobs], BOB_ASKS)] == [bobs]


async def test_a_chunk_is_never_wider_than_its_document(knowledge: Knowledge) -> None:
    ids = await knowledge.put(a_document("a", acl=BOBS), ("budget for all", EVERYONE))
    assert await knowledge.found("budget") == set()
    assert await knowledge.search.passages(ids, MEMBER) == []
    assert await knowledge.search.count_documents(MEMBER, Filters()) == 0
    assert await knowledge.found("budget", BOB_ASKS) == set(ids)


async def test_every_clause_must_hold(knowledge: Knowledge) -> None:
    space, group = Principal("space", "HR"), Principal("group", "leads")
    ids = await knowledge.put(a_document("a", acl=Acl.any_of(space, ADA).and_also(Acl.any_of(group))), "appraisals")
    assert await knowledge.found("appraisals", Scope(frozenset({space}))) == set()
    assert await knowledge.found("appraisals", Scope(frozenset({group}))) == set()
    assert await knowledge.found("appraisals", Scope(frozenset({space, group}))) == set(ids)
    assert await knowledge.found("appraisals", Scope(frozenset({ADA, group}))) == set(ids)


async def test_an_audience_sees_what_all_of_it_may_read(knowledge: Knowledge) -> None:
    own = await knowledge.put(a_document("own", acl=Acl.any_of(ADA)), "plans for the harbour")
    shared = await knowledge.put(a_document("shared"), "the harbour is open")
    public = await knowledge.put(a_document("public", acl=EVERYONE), "harbour tours")
    alone = MEMBER
    among_members = replace(MEMBER, audience=frozenset({PUBLIC, ORG}))
    with_guests = replace(MEMBER, audience=frozenset({PUBLIC}))
    assert await knowledge.found("harbour", alone) == {*own, *shared, *public}
    assert await knowledge.found("harbour", among_members) == {*shared, *public}
    assert await knowledge.found("harbour", with_guests) == set(public)
    assert [p.chunk_id for p in await knowledge.search.passages([*own, *public], with_guests)] == public
    assert [await knowledge.search.count_documents(s, Filters()) for s in (alone, among_members, with_guests)] == [
        3,
        2,
        1,
    ]


async def test_an_audience_does_not_widen_what_the_asker_may_read(knowledge: Knowledge) -> None:
    ids = await knowledge.put(a_document("a", acl=BOBS), "ledger")
    scope = Scope(MEMBER.asker, audience=frozenset({PUBLIC, ORG, BOB}))
    assert await knowledge.found("ledger", scope) == set()
    assert await knowledge.search.passages(ids, scope) == []


async def test_outsiders_see_public_documents_alone_and_nobodys_are_seen_by_nobody(knowledge: Knowledge) -> None:
    await knowledge.put(a_document("org", acl=ORGANISATION), "opening hours")
    await knowledge.put(a_document("nobody", acl=NOBODY), "opening hours")
    public = await knowledge.put(a_document("public", acl=EVERYONE), "opening hours")
    assert await knowledge.found("opening hours", Scope.outsider()) == set(public)
    everybody = Scope(frozenset({PUBLIC, ORG, ADA, BOB}))
    assert len(await knowledge.found("opening hours", everybody)) == 2


async def test_another_acl_holds_at_once_and_leaves_narrower_chunks_narrow(knowledge: Knowledge) -> None:
    everyones, bobs = await knowledge.put(a_document("a"), "open budget", ("secret budget", BOBS))
    other = await knowledge.put(a_document("b"), "budget of another")
    await knowledge.writer.set_acl(SOURCE, ["a", "unheard of"], Acl.any_of(ADA, BOB))
    assert await knowledge.found("budget") == {everyones, *other}
    assert await knowledge.found("budget", BOB_ASKS) == {everyones, bobs, *other}
    assert await knowledge.found("budget", Scope.member()) == set(other)
    assert (await knowledge.writer.indexed_documents(SOURCE))["a"].acl == Acl.any_of(ADA, BOB)
    await knowledge.writer.set_acl(SOURCE, ["a"], NOBODY)
    assert await knowledge.found("budget") == set(other)


async def test_a_view_is_the_same_while_rights_are(knowledge: Knowledge) -> None:
    await knowledge.put(a_document("a"), "open budget", ("secret budget", BOBS))
    first = await knowledge.search.visibility_key(MEMBER)
    assert int(first, 16) >= 0
    await knowledge.put(a_document("another"), "budget")
    await knowledge.put(a_document("a", content="2"), "open budget", ("secret budget", BOBS))
    await knowledge.writer.set_acl(SOURCE, ["a"], ORGANISATION)
    assert await knowledge.search.visibility_key(MEMBER) == first
    assert await knowledge.search.visibility_key(Scope.member("carl@example.com")) == first


async def test_views_of_those_who_may_see_different_things_differ(knowledge: Knowledge) -> None:
    await knowledge.put(a_document("a"), "open budget", ("secret budget", BOBS))
    await knowledge.put(a_document("b", acl=EVERYONE), "budget")
    among = replace(BOB_ASKS, audience=frozenset({PUBLIC, ORG}))
    views = {
        scope: await knowledge.search.visibility_key(scope) for scope in (MEMBER, BOB_ASKS, Scope.outsider(), among)
    }
    assert views[MEMBER] == views[among]
    assert len(set(views.values())) == 3


async def test_a_view_ends_with_any_right_that_was_withdrawn(knowledge: Knowledge) -> None:
    for name in "abcd":
        await knowledge.put(a_document(name), "budget", ("secret budget", BOBS))
    seen = [await knowledge.search.visibility_key(MEMBER)]
    await knowledge.writer.set_acl(SOURCE, ["a"], BOBS)
    seen.append(await knowledge.search.visibility_key(MEMBER))
    await knowledge.put(a_document("b", acl=BOBS), "budget")
    seen.append(await knowledge.search.visibility_key(MEMBER))
    await knowledge.writer.update_metadata(a_document("c", acl=BOBS))
    seen.append(await knowledge.search.visibility_key(MEMBER))
    await knowledge.writer.hide(SOURCE, ["d"])
    seen.append(await knowledge.search.visibility_key(MEMBER))
    await knowledge.writer.set_acl(SOURCE, ["a"], ORGANISATION)
    seen.append(await knowledge.search.visibility_key(MEMBER))
    assert len(set(seen)) == len(seen)


async def test_what_may_still_be_read_is_what_is_there_and_admits_everybody_who_reads(knowledge: Knowledge) -> None:
    open_one, bobs = await knowledge.put(a_document("a"), "open budget", ("secret budget", BOBS))
    (closed,) = await knowledge.put(a_document("b"), "budget of another")
    (hidden,) = await knowledge.put(a_document("c"), "a third budget")
    ids = {name: document_id(SOURCE, name) for name in "abc"}
    asked = {open_one: ids["a"], bobs: ids["a"], closed: ids["b"], hidden: ids["c"], "0" * 32: "no such document"}
    still = knowledge.search.readable
    assert await still(asked, BOB_ASKS) == {open_one: "a", bobs: "a", closed: "b", hidden: "c"}
    assert await still(asked, MEMBER) == {open_one: "a", closed: "b", hidden: "c"}
    assert set(await still(asked, replace(BOB_ASKS, audience=MEMBER.asker))) == {open_one, closed, hidden}
    await knowledge.writer.set_acl(SOURCE, ["b"], BOBS)
    await knowledge.writer.hide(SOURCE, ["c"])
    assert await still(asked, MEMBER) == {open_one: "a"}
    await knowledge.writer.purge(SOURCE, ["a"])
    assert await still(asked, MEMBER) == {}
    assert await still({}, MEMBER) == {}


async def test_a_text_that_changed_is_still_readable_to_who_may_read_all_of_its_document(knowledge: Knowledge) -> None:
    (old,) = await knowledge.put(a_document("a"), "the budget is five")
    one, other = await knowledge.put(a_document("b"), "open budget", ("secret budget", BOBS))
    asked = {old: document_id(SOURCE, "a"), one: document_id(SOURCE, "b"), other: document_id(SOURCE, "b")}
    await knowledge.put(a_document("a", content="2"), "the budget is six")
    await knowledge.put(a_document("b", content="2"), "an open budget", ("a secret budget", BOBS))
    assert await knowledge.search.readable(asked, MEMBER) == {old: "a"}, "of b, nobody knows what it was"
    await knowledge.writer.set_acl(SOURCE, ["a"], BOBS)
    assert await knowledge.search.readable(asked, MEMBER) == {}
    assert await knowledge.search.readable(asked, BOB_ASKS) == {old: "a"}


async def test_what_lies_elsewhere_now_is_not_readable_by_its_former_path(knowledge: Knowledge) -> None:
    """Its path named the pages above: one of these may be closed."""
    (chunk,) = await knowledge.put(a_document("a", path="Closed page/a"), "the budget is five")
    asked, paths = {chunk: document_id(SOURCE, "a")}, {chunk: "Closed page/a"}
    assert await knowledge.search.readable(asked, MEMBER, paths=paths) == {chunk: "a"}
    (chunk,) = await knowledge.put(a_document("a", path="Open page/a", content="2"), "the budget is five")
    assert await knowledge.search.readable(asked, MEMBER, paths=paths) == {}
    assert await knowledge.search.readable(asked, MEMBER) == {chunk: "a"}
