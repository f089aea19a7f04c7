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
from agent.providers.model_errors import Late
from agent.providers.openai import ChatEndpoint, open_chat_model
from agent.providers.retry import Retrying
from agent.reasoner import ReasonerSession
from agent.reasoners.model.reading_probe import can_read
from agent.reasoners.model.reasoner import ModelReasoner
from agent.reasoners.offline.factory import OFFLINE, OfflineReasonerFactory
from agent.wording import MODEL_CANNOT_READ
from domain.answers import Question
from domain.errors import KbError, Transient
from domain.masking import Masker
from domain.model_ports import ChatModel, ReplyCache
from domain.text.languages import LEAST_SHARE, NAMES, written_in

RETEST_SECONDS = 600.0
"""Seconds after which a model is asked again that did not say whether it can read; languages are read again, too."""

RETEST_SOON_SECONDS = 30.0
"""Seconds after which it is asked again where its server failed for now; one that took all of its time is not."""

TRIES = 4
"""Requests of such a test: the server may refuse two parameters, and the model may think before it replies."""


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

    async def prepare(self, question: Question) -> str:
        """Asks the model, once, whether it can tell what a passage says, unless the question names another, or none.
        One that does not say so is used, and asked again later. Sees which languages the documents are in.

        Takes a sixth of the question's time at most, which others that come meanwhile wait, too. Gives why the model is
        not to be asked for this question: it took all of the time that it had for this, and less is left than one of
        its replies may take.
        """
        if self.languages and self.clock() >= self._look_at:
            self._look_at = self.clock() + RETEST_SECONDS
            with suppress(KbError):
                self._written_in = await self.languages()
        if question.overrides.model is not None or not self._is_due():
            return ""
        usual, in_all = self.options.endpoint.timeout, self._seconds(question)
        seconds = min(usual, in_all / 6)
        started = time.monotonic()
        try:
            async with asyncio.timeout(seconds):
                await self._lock.acquire()
        except TimeoutError:
            return ""
        try:
            hangs = await self._test(seconds - (time.monotonic() - started)) if self._is_due() else ""
            return hangs if in_all - (time.monotonic() - started) < usual else ""
        finally:
            self._lock.release()

    async def _test(self, seconds: float) -> str:
        """Asks the model whether it can read, for so many seconds at most. Gives why it did not say so in time."""
        pause, hangs = RETEST_SECONDS, ""
        budget, left = CallBudget(limit=TRIES, reserve=0), TimeBudget(seconds, self.options.patience)
        chat, _ = self._chat(budget, left, view=b"", retries=TRIES - 1)
        try:
            self._reads = await can_read(chat, seconds, small=False)
        except Late as late:
            hangs = late.why
        except Transient:
            pause = RETEST_SOON_SECONDS
        except KbError:
            pass  # the question itself will report it
        self._again_at = self.clock() + pause
        return hangs

    def _seconds(self, question: Question) -> float:
        """That an answer may take."""
        most = self.options.deadline
        return most if question.seconds is None else min(most, question.seconds)

    def _is_due(self) -> bool:
        return self.options.reading_test and self._reads is None and self.clock() >= self._again_at

    def _chat(
        self, calls: CallBudget, left: TimeBudget, view: bytes, retries: int = 2
    ) -> tuple[ChatModel, Cached | None]:
        """The model within budgets, and its cache where there is one, which is the second, too."""
        chat: ChatModel = Retrying(Budgeted(self.chat, calls, left), left, retries)
        cached = Cached(chat, self.cache, view, self.masker) if self.cache else None
        return cached or chat, cached

    def open(self, question: Question, options: AgentOptions, view: str) -> ReasonerSession:
        """The reasoner for one question. view: names what the asker may see, for the cache's keys."""
        if question.overrides.model == OFFLINE:
            return self.offline.open(question, options, view)
        if self._reads is False and question.overrides.model is None:
            return self.offline.open(question, options, view, MODEL_CANNOT_READ)
        budget = CallBudget(limit=self.options.call_budget)
        left = TimeBudget(self._seconds(question), self.options.patience)
        chat, cached = self._chat(budget, left, view.encode())
        remarks: list[str] = []
        reasoner = ModelReasoner(
            chat,
            self.offline.reasoner(question, options),
            remarks.append,
            forget=cached.forget if cached else None,
            temperature=options.temperature,
            model=question.overrides.model or "",
            helper=self.options.endpoint.small_model or self.options.endpoint.model,
            decomposition=options.features.decomposition,
            clean=lambda text: self.masker.secrets(text).text,
            languages=other_languages(question.text, self._written_in),
        )

        def told() -> list[str]:
            hits = cached.hits if cached else 0
            return [*remarks, *([f"{hits} replies came from the cache"] if hits else [])]

        return ReasonerSession(
            reasoner,
            hypothesises=True,
            calls=lambda: budget.used,
            remarks=told,
            tokens=lambda: budget.tokens,
            give_up=left.end,
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
