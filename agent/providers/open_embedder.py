"""Opens the embedding model that the settings name."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from agent.providers.embedding_prefixes import Prefixes, prefixes_of
from agent.providers.minilm import NAME, WINDOW, open_minilm
from agent.providers.wordpieces import WordPieces
from domain.errors import Misconfigured
from domain.model_ports import Embedder, TextKind, TokenCounter
from domain.vector_names import parts_of

if TYPE_CHECKING:
    from agent.providers.minilm import MiniLM
    from agent.providers.openai_embeddings import EmbeddingsEndpoint, OpenAIEmbedder


AUTO, NONE = "auto", "none"
"""As a prefix: what is known of the model by its name, or nothing where the server is told what a text is; nothing."""


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
    query_prefix: str = AUTO
    """What the API's model wants before a question."""
    passage_prefix: str = AUTO
    """The same before a passage."""
    input_types: tuple[str, ...] = ()
    """The API's words for a question and for a passage in its field `input_type`; empty where it has none."""


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
    known = parts_of(name)
    if name == NAME:
        yield await _local(options)
        return
    if options.base_url and known.model and known.dimensions == str(dimensions):
        from agent.providers.openai_embeddings import OpenAIEmbedder

        endpoint = _endpoint(options, options.base_url, known.model)
        if not known.passage_prefix and (
            endpoint.prefixes.passage or endpoint.input_types
        ):  # made by a release that told models nothing
            endpoint = replace(endpoint, prefixes=Prefixes(), input_types={})
        if endpoint.name(dimensions) == name:
            async with OpenAIEmbedder(endpoint, dimensions) as remote:
                yield remote
                return
    raise Misconfigured(
        f"The model {name} cannot be reached with these settings",
        why="It is not the local one, KB_AGENT_EMBEDDING_BASE_URL names no server that may have it, or it would be told"
        " other things before its texts.",
        next_step="Put the embedding settings back that the index was made with.",
    )


async def _local(options: EmbedderOptions) -> "MiniLM":
    threads = options.threads or len(os.sched_getaffinity(0))
    return await asyncio.to_thread(open_minilm, options.cache_dir, threads)


def _endpoint(options: EmbedderOptions, base_url: str, model: str) -> "EmbeddingsEndpoint":
    # an HTTP library is not needed for the local model
    from agent.providers.openai_embeddings import EmbeddingsEndpoint
    from net.retries import Retries

    types: dict[TextKind, str] = {}
    if options.input_types:
        if len(options.input_types) != 2:
            raise Misconfigured(
                "KB_AGENT_EMBEDDING_INPUT_TYPES takes two words, or none",
                why=f"It has {len(options.input_types)}: {', '.join(options.input_types)}",
                next_step="Name what the server calls a question and a passage, as in: query,passage",
            )
        types = {"query": options.input_types[0], "passage": options.input_types[1]}
    known = Prefixes() if types else prefixes_of(model)
    query = _prefix(options.query_prefix, known.query)
    passage = _prefix(options.passage_prefix, known.passage)
    return EmbeddingsEndpoint(
        base_url,
        options.api_key,
        model,
        max_tokens=WINDOW - 2,
        retries=Retries(budget=options.patience),
        prefixes=Prefixes(query, passage),
        input_types=types,
    )


def _prefix(wanted: str, known: str) -> str:
    word = wanted.strip().lower()
    return known if word in {AUTO, ""} else "" if word == NONE else wanted


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
