"""Limits on the requests to a model that one question may cause, and on the time that it spends on one."""

import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, replace

from agent.providers.model_errors import BudgetSpent, CircuitOpen, Late, TimeSpent
from domain.chat import ChatRequest
from domain.model_ports import ChatModel

ANSWERING = "synthesize"
"""What the purposes of requests begin with that may use the reserve."""


@dataclass(slots=True)
class CallBudget:
    """Requests that one question may cause."""

    limit: int = 12
    reserve: int = 1
    """How many of them, the last ones, are kept for writing the answer."""
    used: int = 0
    """Requests that went out so far."""
    length: int = 0
    """Bytes of these requests and of what came back."""

    @property
    def tokens(self) -> int:
        """Of these, estimated."""
        return round(self.length / TOKEN_BYTES)

    def count(self, text: str) -> None:
        """Adds a text that went out or came back."""
        self.length += len(text.encode(errors="replace"))

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


TOKEN_BYTES = 4
"""Bytes of UTF-8 that a token is taken for: servers count otherwise, and not all of them say how."""

RESERVE_SECONDS = 15.0
"""Seconds of a question's time that are kept for what is done without a model, such as writing excerpts."""

MAX_RESERVE_SHARE = 0.25
"""The largest share of a question's time that is kept for that, where the time is short."""


class TimeBudget:
    """One for each question, from its beginning on; all of its requests to a model share it, with their tries again and
    the pauses between.

    seconds: until the outcome is wanted. patience: seconds of them that may go into requests that fail, and into the
    pauses behind. clock: gives seconds that never go back.
    """

    def __init__(self, seconds: float, patience: float = 20.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until = clock() + seconds - min(RESERVE_SECONDS, MAX_RESERVE_SHARE * seconds)
        self._patience = patience
        self._why = "the time of the question is used up"
        self._over = False

    @property
    def left(self) -> float:
        """Seconds that further requests may take; 0 from the first one on that took all of its own."""
        return 0.0 if self._over else max(0.0, self._until - self._clock())

    def end(self, why: str) -> None:
        """A request took all of its time, which `why` says: no further one is made."""
        self._over, self._why = True, why

    def check(self) -> None:
        """Raises TimeSpent when nothing is left."""
        if not self.left:
            raise TimeSpent("The language model did not answer in time", why=self._why)

    def spend(self, seconds: float) -> None:
        """Takes the time of a failed request from what failures may cost."""
        self._patience -= seconds

    def allows(self, pause: float) -> bool:
        """Whether there is time for a pause of so many seconds before another try."""
        return pause <= self._patience and pause < self.left


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
        with self._take_from_budget(request) as timed:
            reply = await self._model.complete(timed)
        self._calls.count(reply)
        return reply

    async def stream(self, request: ChatRequest) -> AsyncGenerator[str, None]:
        """The model's; raises BudgetSpent besides."""
        with self._take_from_budget(request) as timed:
            async with aclosing(self._model.stream(timed)) as pieces:
                async for piece in pieces:
                    self._calls.count(piece)
                    yield piece

    @contextmanager
    def _take_from_budget(self, request: ChatRequest) -> Iterator[ChatRequest]:
        """Takes one request from the budgets; gives it with the time that is left for it."""
        self._time.check()
        self._calls.take(request.purpose)
        before = self._calls.length
        self._calls.count("".join(message.text for message in request.messages))
        try:
            yield replace(request, seconds=self._time.left)
        except CircuitOpen:
            self._calls.give_back()
            self._calls.length = before
            raise
        except Late as late:
            self._time.end(late.why)
            raise
