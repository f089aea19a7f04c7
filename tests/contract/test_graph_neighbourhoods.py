"""What GraphSearch promises of what lies around a thing."""

import pytest

from domain.access import ORGANISATION
from domain.graph_search import GraphRequest
from tests.contract.graph_pages import BOB_ASKS, BOBS, Page, around, led, put, told
from tests.contract.knowledge import MEMBER, Knowledge
from tests.fakes.documents import SOURCE

PLACES = ("postgresql",)

ISSUE = Page(
    "Crash at night",
    keys=["issue:PAY-7"],
    texts=["Crash at night. Blocks PAY-9.", ("Secret: caused by PAY-8.", BOBS)],
    relations=[("issue:PAY-7", "blocks", "issue:PAY-9", 0), ("issue:PAY-7", "is caused by", "issue:PAY-8", 1)],
)
OTHER = Page(
    "Refunds fail", keys=["issue:PAY-9"], relations=[("issue:PAY-9", "relates to", "issue:PAY-7", 0)], acl=BOBS
)
EPIC = Page("Payments", keys=["issue:PAY-1"], relations=[("issue:PAY-7", "is part of", "issue:PAY-1", 0)])


@pytest.fixture
async def desk(knowledge: Knowledge) -> Knowledge:
    for page in (ISSUE, OTHER, EPIC):
        await put(knowledge, page)
    return knowledge


@pytest.mark.parametrize("name", ["PAY-7", "pay-7", "issue:PAY-7", "Crash at night", " crash  at night "])
async def test_a_thing_is_found_by_each_of_its_names(desk: Knowledge, name: str) -> None:
    assert told(await around(desk, name)) == [("out", "blocks", "PAY-9"), ("out", "is part of", "PAY-1")]


async def test_each_relation_is_cited(desk: Knowledge) -> None:
    thing = await around(desk, "PAY-7")
    for each in thing.neighbours:
        [passage] = await desk.search.passages([each.chunk_id], MEMBER)
        assert (passage.document_id, passage.title, passage.url) == (each.document_id, each.title, each.url)
    assert [each.title for each in thing.neighbours] == ["Crash at night", "Payments"]


async def test_who_may_read_more_sees_more(desk: Knowledge) -> None:
    thing = await around(desk, "PAY-7", BOB_ASKS)
    assert told(thing) == [
        ("out", "blocks", "PAY-9"),
        ("out", "is caused by", "PAY-8"),
        ("out", "is part of", "PAY-1"),
        ("in", "relates to", "PAY-9"),
    ]
    assert (thing.documents, (await around(desk, "PAY-7")).documents) == (3, 2)


async def test_what_only_others_may_read_of_is_nothing_of_that_name(desk: Knowledge) -> None:
    assert await desk.graph.neighbourhoods("PAY-8", MEMBER) == []
    assert await desk.graph.neighbourhoods("Refunds fail", MEMBER) == []
    assert await desk.graph.neighbourhoods("unheard of", BOB_ASKS) == []


async def test_a_title_is_not_shown_by_an_edge(desk: Knowledge) -> None:
    thing = await around(desk, "PAY-9")
    assert thing.name == "PAY-9"
    assert told(thing) == [("in", "blocks", "PAY-7")]


async def test_an_address_is_told_by_the_title_of_what_has_it(knowledge: Knowledge) -> None:
    linked = ("page:docs.example/1", "links to", "page:docs.example/2", 0)
    await put(knowledge, Page("One", keys=["page:docs.example/1"], relations=[linked]))
    await put(knowledge, Page("Two", keys=["page:docs.example/2"], acl=BOBS))
    assert told(await around(knowledge, "https://docs.example/1", BOB_ASKS)) == [("out", "links to", "Two")]
    assert told(await around(knowledge, "One")) == [("out", "links to", "docs.example/2")]


async def test_a_thing_is_called_as_it_is_written_most_often(knowledge: Knowledge) -> None:
    for number, written in enumerate(("PROJECT FALCON", "Project Falcon", "Project Falcon")):
        await put(knowledge, Page(f"Page {number}", names=[[written]]))
    assert (await around(knowledge, "project falcon")).name == "Project Falcon"
    await put(knowledge, Page("project Falcon"))
    assert (await around(knowledge, "project falcon")).name == "project Falcon", "its own title says best"


async def test_more_relations_than_asked_for_are_said_to_be_more(desk: Knowledge) -> None:
    short = await around(desk, "PAY-7", limit=1)
    assert (len(short.neighbours), short.complete) == (1, False)
    assert (await around(desk, "PAY-7", limit=2)).complete


async def test_relations_answer_a_question_about_them(desk: Knowledge) -> None:
    found = await led(desk, GraphRequest("Which tickets does PAY-7 block?", loose=True))
    assert [step.sentence for each in found for step in each.stated_relations] == ["PAY-7 blocks PAY-9"]
    found = await led(desk, GraphRequest("Which tickets are linked to PAY-7?", loose=True))
    assert {step.sentence for each in found for step in each.stated_relations} == {
        "PAY-7 blocks PAY-9",
        "PAY-7 is part of PAY-1",
    }
    for each in found:
        assert {step.chunk_id for step in each.stated_relations} <= {each.chunk_id}


async def test_a_changed_document_has_its_new_relations_alone(desk: Knowledge) -> None:
    await put(
        desk, Page("Crash at night", keys=["issue:PAY-7"], relations=[("issue:PAY-7", "clones", "issue:PAY-2", 0)])
    )
    assert told(await around(desk, "PAY-7")) == [("out", "clones", "PAY-2"), ("out", "is part of", "PAY-1")]
    await desk.writer.purge(SOURCE, ["Crash at night"])
    assert told(await around(desk, "PAY-7")) == [("out", "is part of", "PAY-1")]


async def test_owners_are_found_by_a_part_of_what_the_metadata_says(knowledge: Knowledge) -> None:
    said = [
        ("Menu", "owner", "Garden and Kitchen", ORGANISATION),
        ("Tiles", "owner", "Kitchenware", ORGANISATION),
        ("Stove", "maintainer", "Kitchen (desk)", ORGANISATION),
        ("Herbs", "reviewer", "Kitchen", ORGANISATION),
        ("Diary", "written by", "Kitchen", BOBS),
    ]
    for title, predicate, owner, acl in said:
        await put(knowledge, Page(title, relations=[(title, predicate, owner, 0)], acl=acl))
    for scope, known in (
        (MEMBER, ["Garden and Kitchen", "Kitchen (desk)"]),
        (BOB_ASKS, ["Garden and Kitchen", "Kitchen", "Kitchen (desk)"]),
    ):
        found = await knowledge.graph.stated_owners("kitchen", scope)
        assert sorted(each.name for each in found) == known
        passages = await knowledge.search.passages([each.chunk_id for each in found], scope)
        assert {each.document_id for each in passages} == {each.document_id for each in found}
    assert await knowledge.graph.stated_owners("...", MEMBER) == []
