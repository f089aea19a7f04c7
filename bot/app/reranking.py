"""The reranker that the settings describe, for answers and for `kb search`."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

from agent.providers.guarded import Guard, GuardedReranker
from agent.retrieval.reranking import RerankingRetriever, RerankOptions
from agent.retrieval.retriever import Retriever
from config.settings import Settings
from domain.errors import Misconfigured
from domain.masking import Masker
from domain.model_ports import Embedder, Reranker


async def open_reranker(settings: Settings, embedder: Embedder, stack: AsyncExitStack) -> Reranker | None:
    """The endpoint that the settings name, else the local model's token vectors; None where neither is there."""
    tools = settings.tools
    if tools.rerank_url:
        from agent.providers.rerank_api import URL, HttpReranker, RerankEndpoint

        key = tools.rerank_api_key.reveal() if tools.rerank_api_key else ""
        remote = HttpReranker(RerankEndpoint(tools.rerank_url, key, tools.rerank_model or ""))
        return GuardedReranker(await stack.enter_async_context(remote), Guard("reranking", URL))
    from agent.providers.maxsim import MaxSimReranker
    from agent.providers.minilm import MiniLM

    return MaxSimReranker(embedder) if isinstance(embedder, MiniLM) else None


def rerank_options(settings: Settings) -> RerankOptions:
    """How a reranker is used, by the settings."""
    tools = settings.tools
    return RerankOptions(tools.rerank_candidates, tools.rerank_minimum, tools.rerank_blend)


@asynccontextmanager
async def open_reranking(
    settings: Settings, retriever: Retriever, embedder: Embedder, masker: Masker, *, candidates: int | None = None
) -> AsyncIterator[RerankingRetriever]:
    """The retriever with its candidates ranked anew, however few they are. candidates: instead of as many as the
    settings say.

    Raises:
        Misconfigured: there is no reranker, or its address cannot be used.
    """
    options = replace(rerank_options(settings), minimum=1)
    if candidates is not None:
        options = replace(options, candidates=candidates)
    async with AsyncExitStack() as stack:
        reranker = await open_reranker(settings, embedder, stack)
        if reranker is None:
            raise Misconfigured(
                "There is no reranker",
                why="the local embedding model, which can rerank, is not in use",
                next_step="set KB_AGENT_RERANK_URL to the address of a /rerank endpoint",
            )
        yield RerankingRetriever(retriever, reranker, options, masker)
