"""The search whose candidates are ranked anew, for `kb search`, `kb eval` and searches over HTTP."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from agent.retrieval.reranking import RerankingRetriever, RerankOptions
from bot.app.product import Product
from bot.app.reranking import open_reranker, rerank_options
from domain.errors import Misconfigured


@asynccontextmanager
async def open_reranking(
    product: Product, *, wanted: bool | None, candidates: int | None = None, blend: float | None = None
) -> AsyncIterator[RerankingRetriever | None]:
    """The product's retriever with its candidates ranked anew, however few they are; None where that is not wanted.
    What is None is the setting's. candidates, blend: see RerankOptions.

    Raises:
        Misconfigured: there is no reranker, or its address cannot be used.
    """
    async with AsyncExitStack() as stack:
        if not (product.settings.tools.rerank if wanted is None else wanted):
            yield None
            return
        reranking = await open_if_any(product, stack, candidates=candidates, blend=blend)
        if reranking is None:
            raise Misconfigured(
                "There is no reranker",
                why="the local embedding model, which can rerank, is not in use",
                next_step="set KB_AGENT_RERANK_URL to the address of a /rerank endpoint",
            )
        yield reranking


async def open_if_any(
    product: Product, stack: AsyncExitStack, *, candidates: int | None = None, blend: float | None = None
) -> RerankingRetriever | None:
    """The same, whether or not it is set to be used; None where there is no reranker. The stack closes it.

    Raises:
        Misconfigured: its address cannot be used.
    """
    known = rerank_options(product.settings)
    reranker = await open_reranker(product.settings, product.embedder, stack)
    if reranker is None:
        return None
    options = RerankOptions(
        known.candidates if candidates is None else candidates, 1, known.blend if blend is None else blend
    )
    return RerankingRetriever(product.retriever, reranker, options, product.masker)
