"""What GraphSearch promises of walks: where they start and lead, and for whom."""

import pytest

from domain.access import NOBODY, Acl
from domain.documents import document_id
from domain.graph_search import GraphRequest
from domain.knowledge_graph import SAME_AS
from domain.search import Filters
from tests.contract.graph_pages import BOB_ASKS, BOBS, Page, led, put, titles
from tests.contract.knowledge import MEMBER, Knowledge
from tests.fakes.documents import SOURCE

PLACES = ("postgresql",)

DERRICKSON = Page("Scott Derrickson", names=[["Doctor Strange", "Los Angeles"]])
STRANGE = Page("Doctor Strange", names=[["Scott Derrickson", "Marvel Comics"]])
MARVEL = Page("Marvel Comics", names=[["New York City"]])
CITY = Page("New York City")


@pytest.fixture
async def films(knowledge: Knowledge) -> Knowledge:
    for page in (DERRICKSON, STRANGE, MARVEL, CITY):
        await put(knowledge, page)
    return knowledge


async def test_a_walk_starts_from_what_is_named_and_goes_two_hops(films: Knowledge) -> None:
    assert await titles(films, "Was Scott Derrickson American?") == [
        "Scott Derrickson",
        "Doctor Strange",
        "Marvel Comics",
    ]


async def test_scores_fall_with_every_hop_and_ways_say_how(films: Knowledge) -> None:
    here, near, far = await led(films, "scott derrickson")
    assert here.score == pytest.approx(1.0)
    assert 1 > near.score > far.score > 0
    assert (here.way, [str(step) for step in near.way]) == ((), ["Scott Derrickson —names→ Doctor Strange"])
    assert [step.object for step in far.way] == ["Doctor Strange", "Marvel Comics"]
    [passage] = await films.search.passages([far.way[1].chunk_id], MEMBER)
    assert passage.title == "Doctor Strange", "the chunk that shows the step"


@pytest.mark.parametrize(("hops", "count"), [(0, 1), (1, 2), (2, 3)])
async def test_no_further_than_asked(films: Knowledge, hops: int, count: int) -> None:
    assert len(await led(films, GraphRequest("Scott Derrickson", hops=hops))) == count


async def test_no_more_than_asked(films: Knowledge) -> None:
    assert len(await led(films, GraphRequest("Scott Derrickson", limit=2))) == 2


@pytest.mark.parametrize("text", ["", "?!", "what is it", "Is Nobody Known here?", "strange", "x" * 5000])
async def test_nothing_is_led_to_when_nothing_is_named(films: Knowledge, text: str) -> None:
    assert await led(films, text) == []


async def test_hits_are_started_from_and_are_not_results_by_themselves(films: Knowledge) -> None:
    hits = {(await led(films, GraphRequest("Marvel Comics", hops=0)))[0].chunk_id: 0.8}
    assert await titles(films, GraphRequest("unheard of", hits)) == ["New York City"]
    assert await titles(films, GraphRequest("unheard of", {"no such chunk": 1.0})) == []


async def test_the_longest_name_counts(knowledge: Knowledge) -> None:
    for title in ("Billing", "Billing Service", "Service"):
        await put(knowledge, Page(title))
    assert await titles(knowledge, "Who owns the Billing Service?") == ["Billing Service"]
    assert await titles(knowledge, "Who owns the billing service?") == ["Billing Service"]
    assert await titles(knowledge, "is it billing or service") == [], "lone words in lower case are no names"


async def test_names_that_are_everywhere_lead_nowhere(knowledge: Knowledge) -> None:
    await put(knowledge, Page("General Notes"))
    for number in range(21):
        await put(knowledge, Page(f"Page {number}", names=[["General Notes"]]))
    assert await titles(knowledge, "What do the General Notes say?") == []
    assert await titles(knowledge, GraphRequest("Page 3")) == ["Page 3"]


async def test_keys_are_trusted_however_many_speak_of_them(knowledge: Knowledge) -> None:
    await put(knowledge, Page("Crash at night", keys=["issue:PAY-7"]))
    for number in range(21):
        await put(knowledge, Page(f"Note {number}", names=[["issue:PAY-7"]]))
    assert await titles(knowledge, "what about pay-7?") == ["Crash at night"]
    assert await titles(knowledge, "Note 3") == ["Note 3", "Crash at night"]


async def test_another_name_of_the_same_is_known(knowledge: Knowledge) -> None:
    await put(knowledge, Page("Customer Data Platform"))
    await put(knowledge, Page("Glossary", relations=[("CDP", SAME_AS, "Customer Data Platform", 0)]))
    assert await titles(knowledge, GraphRequest("What does the CDP store?", hops=0)) == ["Customer Data Platform"]


async def test_a_loose_walk_begins_at_the_passages_that_speak_of_what_is_named(knowledge: Knowledge) -> None:
    await put(knowledge, Page("Weekly", ("one", "two"), names=[["Harbour"], ["Skerry", "Kelp Forest"]]))
    await put(knowledge, Page("Kelp Forest"))
    await put(knowledge, Page("Closed", names=[["Skerry"]], acl=BOBS))
    assert await titles(knowledge, GraphRequest("Skerry")) == []
    found = await led(knowledge, GraphRequest("Skerry", loose=True))
    shown = [(each.how, round(each.score, 2)) for each in found]
    assert shown[0] == ("Weekly —names→ Skerry", 0.54)
    assert await titles(knowledge, GraphRequest("Skerry", loose=True)) == ["Weekly", "Kelp Forest"]
    assert await titles(knowledge, GraphRequest("skerry", loose=True)) == []
    other = Filters(titles=("Kelp Forest",))
    assert await titles(knowledge, GraphRequest("Skerry", filters=other, loose=True)) == []


async def test_similar_names_count_when_asked_for(films: Knowledge) -> None:
    asked = "Who is Scott Derickson?"
    assert await titles(films, GraphRequest(asked, hops=0)) == []
    found, *_ = await led(films, GraphRequest(asked, hops=0, loose=True))
    assert (found.document_id, found.score < 1) == (DERRICKSON.document_id, True)


async def test_the_chunk_nearest_to_the_question_stands_for_a_document(knowledge: Knowledge) -> None:
    ids = await put(knowledge, Page("Scott Derrickson", texts=["Born in Denver.", "His films are dark."]))
    vector = knowledge.embedder.vectors(["Scott Derrickson\nHis films are dark."])[0]
    [near] = await led(knowledge, GraphRequest("Scott Derrickson", vector=vector))
    assert near.chunk_id == ids[1]
    assert near.cosine == pytest.approx(1.0, abs=0.01)
    [first] = await led(knowledge, "Scott Derrickson")
    assert (first.chunk_id, first.cosine) == (ids[0], None)


async def test_filters_hold_for_what_is_led_to(knowledge: Knowledge) -> None:
    await put(knowledge, Page("Scott Derrickson", names=[["Doctor Strange"]]))
    await put(knowledge, Page("Doctor Strange", labels=["film"]))
    films = Filters(labels=("film",))
    assert await titles(knowledge, GraphRequest("Scott Derrickson", filters=films)) == ["Doctor Strange"]
    one = Filters(documents=(document_id(SOURCE, "Scott Derrickson"),), titles=("scott",), sources=(SOURCE,))
    for loose in (False, True):
        assert await titles(knowledge, GraphRequest("Scott Derrickson", filters=one, loose=loose)) == [
            "Scott Derrickson"
        ]


async def test_hidden_documents_are_not_led_to(films: Knowledge) -> None:
    await films.writer.hide(SOURCE, ["Doctor Strange"])
    assert await titles(films, "Scott Derrickson") == ["Scott Derrickson"]


@pytest.mark.parametrize("acl", [NOBODY, BOBS])
async def test_what_may_not_be_read_is_not_led_to_and_leads_nowhere(knowledge: Knowledge, acl: Acl) -> None:
    await put(knowledge, DERRICKSON)
    await put(knowledge, Page("Doctor Strange", names=[["Marvel Comics"]], acl=acl))
    await put(knowledge, MARVEL)
    assert await titles(knowledge, "Scott Derrickson") == ["Scott Derrickson"]
    assert await titles(knowledge, "Doctor Strange") == []
    assert len(await titles(knowledge, "Scott Derrickson", BOB_ASKS)) == (3 if acl is BOBS else 1)


async def test_edges_of_a_chunk_have_its_rights(knowledge: Knowledge) -> None:
    page = Page("Scott Derrickson", texts=["open", ("secret", BOBS)], names=[[], ["Doctor Strange"]])
    ids = await put(knowledge, page)
    await put(knowledge, STRANGE)
    assert await titles(knowledge, "Scott Derrickson") == ["Scott Derrickson"]
    assert await titles(knowledge, "Scott Derrickson", BOB_ASKS) == ["Scott Derrickson", "Doctor Strange"]
    assert await led(knowledge, GraphRequest("unheard of", {ids[1]: 1.0})) == []


async def test_a_longer_name_that_may_not_be_read_hides_no_shorter_one(knowledge: Knowledge) -> None:
    await put(knowledge, Page("Project Falcon"))
    await put(knowledge, Page("Project Falcon Budget", acl=BOBS))
    assert await titles(knowledge, "What is the Project Falcon budget?") == ["Project Falcon"]
    assert await titles(knowledge, "What is the Project Falcon budget?", BOB_ASKS) == ["Project Falcon Budget"]


async def test_another_name_that_may_not_be_read_is_not_known(knowledge: Knowledge) -> None:
    await put(knowledge, Page("Customer Data Platform"))
    await put(knowledge, Page("Glossary", relations=[("CDP", SAME_AS, "Customer Data Platform", 0)], acl=BOBS))
    assert await titles(knowledge, "What does the CDP store?") == []
    assert await titles(knowledge, GraphRequest("What does the CDP store?", hops=0), BOB_ASKS) != []
