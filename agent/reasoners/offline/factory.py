"""Thinking without a model, one question at a time."""

from dataclasses import dataclass

from agent.options import AgentOptions
from agent.reasoners.offline.reasoner import OfflineOptions, OfflineReasoner
from agent.retrieval.retriever import Retriever
from domain.answers import Question
from domain.errors import Misconfigured
from domain.ports import Embedder

OFFLINE = "offline"
"""The name that asks for no model in one request."""


@dataclass(frozen=True, slots=True)
class OfflineSession:
    """See agent.service.ReasonerSession."""

    reasoner: OfflineReasoner
    hypothesises: bool = False

    def calls(self) -> int:
        """None go out."""
        return 0

    def remarks(self) -> list[str]:
        """Nothing to say of a model."""
        return []


@dataclass(frozen=True, slots=True)
class OfflineReasonerFactory:
    """Opens the offline reasoner for a question."""

    retriever: Retriever
    embedder: Embedder
    max_units: int = 4
    """Sentences quoted at most."""

    def open(self, question: Question, options: AgentOptions, view: str) -> OfflineSession:
        """The reasoner for one question."""
        del view
        if question.overrides.model not in {None, OFFLINE}:
            raise Misconfigured(
                f"There is no language model {question.overrides.model}",
                why="No model is configured.",
                next_step="Set KB_AGENT_LLM_MODEL and KB_AGENT_LLM_BASE_URL, or leave the model out.",
            )
        return OfflineSession(self.reasoner(question, options))

    def reasoner(self, question: Question, options: AgentOptions) -> OfflineReasoner:
        """With what the options of the question allow."""
        wanted = OfflineOptions(
            max_units=self.max_units,
            min_relevance=options.min_relevance,
            decomposition=options.features.decomposition,
            expansion=options.features.expansion,
            expansion_depth=options.expansion_depth,
            expansion_threshold=options.expansion_threshold,
        )
        return OfflineReasoner(self.retriever, self.embedder, question.scope, wanted)
