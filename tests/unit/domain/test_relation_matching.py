"""Which relations answer a question."""

from dataclasses import replace

import pytest

from domain.entity_linking import MentionSpan
from domain.graph_search import Direction, Neighbour, RelatedChunk
from domain.knowledge_graph import EntityType, RelationOrigin
from domain.relation_matching import answering, best_of, fit, stated


def a_neighbour(
    key: str, predicate: str, direction: Direction = "out", pattern: RelationOrigin = RelationOrigin.STRUCTURE
) -> Neighbour:
    kind, _, name = key.partition(":")
    shown = ("chunk", "document", "Title", "https://docs.example/1", "docs")
    return Neighbour(key, EntityType(kind), name, predicate, direction, 1.0, pattern, *shown)


BLOCKS = a_neighbour("issue:PAY-2", "blocks")
BLOCKED = a_neighbour("issue:PAY-3", "blocks", "in")
PARENT = a_neighbour("issue:PAY-1", "is part of")
OWNER = a_neighbour("person:ada@example.com", "is assigned to")
LABEL = a_neighbour("label:crash", "labelled")
TEAM = a_neighbour("name:platform team", "owns", "in", RelationOrigin.VERB)
ALL = [BLOCKS, BLOCKED, PARENT, OWNER, LABEL, TEAM]
PART = a_neighbour("issue:PAY-4", "part of", "in")
EPIC = a_neighbour("issue:PAY-1", "part of")
REPORTER = a_neighbour("person:bo@example.com", "reported by")
REPORTED = a_neighbour("issue:PAY-5", "reported by", "in")
PAGE = a_neighbour("page:site/1", "links to", "in")
MORE = [BLOCKS, BLOCKED, PART, EPIC, OWNER, REPORTER, REPORTED, LABEL, PAGE]


def named(text: str, name: str = "PAY-7") -> MentionSpan:
    return MentionSpan(name, text.index(name), text.index(name) + len(name), ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What blocks PAY-7?", [BLOCKED]),
        ("Which tickets block PAY-7?", [BLOCKED]),
        ("What does PAY-7 block?", [BLOCKS]),
        ("Which issues are blocked by PAY-7?", [BLOCKS]),
        ("Which issue is PAY-7 blocked by?", [BLOCKED]),
        ("Which tickets are linked to PAY-7?", [BLOCKS, BLOCKED, PARENT]),
        ("Who is PAY-7 assigned to?", [OWNER]),
        ("Who owns PAY-7?", [TEAM]),
        ("What is PAY-7 part of?", [PARENT]),
        ("When was PAY-7 closed?", []),
        ("What does PAY-7 clone?", []),
        ("Which tickets are not blocked by PAY-7?", []),
        ("Which tickets aren't linked to PAY-7?", []),
    ],
)
def test_relations_that_are_asked_for(text: str, expected: list[Neighbour]) -> None:
    assert answering(text, named(text), ALL) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Which tickets are blocked by PAY-7?", [BLOCKS]),
        ("Which tickets is PAY-7 blocked by?", [BLOCKED]),
        ("What is linked to PAY-7?", [BLOCKS, BLOCKED, PART, EPIC, REPORTED, PAGE]),
        ("What is PAY-7 linked to?", [BLOCKS, BLOCKED, PART, EPIC, REPORTED, PAGE]),
        ("Which pages are linked to PAY-7?", [PAGE]),
        ("Which pages link to PAY-7?", [PAGE]),
        ("Which issues belong to the epic PAY-7?", [PART]),
        ("Which issues are in the epic PAY-7?", [PART]),
        ("Which tickets are under epic PAY-7?", [PART]),
        ("Which issues are part of PAY-7?", [PART]),
        ("List the sub-tasks of PAY-7", [PART]),
        ("Which subtasks does PAY-7 have?", [PART]),
        ("What are the children of PAY-7?", [PART]),
        ("Which epic does PAY-7 belong to?", [EPIC]),
        ("What is the parent of PAY-7?", [EPIC]),
        ("What is the epic of PAY-7?", [EPIC]),
        ("What is PAY-7 part of?", [EPIC]),
        ("Who reported PAY-7?", [REPORTER]),
        ("Who raised PAY-7?", [REPORTER]),
        ("Who created the ticket PAY-7?", [REPORTER]),
        ("Who is the reporter of PAY-7?", [REPORTER]),
        ("Who was PAY-7 reported by?", [REPORTER]),
        ("By whom was PAY-7 reported?", [REPORTER]),
        ("Which issues did PAY-7 report?", [REPORTED]),
        ("Which issues are reported by PAY-7?", [REPORTED]),
        ("Who is the assignee of PAY-7?", [OWNER]),
    ],
)
def test_each_way_of_asking_means_one_direction(text: str, expected: list[Neighbour]) -> None:
    assert answering(text, named(text), MORE) == expected


def test_what_is_asked_for_fits_best_then_what_is_certain() -> None:
    text = "What blocks PAY-7?"
    scores = [fit(text, named(text), each) for each in (BLOCKED, PARENT, TEAM)]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == 3
    assert fit(text, named(text), replace(BLOCKED, confidence=0.5)) == 0.5


def test_a_relation_is_said_from_its_subject_to_its_object() -> None:
    assert stated("PAY-7", BLOCKS).sentence == "PAY-7 blocks PAY-2"
    assert stated("PAY-7", BLOCKED).sentence == "PAY-3 blocks PAY-7"


def test_each_chunk_counts_once_with_all_that_it_states() -> None:
    one, two = stated("PAY-7", BLOCKS), stated("PAY-7", PARENT)
    found = [
        RelatedChunk("a", "d", 0.5, (one,), stated_relations=(one,)),
        RelatedChunk("a", "d", 0.9, (), 0.3, (two,)),
        RelatedChunk("b", "e", 0.7),
    ]
    stating = [RelatedChunk(f"s{at:02}", "d", 0.1, stated_relations=(one,)) for at in range(60)]
    assert [each.chunk_id for each in best_of([*found, *stating], 2)] == ["a", "b", *(f"s{at:02}" for at in range(40))]
    assert [(each.chunk_id, each.score) for each in best_of(found, 5)] == [("a", 0.9), ("b", 0.7)]
    assert set(best_of(found, 1)[0].stated_relations) == {one, two}
