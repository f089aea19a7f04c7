"""The knowledge graph as a third list."""

from dataclasses import replace
from typing import Literal

import pytest

from agent.retrieval.fusion import GraphHit, spread, with_graph, with_graph_ranks
from agent.retrieval.retriever import RetrievalOptions, Retriever
from domain.errors import KbError, Refused, Transient
from domain.graph_search import RelatedChunk
from domain.search import Filters
from tests.fakes.agent import MEMBER, MODEL
from tests.fakes.documents import a_document, put
from tests.fakes.knowledge import MemoryKnowledge
from tests.fakes.tools import AwayGraph, Relations

QUESTION = "When is the walrus fed?"


@pytest.fixture
async def zoo() -> MemoryKnowledge:
    knowledge = MemoryKnowledge(MODEL.identity)
    for number, text in enumerate(["The walrus is fed at noon.", "The walrus sleeps.", "Fish is bought at the port."]):
        await put(knowledge, MODEL, a_document(str(number)), text)
    return knowledge


async def chunk(knowledge: MemoryKnowledge, text: str) -> tuple[str, str]:
    best = (await Retriever(knowledge, MODEL, RetrievalOptions()).rank(text, MEMBER, method="lexical")).ranked[0]
    return best.chunk_id, best.document_id


def test_where_a_score_lies_among_others() -> None:
    assert [spread(score, [1, 3]) for score in (0, 1, 2, 3, 9)] == [0, 0, 0.5, 1, 1]
    assert (spread(None, [1, 2]), spread(1, []), spread(1, [1, 1])) == (0, 0, 0)


def test_the_graph_is_summed_with_the_rankings() -> None:
    led = [GraphHit("b", "B", 1.0), GraphHit("new", "N", 0.5, 0.2)]
    found = with_graph({"a": 1.0, "b": 0.8}, led, 0.5)
    assert found == pytest.approx({"b": 0.9, "a": 0.5, "new": 0.35})
    assert list(found) == ["b", "a", "new"]


def test_in_rank_fusion_it_is_a_list_with_a_weight() -> None:
    found = with_graph_ranks({"a": 1.0, "b": 0.5}, [GraphHit("new", "N", 1.0), GraphHit("b", "B", 0.1)], 0.2, 60)
    assert found == pytest.approx({"a": 0.8, "b": 0.4 + 0.2 * 61 / 62, "new": 0.2})


async def test_what_only_the_graph_leads_to_is_found(zoo: MemoryKnowledge) -> None:
    fish = RelatedChunk(*await chunk(zoo, "fish port"), 0.5, cosine=0.1)
    graph = Relations([fish])
    found = await Retriever(zoo, MODEL, RetrievalOptions(candidates=2), graph).rank(QUESTION, MEMBER, limit=2)
    [bought] = [each for each in found.ranked if each.chunk_id == fish.chunk_id]
    assert bought.ranks == {"graph": 1}
    assert found.ranked[0].ranks.keys() >= {"lexical", "dense"}
    assert found.ranked == tuple(sorted(found.ranked, key=lambda each: -each.score))


async def test_the_walk_starts_from_the_first_results(zoo: MemoryKnowledge) -> None:
    graph = Relations([])
    retriever = Retriever(zoo, MODEL, RetrievalOptions(), graph)
    filters = Filters(sources=("docs",))
    found = await retriever.rank(QUESTION, MEMBER, filters=filters)
    [(request, scope)] = graph.asked
    assert (request.text, request.filters, request.loose, scope) == (QUESTION, filters, False, MEMBER)
    assert request.hits[(await chunk(zoo, "fed at noon"))[0]] == max(request.hits.values()) <= 1
    plain = await retriever.rank(QUESTION, MEMBER, method="hybrid")
    assert [each.chunk_id for each in found.ranked] == [each.chunk_id for each in plain.ranked]
    assert [each.score for each in found.ranked] == [each.score for each in plain.ranked], "nothing is taken away"


async def test_the_best_chunk_of_a_document_stands_for_it(zoo: MemoryKnowledge) -> None:
    own = await put(zoo, MODEL, a_document("long"), "The walrus is fed fish.", "Opening hours.")
    other = RelatedChunk(own[1], a_document("long").document_id, 1.0)
    found = await Retriever(zoo, MODEL, RetrievalOptions(), Relations([other])).rank(QUESTION, MEMBER)
    assert found.ranked[0].chunk_id == own[0]
    assert found.ranked[0].ranks["graph"] == 1


@pytest.mark.parametrize("error", [Transient("The database is away"), Refused("The database is away")])
async def test_without_the_graph_a_search_goes_on_and_says_so(zoo: MemoryKnowledge, error: KbError) -> None:
    found = await Retriever(zoo, MODEL, RetrievalOptions(), AwayGraph(error)).rank(QUESTION, MEMBER)
    assert found.ranked
    assert found.degraded == "Searched without the knowledge graph: the database is away."


@pytest.mark.parametrize("fusion", ["learned", "normalised", "rrf"])
async def test_a_walk_that_leads_nowhere_changes_nothing(
    zoo: MemoryKnowledge, fusion: Literal["learned", "normalised", "rrf"]
) -> None:
    options = RetrievalOptions(fusion=fusion)
    walked = await Retriever(zoo, MODEL, options, Relations([])).rank(QUESTION, MEMBER)
    plain = await Retriever(zoo, MODEL, options).rank(QUESTION, MEMBER, method="hybrid")
    assert walked.ranked == plain.ranked


@pytest.mark.parametrize("options", [RetrievalOptions(graph_share=0), RetrievalOptions()])
async def test_no_share_or_another_method_asks_no_graph(zoo: MemoryKnowledge, options: RetrievalOptions) -> None:
    graph = Relations([])
    retriever = Retriever(zoo, MODEL, options, graph)
    await retriever.rank(QUESTION, MEMBER, method="hybrid" if options.graph_share else "hybrid+graph")
    assert graph.asked == []


async def test_the_graph_alone(zoo: MemoryKnowledge) -> None:
    related = RelatedChunk(*await chunk(zoo, "fish port"), 0.7)
    graph = Relations([related])
    found = await Retriever(zoo, MODEL, RetrievalOptions(), graph).rank("fish", MEMBER, method="graph")
    assert [(each.chunk_id, each.score, each.ranks) for each in found.ranked] == [(related.chunk_id, 0.7, {"graph": 1})]
    assert graph.asked[0][0].loose
    none = await Retriever(zoo, MODEL, RetrievalOptions()).rank("fish", MEMBER, method="graph")
    assert none.ranked == ()


async def test_rank_fusion_takes_it_as_a_third_list(zoo: MemoryKnowledge) -> None:
    related = RelatedChunk(*await chunk(zoo, "fish port"), 0.7)
    options = RetrievalOptions(fusion="rrf", graph_share=0.9)
    found = await Retriever(zoo, MODEL, options, Relations([related])).rank(QUESTION, MEMBER)
    assert found.ranked[0].chunk_id == related.chunk_id


async def test_chunks_like_the_first_results_count_when_wanted(zoo: MemoryKnowledge) -> None:
    options = RetrievalOptions(similar=2)
    found = await Retriever(zoo, MODEL, options, Relations([])).rank(QUESTION, MEMBER)
    assert any("graph" in each.ranks for each in found.ranked)
    assert replace(options, similar=0) == RetrievalOptions()
