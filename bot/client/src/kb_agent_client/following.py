"""How a reply is followed to its end, over lost connections, too. Without any I/O: both clients do what it says."""

from collections.abc import Callable, Iterator, Mapping
from time import monotonic
from typing import Any

from .calls import ClientCall, key_of, refused
from .errors import ApiError, ApiProblem, NotInTime, NotReached
from .events import Accepted, Event, EventReader, Finished, Restart, Spoken

MAX_LOSSES = 6
"""Lost connections in a row, without any event between them, after which the service counts as away."""

_PASSING = frozenset({429, 502, 503, 504})
"""Statuses after which a reply that was followed before is followed again."""

_STREAM = {"Accept": "text/event-stream"}


class Following:
    """The state of one reply. seconds: that it may take in all. clock: gives seconds."""

    def __init__(self, seconds: float, number: int | None = None, clock: Callable[[], float] = monotonic) -> None:
        self.number = number
        self.pause = 0.0
        """Seconds to wait before the next request."""
        self._until = clock() + seconds
        self._clock = clock
        self._ask: ClientCall[Any] | None = None
        self._reader = EventReader()
        self._losses = 0
        self._said = ""
        self._behind = False
        self._finished = False

    @classmethod
    def asking(cls, seconds: float, question: str, conversation: str | None, key: str | None) -> "Following":
        """Of a question that is asked first. key: see key_of."""
        found = cls(seconds)
        body = {"question": question, "conversation": conversation}
        headers = {**_STREAM, "Idempotency-Key": key_of(key)}
        found._ask = ClientCall("POST", "/ask", dict, body=body, headers=headers)
        return found

    def ended(self) -> bool:
        """Whether the outcome was heard."""
        return self._finished

    def call(self) -> ClientCall[Any]:
        """The next request: the question itself until it is known to be accepted, which asks it once."""
        self._reader = EventReader()
        if self.number is not None:
            return ClientCall("GET", f"/questions/{self.number}/events", dict, headers=_STREAM)
        if self._ask is None:
            raise AssertionError("there is a question, or its number")
        return self._ask

    def hear(self, line: str) -> Iterator[Event]:
        """The events that a line of the stream brings, each part of an answer once. Raises ApiError."""
        if self._clock() > self._until:
            raise self._late()
        event = self._reader.line(line)
        if event is None:
            return
        self._losses = 0
        match event:
            case Accepted() if self.number is not None:
                return
            case Accepted():
                self.number = event.number
            case Spoken():
                yield from self._spoken(event)
                return
            case Restart():
                self._said = ""
            case Finished():
                self._finished = True
            case _:
                pass
        yield event

    def refused(self, status: int, headers: Mapping[str, str], content: bytes) -> None:
        """A reply that is no stream. Raises ApiProblem, unless it passes: then it counts as a lost connection."""
        problem = refused(status, headers, content)
        if self.number is None or status not in _PASSING:
            raise problem
        self.lost(problem)
        self.pause = max(self.pause, problem.retry_after or 0.0)

    def lost(self, why: Exception | None = None) -> None:
        """The connection ended before the outcome. Raises NotReached when that happens again and again, NotInTime."""
        self._losses += 1
        self._behind = True
        self.pause = min(8.0, 0.25 * 2**self._losses)
        if self._losses > MAX_LOSSES:
            raise why if isinstance(why, ApiProblem) else _unreachable(why) from why
        if self._clock() + self.pause > self._until:
            raise self._late() from why

    def _spoken(self, event: Spoken) -> Iterator[Event]:
        """After a lost connection the first part is all that was said so far."""
        said, behind, self._behind = self._said, self._behind, False
        if not behind:
            self._said += event.text
            yield event
            return
        self._said = event.text
        if not event.text.startswith(said):
            yield Restart()
            said = ""
        if len(event.text) > len(said):
            yield Spoken(event.text[len(said) :])

    def _late(self) -> ApiError:
        return NotInTime("The reply took longer than this client waits", self.number)


def _unreachable(why: Exception | None) -> NotReached:
    return NotReached(f"The service cannot be reached: {why or 'the connection ends before the reply'}")
