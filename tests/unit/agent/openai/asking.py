"""Requests to OpenAIChatModel, and the endpoint that they go to."""

from agent.providers.openai import ChatEndpoint, OpenAIChatModel
from domain.chat import ChatRequest, Message
from tests.fakes.embeddings_server import KEY
from tests.fakes.model_server import CHAT_MODEL, SMALL_MODEL, ModelServer

SECRET = "the salary of Ms Confidential"
REQUEST = ChatRequest("synthesize/1", (Message("system", "Be brief."), Message("user", SECRET)))


def endpoint(server: ModelServer, *, timeout: float = 10, most: int = 2_000) -> ChatEndpoint:
    return ChatEndpoint(server.base_url, KEY, CHAT_MODEL, SMALL_MODEL, timeout, most)


async def streamed(model: OpenAIChatModel, request: ChatRequest = REQUEST) -> str:
    return "".join([piece async for piece in model.stream(request)])
