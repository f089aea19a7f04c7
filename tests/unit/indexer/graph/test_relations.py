"""Relations by four patterns, on annotations of our own rules and on those of a pipeline."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from domain.errors import Misconfigured
from domain.text.name_candidates import name_candidates
from domain.text_references import references_in
from indexer.graph.aliases import introduced_aliases
from indexer.graph.annotation import named_spans
from indexer.graph.plain_annotator import PlainAnnotator
from indexer.graph.relations import relations_in
from indexer.graph.spacy_annotator import SpacyAnnotator, open_spacy

Row = tuple[str, str, str, str, float]


def found(text: str, annotator: PlainAnnotator | SpacyAnnotator) -> list[Row]:
    stated = relations_in(annotator.annotate(text, named_spans(name_candidates(text), references_in(text))))
    return [(e.subject.surface, e.predicate, e.object.surface, e.pattern.value, e.confidence) for e in stated]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("Payments API uses Ledger Core.", [("Payments API", "use", "Ledger Core", "verb", 0.8)]),
        ("CDP is used by Payments API.", [("Payments API", "use", "CDP", "verb", 0.8)]),
        ("Ledger Core depends on Kafka.", [("Ledger Core", "depend on", "Kafka", "verb", 0.8)]),
        ("Ledger Core was deployed to Berlin Office.", [("Ledger Core", "be deploy to", "Berlin Office", "verb", 0.8)]),
        ("Jane Doe leads the design of Ledger Core.", [("Jane Doe", "lead design of", "Ledger Core", "verb", 0.8)]),
        ("Jane Doe is the owner of Ledger Core.", [("Jane Doe", "is owner of", "Ledger Core", "copula", 0.9)]),
        ("Jane Doe, the owner of Ledger Core, left.", [("Jane Doe", "is owner of", "Ledger Core", "copula", 0.9)]),
        ("Ed Wood was an American director.", [("Ed Wood", "is", "American", "copula", 0.9)]),
        ("Ledger Core's owner is Jane Doe.", [("Ledger Core", "owner", "Jane Doe", "possession", 0.85)]),
        ("The owner of Ledger Core is Jane Doe.", [("Ledger Core", "owner", "Jane Doe", "possession", 0.85)]),
        ("Acme Group has Billing Team.", [("Acme Group", "has", "Billing Team", "possession", 0.85)]),
        ("we saw Data Hub in Berlin Office", [("Data Hub", "in", "Berlin Office", "preposition", 0.75)]),
        ("PAY-12 blocks PAY-13", [("PAY-12", "block", "PAY-13", "verb", 0.8)]),
        ("Ed Wood, also known as Edward Davis Wood.", [("Edward Davis Wood", "same as", "Ed Wood", "copula", 0.9)]),
        ("Ledger Core. Jane Doe left.", []),
        ("Ledger Core and Jane Doe", []),
        ("Ledger Core, which nobody likes, uses Kafka.", []),
    ],
)
def test_by_our_own_rules(text: str, rows: list[Row]) -> None:
    assert found(text, PlainAnnotator()) == rows


def test_a_place_between_subject_and_verb() -> None:
    rows = found("Data Hub in Berlin Office runs on Kafka.", PlainAnnotator())
    assert rows[1] == ("Data Hub", "run on", "Kafka", "verb", 0.8)


@dataclass
class Word:
    idx: int
    text: str
    lemma_: str
    pos_: str


@dataclass
class Entity:
    start_char: int
    end_char: int
    text: str
    label_: str


@dataclass
class Annotated:
    """A sentence as a pipeline would annotate it. words: `text/lemma/POS`, in order."""

    source: str
    words: str
    ents: list[Entity]

    def __iter__(self) -> Iterator[Word]:
        at = 0
        for word in self.words.split():
            text, lemma, part = word.split("/")
            at = self.source.index(text, at)
            yield Word(at, text, lemma, part)
            at += len(text)


def by_hand(source: str, words: str, *people: str) -> SpacyAnnotator:
    entities = [Entity(source.index(each), source.index(each) + len(each), each, "PERSON") for each in people]
    return SpacyAnnotator("by-hand", lambda _text: Annotated(source, words, entities))


def test_a_verb_that_only_the_pipeline_knows() -> None:
    text = "Jane Doe shepherds Ledger Core."
    words = "Jane/Jane/PROPN Doe/Doe/PROPN shepherds/shepherd/VERB Ledger/Ledger/PROPN Core/Core/PROPN ././PUNCT"
    assert found(text, PlainAnnotator()) == []
    assert found(text, by_hand(text, words)) == [("Jane Doe", "shepherd", "Ledger Core", "verb", 0.8)]


def test_the_other_patterns_on_annotations() -> None:
    text = "Ledger Core's owner is Jane Doe."
    words = "Ledger/Ledger/PROPN Core/Core/PROPN 's/'s/PART owner/owner/NOUN is/be/AUX Jane/Jane/PROPN Doe/Doe/PROPN"
    assert found(text, by_hand(text, f"{words} ././PUNCT")) == [
        ("Ledger Core", "owner", "Jane Doe", "possession", 0.85)
    ]
    text = "Jane Doe is the former head of Data Hub"
    words = (
        "Jane/Jane/PROPN Doe/Doe/PROPN is/be/AUX the/the/DET former/former/ADJ head/head/NOUN of/of/ADP Data/d/PROPN"
    )
    assert found(text, by_hand(text, words)) == [("Jane Doe", "is former head of", "Data Hub", "copula", 0.9)]


def test_a_name_that_only_the_pipeline_knows() -> None:
    text = "then madonna joined Ledger Core"
    words = "then/then/ADV madonna/madonna/PROPN joined/join/VERB Ledger/l/PROPN Core/c/PROPN"
    assert found(text, by_hand(text, words, "madonna")) == [("madonna", "join", "Ledger Core", "verb", 0.8)]


def test_a_pipeline_that_is_not_installed() -> None:
    with pytest.raises(Misconfigured) as raised:
        open_spacy("xx_no_such_pipeline")
    assert "extra spacy" in raised.value.next_step


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("The Customer Data Platform (CDP) is new.", [("CDP", "Customer Data Platform")]),
        ("the General Data Protection Regulation (GDPR)", [("GDPR", "General Data Protection Regulation")]),
        ("an API (Application Programming Interface)", [("API", "Application Programming Interface")]),
        ("Ministry of Defence (MoD)", [("MoD", "Ministry of Defence")]),
        ("It failed. Data Platform (CDP)", []),
        ("see the guide (PDF)", []),
    ],
)
def test_short_names(text: str, pairs: list[tuple[str, str]]) -> None:
    assert [(each.short, each.long) for each in introduced_aliases(text)] == pairs
