"""A language model behind any server that speaks OpenAI's chat API."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agent.providers.chat_faults import Fault, failure
from agent.providers.chat_request import LENGTHS, THINKING_TOKENS, ChatBody, body_of, refused_part
from agent.providers.endpoint import EndpointNames, bearer, usable_url
from agent.providers.model_errors import AskOtherwise
from domain.chat import ChatRequest
from domain.errors import KbError, Misconfigured
from domain.metrics import outgoing_request
from domain.model_ports import ChatModel

if TYPE_CHECKING:
    from agent.providers.openai_client import ChatClient

_SERVICE = EndpointNames(
    "language model",
    "https://api.openai.com/v1",
    "KB_AGENT_LLM_BASE_URL",
    "KB_AGENT_LLM_API_KEY",
    "KB_AGENT_LLM_MODEL",
)
_PATH = "/chat/completions"
BYTES, ROOM = 8, 1_000_000
"""Bytes that a character of a reply may take, as JSON escapes it; and that its thinking and all else around it may."""
_OF_OPENAI = (".openai.com", ".openai.azure.com")


@dataclass(frozen=True, slots=True)
class ChatEndpoint:
    """Where replies come from."""

    base_url: str
    """Up to and without `/chat/completions`, as in https://api.openai.com/v1."""
    api_key: str = field(repr=False)
    """Sent as a bearer token; empty for a server that wants none."""
    model: str
    small_model: str = ""
    """The server's name of a smaller model for typed replies; empty: `model` does all."""
    timeout: float = 60.0
    """Seconds for a whole reply, however it comes; a request may want it sooner."""
    max_reply_chars: int = 100_000
    """A longer reply is cut there."""
    reasoning_effort: str = ""
    """How long a reasoning model is to think, in the API's words; empty: not sent."""


@asynccontextmanager
async def open_chat_model(endpoint: ChatEndpoint) -> AsyncIterator["OpenAIChatModel"]:
    """A model to be shared by all questions of the process. Nothing is sent yet.

    Raises:
        Misconfigured: the URL or the key cannot be used at all, or no model is named.
    """
    base_url = endpoint.base_url.rstrip("/").removesuffix(_PATH)
    host = usable_url(_SERVICE, base_url).host
    headers = bearer(_SERVICE, endpoint.api_key)
    if not endpoint.model:
        raise Misconfigured("There is no language model named", next_step=f"set {_SERVICE.model}")
    client = await asyncio.to_thread(_client, base_url, headers, BYTES * endpoint.max_reply_chars + ROOM)
    try:
        yield OpenAIChatModel(endpoint, host, client)
    finally:
        await client.aclose()


def _client(base_url: str, headers: dict[str, str], most: int) -> "ChatClient":
    # two seconds of importing, which only those who use a model should wait for
    from agent.providers.openai_client import ChatClient

    return ChatClient(base_url, headers, most)


class OpenAIChatModel(ChatModel):
    """A model at an endpoint; see open_chat_model.

    What the server refuses for a model (a JSON schema, a temperature, a name for the longest reply, the system role) is
    remembered as long as this object lives. The request that finds it out raises AskOtherwise, a Transient error with
    `retry_after` 0; further ones do without it, a schema is put into words, what the system says before what the user
    does. In the same way a model is found out that
    thinks before it replies, and has used up the tokens of the reply with it: further ones have THINKING_TOKENS more.

    endpoint: what is asked and how long it may take. host: of the server, for messages. client: connects to it.
    """

    def __init__(self, endpoint: ChatEndpoint, host: str, client: "ChatClient") -> None:
        self._endpoint = endpoint
        self._host = host
        self._client = client
        self._length = LENGTHS[0] if f".{host}".endswith(_OF_OPENAI) else LENGTHS[1]
        self._without: dict[str, frozenset[str]] = {}
        self._thinking: set[str] = set()

    @property
    def name(self) -> str:
        """The server's names of the models."""
        return "+".join(dict.fromkeys(filter(None, (self._endpoint.model, self._endpoint.small_model))))

    async def complete(self, request: ChatRequest) -> str:
        """See domain.model_ports.ChatModel."""
        with outgoing_request("model", "complete"):
            return await self._complete_once(request)

    async def _complete_once(self, request: ChatRequest) -> str:
        model, body = self._model_and_body(request)
        seconds = self._seconds(request)
        try:
            async with asyncio.timeout(seconds):
                reply = await self._client.whole(model, body)
        except TimeoutError:
            reply = _late(seconds)
        if isinstance(reply, Fault):
            raise self._failure(reply, model, body)
        text = reply[: self._endpoint.max_reply_chars]
        if not text.strip():
            raise self._failure(Fault("empty"), model, body)
        return text

    async def stream(self, request: ChatRequest) -> AsyncGenerator[str, None]:
        """See domain.model_ports.ChatModel. What is cut at `max_reply_chars` ends without an error; CutOff
        follows what the server cut for its length."""
        with outgoing_request("model", "stream"):
            async with aclosing(self._stream_once(request)) as pieces:
                async for piece in pieces:
                    yield piece

    async def _stream_once(self, request: ChatRequest) -> AsyncGenerator[str, None]:
        model, body = self._model_and_body(request)
        room, held, begun = self._endpoint.max_reply_chars, "", False
        async with aclosing(self._stream_with_timeout(model, body, self._seconds(request))) as pieces:
            async for piece in pieces:
                if isinstance(piece, Fault):
                    raise self._failure(piece, model, body)
                held += piece[:room]
                room -= len(piece)
                begun = begun or not held.isspace()
                if begun:
                    yield held
                    held = ""
                if room <= 0:
                    break
        if not begun:
            raise self._failure(Fault("empty"), model, body)

    async def _stream_with_timeout(
        self, model: str, body: ChatBody, seconds: float
    ) -> AsyncGenerator[str | Fault, None]:
        """The client's pieces, none later than after so many seconds."""
        until = asyncio.get_running_loop().time() + seconds
        async with aclosing(self._client.pieces(model, body)) as pieces:
            while True:
                try:
                    async with asyncio.timeout_at(until):
                        piece = await anext(pieces, None)
                except TimeoutError:
                    piece = _late(seconds)
                if piece is None:
                    return
                yield piece

    def _seconds(self, request: ChatRequest) -> float:
        """That a reply may take."""
        wanted = request.seconds
        return self._endpoint.timeout if wanted is None else min(wanted, self._endpoint.timeout)

    def _model_and_body(self, request: ChatRequest) -> tuple[str, ChatBody]:
        """Which model is asked, and what."""
        usual = (request.small and self._endpoint.small_model) or self._endpoint.model
        model = request.model or usual
        thinking = THINKING_TOKENS if model in self._thinking else 0
        without = self._without.get(model, frozenset())
        effort = self._endpoint.reasoning_effort
        return model, body_of(request, self._length, without, thinking=thinking, effort=effort)

    def _failure(self, fault: Fault, model: str, body: ChatBody) -> KbError:
        """The error to raise; what a server refuses is noted, and that a model thinks."""
        if fault.kind == "cut" and model not in self._thinking:
            self._thinking.add(model)
            return AskOtherwise(f"The model {model} thinks before it replies", why="no tokens were left for the reply")
        if fault.kind == "untagged":
            return AskOtherwise(f"The model {model} thinks before it replies", why="nothing marks where it begins")
        if fault.status in {400, 422, 500} and not (fault.too_long or fault.filtered):
            part = refused_part(body, fault.param, fault.message, failed=fault.status == 500)
            if part is not None:
                self._without[model] = self._without.get(model, frozenset()) | {part}
                return AskOtherwise(
                    f"The {_SERVICE.noun} endpoint {self._host} takes no {part} for {model}", why=f"HTTP {fault.status}"
                )
        return failure(fault, _SERVICE, self._host, model)


def _late(wait: float) -> Fault:
    return Fault("late", detail=f"no reply within {round(wait, 1):g} s")
