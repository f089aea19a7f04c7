"""Names behind labels, in tables and in code spans, and the relations that these state."""

import pytest

from domain.documents import Mentions
from domain.knowledge_graph import Facts, Link
from indexer.graph.document_graph import document_graph
from indexer.graph.facts import document_facts
from indexer.graph.plain_annotator import PlainAnnotator
from tests.fakes.documents import a_document, chunks_of
from tests.unit.indexer.parse.parsing import parsed

RULES = PlainAnnotator()
PAGE = "page:docs.example/a"


def stated(text: str, *terms: str) -> set[tuple[str, str, str]]:
    """The relations of a document with this text, without the kinds of keys."""
    found = document_graph("A", "a", Facts((PAGE,), terms=terms), chunks_of(a_document("a"), [text]), RULES)
    return {(e.subject.partition(":")[2], e.predicate, e.object.partition(":")[2]) for e in found.relations}


ITSELF = PAGE.partition(":")[2]


@pytest.mark.parametrize(
    ("text", "relations"),
    [
        ("Owner: Femi", {(ITSELF, "owner", "femi")}),
        ("Owner: Femi. Deputy: Hana.", {(ITSELF, "owner", "femi"), (ITSELF, "deputy", "hana")}),
        ("_Owner: Platform · Last updated 2026-05-26_", {(ITSELF, "owner", "platform")}),
        ("- **On call:** Lucía and Priya", {(ITSELF, "on call", "lucia"), (ITSELF, "on call", "priya")}),
        ("Author: Priya (Head of Platform)", {(ITSELF, "author", "priya"), ("priya", "is", "head of platform")}),
        ("Note: Restart it first.", set()),
        ("Owner: nobody yet", set()),
        ("Tier: High", set()),
        ("Last change: 2026-09-01", set()),
        ("At 10:30 Femi slept.", set()),
    ],
)
def test_labels(text: str, relations: set[tuple[str, str, str]]) -> None:
    assert stated(text) == relations


def test_tables() -> None:
    text = (
        "| Service | What it does | Tier | Owner | Sites |\n| --- | --- | --- | --- | --- |\n"
        "| mqtt-edge | broker for gateways | 1 | Lucía (SRE lead) | Cork, Leipzig |\n"
        "| 7 | a number | 1 | Femi | Cork |"
    )
    edge = "mqtt edge"
    assert stated(text) == {
        (edge, "owner", "lucia"),
        (edge, "sites", "cork"),
        (edge, "sites", "leipzig"),
        ("lucia", "is", "sre lead"),
    }


@pytest.mark.parametrize(
    ("text", "relations"),
    [
        ("alertd needs courier and Redpanda.", {("alertd", "need", "courier"), ("alertd", "need", "redpanda")}),
        ("The owner of alertd is Femi.", {("alertd", "owner", "femi")}),
        ("Then alertd stops.", set()),
    ],
)
def test_code_spans_are_names(text: str, relations: set[tuple[str, str, str]]) -> None:
    assert stated(text, "alertd", "courier") == relations


def test_what_the_front_matter_and_the_markup_name() -> None:
    page = parsed(
        "---\ntitle: A\nowner: Platform\nreviewers: [Femi, Hana]\n---\n\n`alertd` needs `x` and `get`.\n", "a.md"
    )
    assert (page.mentions.roles, page.mentions.terms) == (
        ("owner: Platform", "reviewer: Femi", "reviewer: Hana"),
        ("alertd",),
    )
    facts = document_facts(a_document("a"), (), page.mentions)
    assert Link("owner", "name:platform", name="Platform") in facts.links
    assert facts.terms == ("alertd",)
    assert parsed("<p><code>alertd</code> runs</p>", "a.html").mentions == Mentions(terms=("alertd",))
