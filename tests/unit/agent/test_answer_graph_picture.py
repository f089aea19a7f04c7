from pathlib import Path

from agent.answer_graph_picture import page

PAGE = Path(__file__).parents[3] / "docs" / "agent-graph.md"


def test_the_picture_is_that_of_the_graph() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: make docs"
