"""A model's server that keeps failing is left alone for a while."""

import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing, contextmanager

from agent.providers.pieces import closing_stream
from agent.providers.signals import AskOtherwise, CircuitOpen
from domain.chat import ChatRequest
from domain.errors import KbError, Transient
from domain.ports import ChatModel


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
        self._limit = failures
        self._pause = pause
        self._clock = clock
        self._failed = 0
        self._until: float | None = None  # while open: when a probe may go out
        self._probing = False

    @property
    def name(self) -> str:
        """The model's."""
        return self._model.name

    async def complete(self, request: ChatRequest) -> str:
        """The model's; raises CircuitOpen besides."""
        with self._watched():
            return await self._model.complete(request)

    async def stream(self, request: ChatRequest) -> AsyncIterator[str]:
        """The model's; raises CircuitOpen besides."""
        with self._watched():
            async with aclosing(closing_stream(self._model, request)) as pieces:
                async for piece in pieces:
                    yield piece

    @contextmanager
    def _watched(self) -> Iterator[None]:
        probe = self._admitted()
        try:
            yield
        except AskOtherwise:
            self._close()
            raise
        except Transient:
            self._count(probe)
            raise
        except KbError:
            self._close()
            raise
        else:
            self._close()
        finally:
            if probe:  # also when it was cancelled, which says nothing about the server
                self._probing = False

    def _admitted(self) -> bool:
        """Whether the request is the probe; raises CircuitOpen for one that may not go out."""
        if self._until is None:
            return False
        left = self._until - self._clock()
        if left > 0 or self._probing:
            raise CircuitOpen(
                "The language model's server is not available",
                why=f"the last {self._failed} requests failed",
                next_step="try again later",
                retry_after=max(0.0, left) or None,
            )
        self._probing = True
        return True

    def _count(self, probe: bool) -> None:
        self._failed += 1
        # requests that were under way when it opened do not prolong it
        if probe or (self._until is None and self._failed >= self._limit):
            self._until = self._clock() + self._pause

    def _close(self) -> None:
        self._failed = 0
        self._until = None
