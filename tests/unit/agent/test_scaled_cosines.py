"""Cosines count on the common scale, whatever model made them; questions are embedded as such."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from agent.questions.expected import expected
from agent.reasoners.offline.judging import judge, relevance_of
from agent.reasoners.offline.likely_answer import features_of
from agent.reasoners.offline.quoting import choose, score_units
from agent.retrieval.retriever import RetrievalOptions, Retrieved, Retriever
from domain.access import Scope
from domain.cosine_scale import ANSWERING, UNRELATED, CosineScale
from domain.errors import Transient
from domain.model_ports import TextKind, Vectors
from domain.search import Passage
from tests.fakes.agent import a_passage
from tests.fakes.documents import a_document, put
from tests.fakes.embedder import HashEmbedder
from tests.fakes.knowledge import MemoryKnowledge

NARROW = CosineScale(0.777, 0.857)
"""That of multilingual-e5-small."""

QUESTION = "Who feeds the walrus?"
MEASURE = Retrieved((), {"feed": 2.0, "walrus": 2.0}, vector=np.array([1, 0], np.float32), scale=NARROW)


class Recording(HashEmbedder):
    """Keeps what kinds of text it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.kinds: list[TextKind] = []

    async def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        self.kinds.append(kind)
        return await super().embed(texts, kind)


def at(cosine: float) -> Passage:
    """A passage with this cosine to the question, that shares no word with it."""
    vector = np.array([cosine, (1 - cosine**2) ** 0.5], np.float32)
    return replace(a_passage("Nothing of the kind."), vector=vector)


async def test_a_question_is_embedded_as_one_and_measured_by_what_the_index_tells() -> None:
    model = Recording()
    knowledge = MemoryKnowledge(model.identity)
    knowledge.scale = NARROW
    await put(knowledge, HashEmbedder(), a_document("a"), "The walrus is fed at noon.")
    retriever = Retriever(knowledge, model, RetrievalOptions())
    for _ in range(2):  # measured anew, and remembered
        assert (await retriever.measure(QUESTION, Scope.member())).scale == NARROW
    await retriever.rank(QUESTION, Scope.member())
    assert model.kinds == ["query"]


@pytest.mark.parametrize(("own", "common"), [(0.777, UNRELATED), (0.857, ANSWERING)])
def test_likeness_is_on_the_common_scale(own: float, common: float) -> None:
    assert MEASURE.likeness(at(own).vector) == pytest.approx(common, abs=1e-6)


def test_what_has_no_vector_is_like_nothing() -> None:
    assert MEASURE.likeness(np.zeros(2, np.float32)) == 0.0
    assert replace(MEASURE, vector=None).likeness(at(0.9).vector) == 0.0


def test_a_stranger_of_such_a_model_is_no_evidence() -> None:
    plain = replace(MEASURE, scale=CosineScale())
    assert judge(plain, [at(0.79)]) > 0.25
    assert judge(MEASURE, [at(0.79)]) < 0.05
    assert relevance_of(at(0.79), 0.0, MEASURE) == judge(MEASURE, [at(0.79)])
    assert judge(MEASURE, [at(0.93)]) > 5 * judge(MEASURE, [at(0.79)])


class Placed(HashEmbedder):
    """Gives each unit the next of these cosines with the question."""

    def __init__(self, *cosines: float) -> None:
        super().__init__()
        self.cosines = cosines

    async def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        assert kind == "passage"
        return np.array([at(cosine).vector for cosine in self.cosines[: len(texts)]])


async def test_units_are_scored_and_told_apart_on_the_common_scale() -> None:
    passage = a_passage("Seals are fed by Ann. Walruses are fed by Bob.")
    model = Placed(0.857, 0.9)
    units, _ = await score_units(model, MEASURE, [passage], expected(QUESTION))
    assert float(units[0].vector @ units[1].vector) > 0.99, "as they are, one would repeat the other"
    best = features_of(units, [passage], MEASURE, expected(QUESTION), QUESTION)
    assert best.cosine == pytest.approx(MEASURE.likeness(units[0].vector))
    assert {round(each.scale.answering, 3) for each in units} == {0.857}


async def test_without_vectors_of_units_words_alone_count() -> None:
    class Away(HashEmbedder):
        async def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
            raise Transient("The embedding server is away")

    passage = a_passage("The walrus is fed by Bob.")
    units, missing = await score_units(Away(), MEASURE, [passage], expected(QUESTION))
    assert missing
    assert features_of(units, [passage], MEASURE, expected(QUESTION), QUESTION).cosine == 0.0
    assert choose(units, 2) == units[:1]
