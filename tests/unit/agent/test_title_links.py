from dataclasses import replace

from agent.retrieval.learned_fusion import ALONE, WITH_GRAPH, Candidates, graph_counts
from agent.retrieval.title_links import NAMING_SHARE, with_named_titles
from domain.search import Passage
from tests.fakes.agent import a_passage


def passage(text: str, name: str, title: str) -> Passage:
    return replace(a_passage(text, name), title=title)


BEST = passage("How leave is taken: see the Leave Policy, and for travel the (old) handbook.", "intro", "Welcome")
NAMED = passage("Thirty days a year.", "leave", "Leave policy (2026)")
OTHER = passage("Ships leave at nine.", "ships", "Ships")


def test_a_document_that_the_best_passage_names_comes_before_its_equals() -> None:
    fused = {BEST.chunk_id: 1.0, OTHER.chunk_id: 0.5, NAMED.chunk_id: 0.45}
    found = with_named_titles(fused, [BEST, OTHER, NAMED])
    assert list(found) == [BEST.chunk_id, NAMED.chunk_id, OTHER.chunk_id]
    assert found[NAMED.chunk_id] == (1 - NAMING_SHARE) * 0.45 + NAMING_SHARE


def test_nothing_changes_where_no_title_is_named() -> None:
    fused = {BEST.chunk_id: 1.0, OTHER.chunk_id: 0.5}
    assert with_named_titles(fused, [BEST, OTHER]) == fused
    assert with_named_titles(fused, []) == fused
    own = passage("The leave policy is here.", "leave", "Leave policy")
    assert with_named_titles({own.chunk_id: 1.0}, [own]) == {own.chunk_id: 1.0}, "it names itself"
    short = passage("A thing", "a", "Ships")
    assert with_named_titles(fused, [passage("Our ships sail.", "intro", "Welcome"), short]) == fused, "a common word"


def test_the_graph_counts_where_it_is_sure_or_leads_to_several() -> None:
    assert graph_counts([0.0, 0.4])
    assert graph_counts([0.1, 0.1, 0.1])
    assert not graph_counts([0.3, 0.2, 0.0])
    assert not graph_counts([])
    assert Candidates({}, {}, {}, {"a": 0.9}).weights == WITH_GRAPH
    assert Candidates({}, {}, {}, {"a": 0.2}).weights == ALONE
