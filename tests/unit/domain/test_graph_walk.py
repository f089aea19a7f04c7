"""Walks through small graphs."""

from hypothesis import given
from hypothesis import strategies as st

from domain.graph_walk import DECAY, WalkEdge, breadth_first, page_rank

CHAIN = [WalkEdge(1, 2, 1.0, 0), WalkEdge(2, 3, 0.5, 1), WalkEdge(3, 4, 1.0, 2)]
edges = st.lists(
    st.builds(WalkEdge, st.integers(1, 8), st.integers(1, 8), st.floats(0, 1), st.integers(0, 99)), max_size=20
)
starts = st.dictionaries(st.integers(1, 8), st.floats(0.01, 1), min_size=1, max_size=3)


def test_scores_fall_with_every_hop_and_with_weak_edges() -> None:
    found = breadth_first({1: 1.0}, CHAIN, hops=3)
    assert [found[node].score for node in (1, 2, 3, 4)] == [1.0, DECAY, 0.5 * DECAY**2, 0.5 * DECAY**3]
    assert [edge.label for edge in found[4].way] == [0, 1, 2]
    assert breadth_first({1: 1.0}, CHAIN, hops=1).keys() == {1, 2}
    assert breadth_first({1: 1.0}, CHAIN, hops=0).keys() == {1}


def test_the_best_of_several_ways_counts() -> None:
    found = breadth_first({1: 1.0, 5: 0.2}, [*CHAIN, WalkEdge(5, 3, 1.0, 9), WalkEdge(1, 3, 0.9, 8)], hops=2)
    assert [edge.label for edge in found[3].way] == [8]


def test_an_edge_without_strength_is_none() -> None:
    assert breadth_first({1: 1.0}, [WalkEdge(1, 2, 0.0, 0)], hops=2).keys() == {1}


def test_page_rank_prefers_what_several_ways_lead_to() -> None:
    both = [WalkEdge(1, 3, 1.0, 0), WalkEdge(2, 3, 1.0, 1), WalkEdge(1, 4, 1.0, 2)]
    found = page_rank({1: 1.0, 2: 1.0}, both, hops=2)
    assert found[3].score > found[4].score
    assert page_rank({}, both, hops=2) == {}


@given(starts, edges)
def test_scores_are_shares_and_ways_lead_there(given_starts: dict[int, float], given_edges: list[WalkEdge]) -> None:
    for walk in (breadth_first, page_rank):
        for node, there in walk(given_starts, given_edges, hops=2).items():
            assert 0 <= there.score <= 1.0000001
            assert len(there.way) <= 2
            if there.way:
                assert there.way[0].start in given_starts
                assert there.way[-1].end == node
            else:
                assert node in given_starts
