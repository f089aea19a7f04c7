"""`kb graph show`, searching along the graph, and questions about how things hang together."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from bot.cli.graph import in_words, safe
from bot.terminal.graph_picture import dot, svg
from domain.graph_search import EntityNeighbourhood, Neighbour
from domain.knowledge_graph import EntityType, RelationOrigin
from tests.command import Kb, write

RUNBOOK = "# Ledger Core\n\nLedger Core depends on Kafka Streams. See [the plan](plan.md) and PAY-7.\n"
PLAN = "# Move of the ledger\n\nPlatform Team runs Ledger Core.\n"
ALONE = "# Parking\n\nThe gate code is on level two.\n"


@pytest.fixture(scope="module")
def filled(shared: Kb, tmp_path_factory: pytest.TempPathFactory) -> Kb:
    docs = write(tmp_path_factory.mktemp("graph"), runbook=RUNBOOK, plan=PLAN, alone=ALONE)
    assert shared("index", str(docs)).code == 0
    return shared


def test_neighbours_are_shown_with_predicate_and_source(filled: Kb) -> None:
    shown = filled("graph", "show", "Ledger Core")
    assert shown.code == 0
    assert "—depend on→ Kafka Streams  [verb 0.80]  Ledger Core <" in shown.out
    assert "←run— Platform Team  [verb 0.80]  Move of the ledger <" in shown.out
    [thing] = filled("graph", "show", "ledger  core", "--json").json["entities"]
    links = {(each["direction"], each["predicate"], each["name"]) for each in thing["neighbours"]}
    assert {("out", "links to", "Move of the ledger"), ("out", "depend on", "Kafka Streams")} <= links
    assert all(each["citation"]["document_id"] for each in thing["neighbours"])
    assert (thing["key"], thing["documents"], thing["complete"]) == ("name:ledger core", 2, True)


def test_a_picture_and_graphviz(filled: Kb, tmp_path: Path) -> None:
    file = tmp_path / "ledger.svg"
    done = filled("graph", "show", "Ledger Core", "--picture", str(file))
    assert (done.code, f"Drawn: {file}" in done.err) == (0, True)
    assert "Kafka Streams" in "".join(ET.parse(file).getroot().itertext())
    assert '"name:ledger core" -> "name:kafka streams"' in filled("graph", "show", "Ledger Core", "--dot").out
    assert filled("graph", "show", "Ledger Core", "--picture", str(tmp_path / "a.png")).code == 2
    assert filled("graph", "show", "Ledger Core", "--picture", str(tmp_path / "no" / "a.svg")).code == 2


def test_nothing_of_that_name(filled: Kb) -> None:
    done = filled("graph", "show", "Xylophone Orchestra")
    assert (done.code, done.out.strip()) == (3, "The knowledge graph has nothing of that name: Xylophone Orchestra")
    assert filled("graph", "show", "Xylophone", "--json").json == {"entities": []}
    assert filled("graph", "show", " ").code == 2


def test_others_are_shown_what_they_may_read(kb: Kb, docs: Path) -> None:
    write(docs, runbook=RUNBOOK)
    added = kb("sources", "add", "files", "--name", "own", "--path", str(docs), "--audience", "ada@example.com")
    assert added.code == 0, added.err
    assert kb("reindex").code == 0
    assert kb("graph", "show", "Ledger Core").code == 3
    assert kb("graph", "show", "Ledger Core", "--as", "bob@example.com").code == 3
    assert "Kafka Streams" in kb("graph", "show", "Ledger Core", "--as", "ada@example.com").out


def test_a_search_along_the_graph(filled: Kb) -> None:
    [best, *_] = filled("search", "what about Ledger Core?", "--method", "graph", "--json").json["results"]
    assert (best["path"].endswith("runbook.md"), best["methods"]) == (True, {"graph": 1})
    found = filled("search", "what about Ledger Core?", "--json").json["results"]
    assert any("graph" in each["methods"] for each in found)
    assert filled("search", "gate code", "--method", "graph").code == 3


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("What does Ledger Core depend on?", "Ledger Core depends on Kafka Streams."),
        ("Which pages are linked to Ledger Core?", "- Ledger Core links to Move of the ledger"),
        ("Which tickets are linked to Ledger Core?", "- Ledger Core refers to PAY-7"),
        ("Who runs Ledger Core?", "Platform Team runs Ledger Core."),
    ],
)
def test_relations_answer_a_question_and_are_cited(filled: Kb, question: str, line: str) -> None:
    done = filled("ask", question, "--json").json
    assert done["status"] == "answered"
    assert f"{line} [1]" in done["answer"]
    assert done["citations"][0]["url"]
    calls = [call for call in done["tool_calls"] if call["name"] == "graph_related"]
    assert calls
    assert calls[0]["results"]


def test_what_a_document_holds_steers_no_terminal() -> None:
    """Addresses are decoded in keys; words of a source are predicates."""
    steering = "\x1b]0;pwned\x07"
    place = ("chunk", "document", "T" + steering, f"https://docs.example/{steering}", "docs")
    edge = Neighbour(
        f"page:x/{steering}", EntityType.PAGE, "N" + steering, "is" + steering, "out", 1.0, RelationOrigin.VERB, *place
    )
    thing = EntityNeighbourhood("name:x" + steering, EntityType.NAME, "X" + steering, 1, (edge,))
    assert not {"\x1b", "\x07"} & set(dot(safe([thing])) + svg(safe([thing])) + in_words(thing))


def test_no_word_and_no_address_keeps_a_document_out(kb: Kb, docs: Path) -> None:
    hidden = "AKIA" + "IOSFODNN7QWERTYU"
    hostile = (
        f"# {hidden}\n\n[one](https://wiki.example/display/OPS/%00x) [two](a%00b.md) [three]({hidden}.pdf)"
        f" [four](https://wiki.example/display/OPS/%41{hidden[1:]})\n\n"
        f"Ledger Core {'pre' * 3000}uses Kafka Streams. Jane Doe's {'x' * 9000} is Tim Burton.\n"
    )
    write(docs, hostile=hostile, runbook=RUNBOOK)
    report = kb("index", str(docs), "--json").report
    assert (report["added"], report["failed"]) == (2, [])
    assert kb("search", "https://wiki.example/display/OPS/%00x Ledger Core", "--json").json["results"]
    file = docs.parent / "graph.graphml"
    assert kb("graph", "export", str(file)).code == 0
    assert hidden[4:].lower() not in file.read_text().lower()
