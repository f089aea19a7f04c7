"""Thinking without a model, one question at a time."""

from dataclasses import dataclass

from agent.options import AgentOptions
from agent.reasoner import ReasonerSession
from agent.reasoners.offline.reasoner import OfflineReasoner
from agent.retrieval.retriever import Retriever
from agent.wording import QUOTED_OFFLINE
from domain.answers import Question
from domain.errors import Misconfigured
from domain.model_ports import Embedder

OFFLINE = "offline"
"""The name that asks for no model in one request."""


@dataclass(frozen=True, slots=True)
class OfflineReasonerFactory:
    """Opens the offline reasoner for a question."""

    retriever: Retriever
    embedder: Embedder

    def open(self, question: Question, options: AgentOptions, view: str, note: str = QUOTED_OFFLINE) -> ReasonerSession:
        """The reasoner for one question. note: what is said below its quotations."""
        del view
        if question.overrides.model not in {None, OFFLINE}:
            raise Misconfigured(
                f"There is no language model {question.overrides.model}",
                why="No model is configured.",
                next_step="Set KB_AGENT_LLM_MODEL and KB_AGENT_LLM_BASE_URL, or leave the model out.",
            )
        return ReasonerSession(self.reasoner(question, options, note))

    def reasoner(self, question: Question, options: AgentOptions, note: str = QUOTED_OFFLINE) -> OfflineReasoner:
        """The reasoner by itself."""
        return OfflineReasoner(self.retriever, self.embedder, question.scope, options, note)
