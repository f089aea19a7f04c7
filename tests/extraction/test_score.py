"""The annotated texts are sound, and the score counts what it says. What fails is named by the text's id."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from domain.knowledge_graph import DocumentGraph, Facts, Mention, MentionRole, Relation, RelationOrigin, name_key
from domain.text.name_forms import normalised
from indexer.graph.plain_annotator import PlainAnnotator
from tests.extraction.score import HALVES, HERE, AnnotatedText, Score, annotated, report

FOLDER = Path(__file__).parent


def entries(half: str) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = yaml.safe_load((FOLDER / f"{half}.yaml").read_text(encoding="utf-8"))
    return loaded


def test_both_halves_have_a_hundred_texts_of_the_same_forms_and_none_in_common() -> None:
    forms = [Counter(entry["form"] for entry in entries(half)) for half in HALVES]
    assert forms[0] == forms[1]
    assert forms[0].total() == 100
    both = [entry for half in HALVES for entry in entries(half)]
    assert max(Counter(entry["id"] for entry in both).values()) == 1
    assert max(Counter(normalised(entry["text"]) for entry in both).values()) == 1


@pytest.mark.parametrize("half", HALVES)
def test_what_is_annotated_stands_in_the_text(half: str) -> None:
    absent = []
    for entry in entries(half):
        words = f" {normalised(entry['text'])} "
        names = [[name] if isinstance(name, str) else name for name in entry.get("names", ())]
        ends = [[end] for one, _, other in entry.get("relations", ()) for end in (one, other) if end != HERE]
        absent += [entry["id"] for forms in names + ends if not any(f" {normalised(form)} " in words for form in forms)]
    assert absent == []


def test_the_half_that_is_held_out_is_never_shown() -> None:
    shown = normalised(" ".join(report("held_out", PlainAnnotator())))
    assert [text.id for text in annotated(FOLDER / "held_out.yaml") if normalised(text.text) in shown] == []
    assert "held 0" not in shown


def text_of(**known: Any) -> AnnotatedText:
    fields: dict[str, Any] = {"names": (), "may": (), "relations": frozenset(), "may_relations": frozenset()}
    return AnnotatedText("a", "sentence", "…", **(fields | known))


def graph(names: list[str], *ends: tuple[str, str]) -> DocumentGraph:
    mentions = tuple(Mention(name_key(name), 0, MentionRole.MENTION, 1.0, name) for name in names)
    relations = tuple(
        Relation(name_key(one) or one, "uses", name_key(other), 0, 1.0, RelationOrigin.VERB) for one, other in ends
    )
    return DocumentGraph(1, Facts(("doc:1",)), mentions, relations)


def test_one_form_of_a_name_is_enough_and_two_count_once() -> None:
    score = Score()
    text = text_of(names=(frozenset({"postgresql", "postgresql 16"}), frozenset({"kafka"})), may=(frozenset({"port"}),))
    outcome = score.add(text, graph(["PostgreSQL", "PostgreSQL 16", "Port", "Monday"]), "Page")
    assert (score.names.right, score.names.found, score.names.expected) == (1, 2, 2)
    assert outcome.missing_names == {"kafka"}
    assert outcome.wrong_names == {"monday"}


def test_a_relation_counts_by_its_ends_in_either_direction() -> None:
    score = Score()
    text = text_of(
        names=tuple(frozenset({name}) for name in ("ada", "grafana", "loki", "kafka")),
        may=(frozenset({"3000"}),),
        relations=frozenset({("grafana", "ada"), ("grafana", "loki"), (HERE, "ada")}),
        may_relations=frozenset({("kafka", "ada")}),
    )
    found = graph([], ("Ada", "Grafana"), ("Grafana", "3000"), ("Ada", "Kafka"), ("Loki", "Kafka"), ("Page", "Ada"))
    outcome = score.add(text, found, "Page")
    assert (score.relations.right, score.relations.found, score.relations.expected, score.directed) == (2, 3, 3, 1)
    assert outcome.missing_relations == {("grafana", "loki")}
    assert outcome.wrong_relations == {("kafka", "loki")}
