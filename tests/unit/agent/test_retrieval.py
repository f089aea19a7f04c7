from collections.abc import Sequence

import pytest

from agent.retrieval.retriever import Ranked, RetrievalOptions, Retriever, one_a_document
from domain.access import NOBODY, Scope
from domain.errors import Misconfigured, Transient
from domain.model_ports import TextKind, Vectors
from domain.search import Filters, Method
from domain.text.synonyms import Synonyms
from tests.fakes.documents import a_document, put
from tests.fakes.embedder import HashEmbedder
from tests.fakes.knowledge import MemoryKnowledge

MODEL = HashEmbedder()
MEMBER = Scope.member()


class AwayEmbedder(HashEmbedder):
    """A model whose server is away."""

    async def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        raise Transient("The embedding server is away")


class UnaskedEmbedder(HashEmbedder):
    """A model that must not be needed."""

    async def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        raise AssertionError("lexical retrieval needs no vector")


async def an_index(**texts: str) -> MemoryKnowledge:
    knowledge = MemoryKnowledge(MODEL.identity)
    for name, text in texts.items():
        await put(knowledge, MODEL, a_document(name), text)
    return knowledge


async def a_zoo() -> MemoryKnowledge:
    return await an_index(
        food="The walrus eats fish at noon",
        printer="The printer wants toner every month",
        pool="The walrus swims in a cold pool of salt water",
        bus="The bus to town leaves at nine",
        rent="Rent is due on the first day",
    )


def retriever(knowledge: MemoryKnowledge, model: HashEmbedder = MODEL, **options: object) -> Retriever:
    return Retriever(knowledge, model, RetrievalOptions(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("method", "retrievals"),
    [("lexical", {"lexical"}), ("dense", {"dense"}), ("hybrid", {"lexical", "dense"})],
)
async def test_each_method_ranks_by_its_retrievals(method: Method, retrievals: set[str]) -> None:
    found = await retriever(await a_zoo()).rank("walrus fish", MEMBER, method=method)
    assert found.ranked[0].document_id == a_document("food").document_id
    assert set(found.ranked[0].ranks) == retrievals
    assert (found.ranked[0].cosine is None) == ("dense" not in retrievals)
    assert (found.vector is None) == ("dense" not in retrievals)
    assert found.degraded == ""


async def test_lexical_finds_only_what_shares_a_word_and_dense_everything() -> None:
    search = retriever(await a_zoo())
    assert len((await search.rank("walrus", MEMBER, method="lexical")).ranked) == 2
    assert len((await search.rank("walrus", MEMBER, method="dense")).ranked) == 5


async def test_lexical_asks_no_model() -> None:
    search = retriever(await a_zoo(), UnaskedEmbedder())
    found = await search.rank("toner", MEMBER, method="lexical")
    assert [item.document_id for item in found.ranked] == [a_document("printer").document_id]
    assert set(found.term_idf) == {"toner"}


async def test_ranks_tell_the_place_in_each_ranking() -> None:
    found = await retriever(await a_zoo()).rank("walrus fish", MEMBER)
    lexical = sorted(item.ranks["lexical"] for item in found.ranked if "lexical" in item.ranks)
    assert lexical == [1, 2]
    assert sorted(item.ranks["dense"] for item in found.ranked) == [1, 2, 3, 4, 5]


async def test_all_weight_on_words_gives_their_order_and_none_the_other() -> None:
    knowledge = await a_zoo()
    words = await retriever(knowledge, fusion="normalised", lexical_weight=1.0).rank("the cold walrus", MEMBER)
    meaning = await retriever(knowledge, fusion="normalised", lexical_weight=0.0).rank("the cold walrus", MEMBER)
    dense = await retriever(knowledge).rank("the cold walrus", MEMBER, method="dense")
    lexical = await retriever(knowledge).rank("the cold walrus", MEMBER, method="lexical")
    assert [item.chunk_id for item in meaning.ranked] == [item.chunk_id for item in dense.ranked]
    assert [item.chunk_id for item in words.ranked][:2] == [item.chunk_id for item in lexical.ranked]


async def test_reciprocal_rank_fusion_scores_by_place_with_its_k() -> None:
    found = await retriever(await a_zoo(), fusion="rrf", rrf_k=9, lexical_weight=0.25).rank("walrus fish", MEMBER)
    for item in found.ranked:
        lexical = 0.25 * 10 / (9 + item.ranks["lexical"]) if "lexical" in item.ranks else 0
        assert item.score == pytest.approx(lexical + 0.75 * 10 / (9 + item.ranks["dense"]))
    assert [item.score for item in found.ranked] == sorted((item.score for item in found.ranked), reverse=True)


async def test_normalised_fusion_gives_one_to_the_best_of_both() -> None:
    found = await retriever(await a_zoo(), fusion="normalised").rank("walrus fish", MEMBER)
    assert found.ranked[0].score == pytest.approx(1.0)


async def test_the_limit_holds_and_the_best_stay() -> None:
    search = retriever(await a_zoo())
    every, two = await search.rank("walrus", MEMBER), await search.rank("walrus", MEMBER, limit=2)
    assert two.ranked == every.ranked[:2]


async def test_a_limit_above_the_candidates_widens_them() -> None:
    search = retriever(await a_zoo(), candidates=1)
    assert len((await search.rank("walrus", MEMBER, method="dense", limit=4)).ranked) == 4


async def test_diversity_puts_another_subject_before_a_copy() -> None:
    text = "The walrus eats fish at noon"
    knowledge = await an_index(a=text, b=text, c="Where the walrus sleeps", d="Toner", e="Rent is due", f="A bus")
    plain = await retriever(knowledge).rank("walrus eats fish", MEMBER, limit=2)
    varied = await retriever(knowledge, diversity=0.6).rank("walrus eats fish", MEMBER, limit=2)
    copies = {a_document("a").document_id, a_document("b").document_id}
    assert {item.document_id for item in plain.ranked} == copies
    assert varied.ranked[0].document_id in copies
    assert varied.ranked[1].document_id not in copies


async def test_diversity_needs_no_candidates() -> None:
    found = await retriever(await a_zoo(), diversity=0.5).rank("x", MEMBER, filters=Filters(sources=("none",)))
    assert found.ranked == ()


@pytest.mark.parametrize("diversity", [0.0, 0.5])
async def test_while_the_model_is_away_words_answer_and_say_so(diversity: float) -> None:
    search = retriever(await a_zoo(), AwayEmbedder(), diversity=diversity)
    found = await search.rank("walrus fish", MEMBER)
    assert found.ranked[0].document_id == a_document("food").document_id
    assert len(found.ranked) == 2
    assert found.vector is None
    assert found.degraded == "Searched by words alone: the embedding server is away."


async def test_dense_alone_cannot_do_without_the_model() -> None:
    search = retriever(await a_zoo(), AwayEmbedder())
    with pytest.raises(Transient, match="The embedding server is away"):
        await search.rank("walrus", MEMBER, method="dense")


async def test_an_index_of_another_model_is_not_searched() -> None:
    with pytest.raises(Misconfigured, match="another embedding model"):
        await retriever(await a_zoo(), HashEmbedder(32)).rank("walrus", MEMBER)


async def test_scope_and_filters_apply() -> None:
    knowledge = await a_zoo()
    await put(knowledge, MODEL, a_document("secret", acl=NOBODY), "The walrus has a secret")
    await put(knowledge, MODEL, a_document("blog", source="blog"), "The walrus has a blog")
    search = retriever(knowledge)
    seen = {item.document_id for item in (await search.rank("walrus", MEMBER)).ranked}
    assert a_document("secret").document_id not in seen
    narrowed = await search.rank("walrus", MEMBER, filters=Filters(sources=("blog",)))
    assert [item.document_id for item in narrowed.ranked] == [a_document("blog", source="blog").document_id]


async def test_passages_come_in_the_order_of_the_ranking_without_those_gone() -> None:
    knowledge = await a_zoo()
    search = retriever(knowledge)
    ranked = (await search.rank("walrus fish", MEMBER)).ranked
    await knowledge.hide("docs", ["pool"])
    shown = [p.chunk_id for p in await search.passages(ranked, MEMBER)]
    pool = a_document("pool").document_id
    assert shown == [item.chunk_id for item in ranked if item.document_id != pool]
    assert len(shown) == len(ranked) - 1


def test_one_a_document_keeps_the_best_chunk_of_each() -> None:
    ranked = [Ranked("a1", "a", 0.9, {}), Ranked("b1", "b", 0.8, {}), Ranked("a2", "a", 0.7, {})]
    assert [item.chunk_id for item in one_a_document(ranked)] == ["a1", "b1"]


async def test_a_passage_of_the_day_that_is_asked_for_comes_first() -> None:
    knowledge = await an_index(
        first="On 2026-08-10 Ada did report of the pump, and of a leak in the cellar",
        second="On 2026-09-11 Ada did report of the pump",
        third="The pump is blue.",
    )
    search = retriever(knowledge)
    asked = await search.rank("What did Ada report of the pump on 10 August?", MEMBER)
    assert asked.ranked[0].document_id == a_document("first").document_id
    other = await search.rank("What did Ada report of the pump on 12 August?", MEMBER)
    plain = await search.rank("What did Ada report of the pump?", MEMBER)
    assert other.ranked[0].document_id == plain.ranked[0].document_id == a_document("second").document_id


async def test_an_operators_synonyms_find_what_other_words_say() -> None:
    knowledge = await an_index(leave="Annual leave is booked in the portal.", toner="Printers need toner.")
    plain = await retriever(knowledge).rank("time off", Scope.member(), method="lexical")
    assert plain.ranked == ()
    own = Synonyms((("time off", "annual leave"),))
    found = await retriever(knowledge, synonyms=own).rank("time off", Scope.member(), method="lexical")
    (best,) = await retriever(knowledge).passages(found.ranked, Scope.member())
    assert best.text == "Annual leave is booked in the portal."
    assert "annual" not in found.term_idf, "the question is judged by its own words"


async def test_two_wordings_keep_the_limit() -> None:
    knowledge = await an_index(one="walrus", two="seal", three="walrus seal")
    own = Synonyms((("walrus", "seal"),))
    found = await retriever(knowledge, synonyms=own).rank("walrus", Scope.member(), limit=2)
    assert len(found.ranked) == 2
