"""Opens the product: settings in, everything wired together out."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass
from datetime import timedelta
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar

from agent.providers.cosine_probes import measured_scale
from agent.providers.guarded import Guard, GuardedEmbedder
from bot.app.database import database_options
from bot.app.embedding import LocalModel, models_of_index, open_models
from bot.app.masking import masker_of, policy_of
from config.settings import Settings
from domain.cancellation import cancel_and_wait
from domain.conversation import Participant
from domain.errors import KbError
from domain.masking import Masker
from domain.model_ports import Embedder, TokenCounter
from domain.text.tokens import Analyzer
from storage.open import Storage, open_storage

if TYPE_CHECKING:
    from agent.retrieval.retriever import Retriever
    from agent.service import AnswerService
    from domain.search_ports import GraphSearch
    from indexer.chunking.packer import ChunkLimits
    from storage.index.writer import PostgresWriter
    from storage.permissions.access_writer import PostgresAccessWriter
    from storage.search.knowledge_search import PostgresSearch

log = logging.getLogger(__name__)

S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Product:
    """Everything wired together."""

    settings: Settings
    storage: Storage
    embedder: Embedder
    counter: TokenCounter
    """Measures chunks, whichever model embeds them."""
    search: "PostgresSearch"
    retriever: "Retriever"
    answers: "AnswerService"
    masker: Masker
    """Masks everything that is kept or leaves."""
    graph: "GraphSearch"

    @property
    def analyzer(self) -> Analyzer:
        """How new index versions make their tokens."""
        return Analyzer(self.settings.search.lexical_stemming)

    async def writer(self, *, rebuild: bool = False) -> "PostgresWriter":
        """Writing into the live index, or with `rebuild` into one beside it, with the levels that the settings name.

        Raises Misconfigured when the live index was made otherwise.
        """
        make = self.storage.rebuild if rebuild else self.storage.writer
        level = self.settings.index.index_propositions
        writer = await make(self.embedder.identity, self.analyzer, propositions=level)
        query_prefix = self.embedder.identity.query_prefix
        if not writer.has_scale(query_prefix):
            try:
                await writer.keep_scale(await measured_scale(self.embedder), query_prefix)
            except KbError as error:  # the run that follows says so, where it needs the model
                log.info("What the model's cosines mean is measured another time: %s", error.what)
        return writer

    def access(self) -> "PostgresAccessWriter":
        """Keeping what sources say of whom they admit."""
        return self.storage.access_writer(timedelta(hours=self.settings.access.acl_max_age))

    @property
    def chunk_limits(self) -> "ChunkLimits":
        """How chunks are cut for the model in use."""
        from indexer.chunking.packer import ChunkLimits

        index = self.settings.index
        return ChunkLimits(
            max_tokens=self.embedder.identity.max_tokens,
            target_tokens=min(index.chunk_target_tokens, self.embedder.identity.max_tokens),
            overlap_tokens=index.chunk_overlap_tokens,
        )


@asynccontextmanager
async def open_product(
    settings: Settings,
    *,
    database: str | None = None,
    model: LocalModel | None = None,
    patience: float = 30.0,
    supervised: bool = False,
    application: str = "kb",
    actor: Participant | None = None,
) -> AsyncIterator[Product]:
    """Opens the store and the models.

    Args:
        database: another database on the same server, instead of the usual one.
        model: embeds and counts, instead of the one that the settings name.
        patience: seconds for which a request to a model's server is tried again.
        supervised: whether an embedded database that dies is started again.
        application: what a service calls our connections.
        actor: who changes sources and switches the index by it, for the audit log; None notes nothing.

    Raises:
        Misconfigured, Transient: whatever is missing says so.
    """
    masker = masker_of(policy_of(settings))
    async with AsyncExitStack() as stack:
        # what answers takes longer to import than the database and the model take to open
        importing = asyncio.create_task(asyncio.to_thread(import_module, "bot.app.answering"))
        stack.push_async_callback(cancel_and_wait, importing)
        where = database_options(settings, database, supervised=supervised, application=application)
        opening = stack.enter_async_context(open_storage(where))
        if model is None and settings.embedding.embedding_base_url:
            storage = await opening
            models = models_of_index(settings, storage, patience=patience)
            embedder, counter = await stack.enter_async_context(models)
        else:
            local = open_models(settings) if model is None else nullcontext((model, model))
            storage, (embedder, counter) = await _both(opening, stack.enter_async_context(local))
        storage = storage.acting(actor) if actor else storage
        await importing
        from bot.app.answering import open_answers
        from bot.app.graph_search import graph_of
        from bot.app.searching import searching

        search, retriever = searching(settings, storage, embedder)
        graph = graph_of(settings, storage, embedder)
        # questions do not wait for a server of embeddings as long as an index does
        guard, remote = Guard("embeddings", "KB_AGENT_EMBEDDING_BASE_URL"), settings.embedding.embedding_base_url
        asking = GuardedEmbedder(embedder, guard) if remote else embedder
        answers = await stack.enter_async_context(open_answers(settings, storage, asking, masker))
        yield Product(settings, storage, embedder, counter, search, retriever, answers, masker, graph)


async def _both(one: Awaitable[S], other: Awaitable[T]) -> tuple[S, T]:
    """The results of both, side by side. Both come to their end even when one fails: what is open must be closed."""
    first, second = await asyncio.gather(one, other, return_exceptions=True)
    if isinstance(first, BaseException):
        raise first
    if isinstance(second, BaseException):
        raise second
    return first, second
