"""What Slack sends to an app: once, and again until it is acknowledged."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Generator
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Self

from tests.fakes.slack.records import Body, SlackError

EVENTS, SLASH, INTERACTIVE = "events_api", "slash_commands", "interactive"
WAIT = 60.0
"""Seconds after which a test that waits has failed; it only guards against hanging."""


@dataclass(eq=False)
class Attempt:
    """Sent once. number: 0 for the first time. to: a connection or URL; empty while there is none.

    acked_after: seconds; it may come too late. answer: what came with the acknowledgement. status: of HTTP.
    """

    number: int
    reason: str
    at: float
    to: str = ""
    acked_after: float | None = None
    answer: Any = None
    status: int | None = None

    def acknowledge(self, answer: Any = None) -> None:
        """Notes the acknowledgement."""
        if self.acked_after is None:
            self.acked_after, self.answer = time.monotonic() - self.at, answer


@dataclass(eq=False)
class Delivery:
    """Something for the app. `await` it, or wait(): it is finished when acknowledged in time, or given up.

    rejected: the error code when the acknowledgement brought a message that Slack does not take.
    """

    kind: str
    payload: Body
    attempts: list[Attempt] = field(default_factory=list)
    on_ack: Callable[[Any], None] | None = None
    acked: bool = False
    rejected: str = ""
    finished: Future[None] = field(default_factory=Future)

    @property
    def acked_after(self) -> float | None:
        """Seconds from the sending to the acknowledgement of the same sending; None when there was none yet."""
        return next((each.acked_after for each in self.attempts if each.acked_after is not None), None)

    @property
    def answer(self) -> Any:
        """What came with the acknowledgement."""
        return next((each.answer for each in self.attempts if each.acked_after is not None), None)

    @property
    def event_id(self) -> str:
        """Of an event."""
        return str(self.payload.get("event_id", ""))

    @property
    def event(self) -> Body:
        """The inner event."""
        found: Body = self.payload.get("event", {})
        return found

    def taken(self, answer: Any) -> None:
        """Notes that it was acknowledged in time; what that brings about happens here."""
        self.acked = True
        try:
            if self.on_ack:
                self.on_ack(answer)
        except SlackError as error:
            self.rejected = error.code

    def wait(self, seconds: float = WAIT) -> Self:
        """Blocks until it is finished; not for the loop that the app runs in. Raises TimeoutError."""
        self.finished.result(seconds)
        return self

    async def done(self, seconds: float = WAIT) -> Self:
        """Waits until it is finished. Raises TimeoutError."""
        await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(self.finished)), seconds)
        return self

    def __await__(self) -> Generator[Any, None, Self]:
        return self.done().__await__()


Carry = Callable[[Delivery, Attempt, float], Awaitable[str]]
"""Tries once within so many seconds; gives the reason why it has to be tried again, empty when acknowledged."""

DIED = "connection_died"
NO_RETRY = "no_retry"


@dataclass
class Courier:
    """Sends in the server's loop. carry: the way, by sockets or by HTTP. retried: the kinds that are sent again.

    ack_timeout, retry_intervals: Slack's are 3, and 0, 60 and 300; on a busy machine an app is slower, and tests wait.

    Slack sends events again, and neither commands nor interactions: there the person sees an error.
    """

    loop: asyncio.AbstractEventLoop
    carry: Carry
    ack_timeout: float = 10.0
    retry_intervals: tuple[float, ...] = (0.0, 2.0, 5.0, 10.0, 10.0)
    retried: set[str] = field(default_factory=lambda: {EVENTS})
    sent: list[Delivery] = field(default_factory=list)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def send(
        self, delivery: Delivery, *, number: int = 0, retries: int | None = None, carry: Carry | None = None
    ) -> Delivery:
        """Begins. number: of the first attempt. retries: how many may follow; None is as Slack does it."""
        if retries is None:
            retries = max(0, len(self.retry_intervals) - number) if delivery.kind in self.retried else 0
        self.sent.append(delivery)
        work = self._run(delivery, range(number, number + 1 + retries), carry or self.carry)
        self.loop.call_soon_threadsafe(self._begin, work)
        return delivery

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = self.loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, delivery: Delivery, numbers: range, carry: Carry) -> None:
        try:
            await self._attempts(delivery, numbers, carry)
        finally:
            delivery.finished.set_result(None)

    async def _attempts(self, delivery: Delivery, numbers: range, carry: Carry) -> None:
        reason = "" if numbers[0] == 0 else "timeout"
        for number in numbers:
            if number > numbers[0] and reason != DIED:
                await asyncio.sleep(self.retry_intervals[number - 1])
            attempt = Attempt(number, reason, time.monotonic())
            delivery.attempts.append(attempt)
            reason = await carry(delivery, attempt, self.ack_timeout)
            if not reason or reason == NO_RETRY:
                break

    async def close(self) -> None:
        """Gives up what is under way."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
