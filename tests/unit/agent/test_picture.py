from pathlib import Path

from agent.graph import compiled
from agent.picture import Edge, order, svg

PICTURE = Path(__file__).parents[3] / "docs" / "agent-graph.svg"


def test_the_picture_is_that_of_the_graph() -> None:
    assert PICTURE.read_text(encoding="utf-8") == svg(compiled()), "run: make docs"


def test_nodes_stand_in_the_order_of_the_work() -> None:
    edges = [
        Edge("a", "b", False),
        Edge("b", "d", True),
        Edge("b", "c", True),
        Edge("c", "d", False),
        Edge("c", "a", True),
    ]
    assert order(edges, "a") == ["a", "b", "c", "d"]
