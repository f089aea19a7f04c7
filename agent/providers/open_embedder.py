"""Opens the embedding model that the settings name."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agent.providers.minilm import NAME, WINDOW, open_minilm
from agent.providers.wordpieces import WordPieces
from domain.errors import Misconfigured
from domain.model_ports import Embedder, TokenCounter

if TYPE_CHECKING:
    from agent.providers.minilm import MiniLM
    from agent.providers.openai_embeddings import EmbeddingsEndpoint, OpenAIEmbedder


@dataclass(frozen=True, slots=True)
class EmbedderOptions:
    """Which model embeds."""

    base_url: str | None
    """Address of an OpenAI-compatible API; None for the local MiniLM."""
    api_key: str
    model: str | None
    """Name of the model at that API; `api_key` is for it, too."""
    threads: int
    """Threads of the local model; 0 for one a core."""
    cache_dir: Path
    """Folder for the local model's graph."""
    indexed: tuple[str, int] | None = None
    """Name and dimensions of the model that the index was made with; the same one at the API is taken as it was,
    without asking, so that a server that is away stops nobody from searching by words."""
    patience: float = 30.0
    """Seconds for which a request that fails is tried again."""


@asynccontextmanager
async def open_embedder(options: EmbedderOptions) -> AsyncIterator[tuple[Embedder, TokenCounter]]:
    """The embedder, and what measures its texts: MiniLM's tokenizer, which also stands in for a server's own.

    Raises:
        Misconfigured: the model is missing, or the server refuses us.
        Transient: the server is away.
    """
    if options.base_url is None:
        local = await _local(options)
        yield local, local
        return
    if options.model is None:
        raise Misconfigured(
            "There is no embedding model named",
            why="KB_AGENT_EMBEDDING_BASE_URL names a server, KB_AGENT_EMBEDDING_MODEL no model.",
            next_step="Set KB_AGENT_EMBEDDING_MODEL, or unset KB_AGENT_EMBEDDING_BASE_URL to use the local model.",
        )
    async with await _remote(options, options.base_url, options.model) as remote:
        yield remote, WordPieces.packaged()


@asynccontextmanager
async def open_embedder_of(options: EmbedderOptions, name: str, dimensions: int) -> AsyncIterator[Embedder]:
    """The model that an index was made with, which may be another one than the options name: the local one, or the
    one of that name at the same API. Nothing is asked of a server yet.

    Args:
        name, dimensions: of its identity.

    Raises:
        Misconfigured: the options lead to no such model.
    """
    model, _, length = name.rpartition("/")
    if name == NAME:
        yield await _local(options)
    elif options.base_url and model and length == str(dimensions):
        from agent.providers.openai_embeddings import OpenAIEmbedder

        async with OpenAIEmbedder(_endpoint(options, options.base_url, model), dimensions) as remote:
            yield remote
    else:
        raise Misconfigured(
            f"The model {name} cannot be reached with these settings",
            why="It is not the local one, and KB_AGENT_EMBEDDING_BASE_URL names no server that may have it.",
            next_step="Put the embedding settings back that the index was made with.",
        )


async def _local(options: EmbedderOptions) -> "MiniLM":
    threads = options.threads or len(os.sched_getaffinity(0))
    return await asyncio.to_thread(open_minilm, options.cache_dir, threads)


def _endpoint(options: EmbedderOptions, base_url: str, model: str) -> "EmbeddingsEndpoint":
    # an HTTP library is not needed for the local model
    from agent.providers.openai_embeddings import EmbeddingsEndpoint
    from net.retries import Retries

    retries = Retries(budget=options.patience)
    return EmbeddingsEndpoint(base_url, options.api_key, model, max_tokens=WINDOW - 2, retries=retries)


async def _remote(options: EmbedderOptions, base_url: str, model: str) -> "OpenAIEmbedder":
    """The model at the API. How long its vectors are is asked only where the index does not tell."""
    from agent.providers.openai_embeddings import OpenAIEmbedder, open_openai_embedder

    endpoint = _endpoint(options, base_url, model)
    if options.indexed:
        name, dimensions = options.indexed
        remote = OpenAIEmbedder(endpoint, dimensions)
        if remote.identity.name == name:
            return remote
        await remote.aclose()
    return await open_openai_embedder(endpoint)
