"""Prints docs/agent-graph.md, a picture of the compiled graph: `python -m agent.answer_graph_picture`, `make docs`."""

import sys

from agent.answer_graph import compiled

_PAGE = """# The graph of the agent

`make docs` draws it from the compiled graph. Dashed edges are decisions, made in `agent/routing.py`.
[The agent](agent.md) says what each node does.

```mermaid
{drawn}```
"""


def page() -> str:
    """The page with the picture."""
    return _PAGE.format(drawn=compiled().get_graph().draw_mermaid())


if __name__ == "__main__":
    sys.stdout.write(page())
