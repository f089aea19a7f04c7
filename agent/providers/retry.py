"""Asks a model again when it may help."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import aclosing

from agent.providers.endpoint import Retries
from agent.providers.pieces import closing_stream
from agent.providers.signals import BudgetSpent, Late
from agent.providers.time_budget import TimeBudget
from domain.chat import ChatRequest
from domain.errors import Transient
from domain.ports import ChatModel


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
        tries = 0
        while True:
            start = time.monotonic()
            try:
                return await self._model.complete(request)
            except Transient as error:
                pause = self._pause(error, tries, start)
            await asyncio.sleep(pause)
            tries += 1

    async def stream(self, request: ChatRequest) -> AsyncIterator[str]:
        """The model's; the last error is raised when there is no further try."""
        tries, begun = 0, False
        while True:
            start = time.monotonic()
            try:
                async with aclosing(closing_stream(self._model, request)) as pieces:
                    async for piece in pieces:
                        begun = True
                        yield piece
                return
            except Transient as error:
                if begun:
                    raise
                pause = self._pause(error, tries, start)
            await asyncio.sleep(pause)
            tries += 1

    def _pause(self, error: Transient, tries: int, start: float) -> float:
        """Seconds to wait after try number `tries` (from 0), begun at `start`; raises `error` when it was the last."""
        self._budget.spend(time.monotonic() - start)
        if isinstance(error, BudgetSpent | Late) or tries >= self._retries:
            raise error
        pause = 0.0 if error.retry_after == 0 else self._pauses.pause(tries, error.retry_after)
        if not self._budget.allows(pause):
            raise error
        self._budget.spend(pause)
        return pause
