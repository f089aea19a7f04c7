"""Opens the embedding model that the settings name."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol

from agent.providers.known_languages import ENGLISH_ONLY, known_languages
from agent.providers.open_embedder import EmbedderOptions, open_embedder
from bot.app.database import data_dir
from config.settings import Settings
from domain.model_ports import Embedder, TokenCounter
from storage.open import Storage


class LocalModel(Embedder, TokenCounter, Protocol):
    """An embedder that also counts tokens."""


def open_models(
    settings: Settings, *, indexed: tuple[str, int] | None = None, patience: float = 30.0
) -> AbstractAsyncContextManager[tuple[Embedder, TokenCounter]]:
    """The embedder that the settings name, and what measures its texts; see EmbedderOptions."""
    return open_embedder(embedder_options(settings, indexed=indexed, patience=patience))


@asynccontextmanager
async def models_of_index(
    settings: Settings, storage: Storage, *, patience: float
) -> AsyncIterator[tuple[Embedder, TokenCounter]]:
    """The same for what is indexed: a server with the model that the index was made with is not asked for its size."""
    live = await storage.version("live") if settings.embedding.embedding_base_url else None
    indexed = (live.embedder, live.dimensions) if live else None
    async with open_models(settings, indexed=indexed, patience=patience) as models:
        yield models


def embedder_options(
    settings: Settings, *, indexed: tuple[str, int] | None = None, patience: float = 30.0
) -> EmbedderOptions:
    """How embedders are opened, by the settings."""
    wanted = settings.embedding
    return EmbedderOptions(
        base_url=wanted.embedding_base_url,
        api_key=wanted.embedding_api_key.reveal() if wanted.embedding_api_key else "",
        model=wanted.embedding_model,
        threads=wanted.embedding_threads,
        cache_dir=data_dir(settings) / "models",
        indexed=indexed,
        patience=patience,
        query_prefix=wanted.embedding_query_prefix,
        passage_prefix=wanted.embedding_passage_prefix,
        input_types=wanted.embedding_input_types,
    )


async def languages_of(embedder: Embedder) -> str:
    """What to say of the languages that the model knows. Raises Transient, Misconfigured: see Embedder."""
    known = await known_languages(embedder)
    return f"knows {', '.join(known)}" if len(known) > 1 else ENGLISH_ONLY
