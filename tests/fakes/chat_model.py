"""A small model in memory."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator

from domain.chat import ChatRequest
from domain.errors import Bug, KbError
from domain.model_ports import ChatModel

PIECE = 6
"""Characters of a piece of a stream."""


class ScriptedModel(ChatModel):
    """Says what it was told to, in order; an error among the replies is raised, a tuple is a stream that ends in one.

    replies: consumed one a request. requests: all that came in. ended: streams that were read or closed to their end.
    """

    def __init__(self, *replies: str | KbError | tuple[str | KbError, ...], name: str = "scripted") -> None:
        self.replies = deque(replies)
        self.requests: list[ChatRequest] = []
        self.ended = 0
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    async def complete(self, request: ChatRequest) -> str:
        return "".join([piece async for piece in self.stream(request)])

    async def stream(self, request: ChatRequest) -> AsyncGenerator[str, None]:
        self.requests.append(request)
        if not self.replies:
            raise Bug("there is no further reply in the script")
        reply = self.replies.popleft()
        try:
            for piece in reply if isinstance(reply, tuple) else (reply,):
                await asyncio.sleep(0)
                if isinstance(piece, KbError):
                    raise piece
                for start in range(0, len(piece), PIECE):
                    yield piece[start : start + PIECE]
        finally:
            self.ended += 1
