"""Opens the model that the settings name, and wraps it for one question after another."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from agent.options import AgentOptions
from agent.providers.breaker import Breaking
from agent.providers.budget import Budgeted, CallBudget
from agent.providers.cached import Cached
from agent.providers.openai import ChatEndpoint, open_chat_model
from agent.providers.retry import Retrying
from agent.providers.time_budget import TimeBudget
from agent.reasoner import Reasoner
from agent.reasoners.model.reasoner import ModelReasoner
from agent.reasoners.offline.factory import OFFLINE, OfflineReasonerFactory, OfflineSession
from domain.answers import Question
from domain.masking import Masker
from domain.ports import ChatModel, ReplyCache


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """Where the model is, and how much of its time one answer may take."""

    base_url: str
    api_key: str = field(repr=False)
    model: str
    small_model: str = ""
    """Of typed replies, which need less; empty: `model` makes them, too."""
    timeout: float = 60.0
    """Seconds for one reply."""
    patience: float = 20.0
    """Seconds that failing requests and tries again may take in one answer."""
    call_budget: int = 12
    """Requests in one answer."""
    deadline: float = 180.0
    """Seconds for an answer, unless its question names fewer."""


class ModelSession:
    """A model and its wrappers for one question; see agent.service.ReasonerSession."""

    hypothesises = True

    def __init__(self, reasoner: Reasoner, budget: CallBudget, cached: Cached | None, remarks: list[str]) -> None:
        self.reasoner = reasoner
        self._budget = budget
        self._cached = cached
        self._remarks = remarks

    def calls(self) -> int:
        """Requests that went out."""
        return self._budget.used

    def remarks(self) -> list[str]:
        """What failed, and how much came from the cache."""
        hits = self._cached.hits if self._cached else 0
        cached = [f"{hits} replies came from the cache"] if hits else []
        return [*self._remarks, *cached]


class ModelReasonerFactory:
    """A model that serves all questions of a process. chat: with its breaker. offline: behind it. cache: of replies.
    masker: takes secrets out of what is kept."""

    def __init__(
        self,
        chat: ChatModel,
        options: ModelOptions,
        offline: OfflineReasonerFactory,
        cache: ReplyCache | None,
        masker: Masker,
    ) -> None:
        self._chat = chat
        self._options = options
        self._offline = offline
        self._cache = cache
        self._masker = masker

    def open(self, question: Question, options: AgentOptions, view: str) -> ModelSession | OfflineSession:
        """The reasoner for one question. view: names what the asker may see, for the cache's keys."""
        if question.overrides.model == OFFLINE:
            return self._offline.open(question, options, view)
        deadline = self._options.deadline
        seconds = deadline if question.seconds is None else min(deadline, question.seconds)
        budget, time = CallBudget(limit=self._options.call_budget), TimeBudget(seconds, self._options.patience)
        chat: ChatModel = Retrying(Budgeted(self._chat, budget, time), time)
        cached = Cached(chat, self._cache, view.encode(), self._masker) if self._cache else None
        remarks: list[str] = []
        reasoner = ModelReasoner(
            cached or chat,
            self._offline.reasoner(question, options),
            remarks.append,
            forget=cached.forget if cached else None,
            temperature=options.temperature,
            model=question.overrides.model or "",
            decomposition=options.features.decomposition,
            clean=lambda text: self._masker.secrets(text).text,
        )
        return ModelSession(reasoner, budget, cached, remarks)


@asynccontextmanager
async def open_model_reasoners(
    options: ModelOptions, offline: OfflineReasonerFactory, cache: ReplyCache | None, masker: Masker
) -> AsyncIterator[ModelReasonerFactory]:
    """The model, ready to serve.

    Raises:
        Misconfigured: its address or key cannot be used at all.
    """
    endpoint = ChatEndpoint(
        options.base_url, options.api_key, options.model, small_model=options.small_model, timeout=options.timeout
    )
    async with open_chat_model(endpoint) as chat:
        yield ModelReasonerFactory(Breaking(chat), options, offline, cache, masker)
