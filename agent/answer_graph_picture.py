"""Draws the compiled graph as SVG: `python -m agent.answer_graph_picture >docs/agent-graph.svg`, or `make docs`.

Nodes stand below each other in the order of the work. An edge to the next node is a line; one that skips nodes is
drawn on the right, one that leads back on the left; a dashed edge is taken on a decision (agent.routing).
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape

from agent.answer_graph import AnswerGraph, compiled

WIDTH, NODE_WIDTH, NODE_HEIGHT, STEP, TOP = 1000, 190, 38, 84, 24
CENTRE = WIDTH / 2

LABELS = {
    ("analyze_and_route", "mask"): "nothing is asked",
    ("grade_evidence", "synthesize"): "GENERATE",
    ("grade_evidence", "plan"): "REFINE",
    ("grade_evidence", "analyze_and_route"): "RE_RETRIEVE",
    ("verify", "plan"): "nothing stood its check",
}

_STYLE = (
    "text{font:14px sans-serif;fill:#1b2733}"
    ".l{font-size:12px;fill:#4a5a68;paint-order:stroke;stroke:#ffffff;stroke-width:5px}"
    ".n{fill:#eaf2fb;stroke:#2f6db3}.e{fill:#f4f4f0;stroke:#8a8a80}path{fill:none;stroke:#54656f;stroke-width:1.4}"
    ".d{stroke-dasharray:5 4}"
)
_ARROW = (
    '<marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
    '<path d="M0 0L8 4L0 8Z" style="fill:#54656f;stroke:none"/></marker>'
)


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    """From one node to another."""

    source: str
    target: str
    decided: bool
    """Whether it is taken on a decision."""


def order(edges: list[DrawnEdge], start: str) -> list[str]:
    """Nodes in the order of the longest way from the start that never goes back: that of the work."""
    names = [start]
    while True:
        following = [edge.target for edge in edges if edge.source == names[-1] and edge.target not in names]
        # of several ways on, the one from which the others can still be reached comes first
        onward = sorted(following, key=lambda name: -len(_reachable(edges, name, set(names))))
        if not onward:
            return names
        names.append(onward[0])


def _reachable(edges: list[DrawnEdge], start: str, without: set[str]) -> set[str]:
    found, waiting = {start}, [start]
    while waiting:
        name = waiting.pop()
        for edge in edges:
            if edge.source == name and edge.target not in found | without:
                found.add(edge.target)
                waiting.append(edge.target)
    return found


def svg(graph: AnswerGraph) -> str:
    """The picture."""
    drawn = graph.get_graph()
    edges = [DrawnEdge(edge.source, edge.target, bool(edge.conditional)) for edge in drawn.edges]
    names = order(edges, "__start__")
    if set(names) != set(drawn.nodes):
        raise ValueError(f"not on the way from start to end: {set(drawn.nodes) - set(names)}")
    height = TOP * 2 + STEP * (len(names) - 1) + NODE_HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">',
        f"<style>{_STYLE}</style><defs>{_ARROW}</defs>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        *(_node(name, place) for place, name in enumerate(names)),
        *_edges(edges, names),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _node(name: str, place: int) -> str:
    ends = name.startswith("__")
    label = name.strip("_").upper() if ends else name
    x, y = CENTRE - NODE_WIDTH / 2, TOP + STEP * place
    radius, style = (NODE_HEIGHT / 2, "e") if ends else (6, "n")
    return (
        f'<rect class="{style}" x="{x:g}" y="{y}" width="{NODE_WIDTH}" height="{NODE_HEIGHT}" rx="{radius:g}"/>'
        f'<text x="{CENTRE:g}" y="{y + 24}" text-anchor="middle">{escape(label)}</text>'
    )


def _edges(edges: list[DrawnEdge], names: list[str]) -> Iterator[str]:
    lanes = {"right": 0, "left": 0}
    far_last = sorted(edges, key=lambda edge: abs(names.index(edge.target) - names.index(edge.source)))
    for edge in far_last:
        first, last = names.index(edge.source), names.index(edge.target)
        style = ' class="d"' if edge.decided else ""
        label = escape(LABELS.get((edge.source, edge.target), ""))
        if last == first + 1:
            top, bottom = TOP + STEP * first + NODE_HEIGHT, TOP + STEP * last
            yield f'<path{style} d="M{CENTRE:g} {top}V{bottom - 2}" marker-end="url(#a)"/>'
            yield f'<text class="l" x="{CENTRE + 8:g}" y="{(top + bottom) // 2 + 4}">{label}</text>'
            continue
        side = "right" if last > first else "left"
        lanes[side] += 1
        yield from _around(first, last, side, lanes[side], style, label)


def _around(first: int, last: int, side: str, lane: int, style: str, label: str) -> Iterator[str]:
    sign = 1 if side == "right" else -1
    edge_x = CENTRE + sign * NODE_WIDTH / 2
    lane_x = edge_x + sign * (10 + 84 * lane)
    start, end = TOP + STEP * first + NODE_HEIGHT / 2 + 6, TOP + STEP * last + NODE_HEIGHT / 2 - 6
    yield (
        f'<path{style} d="M{edge_x:g} {start:g}C{lane_x:g} {start:g} {lane_x:g} {start:g} {lane_x:g} '
        f'{(start + end) / 2:g}C{lane_x:g} {end:g} {lane_x:g} {end:g} {edge_x + sign * 2:g} {end:g}" '
        'marker-end="url(#a)"/>'
    )
    anchor = "start" if side == "right" else "end"
    y = (start + end) / 2 + 4
    yield f'<text class="l" x="{lane_x + sign * 6:g}" y="{y:g}" text-anchor="{anchor}">{label}</text>'


if __name__ == "__main__":
    sys.stdout.write(svg(compiled()))
