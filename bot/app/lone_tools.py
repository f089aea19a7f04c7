"""The agent's tools that search by meaning, outside of an answer, for `kb eval ablation`."""

from contextlib import AsyncExitStack

from agent.reasoners.offline.factory import OfflineReasonerFactory
from agent.tools.search import HydeSearch, PropositionTool
from bot.app.answering import agent_options, model_options, open_reasoners
from bot.app.product import Product
from bot.app.searching import propositions_of
from config.settings import Settings
from domain.access import Scope
from domain.answers import Question
from domain.errors import Misconfigured


def proposition_tool(product: Product) -> PropositionTool:
    """Finds by single sentences, in an index that has that level."""
    level = propositions_of(product.settings, product.storage, product.embedder)
    return PropositionTool(product.retriever, product.search, level)


def ensure_model(settings: Settings) -> None:
    """Raises Misconfigured without a model, which writes hypothetical answers."""
    if model_options(settings) is None:
        raise Misconfigured(
            "A hypothetical answer takes a model, and none is set",
            next_step="Set KB_AGENT_LLM_BASE_URL and KB_AGENT_LLM_MODEL, or leave out --hyde.",
        )


class Hypotheses:
    """Has the model write a hypothetical answer of each question, as the agent does."""

    def __init__(self) -> None:
        self.asked = 0
        self.written = 0
        self.failure = ""
        """Why the model wrote none, the last time."""

    async def tool(self, product: Product, stack: AsyncExitStack) -> HydeSearch:
        """The tool that searches by it; by the question itself where the model writes none. The stack closes the model.

        Raises:
            Misconfigured: the model's address cannot be used.
        """
        offline = OfflineReasonerFactory(product.retriever, product.embedder)
        reasoners = await open_reasoners(product.settings, product.storage, offline, product.masker, stack)
        options, scope = agent_options(product.settings), Scope.member()
        view = await product.search.visibility_key(scope)

        async def hypothesise(question: str) -> str:
            session = reasoners.open(Question(question, scope), options, view)
            text = await session.reasoner.hypothesise(question)
            self.asked += 1
            self.written += bool(text)
            if not text:
                self.failure = " ".join(session.remarks()) or "its reply was empty"
            return text

        return HydeSearch(product.retriever, hypothesise)
