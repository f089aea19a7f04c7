"""What a model's cosines mean is measured, not assumed."""

from collections.abc import Sequence

import numpy as np
import pytest

from agent.providers.cosine_probes import PROBES, measured_scale
from agent.providers.openai_embeddings import EmbeddingsEndpoint, open_openai_embedder
from domain.cosine_scale import ANSWERING, COMMON_SCALE, UNRELATED
from domain.model_ports import TextKind, Vectors
from tests.fakes.embedder import HashEmbedder
from tests.fakes.embeddings_server import KEY, MODEL, embeddings_server
from tests.fakes.local_model import local_minilm


@pytest.mark.model
async def test_the_packaged_model_defines_the_common_scale() -> None:
    measured = await measured_scale(local_minilm())
    assert (measured.unrelated, measured.answering) == pytest.approx((UNRELATED, ANSWERING), abs=1e-5)


class Narrow(HashEmbedder):
    """Places each question and its answer at about 60 degrees, and adds one direction: no cosine is below 0.7."""

    def vectors(self, texts: Sequence[str]) -> Vectors:
        rows = np.zeros((len(texts), 40), np.float32)
        rows[:, 0] = 2.0
        for row, text in zip(rows, texts, strict=True):
            place, side = next(
                ((p, s) for p, pair in enumerate(PROBES) for s, each in enumerate(pair) if each == text), (0, 0)
            )
            row[1 + place] = 1.0
            row[17 + (place + 5 * side) % 16] = 0.8
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


async def test_a_model_whose_cosines_are_all_high_is_brought_to_it_by_two_requests() -> None:
    with embeddings_server() as server:
        server.others[MODEL] = Narrow()
        async with await open_openai_embedder(EmbeddingsEndpoint(server.base_url, KEY, MODEL)) as embedder:
            scale = await measured_scale(embedder)
            assert len(server.requests) == 3, "opening, questions, answers"
            questions = await embedder.embed([question for question, _ in PROBES], "query")
            answers = await embedder.embed([answer for _, answer in PROBES])
    cosines = questions @ answers.T
    assert cosines.min() > 0.7, "no limit on cosines would tell them apart"
    placed = np.vectorize(scale.common)(cosines)
    strangers = placed[~np.eye(len(PROBES), dtype=bool)]
    assert strangers.mean() == pytest.approx(UNRELATED, abs=0.05)
    assert np.diagonal(placed).mean() > strangers.mean() + 0.3


class Alike(HashEmbedder):
    async def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        return np.tile(np.eye(1, 8, dtype=np.float32), (len(texts), 1))


async def test_a_model_that_tells_nothing_apart_has_the_common_scale(caplog: pytest.LogCaptureFixture) -> None:
    assert await measured_scale(Alike()) == COMMON_SCALE
    assert "hardly tells answers from other texts" in caplog.text
