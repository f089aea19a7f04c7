"""Asks a model again when it may help."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import aclosing

from agent.providers.endpoint import Retries
from agent.providers.pieces import closing_stream
from agent.providers.signals import BudgetSpent
from domain.chat import ChatRequest
from domain.errors import Transient
from domain.ports import ChatModel


class Retrying(ChatModel):
    """A model that is asked again after a Transient error, after a pause that doubles, with jitter, or that the server
    asked for. A stream is asked for again only while it has given nothing.

    model: asked. retries: further requests at most. patience: seconds from the first request after which no further
    one starts; a longer pause is not waited for. first_pause, longest_pause: seconds, without what a server asks for.
    """

    def __init__(
        self,
        model: ChatModel,
        retries: int = 2,
        *,
        patience: float = 20.0,
        first_pause: float = 0.5,
        longest_pause: float = 8.0,
    ) -> None:
        self._model = model
        self._retries = retries
        self._pauses = Retries(patience, first_pause, longest_pause)

    @property
    def name(self) -> str:
        """The model's."""
        return self._model.name

    async def complete(self, request: ChatRequest) -> str:
        """The model's; the last error is raised when there is no further try."""
        start, tries = time.monotonic(), 0
        while True:
            try:
                return await self._model.complete(request)
            except Transient as error:
                pause = self._pause(error, tries, start)
            await asyncio.sleep(pause)
            tries += 1

    async def stream(self, request: ChatRequest) -> AsyncIterator[str]:
        """The model's; the last error is raised when there is no further try."""
        start, tries, begun = time.monotonic(), 0, False
        while True:
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
        """Seconds to wait after try number `tries` (from 0); raises `error` when it was the last one."""
        if isinstance(error, BudgetSpent) or tries >= self._retries:
            raise error
        pause = 0.0 if error.retry_after == 0 else self._pauses.pause(tries, error.retry_after)
        if time.monotonic() - start + pause > self._pauses.budget:
            raise error
        return pause
