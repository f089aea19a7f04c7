"""Asks a model again when it may help."""

import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager

from agent.providers.budget import TimeBudget
from agent.providers.model_errors import BudgetSpent, Late
from domain.chat import ChatRequest
from domain.errors import Transient
from domain.model_ports import ChatModel
from net.retries import Retries, retrying


class Retrying(ChatModel):
    """A model that is asked again after a Transient error, after a pause that doubles, with jitter, or that the server
    asked for. A stream is asked for again only while it has given nothing.

    model: asked. budget: of the question; a pause that it does not allow is not waited for. retries: further requests
    at most, each time. first_pause, longest_pause: seconds, without what a server asks for.
    """

    def __init__(
        self,
        model: ChatModel,
        budget: TimeBudget,
        retries: int = 2,
        *,
        first_pause: float = 0.5,
        longest_pause: float = 8.0,
    ) -> None:
        self._model = model
        self._retries = retries
        self._budget = budget
        self._pauses = Retries(first_pause=first_pause, longest_pause=longest_pause)

    @property
    def name(self) -> str:
        """The model's."""
        return self._model.name

    async def complete(self, request: ChatRequest) -> str:
        """The model's; the last error is raised when there is no further try."""
        return await retrying(self._pause)(self._complete_once, request)

    async def stream(self, request: ChatRequest) -> AsyncGenerator[str, None]:
        """The model's; the last error is raised when there is no further try."""
        begun = False
        async for attempt in retrying(self._pause, when=lambda _: not begun):  # noqa: B023 - as it is then
            with attempt, self._paid():
                async with aclosing(self._model.stream(request)) as pieces:
                    async for piece in pieces:
                        begun = True
                        yield piece

    async def _complete_once(self, request: ChatRequest) -> str:
        with self._paid():
            return await self._model.complete(request)

    @contextmanager
    def _paid(self) -> Iterator[None]:
        """The time of a request that fails for now comes out of the budget."""
        start = time.monotonic()
        try:
            yield
        except Transient:
            self._budget.spend(time.monotonic() - start)
            raise

    def _pause(self, failed: int, error: Transient) -> float:
        """Seconds to wait after so many failed tries; raises `error` when that was the last."""
        if isinstance(error, BudgetSpent | Late) or failed > self._retries:
            raise error
        pause = 0.0 if error.retry_after == 0 else self._pauses.pause(failed, error.retry_after)
        if not self._budget.allows(pause):
            raise error
        self._budget.spend(pause)
        return pause
