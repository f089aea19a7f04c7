"""Servers beside the model are not waited for long, and left alone once they failed."""

import asyncio
from collections.abc import Sequence

import pytest

from agent.providers.guarded import Guard, GuardedEmbedder, GuardedReranker
from domain.errors import Misconfigured, Transient
from domain.model_ports import TextKind, Vectors
from domain.search import Passage
from tests.fakes.embedder import HashEmbedder
from tests.fakes.passages import passage
from tests.fakes.reranker import OverlapReranker


class Slow(HashEmbedder):
    """Takes its time. error: raised in place of vectors."""

    def __init__(self, seconds: float, error: Exception | None = None) -> None:
        super().__init__()
        self.seconds, self.error, self.calls = seconds, error, 0

    async def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        self.calls += 1
        await asyncio.sleep(self.seconds)
        if self.error:
            raise self.error
        return await super().embed(texts, kind)


class SlowReranker(OverlapReranker):
    """Never says anything."""

    async def scores(self, question: str, passages: Sequence[Passage]) -> list[float]:
        await asyncio.sleep(3600)
        return []


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


async def test_an_embedder_that_hangs_is_given_up_and_left_alone_for_a_while() -> None:
    slow, clock = Slow(3600), Clock()
    embedder = GuardedEmbedder(slow, Guard("embeddings", "KB_AGENT_EMBEDDING_BASE_URL", clock=clock), seconds=0.02)
    with pytest.raises(Transient, match="embeddings endpoint hangs") as raised:
        await embedder.embed(["a"])
    assert "no reply within" in raised.value.why
    with pytest.raises(Transient, match="embeddings endpoint hangs"):
        await embedder.embed(["a"])
    assert slow.calls == 1
    clock.now += 30
    slow.seconds = 0
    assert (await embedder.embed(["a"])).shape == (1, slow.identity.dimensions)
    assert slow.calls == 2


async def test_many_texts_may_take_longer() -> None:
    embedder = GuardedEmbedder(Slow(0.1), Guard("embeddings", "URL"), seconds=0.01, more=1)
    assert len(await embedder.embed(["a", "b"])) == 2


async def test_an_embedder_that_is_away_is_left_alone_too_but_not_one_that_refuses() -> None:
    away, refusing = Slow(0, Transient("away")), Slow(0, Misconfigured("wrong key"))
    for each, words, calls in ((away, "away", 1), (refusing, "wrong key", 2)):
        embedder = GuardedEmbedder(each, Guard("embeddings", "URL"))
        for _ in range(2):
            with pytest.raises((Transient, Misconfigured), match=words):
                await embedder.embed(["a"])
        assert each.calls == calls


async def test_a_reranker_that_hangs_is_given_up() -> None:
    reranker = GuardedReranker(SlowReranker(), Guard("reranking", "KB_AGENT_RERANK_URL"), seconds=0.02)
    for _ in range(2):
        with pytest.raises(Transient, match="reranking endpoint hangs"):
            await reranker.scores("q", [passage("text")])


async def test_what_answers_in_time_is_what_it_was() -> None:
    plain = OverlapReranker()
    reranker = GuardedReranker(plain, Guard("reranking", "URL"))
    assert reranker.name == plain.name
    asked = ("travel expenses", [passage("travel"), passage("expenses of travel")])
    assert await reranker.scores(*asked) == await plain.scores(*asked)
