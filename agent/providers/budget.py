"""A limit on the requests to a model that one question may cause."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass

from agent.providers.pieces import closing_stream
from agent.providers.signals import BudgetSpent, CircuitOpen
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
    """A model within a budget; it belongs inside of what tries again, so that every try counts.

    model: asked. budget: of one question.
    """

    def __init__(self, model: ChatModel, budget: CallBudget) -> None:
        self._model = model
        self._budget = budget

    @property
    def name(self) -> str:
        """The model's."""
        return self._model.name

    async def complete(self, request: ChatRequest) -> str:
        """The model's; raises BudgetSpent besides."""
        self._budget.take(request.purpose)
        try:
            return await self._model.complete(request)
        except CircuitOpen:
            self._budget.give_back()
            raise

    async def stream(self, request: ChatRequest) -> AsyncIterator[str]:
        """The model's; raises BudgetSpent besides."""
        self._budget.take(request.purpose)
        try:
            async with aclosing(closing_stream(self._model, request)) as pieces:
                async for piece in pieces:
                    yield piece
        except CircuitOpen:
            self._budget.give_back()
            raise
