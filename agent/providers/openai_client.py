"""langchain-openai's ChatOpenAI, held to what we tell it: it is the only thing here that knows that library, which
takes some two seconds to import.

Not used of it: retries, callbacks and tracing (which environment variables of others could turn on), the Responses API,
and `response_format` as its argument, which would choose a slower way of sending the same.
"""

import asyncio
import json
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing
from types import SimpleNamespace
from typing import Any

import openai
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, SystemMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI
from openai._streaming import ServerSentEvent, SSEDecoder
from pydantic import SecretStr

from agent.providers.chat_faults import Fault
from agent.providers.chat_request import ChatBody
from agent.providers.thinking import ReplyStream, ends_thinking, lacks_thinking, without_thinking
from domain.chat import Message
from net.retries import retry_after

_NEEDED = frozenset({"host", "content-type", "content-length", "accept", "accept-encoding", "connection", "user-agent"})
_MESSAGES: Mapping[str, type[BaseMessage]] = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}

_PATH = "/chat/completions"


AT_END = 1.0
"""Seconds in which a stream may say more after it gave the reason for its end, and no text with it: some servers leave
the connection open without the last event."""

EVENTS = 16
"""How much longer than a whole reply a stream may be: each of its events holds a few letters of the reply."""


_DONE = "[DONE]"
"""How a stream says that it is whole; some servers give no other reason for its end."""
_STRANGE = "no choices"
"""The reason that stands for an event of a stream that is no part of a reply, as some servers' errors are."""
_AS_REASON = ServerSentEvent(data=json.dumps({"choices": [{"index": 0, "delta": {}, "finish_reason": _DONE}]}))


class _Declined(Exception):
    """The model refuses, in the way that the API has for it."""


class _Foreign(Exception):
    """The server speaks something else."""


class _Endless(Exception):
    """A reply is longer than any may be."""


_MALFORMED = (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError)
"""What the libraries raise over replies that are not of this API."""

_FAULTS = (openai.APIError, _Foreign, _Declined, _Endless, *_MALFORMED)


class ChatClient:
    """Connections to a server.

    base_url: up to and without `/chat/completions`. headers: sent besides those that every request needs; nothing that
    the libraries would add of their own, or from the environment, is sent. most: bytes that are read of a whole reply,
    or of one event of a stream.
    """

    def __init__(self, base_url: str, headers: Mapping[str, str], most: int) -> None:
        async def only_ours(request: Any) -> None:  # a request of the HTTP library that this openai package uses
            for name in set(request.headers) - _NEEDED:
                del request.headers[name]
            request.headers.update(headers)

        # a redirect would lead to a login page, or carry the key elsewhere
        self._http = openai.DefaultAsyncHttpxClient(
            trust_env=False,
            timeout=None,
            follow_redirects=False,
            event_hooks={"request": [only_ours], "response": [_of_this_api, _limit(most)]},
        )
        self._chat = _Chat(
            model="",  # each request names its own
            base_url=base_url,
            api_key=SecretStr("sent by our own header"),
            max_retries=0,
            timeout=None,
            use_responses_api=False,
            output_version="v0",
            stream_usage=False,
            stream_chunk_timeout=0,
            http_async_client=self._http,
            # for callers without an event loop: else one is made that reads the environment. It trusts nobody, which
            # spares reading the certificate authorities
            http_client=openai.DefaultHttpxClient(trust_env=False, verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)),
        )
        self._chat.async_client = _Completions(self._chat.root_async_client)

        self._untagged: set[str] = set()
        """Models whose last texts had thinking without an opening tag."""

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def whole(self, model: str, body: ChatBody) -> str | Fault:
        """The text of one reply, or why there is none. Exactly one request is made."""
        messages = _messages(body.messages)
        try:
            result = await self._chat.reply(messages, model=model, extra_body=body.parameters)
            reply = result.generations[0]
        except _FAULTS as error:
            return _fault(error)
        cut = (reply.generation_info or {}).get("finish_reason") == "length"
        if ends_thinking(reply.text):
            self._untagged.add(model)
        elif not cut and lacks_thinking(reply.text):
            self._untagged.discard(model)
        text = without_thinking(reply.text, untagged=model in self._untagged, cut=cut)
        if text.strip():
            return text
        return Fault("cut" if cut else "empty")

    async def pieces(self, model: str, body: ChatBody) -> AsyncGenerator[str | Fault, None]:
        """One reply's texts as they come; a fault is the last thing. Exactly one request is made."""
        messages, end, begun = _messages(body.messages), _End(), False
        reply = ReplyStream(untagged=model in self._untagged)
        try:
            stream = self._chat.reply_stream(messages, model=model, extra_body=body.parameters)
            async with aclosing(stream) as chunks:
                while (chunk := await _next(chunks, AT_END if end.is_near else None)) is not None:
                    end.see(chunk)
                    text = reply.push(chunk.text)
                    if reply.leaked:
                        break
                    if text:
                        begun = begun or not text.isspace()
                        yield text
        except _FAULTS as error:
            yield _fault(error)
            return
        if reply.leaked:
            self._untagged.add(model)
            yield Fault("untagged")
        elif not end.reason:
            yield Fault("broken")
        else:
            if end.reason != "length" and reply.lacked:
                self._untagged.discard(model)
            for last in _last(reply.end(cut=end.reason == "length"), end.reason, begun):
                yield last


class _Completions:
    """Stands in for the openai package's `chat.completions`, which makes objects of every part of a reply that are
    taken apart again at once: half of the processor time of a stream.

    client: sends, reads and knows the errors.
    """

    def __init__(self, client: openai.AsyncOpenAI) -> None:
        self._client = client

    @property
    def with_raw_response(self) -> "_Completions":
        """ChatOpenAI asks for whole replies raw."""
        return self

    async def create(self, *, stream: bool = False, extra_body: Mapping[str, object], **body: object) -> Any:
        """A stream of JSON objects, or a whole reply, of which `parse` gives the JSON."""
        sent = {**body, **extra_body, "stream": stream}
        if stream:
            return await self._client.post(_PATH, cast_to=object, body=sent, stream=True, stream_cls=_Stream)
        reply = await self._client.post(_PATH, cast_to=object, body=sent)
        return SimpleNamespace(headers=None, parse=lambda: reply)


class _Stream(openai.AsyncStream[object]):
    """A stream as this server may send it."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self._decoder = _Decoder()


class _Decoder(SSEDecoder):
    """Tells that a stream is whole by a reason for its end, too, and takes a whole reply in its place for its only
    event: there are servers that cannot stream."""

    async def aiter_bytes(self, iterator: AsyncIterator[bytes]) -> AsyncIterator[ServerSentEvent]:
        """The events of these bytes."""
        start = b""
        async for part in iterator:
            start += part
            if start.strip():
                break

        async def all_parts() -> AsyncIterator[bytes]:
            yield start
            async for part in iterator:
                yield part

        if start.lstrip().startswith(b"{"):  # no line of an event does
            yield ServerSentEvent(data=b"".join([part async for part in all_parts()]).decode())
            yield _AS_REASON
            return
        async for event in super().aiter_bytes(all_parts()):
            if event.data.startswith(_DONE):
                yield _AS_REASON
            yield event


class _Chat(ChatOpenAI):
    """Gives away what callbacks would be told around."""

    async def reply(self, messages: list[BaseMessage], **parameters: Any) -> ChatResult:
        return await self._agenerate(messages, **parameters)

    async def reply_stream(
        self, messages: list[BaseMessage], **parameters: Any
    ) -> AsyncGenerator[ChatGenerationChunk, None]:
        pieces: AsyncIterator[ChatGenerationChunk] = self._astream(messages, **parameters)
        try:
            async for piece in pieces:
                yield piece
        finally:
            if isinstance(pieces, AsyncGenerator):
                await pieces.aclose()

    def _create_chat_result(
        self, response: dict[str, Any] | openai.BaseModel, generation_info: dict[str, Any] | None = None
    ) -> ChatResult:
        if isinstance(response, dict):
            _heed_refusals(response, "message")
        return super()._create_chat_result(response, generation_info)

    def _convert_chunk_to_generation_chunk(
        self, chunk: dict[str, Any], default_chunk_class: type, base_generation_info: dict[str, Any] | None
    ) -> ChatGenerationChunk | None:
        if "choices" not in chunk:
            return ChatGenerationChunk(message=AIMessageChunk(content=""), generation_info={"finish_reason": _STRANGE})
        for choice in chunk.get("choices") or ():
            if "message" in choice:  # of a whole reply
                choice.setdefault("delta", choice["message"])
        _heed_refusals(chunk, "delta")
        return super()._convert_chunk_to_generation_chunk(chunk, default_chunk_class, base_generation_info)


def _heed_refusals(reply: Mapping[str, Any], part: str) -> None:
    """Raises _Declined where the library would drop that the model refuses. part: where a choice has its text."""
    for choice in reply.get("choices") or ():
        if choice.get("finish_reason") == "content_filter" or (choice.get(part) or {}).get("refusal"):
            raise _Declined


class _End:
    """What the parts of a stream say of its end. reason: for it, as far as no text came behind that has none; that the
    stream is done is one where there is no other, and nothing but parts of a reply came. is_near: whether nothing more
    is to be expected: it is done, or a reason came alone, and the texts before had none, as they have with some servers
    each."""

    def __init__(self) -> None:
        self.reason = ""
        self.is_near = False
        self._said = False
        self._strange = False
        self._with_texts = False

    def see(self, chunk: ChatGenerationChunk) -> None:
        """Takes the next part."""
        reason = (chunk.generation_info or {}).get("finish_reason") or ""
        if reason == _STRANGE:
            self._strange = True
        elif reason == _DONE:
            self.reason = self.reason or (reason if self._said and not self._strange else "")
            self.is_near = True
        elif chunk.text or reason:
            self.reason = reason
            self._said = self._said or bool(chunk.text)
            self._with_texts = self._with_texts or bool(chunk.text and reason)
            self.is_near = bool(not chunk.text and self._said and not self._with_texts)


async def _next(chunks: AsyncIterator[ChatGenerationChunk], seconds: float | None) -> ChatGenerationChunk | None:
    """The next part of a stream; None at its end, or when none comes within so many seconds."""
    try:
        async with asyncio.timeout(seconds):
            return await anext(chunks, None)
    except TimeoutError:
        return None


def _last(text: str, finish: str, begun: bool) -> list[str | Fault]:
    """What stands at the end of a stream that told the reason for it. text: held back so far. begun: whether other text
    came before."""
    cut, said = finish == "length", begun or bool(text.strip())
    given: list[str | Fault] = [text] if text else []
    if cut:
        return [*given, Fault("cut_off" if said else "cut")]
    return given if said else [Fault("empty")]


def _messages(messages: tuple[Message, ...]) -> list[BaseMessage]:
    return [_MESSAGES[message.role](content=message.text) for message in messages]


async def _of_this_api(response: Any) -> None:  # a response of the HTTP library that this openai package uses
    """Refuses login pages and the like, which come with status 200 too."""
    if response.is_success and "html" in response.headers.get("content-type", "").lower():
        raise _Foreign


def _limit(most: int) -> Callable[[Any], Awaitable[None]]:
    """A hook that has no more read of a reply, or of one line of a stream, than `most` bytes, and EVENTS as much of a
    whole stream. The limit holds for what is unpacked, which a transport does not see."""

    async def hook(response: Any) -> None:  # a response of the HTTP library that this openai package uses
        pieces = response.aiter_bytes
        streams = "event-stream" in response.headers.get("content-type", "").lower()
        in_all = most * EVENTS if streams else most

        async def limited(chunk_size: int | None = None) -> AsyncGenerator[bytes, None]:
            read = line = 0
            async with aclosing(pieces(chunk_size)) as parts:
                async for part in parts:
                    read += len(part)
                    line = len(part) - part.rfind(b"\n") - 1 + (0 if b"\n" in part else line)
                    if read > in_all or line > most:
                        await response.aclose()
                        raise _Endless
                    yield part

        response.aiter_bytes = limited

    return hook


def _fault(error: Exception) -> Fault:
    """What an error of the libraries means."""
    found: BaseException | None = error
    while found is not None:  # some versions wrap what our hooks raise
        if isinstance(found, _Foreign):
            return Fault("foreign", detail="it answers with a web page")
        if isinstance(found, _Endless):
            return Fault("endless")
        found = found.__cause__
    if isinstance(error, _Declined):
        return Fault("declined")
    if isinstance(error, openai.APIConnectionError):
        return Fault("lost", detail=f"no connection ({type(error.__cause__ or error).__name__})")
    if isinstance(error, openai.APIStatusError):
        asked = retry_after(error.response.headers.get("Retry-After"))
        return Fault("said", error.status_code, *_error_details(error), retry_after=asked)
    return Fault("said", 0, *_error_details(error)) if isinstance(error, openai.APIError) else Fault("garbled")


def _error_details(error: openai.APIError) -> tuple[str, str, str]:
    """Code, parameter and message of the server's error; Google's endpoints put it into a list, which the library does
    not look into."""
    if isinstance(error.body, list) and error.body and isinstance(error.body[0], Mapping):
        found = error.body[0].get("error")
        if isinstance(found, Mapping):
            return str(found.get("status") or ""), "", str(found.get("message") or "")
    return str(error.code or error.type or ""), str(error.param or ""), str(error.message or "")
