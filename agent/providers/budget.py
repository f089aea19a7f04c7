"""Limits on the requests to a model that one question may cause."""

from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, replace

from agent.providers.closing_streams import closing_stream
from agent.providers.model_errors import BudgetSpent, CircuitOpen, Late
from agent.providers.time_budget import TimeBudget
from domain.chat import ChatRequest
from domain.ports import ChatModel

ANSWERING = "synthesize"
"""What the purposes of requests begin with that may use the reserve."""


@dataclass(slots=True)
class CallBudget:
    """Requests that one question may cause.

    limit: requests in all. reserve: how many of them, the last ones, are kept for writing the answer.
    used: requests that went out so far.
    """

    limit: int = 12
    reserve: int = 1
    used: int = 0

    def take(self, purpose: str) -> None:
        """Counts one request. Raises BudgetSpent when there is none left for `purpose`."""
        kept = 0 if purpose.startswith(ANSWERING) else self.reserve
        if self.used >= self.limit - kept:
            raise BudgetSpent(
                "The model has been asked as often as one question allows",
                why=f"{self.used} of {self.limit} requests, {kept} kept for the answer",
                next_step="ask a simpler question, or raise KB_AGENT_MODEL_CALL_BUDGET",
            )
        self.used += 1

    def give_back(self) -> None:
        """Takes back one request that did not go out after all."""
        self.used -= 1


class Budgeted(ChatModel):
    """A model within budgets; it belongs inside of what tries again, so that every try counts.

    model: asked. calls, time: of one question. After a request that took all of its time, no other one goes out.
    """

    def __init__(self, model: ChatModel, calls: CallBudget, time: TimeBudget) -> None:
        self._model = model
        self._calls = calls
        self._time = time

    @property
    def name(self) -> str:
        """The model's."""
        return self._model.name

    async def complete(self, request: ChatRequest) -> str:
        """The model's; raises BudgetSpent besides."""
        with self._counted(request) as timed:
            return await self._model.complete(timed)

    async def stream(self, request: ChatRequest) -> AsyncIterator[str]:
        """The model's; raises BudgetSpent besides."""
        with self._counted(request) as timed:
            async with aclosing(closing_stream(self._model, timed)) as pieces:
                async for piece in pieces:
                    yield piece

    @contextmanager
    def _counted(self, request: ChatRequest) -> Iterator[ChatRequest]:
        """Takes one request from the budgets; gives it with the time that is left for it."""
        self._time.check()
        self._calls.take(request.purpose)
        try:
            yield replace(request, seconds=self._time.left)
        except CircuitOpen:
            self._calls.give_back()
            raise
        except Late as late:
            self._time.end(late)
            raise
