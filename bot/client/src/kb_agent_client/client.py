"""The client for programs without an event loop."""

import time
from collections.abc import Iterator
from types import TracebackType
from typing import Self, TypeVar

import httpx

from . import calls
from .calls import ClientCall, Method, Vote
from .connection import TIMES, headers_of, no_connection, no_outcome, no_unsendable
from .events import Event, Finished
from .following import Following
from .replies import AskedQuestion, FullReply, PassagesFound

T = TypeVar("T")


class KbClient:
    """Calls the service as whoever the token is of.

    address: of the service, such as https://ask.example.com. patience: seconds that a reply may take in all; other
    requests have 60. transport: how requests are sent, see httpx.
    Raises ValueError for what is no address or no token. Every method raises ApiError.
    """

    def __init__(
        self, address: str, token: str, *, patience: float = 300.0, transport: httpx.BaseTransport | None = None
    ) -> None:
        self._patience = patience
        base, headers = calls.base_of(address), headers_of(token)
        self._http = httpx.Client(base_url=base, headers=headers, timeout=TIMES, transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: type[BaseException] | None, _: BaseException | None, _at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Closes its connections."""
        self._http.close()

    def ask(self, question: str, *, conversation: str | None = None, key: str | None = None) -> FullReply:
        """The whole reply to a question. conversation: of an earlier reply, to ask on. key: by which the question is
        asked once, also when this program is started anew (8 to 64 letters, digits, - and _)."""
        return _last(self.stream(question, conversation=conversation, key=key))

    def stream(self, question: str, *, conversation: str | None = None, key: str | None = None) -> Iterator[Event]:
        """The events of a reply up to Finished; over lost connections, too."""
        return self._events(Following.asking(self._patience, question, conversation, key))

    def follow(self, number: int) -> Iterator[Event]:
        """The events of a question that was asked before, from its state of now on."""
        return self._events(Following(self._patience, number))

    def search(
        self,
        q: str,
        *,
        limit: int = 10,
        method: Method = "hybrid+graph",
        source: str | None = None,
        rerank: bool | None = None,
    ) -> PassagesFound:
        """Passages by words, best first. rerank: whether candidates are ranked a second time; None: as is set."""
        return self._do(calls.search(q, limit, method, source, rerank))

    def question(self, number: int) -> AskedQuestion:
        """A question with its outcome as it is now, and its trace."""
        return self._do(calls.question(number))

    def feedback(self, number: int, vote: Vote, reason: str | None = None) -> bool:
        """Votes on a reply; False where nothing is known of it any more."""
        return self._do(calls.feedback(number, vote, reason))

    def reindex(self, source: str) -> bool:
        """Has a source read again (`*`: all of them), for administrators; False where that waits to be done already."""
        return self._do(calls.reindex(source))

    def _do(self, call: ClientCall[T]) -> T:
        with no_connection():
            reply = self._http.request(call.method, call.path, params=call.params, json=call.body, headers=call.headers)
        return call.received(reply.status_code, reply.headers, reply.content)

    def _events(self, following: Following) -> Iterator[Event]:
        while not following.ended():
            time.sleep(following.pause)
            call = following.call()
            try:
                with (
                    no_unsendable(),
                    self._http.stream(call.method, call.path, json=call.body, headers=call.headers) as reply,
                ):
                    if reply.status_code != httpx.codes.OK:
                        following.refused(reply.status_code, reply.headers, reply.read())
                        continue
                    for line in reply.iter_lines():
                        yield from following.hear(line)
                        if following.ended():
                            return
                following.lost()
            except httpx.RequestError as error:
                following.lost(error)


def _last(events: Iterator[Event]) -> FullReply:
    for event in events:
        if isinstance(event, Finished):
            return event
    raise no_outcome()
