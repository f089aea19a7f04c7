"""A model's server that keeps failing is left alone for a while."""

import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from agent.providers.model_errors import AskOtherwise, CircuitOpen
from domain.chat import ChatRequest
from domain.model_ports import ChatModel
from net.breaker import CircuitBreaker


class Breaking(ChatModel):
    """A model that fails at once while its server is known to be away (a circuit breaker). One object serves all
    questions of a process.

    After `failures` Transient errors in a row, requests raise CircuitOpen for `pause` seconds. Then one request is let
    through; when it succeeds, all are again. An error that is not Transient shows that the server answers.

    model: asked. failures: in a row. pause: seconds. clock: gives seconds that never go back.
    """

    def __init__(
        self, model: ChatModel, failures: int = 5, pause: float = 30.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._model = model
        self._breaker = CircuitBreaker(failures, pause, clock, answered=(AskOtherwise,))

    @property
    def name(self) -> str:
        """The model's."""
        return self._model.name

    async def complete(self, request: ChatRequest) -> str:
        """The model's; raises CircuitOpen besides."""
        with self._breaker.watched(_open):
            return await self._model.complete(request)

    async def stream(self, request: ChatRequest) -> AsyncGenerator[str, None]:
        """The model's; raises CircuitOpen besides."""
        with self._breaker.watched(_open):
            async with aclosing(self._model.stream(request)) as pieces:
                async for piece in pieces:
                    yield piece


def _open(failed: int, left: float) -> CircuitOpen:
    return CircuitOpen(
        "The language model's server is not available",
        why=f"the last {failed} requests failed",
        next_step="try again later",
        retry_after=left or None,
    )
