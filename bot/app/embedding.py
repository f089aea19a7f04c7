"""Opens the embedding model that the settings name."""

from contextlib import AbstractAsyncContextManager
from typing import Protocol

from agent.providers.open_embedder import EmbedderOptions, open_embedder, open_embedder_of
from bot.app.database import data_dir
from config.settings import Settings
from domain.ports import Embedder, TokenCounter
from storage.index.versions import IndexVersion


class LocalModel(Embedder, TokenCounter, Protocol):
    """An embedder that also counts tokens."""


def open_models(
    settings: Settings, *, indexed: tuple[str, int] | None = None, patience: float = 30.0
) -> AbstractAsyncContextManager[tuple[Embedder, TokenCounter]]:
    """The embedder that the settings name, and what measures its texts; see EmbedderOptions."""
    return open_embedder(_embedder_options(settings, indexed=indexed, patience=patience))


def open_model_of(
    settings: Settings, version: IndexVersion, *, patience: float = 30.0
) -> AbstractAsyncContextManager[Embedder]:
    """The embedder that a version of the index was made with; see open_embedder_of."""
    options = _embedder_options(settings, patience=patience)
    return open_embedder_of(options, version.embedder, version.dimensions)


def _embedder_options(
    settings: Settings, *, indexed: tuple[str, int] | None = None, patience: float
) -> EmbedderOptions:
    wanted = settings.embedding
    return EmbedderOptions(
        base_url=wanted.embedding_base_url,
        api_key=wanted.embedding_api_key.reveal() if wanted.embedding_api_key else "",
        model=wanted.embedding_model,
        threads=wanted.embedding_threads,
        cache_dir=data_dir(settings) / "models",
        indexed=indexed,
        patience=patience,
    )
