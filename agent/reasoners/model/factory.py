"""Opens the model that the settings name, and wraps it for one question after another."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from agent.options import AgentOptions
from agent.providers.breaker import Breaking
from agent.providers.budget import Budgeted, CallBudget, TimeBudget
from agent.providers.cached import Cached
from agent.providers.openai import ChatEndpoint, open_chat_model
from agent.providers.retry import Retrying
from agent.reasoner import ReasonerSession
from agent.reasoners.model.ability import can_read
from agent.reasoners.model.reasoner import ModelReasoner
from agent.reasoners.offline.factory import OFFLINE, OfflineReasonerFactory
from agent.wording import MODEL_CANNOT_READ
from domain.answers import Question
from domain.errors import KbError
from domain.masking import Masker
from domain.model_ports import ChatModel, ReplyCache
from domain.text.languages import LEAST_SHARE, NAMES, written_in

AGAIN = 600.0
"""Seconds after which a model is asked again that did not say whether it can read; languages are read again, too."""


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
    reading_test: bool = False
    """Whether the model that writes must be able to tell what a passage says; where it cannot, answers are quoted."""


@dataclass(eq=False)
class ModelReasonerFactory:
    """A model that serves all questions of a process. chat: with its breaker. offline: behind it. cache: of replies.
    masker: takes secrets out of what is kept. languages: gives the shares of the documents by the code of their
    language. clock: in seconds."""

    chat: ChatModel
    options: ModelOptions
    offline: OfflineReasonerFactory
    cache: ReplyCache | None
    masker: Masker
    languages: Callable[[], Awaitable[Mapping[str, float]]] | None = None
    clock: Callable[[], float] = time.monotonic
    _written_in: Mapping[str, float] = field(default_factory=dict, init=False)
    _look_at: float = field(default=0.0, init=False)
    _reads: bool | None = field(default=None, init=False)
    _again_at: float = field(default=0.0, init=False)
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    async def prepare(self, question: Question) -> None:
        """Asks the model, once, whether it can tell what a passage says, unless the question names another, or none.
        One that does not say so in time is used, and asked again later. Sees which languages the documents are in."""
        if self.languages and self.clock() >= self._look_at:
            self._look_at = self.clock() + AGAIN
            with suppress(KbError):
                self._written_in = await self.languages()
        if question.overrides.model is not None or not self._is_due():
            return
        async with self._lock:
            if not self._is_due():
                return
            left = question.seconds
            most = self.options.deadline if left is None else min(left, self.options.deadline)
            seconds = min(self.options.endpoint.timeout, most / 6)
            chat, _, _ = self._chat(seconds, calls=2, view=b"")
            with suppress(KbError):
                self._reads = await can_read(chat, seconds, small=False)
            self._again_at = self.clock() + AGAIN

    def _is_due(self) -> bool:
        return self.options.reading_test and self._reads is None and self.clock() >= self._again_at

    def _chat(self, seconds: float, calls: int, view: bytes) -> tuple[ChatModel, CallBudget, Cached | None]:
        """The model for one question: with its budgets, and its cache where there is one, which is the third, too."""
        budget, left = CallBudget(limit=calls), TimeBudget(seconds, self.options.patience)
        chat: ChatModel = Retrying(Budgeted(self.chat, budget, left), left)
        cached = Cached(chat, self.cache, view, self.masker) if self.cache else None
        return cached or chat, budget, cached

    def open(self, question: Question, options: AgentOptions, view: str) -> ReasonerSession:
        """The reasoner for one question. view: names what the asker may see, for the cache's keys."""
        if question.overrides.model == OFFLINE:
            return self.offline.open(question, options, view)
        if self._reads is False and question.overrides.model is None:
            return self.offline.open(question, options, view, MODEL_CANNOT_READ)
        deadline = self.options.deadline
        seconds = deadline if question.seconds is None else min(deadline, question.seconds)
        chat, budget, cached = self._chat(seconds, self.options.call_budget, view.encode())
        remarks: list[str] = []
        reasoner = ModelReasoner(
            chat,
            self.offline.reasoner(question, options),
            remarks.append,
            forget=cached.forget if cached else None,
            temperature=options.temperature,
            model=question.overrides.model or "",
            decomposition=options.features.decomposition,
            clean=lambda text: self.masker.secrets(text).text,
            languages=other_languages(question.text, self._written_in),
        )

        def told() -> list[str]:
            hits = cached.hits if cached else 0
            return [*remarks, *([f"{hits} replies came from the cache"] if hits else [])]

        return ReasonerSession(
            reasoner, hypothesises=True, calls=lambda: budget.used, remarks=told, tokens=lambda: budget.tokens
        )


def other_languages(question: str, shares: Mapping[str, float]) -> tuple[str, ...]:
    """Names of the languages that documents are written in: that of the question first, then the most frequent; none
    where there is no other than that. shares: by code."""
    own = written_in(question)
    common = [code for code, share in shares.items() if share >= LEAST_SHARE and code in NAMES]
    if not set(common) - {own}:
        return ()
    return tuple(NAMES[code] for code in sorted(common, key=lambda code: (code != own, -shares[code])))


@asynccontextmanager
async def open_model_reasoners(
    options: ModelOptions,
    offline: OfflineReasonerFactory,
    cache: ReplyCache | None,
    masker: Masker,
    languages: Callable[[], Awaitable[Mapping[str, float]]] | None = None,
) -> AsyncIterator[ModelReasonerFactory]:
    """The model, ready to serve. languages: see ModelReasonerFactory.

    Raises:
        Misconfigured: its address or key cannot be used at all.
    """
    async with open_chat_model(options.endpoint) as chat:
        yield ModelReasonerFactory(Breaking(chat), options, offline, cache, masker, languages)
