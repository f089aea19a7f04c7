"""The client for programs with an event loop; see KbClient for what the methods take, give and raise."""

import asyncio
from collections.abc import AsyncIterator
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


class AsyncKbClient:
    """As KbClient, without waiting in a thread."""

    def __init__(
        self, address: str, token: str, *, patience: float = 300.0, transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        self._patience = patience
        base, headers = calls.base_of(address), headers_of(token)
        self._http = httpx.AsyncClient(base_url=base, headers=headers, timeout=TIMES, transport=transport)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, _: BaseException | None, _at: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes its connections."""
        await self._http.aclose()

    async def ask(self, question: str, *, conversation: str | None = None, key: str | None = None) -> FullReply:
        """The whole reply to a question."""
        async for event in self.stream(question, conversation=conversation, key=key):
            if isinstance(event, Finished):
                return event
        raise no_outcome()

    def stream(self, question: str, *, conversation: str | None = None, key: str | None = None) -> AsyncIterator[Event]:
        """The events of a reply up to Finished."""
        return self._events(Following.asking(self._patience, question, conversation, key))

    def follow(self, number: int) -> AsyncIterator[Event]:
        """The events of a question that was asked before."""
        return self._events(Following(self._patience, number))

    async def search(
        self,
        q: str,
        *,
        limit: int = 10,
        method: Method = "hybrid+graph",
        source: str | None = None,
        rerank: bool | None = None,
    ) -> PassagesFound:
        """Passages by words, best first. rerank: whether candidates are ranked a second time; None: as is set."""
        return await self._do(calls.search(q, limit, method, source, rerank))

    async def question(self, number: int) -> AskedQuestion:
        """A question with its outcome as it is now, and its trace."""
        return await self._do(calls.question(number))

    async def feedback(self, number: int, vote: Vote, reason: str | None = None) -> bool:
        """Votes on a reply."""
        return await self._do(calls.feedback(number, vote, reason))

    async def reindex(self, source: str) -> bool:
        """Has a source read again, for administrators."""
        return await self._do(calls.reindex(source))

    async def _do(self, call: ClientCall[T]) -> T:
        with no_connection():
            reply = await self._http.request(
                call.method, call.path, params=call.params, json=call.body, headers=call.headers
            )
        return call.received(reply.status_code, reply.headers, reply.content)

    async def _events(self, following: Following) -> AsyncIterator[Event]:
        while not following.ended():
            await asyncio.sleep(following.pause)
            call = following.call()
            try:
                with no_unsendable():
                    async with self._http.stream(call.method, call.path, json=call.body, headers=call.headers) as reply:
                        if reply.status_code != httpx.codes.OK:
                            following.refused(reply.status_code, reply.headers, await reply.aread())
                            continue
                        async for line in reply.aiter_lines():
                            for event in following.hear(line):
                                yield event
                            if following.ended():
                                return
                following.lost()
            except httpx.RequestError as error:
                following.lost(error)
