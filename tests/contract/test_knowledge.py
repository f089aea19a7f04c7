"""What domain.search_ports.KnowledgeSearch promises of rankings and filters, held against every implementation."""

from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest

from domain.access import Acl, Scope, user
from domain.documents import document_id
from domain.errors import Misconfigured
from domain.search import Filters, SearchRequest
from domain.search_ports import KnowledgeSearch
from tests.contract.knowledge import MEMBER, OTHER, Knowledge
from tests.fakes.documents import SOURCE, a_document
from tests.fakes.embedder import HashEmbedder

BOBS = Acl.any_of(user("bob@example.com"))
DATE = datetime(2026, 3, 1, 12, tzinfo=UTC)


async def test_a_chunk_is_found_by_its_words_and_by_its_vector(knowledge: Knowledge) -> None:
    wanted, other = await knowledge.put(
        a_document("a", title="Travel"), "Receipts go to finance", "Trains leave hourly"
    )
    hits = await knowledge.hits("receipts finance")
    assert hits.rankings["lexical"][0].chunk_id == wanted
    assert hits.rankings["dense"][0].chunk_id == wanted
    assert hits.rankings["lexical"][0].document_id == document_id(SOURCE, "a")
    assert {hit.chunk_id for hit in hits.rankings["dense"]} == {wanted, other}


async def test_titles_count_as_words_of_each_chunk(knowledge: Knowledge) -> None:
    ids = await knowledge.put(a_document("a", title="Zeppelin"), "one", "two")
    hits = await knowledge.hits("zeppelin")
    assert {hit.chunk_id for hit in hits.rankings["lexical"]} == set(ids)


async def test_rankings_are_best_first_and_no_longer_than_asked(knowledge: Knowledge) -> None:
    for number in range(12):
        await knowledge.put(a_document(f"d{number}"), "parking " * (number + 1) + "garage")
    for limit in (1, 5, 12, 100):
        for ranking in (await knowledge.hits("parking garage", limit=limit)).rankings.values():
            scores = [hit.score for hit in ranking]
            assert scores == sorted(scores, reverse=True)
            assert len(ranking) == min(limit, 12)


async def test_lexical_hits_share_a_word_with_the_question(knowledge: Knowledge) -> None:
    wanted = await knowledge.put(a_document("a"), "the printer is jammed")
    await knowledge.put(a_document("b"), "lunch at noon")
    hits = await knowledge.hits("printer", limit=50)
    assert [hit.chunk_id for hit in hits.rankings["lexical"]] == wanted
    assert (await knowledge.hits("xylophone")).rankings["lexical"] == ()
    assert (await knowledge.hits("")).rankings["lexical"] == ()


async def test_only_the_retrievals_asked_for_are_made(knowledge: Knowledge) -> None:
    await knowledge.put(a_document("a"), "alpha")
    assert set((await knowledge.hits("alpha", retrievals=("lexical",))).rankings) == {"lexical"}
    assert set((await knowledge.hits("alpha", retrievals=("dense",))).rankings) == {"dense"}
    without_vector = await knowledge.search.search(SearchRequest("alpha"), MEMBER)
    assert set(without_vector.rankings) == {"lexical"}
    assert len(without_vector.rankings["lexical"]) == 1


async def test_dense_scores_are_cosines(knowledge: Knowledge) -> None:
    texts = ["alpha beta gamma", "alpha delta", "epsilon zeta"]
    ids = await knowledge.put(a_document("a"), *texts)
    hits = await knowledge.hits("alpha beta")
    asked = knowledge.embedder.vectors(["alpha beta"])[0]
    cosines = dict(zip(ids, knowledge.embedder.vectors(texts) @ asked, strict=True))
    assert {hit.chunk_id: hit.score for hit in hits.rankings["dense"]} == pytest.approx(cosines, abs=2e-3)


async def test_scores_are_completed_for_the_union_of_the_rankings(knowledge: Knowledge) -> None:
    (by_word,) = await knowledge.put(a_document("word"), "kestrel " + "unrelated filler " * 30)
    (by_vector,) = await knowledge.put(a_document("vector"), "kestrels kestrels")
    for number in range(3):
        await knowledge.put(a_document(f"d{number}"), f"something else {number}")
    hits = await knowledge.hits("kestrel kestrels", limit=1)
    everything = await knowledge.hits("kestrel kestrels", limit=100)
    union = {hit.chunk_id for ranking in hits.rankings.values() for hit in ranking}
    assert union <= {by_word, by_vector}
    for retrieval in ("lexical", "dense"):
        complete = everything.scores[retrieval]
        assert hits.scores[retrieval] == pytest.approx({key: complete[key] for key in union}, abs=1e-6)
        ranked = {hit.chunk_id: hit.score for hit in hits.rankings[retrieval]}
        assert {key: hits.scores[retrieval][key] for key in ranked} == ranked


async def test_a_chunk_without_a_shared_word_scores_zero_by_words(knowledge: Knowledge) -> None:
    (sharing,) = await knowledge.put(a_document("a"), "walrus colony")
    (stranger,) = await knowledge.put(a_document("b"), "quite another text")
    await knowledge.put(a_document("c"), "and a third one")
    hits = await knowledge.hits("walrus", limit=10)
    assert hits.scores["lexical"][stranger] == 0
    assert hits.scores["lexical"][sharing] > 0


async def test_rarer_terms_weigh_more_and_unknown_ones_most(knowledge: Knowledge) -> None:
    await knowledge.put(a_document("a"), "common rare")
    for number in range(8):
        await knowledge.put(a_document(f"d{number}"), "common" if number < 3 else "filler")
    hits = await knowledge.hits("common rare unheard")
    weight = hits.term_idf
    assert weight["unheard"] > weight["rare"] > weight["common"] > 0
    assert hits.stemming == "english"


async def test_how_much_of_the_question_a_chunk_holds(knowledge: Knowledge) -> None:
    (both,) = await knowledge.put(a_document("a"), "common rare rare")
    (one,) = await knowledge.put(a_document("b"), "common words")
    (none,) = await knowledge.put(a_document("c"), "filler")
    for number in range(8):
        await knowledge.put(a_document(f"d{number}"), "filler")
    hits = await knowledge.hits("common rare common unheard", limit=20)
    told, weight = sum(hits.term_idf.values()), hits.term_idf
    assert hits.coverage.keys() == hits.scores["dense"].keys()
    assert (hits.coverage[both], hits.coverage[one], hits.coverage[none]) == pytest.approx(
        ((weight["common"] + weight["rare"]) / told, weight["common"] / told, 0.0)
    )


async def test_what_stands_beside_a_chunk(knowledge: Knowledge) -> None:
    ids = await knowledge.put(a_document("a"), "one walrus", "two walrus", ("three walrus", BOBS), "four walrus")
    (alone,) = await knowledge.put(a_document("b"), "walrus")
    vector = knowledge.embedder.vectors(["walrus"])[0]
    cosines = (await knowledge.hits("walrus", Scope.member("bob@example.com"), limit=9)).scores["dense"]
    found = await knowledge.search.around([*ids, alone, "0" * 32], vector, MEMBER)
    assert found == {
        ids[0]: pytest.approx((cosines[ids[1]],), abs=1e-3),
        ids[1]: pytest.approx((cosines[ids[0]],), abs=1e-3),
    }
    seen = await knowledge.search.around(ids, vector, Scope.member("bob@example.com"))
    assert {key: len(beside) for key, beside in seen.items()} == dict(zip(ids, (1, 2, 2, 1), strict=True))


async def test_equal_hits_come_in_the_order_of_writing(knowledge: Knowledge) -> None:
    ids = [(await knowledge.put(a_document(f"d{number:02}"), "the very same text"))[0] for number in range(20)]
    again = await knowledge.put(a_document("d03", content="new"), "the very same text")
    order = [*ids[:3], *ids[4:], *again]
    for limit in (1, 7, 20):
        hits = await knowledge.hits("same text", limit=limit)
        for ranking in hits.rankings.values():
            assert [hit.chunk_id for hit in ranking] == order[:limit]


async def test_the_same_request_gives_the_same_hits(knowledge: Knowledge) -> None:
    for number in range(15):
        await knowledge.put(a_document(f"d{number}"), f"text {number % 4}", f"text {number % 3} again")
    first = await knowledge.hits("text 2 again", limit=6)
    for _ in range(3):
        assert await knowledge.hits("text 2 again", limit=6) == first


@pytest.fixture
async def library(knowledge: Knowledge) -> dict[str, str]:
    """Documents that differ in what filters look at; gives the name of each by its chunk's id."""
    date = datetime(2026, 3, 1, 12, tzinfo=UTC)
    documents = [
        a_document("a", title="Émile's Guide", space="HR", labels=["how-to", "new"], updated_at=date),
        a_document(
            "b", path="Handbook/Guide_50%.md", space="IT", labels=["policy"], updated_at=date + timedelta(days=1)
        ),
        a_document("c", source=OTHER, title="Plan", space="HR", updated_at=date + timedelta(days=2)),
        a_document("d", source=OTHER, title="Secret Guide", labels=["new"], acl=BOBS),
    ]
    return {(await knowledge.put(document, "some words in common"))[0]: document.external_id for document in documents}


EAST = timezone(timedelta(hours=9))

FILTERS = {
    "none": (Filters(), "abc"),
    "source": (Filters(sources=(OTHER,)), "c"),
    "sources": (Filters(sources=(OTHER, SOURCE)), "abc"),
    "an unknown source": (Filters(sources=("nowhere",)), ""),
    "label": (Filters(labels=("new",)), "a"),
    "labels": (Filters(labels=("how-to", "policy")), "ab"),
    "a part of a label": (Filters(labels=("how",)), ""),
    "space": (Filters(spaces=("HR",)), "ac"),
    "spaces": (Filters(spaces=("HR", "IT")), "abc"),
    "document": (Filters(documents=(document_id(SOURCE, "b"),)), "b"),
    "documents": (Filters(documents=(document_id(SOURCE, "b"), document_id(OTHER, "c"))), "bc"),
    "a forbidden document": (Filters(documents=(document_id(OTHER, "d"),)), ""),
    "title": (Filters(titles=("émile",)), "a"),
    "title or path": (Filters(titles=("GUIDE",)), "ab"),
    "signs in a title": (Filters(titles=("_50%",)), "b"),
    "signs that match nothing": (Filters(titles=("g%e",)), ""),
    "since": (Filters(since=DATE + timedelta(days=1)), "bc"),
    "until": (Filters(until=DATE + timedelta(days=1)), "ab"),
    "a moment": (Filters(since=DATE, until=DATE), "a"),
    "another time zone": (Filters(since=DATE.astimezone(EAST), until=DATE.astimezone(EAST)), "a"),
    "several": (Filters(sources=(SOURCE,), spaces=("HR", "IT"), labels=("policy", "new"), titles=("guide",)), "ab"),
    "several that exclude each other": (Filters(sources=(SOURCE,), documents=(document_id(OTHER, "c"),)), ""),
}


async def test_filters(knowledge: Knowledge, library: dict[str, str]) -> None:
    for name, (filters, expected) in FILTERS.items():
        hits = await knowledge.hits("some words", filters=filters)
        for ranking in hits.rankings.values():
            assert sorted(library[hit.chunk_id] for hit in ranking) == sorted(expected), name
        assert await knowledge.search.count_documents(MEMBER, filters) == len(expected), name


async def test_filters_apply_before_the_cut(knowledge: Knowledge) -> None:
    for number in range(30):
        await knowledge.put(a_document(f"d{number}", space="IT"), "router router router")
    wanted = await knowledge.put(a_document("hr", space="HR"), "the router is mentioned in passing, among other things")
    hits = await knowledge.hits("router", limit=1, filters=Filters(spaces=("HR",)))
    assert all([hit.chunk_id for hit in ranking] == wanted for ranking in hits.rankings.values())


async def test_an_empty_index_says_how_to_fill_it(untouched: KnowledgeSearch) -> None:
    request = SearchRequest("x", np.full(64, 0.125, np.float32), "hash/64")
    for asked in (
        untouched.search(request, MEMBER),
        untouched.passages(["0" * 32], MEMBER),
        untouched.count_documents(MEMBER, Filters()),
    ):
        with pytest.raises(Misconfigured, match="Nothing is indexed yet") as caught:
            await asked
        assert "kb index" in caught.value.next_step


async def test_vectors_of_another_model_are_refused_with_the_way_out(knowledge: Knowledge) -> None:
    await knowledge.put(a_document("a"), "text")
    assert HashEmbedder().identity.name == "hash/64"
    with pytest.raises(Misconfigured, match="another embedding model") as caught:
        await knowledge.hits("text", embedder="other/64")
    assert "kb reindex --full" in caught.value.next_step


async def test_words_that_no_visible_text_holds_are_spelled_as_visible_ones_are(knowledge: Knowledge) -> None:
    await knowledge.put(
        a_document("a"), "The daily meal allowance in Lisbon.", ("Only Bob reads of the warehouse.", BOBS)
    )
    asked = ["alowance", "daly", "mel", "mea", "meal", "warehose", "zzzz", "all", "thier", "mast", "form"]
    found = {"alowance": "allowance", "daly": "daily"}
    assert await knowledge.search.spelled(asked, MEMBER) == found
    assert await knowledge.search.spelled(asked[2:], MEMBER, loosely=True) == {"mel": "meal", "thier": "their"}
    assert await knowledge.search.spelled(["lisbo"], MEMBER, loosely=True) == {}
    small = {"wich": "which", "mutch": "much", "waht": "what"}
    assert await knowledge.search.spelled([*small, "haven"], MEMBER, loosely=True) == small
    bob = Scope.member("bob@example.com")
    assert (await knowledge.search.spelled(["warehose"], bob)) == {"warehose": "warehouse"}
    assert await knowledge.search.spelled([], MEMBER) == {}


async def test_a_word_may_lack_its_last_letter_where_that_makes_no_other_form(knowledge: Knowledge) -> None:
    await knowledge.put(a_document("a"), "The depot holds a drill. Woche 3: plans and parks.")
    assert await knowledge.search.spelled(["depo", "dril", "wich"], MEMBER) == {"depo": "depot", "dril": "drill"}
    assert await knowledge.search.spelled(["hold", "drills", "park"], MEMBER) == {}


async def test_words_of_hidden_texts_change_nothing_of_how_words_are_spelled(knowledge: Knowledge) -> None:
    await knowledge.put(a_document("a"), "The daily meal allowance in Lisbon.")
    asked = ["alowance", "daly", "thier"]
    found = {"alowance": "allowance", "daly": "daily", "thier": "their"}
    assert await knowledge.search.spelled(asked, MEMBER, loosely=True) == found
    nearer = [word for each in "abcdefghijk" for word in (f"a{each}low", f"al{each}ow", f"a{each}ow", f"al{each}w")]
    await knowledge.put(a_document("b"), ("Only Bob reads of the thief.", BOBS), (" ".join(nearer), BOBS))
    assert await knowledge.search.spelled(asked, MEMBER, loosely=True) == found


async def test_what_lacks_its_hyphens_is_found_as_visible_texts_write_it(knowledge: Knowledge) -> None:
    await knowledge.put(
        a_document("a", title="Not-Halt der LX-400"),
        "Nach dem Not-Halt zeigt die LX-400 E-217. Die E-Mail geht an LX-Service, der Onboarding-Plan bleibt.",
        ("Only Bob reads of the RX-900.", BOBS),
    )
    asked = ["nothalt", "lx400", "LX400", "e217", "email", "rx900", "halt", "onboarding", "lx500", "plan"]
    found = {"nothalt": "Not-Halt", "lx400": "LX-400", "LX400": "LX-400", "e217": "E-217", "email": "E-Mail"}
    assert await knowledge.search.hyphenated(asked, MEMBER) == found
    assert await knowledge.search.hyphenated(["rx900"], Scope.member("bob@example.com")) == {"rx900": "RX-900"}
    assert await knowledge.search.hyphenated([], MEMBER) == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A badge costs 15.00 EUR at 20.24 h, version 2.0.19.", ["1500", "2024", "2019"]),
        ("Set user.name and data_base, end.Point of the line.", ["username", "database", "endpoint"]),
        ("Version v1.20 and 4.2a.", ["v120", "42a"]),
        ("The LX-400 is the lx400.", ["lx400"]),
        (
            "LX-400",
            ["", "\0", "\u0300\u0301\u0302\u0303", "\ud800abc", "x" * 500, "1" * 50, "a1" * 15, "备份保留多久呢"],
        ),
    ],
)
async def test_numbers_names_with_points_and_what_is_known_are_left_alone(
    knowledge: Knowledge, text: str, words: list[str]
) -> None:
    await knowledge.put(a_document("a"), text)
    assert await knowledge.search.hyphenated(words, MEMBER) == {}


async def test_in_other_languages_a_form_of_a_word_is_no_misspelled_one(knowledge: Knowledge) -> None:
    await knowledge.put(
        a_document("a"), "Wer Werkzeug braucht, kann es mit allen Sätzen in der Zeit absenden. Reisekosten."
    )
    words = ["brauche", "allein", "sitze", "absegnen", "zeigt", "riesekosten", "reisekoten", "werzeug", "ansenden"]
    found = await knowledge.search.spelled(words, MEMBER, strictly=True)
    assert found == {"riesekosten": "Reisekosten", "reisekoten": "Reisekosten", "werzeug": "Werkzeug"}


async def test_words_are_spelled_as_titles_have_them_too_and_a_last_y_is_no_difference(knowledge: Knowledge) -> None:
    await knowledge.put(a_document("a", title="Expense policy"), "The daily meal allowance in Lisbon.")
    assert await knowledge.search.spelled(["policey", "expence"], MEMBER) == {"policey": "policy", "expence": "Expense"}
