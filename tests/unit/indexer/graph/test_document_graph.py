"""A document's part of the knowledge graph, and what its source states of it."""

from dataclasses import replace
from typing import ClassVar

import pytest

from domain.documents import BlockKind, Mentions, PageMention
from domain.knowledge_graph import (
    DocumentGraph,
    EntityType,
    Facts,
    Link,
    MentionRole,
    Relation,
    RelationOrigin,
    issue_key,
    raw_key,
)
from domain.masking import Masker
from indexer.graph.document_graph import LONGEST_PREDICATE, document_graph, revision_of
from indexer.graph.facts import document_facts, masked_links
from indexer.graph.plain_annotator import PlainAnnotator
from indexer.run.mask_document import masked_document, with_facts
from tests.fakes.documents import a_document, chunks_of

RULES = PlainAnnotator()
WIKI = "https://wiki.example/spaces/OPS/pages/7/Runbook"


HERE = Facts(("page:docs.example/a",))


def part(title: str, *texts: str, known: Facts = HERE, path: str = "a") -> DocumentGraph:
    chunks = chunks_of(a_document("a", title=title), texts)
    return document_graph(title, path, known, chunks, RULES)


def roles(found: DocumentGraph, key: str) -> set[tuple[int, MentionRole]]:
    return {(each.chunk, each.role) for each in found.mentions if each.key == key}


def edges(found: DocumentGraph) -> set[tuple[str, str, str, int, str]]:
    return {(e.subject, e.predicate, e.object, e.chunk, e.pattern.value) for e in found.relations}


def test_a_title_meets_what_others_call_it() -> None:
    own = part("Ed Wood (film)", "Tim Burton made it.")
    other = part("Tim Burton", "Tim Burton made the film Ed Wood in 1994.")
    assert roles(own, "name:ed wood") == {(0, MentionRole.TITLE)}
    assert roles(other, "name:ed wood") == {(0, MentionRole.MENTION)}
    assert ("name:ed wood", "same as", "name:ed wood film", 0, "brackets") in edges(own)


def test_names_of_tickets_and_files() -> None:
    assert roles(part("PAY-7: Broken Build", "x"), "name:broken build") == {(0, MentionRole.TITLE)}
    assert roles(part("on_call-guide.md", "x", path="ops/on_call-guide.md"), "name:on call guide") == {
        (0, MentionRole.TITLE)
    }


def test_the_number_in_front_of_a_title() -> None:
    own = part("ADR-006: Alerts carry a durable key", "x")
    assert roles(own, "name:adr 006") == {(0, MentionRole.TITLE)}
    assert roles(part("Runbook", "See ADR-006 first."), "name:adr 006") == {(0, MentionRole.MENTION)}
    for title in ("PAY-7: Broken Build", "Chapter 3: On call", "ADR-006", "Note: this"):
        assert not [key for key in part(title, "x").keys if key in {"name:pay 7", "name:chapter 3", "name:note"}]


def test_headings_and_code() -> None:
    chunks = chunks_of(a_document("a"), ["one", "class DataLoader: pass  # see PAY-9"])
    chunks = [replace(chunks[0], heading_path=("Ops", "Rolling back")), replace(chunks[1], kind=BlockKind.CODE)]
    found = document_graph("", "a", Facts(("doc:1",)), chunks, RULES)
    assert roles(found, "name:rolling back") == {(0, MentionRole.HEADING)}
    assert roles(found, "issue:PAY-9") == {(1, MentionRole.MENTION)}
    assert not roles(found, "name:dataloader")


def test_an_unsure_name_counts_when_it_is_met_elsewhere() -> None:
    assert not roles(part("T", "Kafka runs."), "name:kafka")
    assert roles(part("T", "Kafka runs.", "We like Kafka."), "name:kafka") == {
        (0, MentionRole.MENTION),
        (1, MentionRole.MENTION),
    }


def test_a_link_stands_at_the_chunk_that_shows_it() -> None:
    links = (
        Link("blocks", "issue:PAY-1", "PAY-1"),
        Link("part of", "issue:PAY-3", "PAY-3", inverse=True),
        Link("labelled", "label:urgent"),
        Link("assigned to", "person:5", "Jane Doe", name="Jane Doe"),
    )
    known = Facts(("issue:PAY-2", "doc:x"), links)
    found = part("PAY-2: It", "blocks PAY-12", "blocks PAY-1", "has PAY-3 of Jane Doe", known=known)
    structure = {each for each in edges(found) if each[4] == "structure"}
    assert structure == {
        ("issue:PAY-2", "blocks", "issue:PAY-1", 1, "structure"),
        ("issue:PAY-3", "part of", "issue:PAY-2", 2, "structure"),
        ("issue:PAY-2", "labelled", "label:urgent", 0, "structure"),
        ("issue:PAY-2", "assigned to", "person:5", 2, "structure"),
        ("name:jane doe", "same as", "person:5", 2, "structure"),
    }
    assert ("issue:PAY-2", "refers to", "issue:PAY-12", 0, "reference") in edges(found)
    assert roles(found, "person:5") == {(2, MentionRole.LINK)}


def test_a_guarded_link_leaves_what_the_text_says_alone() -> None:
    links = (Link("blocks", "issue:PAY-1", "PAY-1", guarded=True), Link("clones", "issue:PAY-3", "PAY-3", guarded=True))
    found = part("PAY-2: It", "some words", "see PAY-1", known=Facts(("issue:PAY-2",), links))
    shown = {(each.predicate, each.object, each.chunk, each.guarded) for each in found.relations}
    assert shown == {
        ("blocks", "issue:PAY-1", 1, True),
        ("refers to", "issue:PAY-1", 1, False),
        ("clones", "issue:PAY-3", 0, True),
    }
    assert roles(found, "issue:PAY-1") == {(1, MentionRole.MENTION)}
    assert roles(found, "issue:PAY-3") == {(0, MentionRole.GUARDED)}
    assert roles(found, "issue:PAY-2") == {(0, MentionRole.IDENTITY), (1, MentionRole.LINK)}


def test_a_guarded_link_says_nothing_of_what_its_end_is_called() -> None:
    links = (Link("blocks", "issue:PAY-1", "PAY-1", name="Jane leaves", guarded=True),)
    found = part("PAY-2: It", "blocks PAY-1", known=Facts(("issue:PAY-2",), links))
    assert "same as" not in {each.predicate for each in found.relations}


def test_a_short_name() -> None:
    found = part("T", "The Customer Data Platform (CDP) is new.")
    alias = Relation("name:cdp", "same as", "name:customer data platform", 0, 0.9, RelationOrigin.ACRONYM)
    assert alias in found.relations


def test_without_chunks_or_annotator_there_are_facts_alone() -> None:
    known = Facts(("doc:x",), (Link("labelled", "label:a"),))
    assert document_graph("T", "a", known, [], RULES) == DocumentGraph(revision_of(RULES), known)
    chunks = chunks_of(a_document("a"), ["Jane Doe"])
    assert document_graph("T", "a", known, chunks, None) == DocumentGraph(0, known)


def test_what_a_page_is_known_as() -> None:
    page = replace(a_document("page:7", title="On call", space="OPS", path="OPS/On call"), url=WIKI, author="")
    found = document_facts(page, (), Mentions(pages=(PageMention("Key ceremony"), PageMention(page_id="9", space="X"))))
    assert found.keys == (
        "page:wiki.example/pages/7",
        "page:wiki.example/display/ops/on call",
        f"doc:{page.document_id}",
    )
    assert found.links == (
        Link("in space", "space:ops"),
        Link("links to", "page:wiki.example/display/ops/key ceremony", "Key ceremony"),
        Link("links to", "page:wiki.example/pages/9"),
    )


def test_a_restricted_comment_is_not_its_issue() -> None:
    comment = replace(a_document("comment:1/2"), url="https://jira.example/browse/PAY-1?focusedCommentId=2", author="")
    assert document_facts(comment, (), Mentions()).keys == (f"doc:{comment.document_id}",)


def test_a_file_and_what_it_leads_to() -> None:
    file = replace(a_document("ops/run.md", labels=["Prod"]), url="file:///srv/docs/ops/run.md")
    urls = ("../Plan%20B.md#top", "https://jira.example/browse/PAY-2", "mailto:a@b.example", "../../outside.md")
    found = document_facts(file, (), Mentions(urls=urls, anchors=("the plan", "a ticket")))
    assert found.keys == (f"doc:{file.document_id}", "file:run.md", "file:ops/run.md")
    assert found.links == (
        Link("labelled", "label:prod"),
        Link("written by", "name:ada", "Ada"),
        Link("in folder", "folder:docs/ops"),
        Link("links to", "file:plan b.md", "the plan"),
        Link("refers to", "issue:PAY-2", "a ticket"),
    )


def test_a_connector_says_better_what_a_parser_finds() -> None:
    stated = Link("blocks", "issue:PAY-2", "PAY-2")
    found = document_facts(a_document("a"), (stated,), Mentions(issues=("PAY-2", "PAY-3")))
    assert [link for link in found.links if link.key.startswith("issue:")] == [
        stated,
        Link("refers to", "issue:PAY-3", "PAY-3"),
    ]


def test_links_are_masked_before_they_become_keys() -> None:
    stated = (Link("Is secret of", raw_key(EntityType.VERSION, "PAY/a-Secret"), "the Secret", name="Secret"),)
    hidden = masked_links(stated, lambda text: text.replace("ecret", "*"), lambda text: text.replace("Secret", "***"))
    found = document_facts(a_document("a"), hidden, Mentions())
    assert Link("is s* of", "version:pay/a-***", "the S*", name="S*") in found.links


KEY = "AKIA" + "IOSFODNN7QWERTYU"
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def test_no_secret_gets_into_a_key_or_a_surface() -> None:
    """In a key case is folded, addresses are decoded and what is long is cut: no masker would know it then."""
    page = replace(a_document("page:7", title=f"Use {KEY}", space="OPS", labels=[KEY]), url=WIKI, author=KEY)
    encoded = "%41" + KEY[1:]
    urls = (
        f"{KEY}.pdf",
        f"{encoded}.pdf",
        f"https://wiki.example/display/OPS/{KEY}",
        f"https://wiki.example/display/OPS/{encoded}",
        f"https://docs.example/{'x' * 268}/{TOKEN}",
        f"https://docs.example/a?t={TOKEN}",
    )
    mentions = Mentions(
        pages=(PageMention(KEY),), urls=urls, anchors=("the file",), attachments=(f"{KEY}.png",), people=(KEY,)
    )
    stated = (
        Link(f"needs {KEY}", issue_key("PAY-1"), KEY),
        Link("affects", raw_key(EntityType.VERSION, f"PAY/{KEY}"), KEY),
        Link("has the component", raw_key(EntityType.COMPONENT, f"PAY/{KEY}"), KEY, name=KEY),
    )
    for document in (page, replace(page, url="file:///srv/docs/page.md")):
        known = with_facts(masked_document(document, Masker()), stated, mentions, Masker())
        chunks = chunks_of(a_document("a"), [f"See https://wiki.example/display/OPS/{encoded} there."])
        shown = repr(document_graph(known.title, known.path, known.facts, chunks, RULES)).casefold()
        for part in (KEY[4:], TOKEN[4:12]):
            assert part.casefold() not in shown
        assert "label:[masked" in shown
        assert "version:pay/[masked" in shown


def test_what_no_database_takes_is_left_out() -> None:
    file = replace(a_document("a.md"), url="file:///a.md")
    found = document_facts(
        file, (), Mentions(urls=("b%00c.md", "https://wiki.example/display/OPS/%00x", "d%00.md\ud800"))
    )
    assert {link.key for link in found.links} >= {"file:b c.md", "page:wiki.example/display/ops/ x", "file:d .md"}
    assert not {"\0", "\ud800"} & set("".join(f"{link.key}{link.words}{link.name}" for link in found.links))


def test_a_predicate_without_end_is_none() -> None:
    long = "x" * (LONGEST_PREDICATE + 1)
    known = Facts(HERE.keys, (Link(long, "issue:PAY-1"), Link(long[1:], "issue:PAY-2")))
    found = part("T", f"Ledger Core {'pre' * 3000}owns Kafka Streams. Jane Doe's {long} is Tim Burton.", known=known)
    assert {len(each.predicate) for each in found.relations if len(each.predicate) > 20} == {LONGEST_PREDICATE}
    assert not any(each.object == "issue:PAY-1" for each in found.relations)


class Watched(str):
    """A text that counts how often something is looked for in it."""

    __slots__ = ()
    looked: ClassVar[list[str]] = []

    def __contains__(self, words: object) -> bool:
        self.looked.append(str(words))
        return super().__contains__(words)  # type: ignore[operator] # as a text has it


def test_only_chunks_that_share_a_word_are_looked_at_for_a_link() -> None:
    Watched.looked.clear()
    texts = [f"Part {number} is of page{number}." for number in range(100)]
    chunks = [replace(chunk, text=Watched(chunk.text)) for chunk in chunks_of(a_document("a"), texts)]
    links = tuple(Link("links to", f"page:x/{number}", f"page{number}") for number in range(99, -1, -1))
    found = document_graph("T", "a", Facts(HERE.keys, links), chunks, RULES)
    shown = {each.object: each.chunk for each in found.relations if each.predicate == "links to"}
    assert shown == {f"page:x/{number}": number for number in range(100)}
    assert len([words for words in Watched.looked if words.startswith("page")]) == len(links)


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("PAY-1", 3),
        ("[~jane]", 2),
        ("(see) it", 1),
        ("no", 0),
        ("", 0),
        ("\N{LINK SYMBOL}", 0),
        ("_a b c_", 4),
        ("_a b_", 0),
    ],
)
def test_where_words_are_shown(words: str, place: int) -> None:
    known = Facts(HERE.keys, (Link("links to", "page:x/y", words),))
    found = part(
        "T", "PAY-12 nor XPAY-1 (see)", "(see) it", "[~jane] PAY-1-2", "PAY-1.", "x_a b c_ x_a b_", known=known
    )
    assert [each.chunk for each in found.relations if each.object == "page:x/y"] == [place]
