"""The reranker that the settings describe, for answers and for searches."""

from contextlib import AsyncExitStack

from agent.providers.guarded import Guard, GuardedReranker
from agent.retrieval.reranking import RerankOptions
from config.settings import Settings
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
