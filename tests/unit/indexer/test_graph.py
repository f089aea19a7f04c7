"""A document's part of the knowledge graph, and what its source states of it."""

from dataclasses import replace

from domain.documents import BlockKind, Mentions, PageMention
from domain.graph import DocumentGraph, Facts, Link, Pattern, Relation, Role
from indexer.graph import document_graph, revision_of
from indexer.links import facts, masked
from indexer.plain_annotator import PlainAnnotator
from tests.fakes.documents import a_document, chunks_of

RULES = PlainAnnotator()
WIKI = "https://wiki.example/spaces/OPS/pages/7/Runbook"


HERE = Facts(("page:docs.example/a",))


def part(title: str, *texts: str, known: Facts = HERE, path: str = "a") -> DocumentGraph:
    chunks = chunks_of(a_document("a", title=title), texts)
    return document_graph(title, path, known, chunks, RULES)


def roles(found: DocumentGraph, key: str) -> set[tuple[int, Role]]:
    return {(each.chunk, each.role) for each in found.mentions if each.key == key}


def edges(found: DocumentGraph) -> set[tuple[str, str, str, int, str]]:
    return {(e.subject, e.predicate, e.object, e.chunk, e.pattern.value) for e in found.relations}


def test_a_title_meets_what_others_call_it() -> None:
    own = part("Ed Wood (film)", "Tim Burton made it.")
    other = part("Tim Burton", "Tim Burton made the film Ed Wood in 1994.")
    assert roles(own, "name:ed wood") == {(0, Role.TITLE)}
    assert roles(other, "name:ed wood") == {(0, Role.MENTION)}
    assert ("name:ed wood", "same as", "name:ed wood film", 0, "brackets") in edges(own)


def test_names_of_tickets_and_files() -> None:
    assert roles(part("PAY-7: Broken Build", "x"), "name:broken build") == {(0, Role.TITLE)}
    assert roles(part("on_call-guide.md", "x", path="ops/on_call-guide.md"), "name:on call guide") == {(0, Role.TITLE)}


def test_headings_and_code() -> None:
    chunks = chunks_of(a_document("a"), ["one", "class DataLoader: pass  # see PAY-9"])
    chunks = [replace(chunks[0], heading_path=("Ops", "Rolling back")), replace(chunks[1], kind=BlockKind.CODE)]
    found = document_graph("", "a", Facts(("doc:1",)), chunks, RULES)
    assert roles(found, "name:rolling back") == {(0, Role.HEADING)}
    assert roles(found, "issue:PAY-9") == {(1, Role.MENTION)}
    assert not roles(found, "name:dataloader")


def test_an_unsure_name_counts_when_it_is_met_elsewhere() -> None:
    assert not roles(part("T", "Kafka runs."), "name:kafka")
    assert roles(part("T", "Kafka runs.", "We like Kafka."), "name:kafka") == {(0, Role.MENTION), (1, Role.MENTION)}


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
    assert roles(found, "person:5") == {(2, Role.LINK)}


def test_a_short_name() -> None:
    found = part("T", "The Customer Data Platform (CDP) is new.")
    alias = Relation("name:cdp", "same as", "name:customer data platform", 0, 0.9, Pattern.ACRONYM)
    assert alias in found.relations


def test_without_chunks_or_annotator_there_are_facts_alone() -> None:
    known = Facts(("doc:x",), (Link("labelled", "label:a"),))
    assert document_graph("T", "a", known, [], RULES) == DocumentGraph(revision_of(RULES), known)
    chunks = chunks_of(a_document("a"), ["Jane Doe"])
    assert document_graph("T", "a", known, chunks, None) == DocumentGraph(0, known)


def test_what_a_page_is_known_as() -> None:
    page = replace(a_document("page:7", title="On call", space="OPS", path="OPS/On call"), url=WIKI, author="")
    found = facts(page, (), Mentions(pages=(PageMention("Key ceremony"), PageMention(page_id="9", space="X"))))
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
    assert facts(comment, (), Mentions()).keys == (f"doc:{comment.document_id}",)


def test_a_file_and_what_it_leads_to() -> None:
    file = replace(a_document("ops/run.md", labels=["Prod"]), url="file:///srv/docs/ops/run.md")
    urls = ("../Plan%20B.md#top", "https://jira.example/browse/PAY-2", "mailto:a@b.example", "../../outside.md")
    found = facts(file, (), Mentions(urls=urls, anchors=("the plan", "a ticket")))
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
    found = facts(a_document("a"), (stated,), Mentions(issues=("PAY-2", "PAY-3")))
    assert [link for link in found.links if link.key.startswith("issue:")] == [
        stated,
        Link("refers to", "issue:PAY-3", "PAY-3"),
    ]


def test_facts_are_masked() -> None:
    known = Facts(("file:a-secret.md",), (Link("links to", "page:a.example/secret", "the secret", name="secret"),))
    found = masked(known, lambda text: text.replace("secret", "***"))
    assert found == Facts(("file:a-***.md",), (Link("links to", "page:a.example/***", "the ***", name="***"),))
