"""What a document says of itself: which other one it replaces."""

from dataclasses import replace

import pytest

from domain.documents import Block, BlockKind, Mentions
from domain.knowledge_graph import Link
from indexer.graph.facts import document_facts
from indexer.graph.precedence import with_precedence
from tests.fakes.documents import a_document

PLAIN = frozenset(("links to",))


def read(text: str, *links: str) -> list[tuple[str, bool]]:
    found = with_precedence(
        [Link("links to", f"file:{words}.md", words) for words in links], [Block(BlockKind.PROSE, text)], PLAIN
    )
    return [(link.predicate, link.inverse) for link in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("This version replaces the old rules, which remain online.", ("replaces", False)),
        ("It replaces the old rules.", ("replaces", False)),
        ("In force since May. It replaces the intranet page the old rules of 2024.", ("replaces", False)),
        ("Supersedes: the old rules", ("replaces", False)),
        ("Supersedes the old rules.", ("replaces", False)),
        ("Diese Seite ersetzt the old rules.", ("replaces", False)),
        ("This page is superseded by the old rules.", ("replaces", True)),
        ("**Status:** replaced by the old rules", ("replaces", True)),
        ("Diese Richtlinie wurde ersetzt durch the old rules.", ("replaces", True)),
        ("Where the old rules says something else, this page counts.", ("takes precedence over", False)),
        ("Redpanda replaces the old rules.", ("links to", False)),
        ("The procedure was replaced by the old rules.", ("links to", False)),
        ("Patroni, which replaces repmgr. See the old rules.", ("links to", False)),
        ("See the old rules.", ("links to", False)),
    ],
)
def test_what_a_sentence_says_of_a_link(text: str, expected: tuple[str, bool]) -> None:
    assert read(text, "the old rules") == [expected]


def test_a_page_that_is_named_in_short_is_that_of_a_link() -> None:
    text = "Where the handbook says something else, this page counts. Related: On-call handbook, Leave policy."
    assert read(text, "On-call handbook", "Leave policy") == [("takes precedence over", False), ("links to", False)]


def test_metadata_names_what_a_document_replaces_by_path_or_address() -> None:
    mentions = Mentions(replaces=("old.md", "https://wiki.example/pages/5"), replaced_by=("../next.md", "../../out.md"))
    document = replace(a_document("rules/new.md", path="rules/new.md"), url="file:///docs/rules/new.md")
    facts = document_facts(document, (), mentions)
    said = [(link.key, link.inverse) for link in facts.links if link.predicate == "replaces"]
    assert said == [("file:rules/old.md", False), ("page:wiki.example/pages/5", False), ("file:next.md", True)]
    below_the_top = document_facts(document, (), Mentions(replaces=("rules/2024/old.md",)))
    said = [(link.key, link.inverse) for link in below_the_top.links if link.predicate == "replaces"]
    assert said == [("file:rules/2024/old.md", False)], "whoever names the folder of the document begins at the top"
    beside = document_facts(document, (), Mentions(replaces=("archive/old.md",)))
    assert [link.key for link in beside.links if link.predicate == "replaces"] == ["file:rules/archive/old.md"]
