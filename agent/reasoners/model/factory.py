"""Opens the model that the settings name, and wraps it for one question after another."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from agent.options import AgentOptions
from agent.providers.breaker import Breaking
from agent.providers.budget import Budgeted, CallBudget, TimeBudget
from agent.providers.cached import Cached
from agent.providers.openai import ChatEndpoint, open_chat_model
from agent.providers.retry import Retrying
from agent.reasoner import ReasonerSession
from agent.reasoners.model.reasoner import ModelReasoner
from agent.reasoners.offline.factory import OFFLINE, OfflineReasonerFactory
from domain.answers import Question
from domain.masking import Masker
from domain.model_ports import ChatModel, ReplyCache


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """Where the model is, and how much of its time one answer may take."""

    endpoint: ChatEndpoint
    patience: float = 20.0
    """Seconds that failing requests and tries again may take in one answer."""
    call_budget: int = 12
    """Requests in one answer."""
    deadline: float = 180.0
    """Seconds for an answer, unless its question names fewer."""


@dataclass(eq=False)
class ModelReasonerFactory:
    """A model that serves all questions of a process. chat: with its breaker. offline: behind it. cache: of replies.
    masker: takes secrets out of what is kept."""

    chat: ChatModel
    options: ModelOptions
    offline: OfflineReasonerFactory
    cache: ReplyCache | None
    masker: Masker

    def open(self, question: Question, options: AgentOptions, view: str) -> ReasonerSession:
        """The reasoner for one question. view: names what the asker may see, for the cache's keys."""
        if question.overrides.model == OFFLINE:
            return self.offline.open(question, options, view)
        deadline = self.options.deadline
        seconds = deadline if question.seconds is None else min(deadline, question.seconds)
        budget, time = CallBudget(limit=self.options.call_budget), TimeBudget(seconds, self.options.patience)
        chat: ChatModel = Retrying(Budgeted(self.chat, budget, time), time)
        cached = Cached(chat, self.cache, view.encode(), self.masker) if self.cache else None
        remarks: list[str] = []
        reasoner = ModelReasoner(
            cached or chat,
            self.offline.reasoner(question, options),
            remarks.append,
            forget=cached.forget if cached else None,
            temperature=options.temperature,
            model=question.overrides.model or "",
            decomposition=options.features.decomposition,
            clean=lambda text: self.masker.secrets(text).text,
        )

        def told() -> list[str]:
            hits = cached.hits if cached else 0
            return [*remarks, *([f"{hits} replies came from the cache"] if hits else [])]

        return ReasonerSession(
            reasoner, hypothesises=True, calls=lambda: budget.used, remarks=told, tokens=lambda: budget.tokens
        )


@asynccontextmanager
async def open_model_reasoners(
    options: ModelOptions, offline: OfflineReasonerFactory, cache: ReplyCache | None, masker: Masker
) -> AsyncIterator[ModelReasonerFactory]:
    """The model, ready to serve.

    Raises:
        Misconfigured: its address or key cannot be used at all.
    """
    async with open_chat_model(options.endpoint) as chat:
        yield ModelReasonerFactory(Breaking(chat), options, offline, cache, masker)
