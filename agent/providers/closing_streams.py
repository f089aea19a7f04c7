"""Streams of a model's reply as generators, which end when they are closed."""

from collections.abc import AsyncGenerator

from domain.chat import ChatRequest
from domain.ports import ChatModel


async def closing_stream(model: ChatModel, request: ChatRequest) -> AsyncGenerator[str, None]:
    """The pieces of `model.stream(request)`. Closing this closes the model's own stream with its connection, when it
    has anything to close: the port promises an iterator only."""
    pieces = model.stream(request)
    try:
        async for piece in pieces:
            yield piece
    finally:
        if isinstance(pieces, AsyncGenerator):
            await pieces.aclose()
