"""The model that an index was made with, as far as the settings reach it."""

from pathlib import Path

import numpy as np
import pytest

from agent.providers.minilm import NAME
from agent.providers.open_embedder import EmbedderOptions, open_embedder_of
from domain.errors import Misconfigured
from tests.fakes.embedder import HashEmbedder
from tests.fakes.embeddings_server import KEY, MODEL, embeddings_server


def options(folder: Path, base_url: str | None = None, model: str | None = "another") -> EmbedderOptions:
    return EmbedderOptions(base_url, KEY, model, threads=1, cache_dir=folder, patience=0.0)


async def test_another_model_of_the_same_server(tmp_path: Path) -> None:
    with embeddings_server() as server:
        async with open_embedder_of(options(tmp_path, server.base_url), f"{MODEL}/64", 64) as embedder:
            assert not server.requests, "nothing is asked before there is something to embed"
            assert embedder.identity.name == f"{MODEL}/64"
            assert np.allclose(await embedder.embed(["a lamp"]), HashEmbedder(64).vectors(["a lamp"]))


@pytest.mark.parametrize(("name", "dimensions"), [(f"{MODEL}/32", 32), ("unknown/64", 64)])
async def test_a_server_that_does_not_have_it_says_so(tmp_path: Path, name: str, dimensions: int) -> None:
    with embeddings_server() as server:
        async with open_embedder_of(options(tmp_path, server.base_url), name, dimensions) as embedder:
            with pytest.raises(Misconfigured):
                await embedder.embed(["a lamp"])


@pytest.mark.parametrize(
    ("base_url", "name"),
    [(None, "hash-model/64"), ("http://127.0.0.1:9/v1", "hash-model/32"), ("http://127.0.0.1:9/v1", "/64")],
)
async def test_what_the_settings_do_not_lead_to(tmp_path: Path, base_url: str | None, name: str) -> None:
    with pytest.raises(Misconfigured, match="cannot be reached with these settings"):
        async with open_embedder_of(options(tmp_path, base_url), name, 64):
            pass


@pytest.mark.model
async def test_the_local_model_is_always_there(tmp_path: Path) -> None:
    async with open_embedder_of(options(tmp_path, "http://127.0.0.1:9/v1"), NAME, 384) as embedder:
        assert embedder.identity.name == NAME
        assert (await embedder.embed(["a lamp"])).shape == (1, 384)
