"""What somebody may not read changes nothing of what GraphSearch shows them: no score, no order, no place in what is
capped."""

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from domain.access import ORGANISATION
from domain.graph_search import GraphRequest
from domain.knowledge_graph import SAME_AS
from tests.contract.graph_pages import BOB_ASKS, BOBS, Page, around, hit, led, put, told
from tests.contract.knowledge import MEMBER, Knowledge
from tests.contract.knowledge import OTHER as ELSEWHERE
from tests.fakes.documents import SOURCE

PLACES = ("postgresql",)


@pytest.mark.check
async def test_documents_that_may_not_be_read_make_nothing_more_common(knowledge: Knowledge) -> None:
    await put(knowledge, Page("Start", names=[["Project Falcon", "issue:PAY-7"]]))
    await put(knowledge, Page("Project Falcon"))
    await put(knowledge, Page("Crash at night", keys=["issue:PAY-7"]))
    requests = [hit(knowledge, "Start"), GraphRequest("about Project Falcon"), GraphRequest("Projekt Falcon")]
    requests += [replace(each, loose=True) for each in requests]
    before = [await led(knowledge, each) for each in requests]
    assert [len(each) for each in before] == [2, 1, 0, 2, 3, 3]
    for number in range(21):
        await put(knowledge, Page(f"Secret {number}", names=[["Project Falcon", "issue:PAY-7"]], acl=BOBS))
        if number in {0, 20}:
            assert [await led(knowledge, each) for each in requests] == before
    assert await led(knowledge, requests[1], BOB_ASKS) == []


async def test_names_that_nobody_bears_take_no_place_among_the_edges(knowledge: Knowledge) -> None:
    names = [f"Name Number{number}" for number in range(60)]
    await put(knowledge, Page("Start", names=[[*names, "Target Page"]]))
    await put(knowledge, Page("Target Page"))
    await put(knowledge, Page("Other", names=[["Target Page"]]))
    before = await led(knowledge, hit(knowledge, "Start"))
    assert len(before) == 1
    await put(knowledge, Page("Secret", names=[names], acl=BOBS))
    assert await led(knowledge, hit(knowledge, "Start")) == before
    await put(knowledge, Page("More", names=[names]))
    assert await led(knowledge, hit(knowledge, "Start")) == before


@pytest.mark.check
async def test_relations_that_may_not_be_read_crowd_out_none(knowledge: Knowledge) -> None:
    secret = [("issue:PROJ-1", "blocks", f"issue:SEC-{number}", 0) for number in range(5_001)]
    await put(knowledge, Page("Secret", acl=BOBS, relations=secret))
    await put(knowledge, Page("Public", relations=[("issue:PROJ-1", "waits for", "issue:PROJ-2", 0)]))
    thing = await around(knowledge, "PROJ-1")
    assert (told(thing), thing.complete) == ([("out", "waits for", "PROJ-2")], True)
    assert not (await around(knowledge, "PROJ-1", BOB_ASKS)).complete


async def test_a_guarded_relation_is_told_to_those_alone_who_may_read_both_ends(knowledge: Knowledge) -> None:
    crash = Page("Crash at night", keys=["issue:PAY-7"], relations=[("issue:PAY-7", "part of", "issue:PAY-1", 0)])
    await put(knowledge, crash)
    asked = [
        GraphRequest("Which tickets are linked to PAY-7?", loose=True),
        GraphRequest("Which tickets are linked to SEC-9?", loose=True),
        hit(knowledge, "Crash at night"),
    ]
    names = ("PAY-7", "SEC-9", "issue:SEC-9", "SEC-10")
    before = (
        [await led(knowledge, each) for each in asked],
        [await knowledge.graph.neighbourhoods(n, MEMBER) for n in names],
    )
    await put(knowledge, replace(crash, guarded=[("issue:PAY-7", "blocks", "issue:SEC-9", 0)]))
    await put(knowledge, Page("Break-in", keys=["issue:SEC-9"], acl=BOBS))
    assert [await led(knowledge, each) for each in asked] == before[0]
    assert [await knowledge.graph.neighbourhoods(each, MEMBER) for each in names] == before[1]
    for name, seen in (("PAY-7", ("out", "blocks", "SEC-9")), ("SEC-9", ("in", "blocks", "PAY-7"))):
        assert seen in told(await around(knowledge, name, BOB_ASKS))
    found = await led(knowledge, asked[1], BOB_ASKS)
    assert [step.sentence for each in found for step in each.stated_relations] == ["PAY-7 blocks SEC-9"]
    assert await led(knowledge, asked[2], BOB_ASKS) == [], "nothing is walked along it"
    await knowledge.writer.purge(SOURCE, ["Break-in"])
    assert told(await around(knowledge, "PAY-7", BOB_ASKS)) == [("out", "part of", "PAY-1")]


async def test_who_takes_a_key_elsewhere_is_told_no_guarded_relation(knowledge: Knowledge) -> None:
    """In another source the same key may be something else, or a page that somebody called so."""
    links = [("issue:PAY-7", "blocks", "issue:SEC-9", 0), ("issue:PAY-7", SAME_AS, "issue:SEC-9", 0)]
    await put(knowledge, Page("Crash at night", keys=["issue:PAY-7"], guarded=links))
    await put(knowledge, Page("Break-in", keys=["issue:SEC-9"], acl=BOBS))
    await put(knowledge, Page("Not that", keys=["issue:SEC-9"], source=ELSEWHERE))
    for name in ("PAY-7", "SEC-9"):
        assert [told(each) for each in await knowledge.graph.neighbourhoods(name, MEMBER)] == [[]]
    request = GraphRequest("Which tickets are linked to PAY-7?", loose=True)
    assert [each.way for each in await led(knowledge, request)] == [()]
    assert ("out", "blocks", "SEC-9") in told(await around(knowledge, "PAY-7", BOB_ASKS))


@pytest.mark.check
async def test_what_may_not_be_read_might_as_well_not_be_there(knowledge: Knowledge) -> None:
    names = [f"Alpha Thing{number}" for number in range(24)]
    chosen, texts = Random(5), ("open", ("secret", BOBS))
    pages = []
    for title in Random(3).sample(names, len(names)):
        shown = [chosen.sample(names, 5), chosen.sample(names, 5)]
        relations = [(title, "uses", shown[part][0], part) for part in (0, 1)]
        pages.append(Page(title, texts, shown, relations=relations, acl=chosen.choice((ORGANISATION, BOBS))))
    for page in pages:
        await put(knowledge, page)
    asked = [
        GraphRequest(f"{one} and {other}", loose=loose) for one, other in pairwise(names) for loose in (False, True)
    ]
    asked += [replace(hit(knowledge, name), limit=50) for name in names]
    before = (
        [await led(knowledge, each) for each in asked],
        [await knowledge.graph.neighbourhoods(each, MEMBER) for each in names],
    )
    assert sum(map(len, before[0])) > 100
    await knowledge.writer.purge(SOURCE, [page.title for page in pages])
    for page in pages:
        if page.acl is ORGANISATION:
            open_part = [each for each in page.relations if each[3] == 0]
            await put(knowledge, replace(page, texts=page.texts[:1], names=page.names[:1], relations=open_part))
    assert [await led(knowledge, each) for each in asked] == before[0]
    assert [await knowledge.graph.neighbourhoods(each, MEMBER) for each in names] == before[1]
