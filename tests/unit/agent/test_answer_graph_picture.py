from pathlib import Path

from agent.answer_graph import compiled
from agent.answer_graph_picture import DrawnEdge, order, svg

PICTURE = Path(__file__).parents[3] / "docs" / "agent-graph.svg"


def test_the_picture_is_that_of_the_graph() -> None:
    assert PICTURE.read_text(encoding="utf-8") == svg(compiled()), "run: make docs"


def test_nodes_stand_in_the_order_of_the_work() -> None:
    edges = [
        DrawnEdge("a", "b", False),
        DrawnEdge("b", "d", True),
        DrawnEdge("b", "c", True),
        DrawnEdge("c", "d", False),
        DrawnEdge("c", "a", True),
    ]
    assert order(edges, "a") == ["a", "b", "c", "d"]
