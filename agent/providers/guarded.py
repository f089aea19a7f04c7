"""Servers beside the model that a question does not wait for long: it does without them, and says so."""

import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from domain.cancellation import TimeLimitExceeded, run_with_timeout
from domain.errors import Transient
from domain.model_ports import Embedder, EmbedderIdentity, Reranker, TextKind, Vectors
from domain.search import Passage
from net.breaker import CircuitBreaker

T = TypeVar("T")

PAUSE_SECONDS = 30.0
"""Seconds for which a server that failed is left alone."""


class Guard:
    """Limits the time of requests to one server, and leaves it alone for a while after a failure. One object serves all
    questions of a process.

    noun: what it is called. setting: names its address. pause: see PAUSE_SECONDS. clock: gives seconds that never go
    back.
    """

    def __init__(
        self, noun: str, setting: str, pause: float = PAUSE_SECONDS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._noun = noun
        self._setting = setting
        self._breaker = CircuitBreaker(1, pause, clock)
        self._trouble = Transient(f"The {noun} endpoint is not available")

    async def of(self, work: Callable[[], Awaitable[T]], seconds: float) -> T:
        """The result of `work`. Raises Transient when it takes too long or fails, and the same again while it is left
        alone."""
        try:
            with self._breaker.watched(self._known):
                try:
                    return await run_with_timeout(seconds, work())
                except TimeLimitExceeded:
                    why, next_step = f"no reply within {seconds:g} s", f"check {self._setting}"
                    raise Transient(f"The {self._noun} endpoint hangs", why=why, next_step=next_step) from None
        except Transient as error:
            self._trouble = error
            raise

    def _known(self, _failed: int, _left: float) -> Transient:
        """What went wrong before, once more."""
        return Transient(self._trouble.what, why=self._trouble.why, next_step=self._trouble.next_step)


class GuardedEmbedder(Embedder):
    """An embedder for questions. seconds: for one text; each further one gets `more`."""

    def __init__(self, embedder: Embedder, guard: Guard, *, seconds: float = 5.0, more: float = 0.1) -> None:
        self._embedder = embedder
        self._guard = guard
        self._seconds = seconds
        self._more = more

    @property
    def identity(self) -> EmbedderIdentity:
        """The embedder's."""
        return self._embedder.identity

    async def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        """The embedder's; Transient too where it takes too long."""
        seconds = self._seconds + self._more * len(texts)
        return await self._guard.of(lambda: self._embedder.embed(texts, kind), seconds)


class GuardedReranker(Reranker):
    """A reranker for questions. seconds: for all passages of one call."""

    def __init__(self, reranker: Reranker, guard: Guard, *, seconds: float = 8.0) -> None:
        self._reranker = reranker
        self._guard = guard
        self._seconds = seconds

    @property
    def name(self) -> str:
        """The reranker's."""
        return self._reranker.name

    async def scores(self, question: str, passages: Sequence[Passage]) -> list[float]:
        """The reranker's; Transient too where it takes too long."""
        return await self._guard.of(lambda: self._reranker.scores(question, passages), self._seconds)
