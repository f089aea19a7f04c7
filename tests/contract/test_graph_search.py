"""What domain.search_ports.GraphSearch promises, held against every implementation."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from domain.access import NOBODY, ORGANISATION, Acl, Scope, user
from domain.documents import document_id
from domain.graph_search import EntityNeighbourhood, GraphRequest, RelatedChunk
from domain.knowledge_graph import SAME_AS, DocumentGraph, Mention, MentionRole, Relation, RelationOrigin, name_key
from domain.search import Filters
from tests.contract.knowledge import MEMBER, Knowledge
from tests.contract.knowledge import OTHER as ELSEWHERE
from tests.fakes.documents import SOURCE, a_document, chunks_of

BOBS = Acl.any_of(user("bob@example.com"))
BOB_ASKS = Scope.member("bob@example.com")


@dataclass(frozen=True)
class Page:
    """A document for these tests. names: that its parts speak of, by part. keys: that it is. relations: subject,
    predicate, object and part. guarded: the same, told to those alone who may read both ends."""

    title: str
    texts: Sequence[str | tuple[str, Acl]] = ("some text",)
    names: Sequence[Sequence[str]] = ()
    keys: Sequence[str] = ()
    relations: Sequence[tuple[str, str, str, int]] = ()
    guarded: Sequence[tuple[str, str, str, int]] = ()
    acl: Acl = ORGANISATION
    labels: Sequence[str] = field(default_factory=tuple)
    source: str = SOURCE

    @property
    def document_id(self) -> str:
        return document_id(SOURCE, self.title)


async def put(knowledge: Knowledge, page: Page) -> list[str]:
    """Writes a page with its part of the graph; gives the ids of its chunks."""
    document = a_document(page.title, source=page.source, title=page.title, acl=page.acl, labels=page.labels)
    chunks = chunks_of(document, page.texts)
    vectors = knowledge.embedder.vectors([chunk.embedded_text for chunk in chunks])
    await knowledge.writer.put(document, chunks, vectors, (), graph_of(page))
    return [chunk.chunk_id for chunk in chunks]


def graph_of(page: Page) -> DocumentGraph:
    found = {
        (0, key, MentionRole.IDENTITY): Mention(key, 0, MentionRole.IDENTITY, 1.0, key.partition(":")[2])
        for key in page.keys
    }
    title = name_key(page.title)
    found[0, title, MentionRole.TITLE] = Mention(title, 0, MentionRole.TITLE, 1.0, page.title)
    for part, names in enumerate(page.names):
        for name in names:
            key = name if ":" in name else name_key(name)
            surface = key.partition(":")[2] if ":" in name else name
            found[part, key, MentionRole.MENTION] = Mention(key, part, MentionRole.MENTION, 0.9, surface)
    relations, places = [], {place[:2] for place in found}
    for subject, predicate, end, part in [*page.relations, *page.guarded]:
        guarded = (subject, predicate, end, part) in page.guarded
        ends = [each if ":" in each else name_key(each) for each in (subject, end)]
        relations.append(Relation(ends[0], predicate, ends[1], part, 1.0, RelationOrigin.STRUCTURE, guarded))
        for key, surface in zip(ends, (subject, end), strict=True):
            if (part, key) not in places:
                places.add((part, key))
                role = MentionRole.GUARDED if guarded and key not in page.keys else MentionRole.LINK
                found[part, key, role] = Mention(key, part, role, 1.0, surface.partition(":")[2] or surface)
    ordered = sorted(found.values(), key=lambda each: (each.chunk, each.key, each.role.value))
    return DocumentGraph(1, mentions=tuple(ordered), relations=tuple(relations))


async def titles(knowledge: Knowledge, request: GraphRequest | str, scope: Scope = MEMBER) -> list[str]:
    found = [each.chunk_id for each in await led(knowledge, request, scope)]
    return [each.title for each in await knowledge.search.passages(found, scope)]


async def led(knowledge: Knowledge, request: GraphRequest | str, scope: Scope = MEMBER) -> list[RelatedChunk]:
    asked = GraphRequest(request) if isinstance(request, str) else request
    return await knowledge.graph.related_chunks(asked, scope)


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


# -- rights: what somebody may not read leads nowhere, is led to from nowhere, and is nowhere counted


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


# -- what lies around a thing

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


async def around(knowledge: Knowledge, name: str, scope: Scope = MEMBER, *, limit: int = 50) -> EntityNeighbourhood:
    [found] = await knowledge.graph.neighbourhoods(name, scope, limit=limit)
    return found


def told(thing: EntityNeighbourhood) -> list[tuple[str, str, str]]:
    return [(each.direction, each.predicate, each.name) for each in thing.neighbours]


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
    assert [step.sentence for each in found for step in each.states] == ["PAY-7 blocks PAY-9"]
    found = await led(desk, GraphRequest("Which tickets are linked to PAY-7?", loose=True))
    assert {step.sentence for each in found for step in each.states} == {"PAY-7 blocks PAY-9", "PAY-7 is part of PAY-1"}
    for each in found:
        assert {step.chunk_id for step in each.states} <= {each.chunk_id}


async def test_a_changed_document_has_its_new_relations_alone(desk: Knowledge) -> None:
    await put(
        desk, Page("Crash at night", keys=["issue:PAY-7"], relations=[("issue:PAY-7", "clones", "issue:PAY-2", 0)])
    )
    assert told(await around(desk, "PAY-7")) == [("out", "clones", "PAY-2"), ("out", "is part of", "PAY-1")]
    await desk.writer.purge(SOURCE, ["Crash at night"])
    assert told(await around(desk, "PAY-7")) == [("out", "is part of", "PAY-1")]


# -- what somebody may not read changes nothing of what they are shown: no score, no order, no place in what is capped


def hit(knowledge: Knowledge, title: str) -> GraphRequest:
    return GraphRequest("", {chunks_of(a_document(title, title=title), ["some text"])[0].chunk_id: 1.0})


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
    assert [step.sentence for each in found for step in each.states] == ["PAY-7 blocks SEC-9"]
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


def an_old_and_a_new_page(**more: Any) -> tuple[Page, Page]:
    """A page that says that it replaces the other."""
    said = [("file:new.md", "replaces", "file:old.md", 1)]
    new = Page("New rules", ("valid from May", "instead of the old ones"), keys=["file:new.md"], relations=said)
    return replace(new, **more), Page("Old rules", keys=["file:old.md", "doc:1"])


async def test_a_document_that_says_so_counts_before_another(knowledge: Knowledge) -> None:
    new, old = an_old_and_a_new_page()
    third = Page("A list", keys=["file:list.md"], relations=[("file:old.md", "replaces", "file:new.md", 0)])
    for page in (new, old, third):
        await put(knowledge, page)
    pair = {(new.document_id, old.document_id): "replaces"}
    ids = [each.document_id for each in (new, old, third)]
    assert await knowledge.graph.precedence(ids, MEMBER) == pair, "what a third one says of them does not count"
    assert await knowledge.graph.precedence(ids[:1], MEMBER) == {}
    assert await knowledge.graph.precedence([], MEMBER) == {}


@pytest.mark.parametrize(
    "more", [{"acl": BOBS}, {"texts": ("valid from May", ("instead of the old ones", BOBS))}], ids=["page", "part"]
)
async def test_who_may_not_read_that_a_document_counts_is_not_told(knowledge: Knowledge, more: dict[str, Any]) -> None:
    new, old = an_old_and_a_new_page(**more)
    for page in (new, old):
        await put(knowledge, page)
    ids = [new.document_id, old.document_id]
    assert await knowledge.graph.precedence(ids, MEMBER) == {}
    assert await knowledge.graph.precedence(ids, BOB_ASKS) == {(ids[0], ids[1]): "replaces"}


async def test_the_edition_that_a_text_says_it_replaces_is_found_without_a_link(knowledge: Knowledge) -> None:
    new = Page("Travel rules", ("Version 3. This version replaces version 2 of February 2024, as agreed.",))
    old = Page("Travel rules (2024)", ("Version 2, in force until further notice.",))
    others = [Page("Travel rules (2022)", ("Version 1.",)), Page("Parking rules (2024)", ("Version 2.",))]
    for page in (new, old, *others):
        await put(knowledge, page)
    ids = [each.document_id for each in (new, old, *others)]
    assert await knowledge.graph.precedence(ids, MEMBER) == {(ids[0], ids[1]): "replaces"}
    assert await knowledge.graph.precedence(ids[1:], MEMBER) == {}
    assert await knowledge.graph.precedence([ids[0], *ids[2:]], MEMBER) == {}
    hidden = Page("Travel rules, second copy", ("Version 2.",), acl=BOBS)
    await put(knowledge, replace(hidden, title="Travel rules (v2)"))
    assert await knowledge.graph.precedence(ids, MEMBER) == {(ids[0], ids[1]): "replaces"}
    assert await knowledge.graph.precedence(ids, BOB_ASKS) == {}, "two may be meant"


async def test_who_may_not_read_what_a_text_says_of_editions_is_not_told(knowledge: Knowledge) -> None:
    new = Page("Travel rules", (("It replaces version 2.", BOBS), "More is told below."))
    old = Page("Travel rules (v2)")
    for page in (new, old):
        await put(knowledge, page)
    ids = [new.document_id, old.document_id]
    assert await knowledge.graph.precedence(ids, MEMBER) == {}
    assert await knowledge.graph.precedence(ids, BOB_ASKS) == {(ids[0], ids[1]): "replaces"}


async def test_a_document_of_another_source_does_not_put_itself_before(knowledge: Knowledge) -> None:
    new, old = an_old_and_a_new_page(source=ELSEWHERE)
    says_so = Page("Older rules", keys=["file:older.md"], relations=[("file:new.md", "replaces", "file:older.md", 0)])
    for page in (new, old, says_so):
        await put(knowledge, page)
    ids = [document_id(ELSEWHERE, new.title), old.document_id, says_so.document_id]
    assert await knowledge.graph.precedence(ids, MEMBER) == {(ids[0], ids[2]): "replaces"}
