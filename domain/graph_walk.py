"""Walking a small graph from weighted starts: breadth first with decay, or by personalised PageRank. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

DECAY = 0.7
"""What is left of a score after one hop."""

DAMPING = 0.85
ROUNDS = 20


@dataclass(frozen=True, slots=True)
class WalkEdge:
    """A step from one node to another."""

    start: int
    end: int
    strength: float
    """0 to 1."""
    label: int
    """What the caller tells edges apart by."""


@dataclass(frozen=True, slots=True)
class ReachedNode:
    """A node that the walk came to."""

    score: float
    """0 to 1."""
    way: tuple[WalkEdge, ...] = ()
    """The edges of the best way there, none for a start."""


def breadth_first(starts: Mapping[int, float], edges: Sequence[WalkEdge], *, hops: int) -> dict[int, ReachedNode]:
    """The best way to each node within so many hops: its score is the start's, times DECAY and strength for each edge.

    Equal scores are settled by the order of the edges, so that the same graph gives the same ways.
    """
    onward = _by_start(edges)
    reached = {node: ReachedNode(score) for node, score in starts.items()}
    front = dict(reached)
    for _ in range(hops):
        ahead: dict[int, ReachedNode] = {}
        for node, here in front.items():
            for edge in onward.get(node, ()):
                score = here.score * DECAY * edge.strength
                known = ahead.get(edge.end) or reached.get(edge.end)
                if known is None or score > known.score:
                    ahead[edge.end] = ReachedNode(score, (*here.way, edge))
        reached |= ahead
        front = ahead
    return reached


def page_rank(starts: Mapping[int, float], edges: Sequence[WalkEdge], *, hops: int) -> dict[int, ReachedNode]:
    """Personalised PageRank: how often a walker is at a node who follows edges by their strength and goes back to the
    starts now and then. The ways are those of `breadth_first`; scores are relative to the best node."""
    ways = breadth_first(starts, edges, hops=hops)
    total = sum(starts.values())
    if total <= 0:
        return ways
    back = {node: weight / total for node, weight in starts.items()}
    onward = {node: (out, sum(edge.strength for edge in out)) for node, out in _by_start(edges).items()}
    rank = dict(back)
    for _ in range(ROUNDS):
        following = {node: (1 - DAMPING) * share for node, share in back.items()}
        for node, share in rank.items():
            out, strength = onward.get(node, ((), 0.0))
            for edge in out:
                moved = DAMPING * share * edge.strength / strength
                following[edge.end] = following.get(edge.end, 0.0) + moved
            if not out:  # nowhere to go: back to the starts
                for start, part in back.items():
                    following[start] = following.get(start, 0.0) + DAMPING * share * part
        rank = following
    highest = max(rank.values())
    return {node: ReachedNode(rank.get(node, 0.0) / highest, there.way) for node, there in ways.items()}


def _by_start(edges: Sequence[WalkEdge]) -> dict[int, list[WalkEdge]]:
    found: dict[int, list[WalkEdge]] = {}
    for edge in edges:
        if edge.strength > 0:
            found.setdefault(edge.start, []).append(edge)
    return found
