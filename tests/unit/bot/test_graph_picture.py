"""What lies around a thing, drawn."""

from dataclasses import replace
from xml.etree import ElementTree as ET

from bot.terminal.graph_picture import dot, svg
from domain.graph_search import EntityNeighbourhood, Neighbour
from domain.knowledge_graph import EntityType, RelationOrigin

SHOWN = ("chunk", "document", 'Crash "at" <night>', "https://docs.example/1", "docs")
BLOCKS = Neighbour(
    "issue:PAY-9", EntityType.ISSUE, "PAY-9 & co", "blocks", "out", 1.0, RelationOrigin.STRUCTURE, *SHOWN
)
OWNS = Neighbour("name:team", EntityType.NAME, "Team " + "x" * 200, "owns", "in", 0.8, RelationOrigin.VERB, *SHOWN)
THING = EntityNeighbourhood("issue:PAY-7", EntityType.ISSUE, "PAY-7", 2, (BLOCKS, OWNS), complete=False)


def texts(picture: str) -> list[str]:
    return [each.text or "" for each in ET.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")]


def test_the_picture_holds_every_neighbour_and_who_says_so() -> None:
    shown = texts(svg([THING]))
    assert {"PAY-7", "PAY-9 & co", "blocks", "owns", 'Crash "at" <night>'} <= set(shown)
    assert "issue; 2 documents; not all shown" in shown
    assert max(map(len, shown)) < 60


def test_what_is_not_certain_is_dashed() -> None:
    assert svg([THING]).count('class="d"') == 1


def test_the_same_relations_give_the_same_picture_in_any_order() -> None:
    assert svg([THING]) == svg([replace(THING, neighbours=(OWNS, BLOCKS))])
    assert dot([THING]) == dot([replace(THING, neighbours=(OWNS, BLOCKS))])


def test_things_stand_below_each_other() -> None:
    one, two = (ET.fromstring(svg([THING] * count)) for count in (1, 2))
    assert int(two.attrib["height"]) > int(one.attrib["height"])
    assert texts(svg([])) == []
    assert "PAY-7" in texts(svg([replace(THING, neighbours=())]))


def test_graphviz_gets_directed_edges_and_quoted_names() -> None:
    found = dot([THING])
    assert '  "issue:PAY-7" -> "issue:PAY-9" [label="blocks", tooltip="Crash \\"at\\" <night>"];' in found
    assert '  "name:team" -> "issue:PAY-7"' in found
    assert found.splitlines()[0] == "digraph knowledge {"
    assert found.splitlines()[-1] == "}"
