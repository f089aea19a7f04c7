"""A model is asked for a whole reply, or for its pieces: what must hold in both ways."""

from collections.abc import Awaitable
from typing import Protocol

import pytest

from domain.chat import ChatRequest, Message
from domain.model_ports import ChatModel

REQUEST = ChatRequest("grade/1", (Message("user", "Is it so?"),))


async def streamed(model: ChatModel, request: ChatRequest = REQUEST) -> str:
    return "".join([piece async for piece in model.stream(request)])


async def whole(model: ChatModel, request: ChatRequest = REQUEST) -> str:
    return await model.complete(request)


class Ask(Protocol):
    """Asks in one of both ways, and gives the reply."""

    def __call__(self, model: ChatModel, request: ChatRequest = REQUEST, /) -> Awaitable[str]: ...


both = pytest.mark.parametrize("ask", [whole, streamed])
