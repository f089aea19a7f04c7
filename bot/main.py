"""The composition root: settings in, a working product out."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from platformdirs import user_data_path

from agent.providers.guarded import Guard, GuardedEmbedder
from agent.providers.open import EmbedderOptions, open_embedder, open_embedder_of
from agent.retrieval import RetrievalOptions, Retriever
from agent.service import AnswerService
from bot.answering import Parts, open_answers
from bot.masking import masker_of, policy_of
from config.settings import Settings
from domain.access import NOBODY, ORGANISATION, Acl, user
from domain.errors import Misconfigured
from domain.masking import Masker
from domain.ports import Embedder, GraphSearch, TokenCounter
from domain.text.tokens import Analyzer
from storage.access import PostgresAccess
from storage.database import DatabaseOptions
from storage.graph_neighbourhood import Reach
from storage.graph_search import PostgresGraphSearch, Walking
from storage.open import Storage, open_storage
from storage.search import PostgresSearch
from storage.sources import Source
from storage.vectors import Effort
from storage.versions import IndexVersion, State
from storage.writer import PostgresWriter

if TYPE_CHECKING:  # indexing's libraries are imported when something is indexed: answering starts faster without
    from indexer.chunk import ChunkLimits
    from indexer.connectors.base import Connector
    from indexer.parse.sandbox import ParserPool


S = TypeVar("S")
T = TypeVar("T")


class LocalModel(Embedder, TokenCounter, Protocol):
    """An embedder that also counts tokens."""


@dataclass(frozen=True, slots=True)
class Product:
    """Everything wired together.

    counter: measures chunks, whichever model embeds them. masker: of everything that is kept or leaves.
    """

    settings: Settings
    storage: Storage
    embedder: Embedder
    counter: TokenCounter
    search: PostgresSearch
    retriever: Retriever
    answers: AnswerService
    masker: Masker
    graph: GraphSearch

    @property
    def analyzer(self) -> Analyzer:
        """How new index versions make their tokens."""
        return Analyzer(self.settings.search.lexical_stemming)

    async def writer(self, *, rebuild: bool = False) -> PostgresWriter:
        """Writing into the live index, or with `rebuild` into one beside it, with the levels that the settings name.

        Raises Misconfigured when the live index was made otherwise.
        """
        make = self.storage.rebuild if rebuild else self.storage.writer
        level = self.settings.index.index_propositions
        return await make(self.embedder.identity, self.analyzer, propositions=level)

    def access(self) -> PostgresAccess:
        """Keeping what sources say of whom they admit."""
        return self.storage.access(timedelta(hours=self.settings.access.acl_max_age))

    @property
    def chunk_limits(self) -> "ChunkLimits":
        """How chunks are cut for the model in use."""
        from indexer.chunk import ChunkLimits

        index = self.settings.index
        return ChunkLimits(
            max_tokens=self.embedder.identity.max_tokens,
            target_tokens=min(index.chunk_target_tokens, self.embedder.identity.max_tokens),
            overlap_tokens=index.chunk_overlap_tokens,
        )


def data_dir(settings: Settings) -> Path:
    """The folder for the embedded database, caches and logs."""
    if settings.storage.data_dir is not None:
        return settings.storage.data_dir
    # root's home is private, and root's embedded server runs as another user
    return Path("/var/lib/kb-agent") if os.geteuid() == 0 else user_data_path("kb-agent")


def database_options(settings: Settings, name: str | None = None) -> DatabaseOptions:
    """Where the database is; `name` for another one on the same server."""
    storage = settings.storage
    return DatabaseOptions(
        url=storage.database_url.reveal() if storage.database_url else None,
        data_dir=data_dir(settings),
        name=name,
        pool=storage.database_pool,
        connect_seconds=storage.database_connect_seconds,
    )


@asynccontextmanager
async def open_product(
    settings: Settings, *, database: str | None = None, model: LocalModel | None = None, patience: float = 30.0
) -> AsyncIterator[Product]:
    """Opens the store and the models.

    Args:
        database: another database on the same server, instead of the usual one.
        model: embeds and counts, instead of the one that the settings name.
        patience: seconds for which a request to a model's server is tried again.

    Raises:
        Misconfigured, Transient: whatever is missing says so.
    """
    masker = masker_of(policy_of(settings))
    async with AsyncExitStack() as stack:
        opening = stack.enter_async_context(open_storage(database_options(settings, database)))
        if model is None and settings.embedding.embedding_base_url:
            storage = await opening
            models = open_models(settings, indexed=await _indexed_with(storage), patience=patience)
            embedder, counter = await stack.enter_async_context(models)
        else:
            local = open_models(settings) if model is None else nullcontext((model, model))
            storage, (embedder, counter) = await _both(opening, stack.enter_async_context(local))
        search, retriever = searching(settings, storage, embedder)
        graph = graph_of(settings, storage, embedder)
        parts = _asking(settings, storage, embedder, masker)
        answers = await stack.enter_async_context(open_answers(settings, parts))
        yield Product(settings, storage, embedder, counter, search, retriever, answers, masker, graph)


def _asking(settings: Settings, storage: Storage, embedder: Embedder, masker: Masker) -> Parts:
    """What questions are answered with: they do not wait for a server of embeddings as long as an index does."""
    if settings.embedding.embedding_base_url:
        embedder = GuardedEmbedder(embedder, Guard("embeddings", "KB_AGENT_EMBEDDING_BASE_URL"))
    search, retriever = searching(settings, storage, embedder)
    graph = graph_of(settings, storage, embedder)
    return Parts(storage, search, retriever, embedder, data_dir(settings) / "models", masker, graph)


async def _both(one: Awaitable[S], other: Awaitable[T]) -> tuple[S, T]:
    """The results of both, side by side. Both come to their end even when one fails: what is open must be closed."""
    first, second = await asyncio.gather(one, other, return_exceptions=True)
    if isinstance(first, BaseException):
        raise first
    if isinstance(second, BaseException):
        raise second
    return first, second


async def _indexed_with(storage: Storage) -> tuple[str, int] | None:
    """Name and dimensions of the model that the live index was made with."""
    status = await storage.status()
    return (status.version.embedder, status.version.dimensions) if status else None


def searching(
    settings: Settings, storage: Storage, embedder: Embedder, *, state: State = "live"
) -> tuple[PostgresSearch, Retriever]:
    """The index as questions see it. state: of the version."""
    wanted = settings.search
    search = storage.search(
        embedder.identity,
        exact_max=wanted.vector_exact_max,
        effort=Effort(wanted.vector_ef_search, wanted.vector_max_scan),
        state=state,
    )
    graph = graph_of(settings, storage, embedder, state=state) if settings.agent.graph_search else None
    retrieval = RetrievalOptions(
        fusion=wanted.fusion,
        lexical_weight=wanted.fusion_lexical_weight,
        graph_share=wanted.fusion_graph_share,
        similar=wanted.graph_similar,
        rrf_k=wanted.rrf_k,
        candidates=wanted.search_candidates,
        diversity=wanted.diversity,
    )
    return search, Retriever(search, embedder, retrieval, graph)


def graph_of(settings: Settings, storage: Storage, embedder: Embedder, *, state: State = "live") -> PostgresGraphSearch:
    """The knowledge graph as questions see it. state: of the version."""
    walking = Walking(Reach(common=settings.search.graph_common), settings.search.graph_walk)
    return storage.graph_search(walking, embedder=embedder, state=state)


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


@asynccontextmanager
async def open_connector(source: Source, settings: Settings) -> "AsyncIterator[Connector]":
    """The connector of a configured source.

    Raises Misconfigured when this release does not know its kind.
    """
    index, audience = settings.index, acl_of(source.options.get("audience"))
    if source.kind in {"confluence", "jira"}:
        from bot.atlassian import open_atlassian

        async with open_atlassian(source, settings) as opened:
            yield opened
    elif source.kind == "files":
        from indexer.connectors.files import FilesConnector

        yield FilesConnector(
            Path(str(source.options["path"])), audience, max_bytes=round(index.max_file_mb * 1_000_000)
        )
    elif source.kind == "web":
        from indexer.connectors.fetch import FetchPolicy, SafeFetcher
        from indexer.connectors.web import WebConnector

        policy = FetchPolicy(
            allow=index.fetch_allow,
            max_bytes=round(index.fetch_max_mb * 1_000_000),
            max_seconds=index.fetch_seconds,
        )
        async with SafeFetcher(policy) as fetcher:
            yield WebConnector(
                str(source.options["url"]),
                audience,
                fetcher,
                delay_s=index.fetch_delay,
                max_pages=index.fetch_max_pages,
            )
    else:
        raise Misconfigured(
            f"The source {source.name} is of a kind that this release does not know: {source.kind}",
            next_step=f"Run the release that added it, or remove it: kb sources remove {source.name}",
        )


def open_parser(settings: Settings) -> "ParserPool":
    """The child process that reads files, with its limits."""
    from indexer.parse.limits import ParseLimits
    from indexer.parse.sandbox import ParserPool

    index = settings.index
    limits = ParseLimits(
        memory_bytes=index.parse_memory_mb * 2**20,
        cpu_seconds=max(1, round(index.parse_seconds)),
        wall_seconds=2 * index.parse_seconds,
        input_bytes=round(index.max_file_mb * 1_000_000),
    )
    return ParserPool(limits)


def acl_of(audience: object) -> Acl:
    """Whom a source's `audience` option admits: `everyone`, or a list of e-mail addresses; else nobody."""
    if audience == "everyone":
        return ORGANISATION
    if isinstance(audience, list):
        return Acl.any_of(*(user(str(email)) for email in audience))
    return NOBODY
