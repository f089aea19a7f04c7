"""What of a text may name something, and what it means."""

import pytest

from domain.entity_linking import KnownEntity, linked_entities, mention_spans, similar_names, unknown_names, whole_span
from domain.knowledge_graph import EntityType, name_key

FILM = KnownEntity(1, EntityType.NAME, 2)


def telling(text: str) -> set[str]:
    return {each.text for each in mention_spans(text) if each.telling}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("see PAY-12, please", "issue:PAY-12"),
        ("is pay-12 done?", "issue:PAY-12"),
        ("what does https://www.docs.example/a/ say?", "page:docs.example/a"),
        ("ask ada@Example.com.", "person:ada@example.com"),
        ("what stands in Deploy.MD?", "file:deploy.md"),
        ('what is "the Big One" about', "name:big one"),
        ("who directed Ed Wood?", "name:ed wood"),
        ("who directed ed wood?", "name:ed wood"),
        ("Scott Derrickson's films", "name:scott derrickson"),
        ("the Émile Guide", "name:emile guide"),
    ],
)
def test_every_way_of_naming_has_its_key(text: str, key: str) -> None:
    assert key in {found for each in mention_spans(text) if each.telling for found in each.keys}


def test_a_lone_word_is_telling_when_it_is_set_apart() -> None:
    assert "Convercent" in telling("Is Convercent anonymous?")
    assert "alertd2" in telling("restart alertd2 now")
    assert "gRPC" in telling("what is gRPC")
    assert not {"Is", "anonymous", "When"} & telling("Is it anonymous? When?")


def test_a_name_goes_over_no_end_of_a_sentence() -> None:
    assert not any("End Start" in each.text.replace(".", "") for each in mention_spans("This is the End. Start now"))


def test_long_texts_are_read_in_part() -> None:
    assert len(mention_spans("word " * 10_000)) < 1_000


def test_the_longest_name_counts_and_none_within_it() -> None:
    found = mention_spans("who owns the Billing Service today")
    known = {
        "name:billing": [FILM],
        "name:billing service": [KnownEntity(2, EntityType.NAME, 1)],
        "name:service": [FILM],
    }
    assert [(each.known.entity, each.span.text) for each in linked_entities(found, known, 20)] == [
        (2, "the Billing Service")
    ]


def test_a_stretch_means_three_things_at_most_the_surest_first() -> None:
    several = [KnownEntity(n, EntityType.NAME, n, "alias", 1 - n / 10) for n in range(5)]
    meant = linked_entities(mention_spans("Ed Wood"), {"name:ed wood": several}, 20)
    assert [each.known.entity for each in meant] == [0, 1, 2]


@pytest.mark.parametrize(("documents", "count"), [(20, 1), (21, 0)])
def test_common_names_mean_nothing(documents: int, count: int) -> None:
    known = {"name:ed wood": [KnownEntity(1, EntityType.NAME, documents)]}
    assert len(linked_entities(mention_spans("Ed Wood"), known, 20)) == count


def test_ids_mean_something_however_common_and_however_written() -> None:
    known = {"issue:PAY-1": [KnownEntity(1, EntityType.ISSUE, 5_000)]}
    assert len(linked_entities(mention_spans("pay-1"), known, 20)) == 1


def test_what_is_not_known_and_looks_like_a_name_is_left() -> None:
    text = "Is Scott Derickson the director of Ed Wood?"
    meant = linked_entities(mention_spans(text), {"name:ed wood": [FILM]}, 20)
    assert [each.text for each in unknown_names(mention_spans(text), meant)] == ["Scott Derickson"]
    assert unknown_names(mention_spans("what is it about"), []) == []


def test_names_close_by_their_letters() -> None:
    others = ["scott derrickson", "ed wood", "scott dickson"]
    assert similar_names("scott derickson", others)[0][0] == 0
    assert similar_names("somebody else", others) == []
    assert len(similar_names("aaaa", ["aaab", "aaac", "aaad", "aaae"])) == 3


def test_a_whole_name_is_looked_up_as_everything_it_may_be() -> None:
    keys = whole_span("  PAY-1 ").keys
    assert {"PAY-1", "issue:PAY-1", name_key("PAY-1"), "label:pay-1"} <= set(keys)
    assert "page:docs.example/a" in whole_span("https://docs.example/a").keys
