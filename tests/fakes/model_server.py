"""A local HTTP server that speaks OpenAI's chat API: whole replies and streams, by script or by rule, and every
misbehaviour of tests.fakes.model_faults. It runs in a thread of its own, for tests with and without an event loop."""

import asyncio
import json
import re
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from aiohttp import web

from tests.fakes.embeddings_server import KEY, MODEL, EmbeddingsServer, Received

CHAT_MODEL, SMALL_MODEL = "chat-model", "chat-model-small"

Body = dict[str, Any]

_PIECE = re.compile(r"\s*\S+\s*")


@dataclass(frozen=True)
class Reply:
    """What the model says.

    text: None is sent as null. latency: seconds until it begins. pause: seconds between the pieces of a stream.
    finish: the reason for its end. refusal: sent in the API's field of that name. thinking: tokens that are used before
    the text begins; where that is all that the request allows, there is no text.
    """

    text: Any = ""
    latency: float = 0.0
    pause: float = 0.0
    finish: str = "stop"
    refusal: str | None = None
    thinking: int = 0

    def within(self, body: Body) -> "Reply":
        """What the request leaves of it."""
        allowed = body.get("max_completion_tokens") or body.get("max_tokens") or 10**6
        return replace(self, text="", finish="length") if self.thinking >= allowed else self

    def pieces(self) -> list[str]:
        """The text in words, as a stream has it."""
        return _PIECE.findall(self.text) if self.text else []


Misbehaviour = Callable[[web.Request, Body], Awaitable[web.StreamResponse]]
"""Answers a request instead of the server; gets what was asked."""

Answer = Reply | Misbehaviour
Rule = Callable[[Body], Answer | None]
"""The answer to a request; None leaves it to the next rule."""


@dataclass(frozen=True)
class Asked:
    """One request as it came in. at: seconds on time.monotonic."""

    path: str
    headers: Mapping[str, str]
    body: Body
    at: float


@dataclass
class ModelServer:
    """What a test sets and sees.

    base_url: to be given to clients. requests: all that came in. answers: consumed in order, one a chat request; then
    the rules are tried in order. key: that clients must have. models: that there are. refuses: names of parameters that
    are answered with 400. embeddings: answers for them.
    busiest: chat requests that were answered at one time, at most.
    """

    base_url: str = ""
    key: str = KEY
    models: set[str] = field(default_factory=lambda: {CHAT_MODEL, SMALL_MODEL})
    refuses: set[str] = field(default_factory=set)
    rules: list[Rule] = field(default_factory=list)
    requests: list[Asked] = field(default_factory=list)
    answers: deque[Answer] = field(default_factory=deque)
    embeddings: EmbeddingsServer = field(default_factory=EmbeddingsServer)
    busiest: int = 0
    _busy: int = 0

    def script(self, *answers: Answer) -> None:
        """The next chat requests get these answers, one each."""
        self.answers.extend(answers)

    def application(self) -> web.Application:
        """The server's paths."""
        app = web.Application(client_max_size=2**26)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_post("/v1/embeddings", self._embed)
        app.router.add_get("/v1/models", self._list)
        return app

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        body = await self._noted(request)
        wrong = self._wrong(request, body)
        if wrong is not None:
            return wrong
        answer = self.answers.popleft() if self.answers else self._by_rule(body)
        self._busy += 1
        self.busiest = max(self.busiest, self._busy)
        try:
            if not isinstance(answer, Reply):
                return await answer(request, body)
            await asyncio.sleep(answer.latency)
            return await (streamed if body.get("stream") else whole)(request, body, answer.within(body))
        finally:
            self._busy -= 1

    async def _embed(self, request: web.Request) -> web.StreamResponse:
        body = await self._noted(request)
        received = Received(request.path, request.headers.get("Authorization"), body)
        status, content = self.embeddings.answer(received)
        return web.json_response(content, status=status)

    async def _list(self, request: web.Request) -> web.StreamResponse:
        self.requests.append(Asked(request.path, dict(request.headers), {}, time.monotonic()))
        listed = [{"id": name, "object": "model", "created": 0, "owned_by": "test"} for name in sorted(self.models)]
        return web.json_response({"object": "list", "data": listed})

    async def _noted(self, request: web.Request) -> Body:
        body: Body = await request.json()
        self.requests.append(Asked(request.path, dict(request.headers), body, time.monotonic()))
        return body

    def _by_rule(self, body: Body) -> Answer:
        for rule in self.rules:
            answer = rule(body)
            if answer is not None:
                return answer

        async def unscripted(_: web.Request, __: Body) -> web.StreamResponse:
            return error(500, "nothing_to_say", "neither the script nor a rule has an answer")

        return unscripted

    def _wrong(self, request: web.Request, body: Body) -> web.Response | None:
        """What a real server would say before it asks the model."""
        if self.key and request.headers.get("Authorization") != f"Bearer {self.key}":
            quoted = request.headers.get("Authorization")
            return error(401, "invalid_api_key", f"Incorrect API key provided: {quoted}")
        if body.get("model") not in self.models:
            return error(404, "model_not_found", f"The model {body.get('model')} does not exist", param="model")
        for name in self.refuses & body.keys():
            return error(400, "unsupported_parameter", f"Unsupported parameter: '{name}'; got {body}", param=name)
        if not _messages_fit(body.get("messages")):
            return error(400, "invalid_value", f"Invalid messages: {body}", param="messages")
        if not _schema_fits(body.get("response_format")):
            return error(400, "invalid_schema", "Missing required parameter", param="response_format.json_schema")
        return None


def _messages_fit(messages: Any) -> bool:
    return bool(messages) and all(
        each.get("role") in {"system", "developer", "user", "assistant"} and isinstance(each.get("content"), str)
        for each in messages
    )


def _schema_fits(response_format: Any) -> bool:
    if response_format is None or response_format["type"] != "json_schema":
        return response_format is None
    schema = response_format.get("json_schema", {})
    named = bool(re.fullmatch(r"[\w-]{1,64}", schema.get("name", ""))) and isinstance(schema.get("schema"), dict)
    return named and (not schema.get("strict") or _may_be_strict(schema["schema"]))


def _may_be_strict(schema: Any) -> bool:
    """As OpenAI's API has it: every object is closed, and all of its properties are required."""
    if isinstance(schema, list):
        return all(map(_may_be_strict, schema))
    if not isinstance(schema, dict):
        return True
    closed = schema.get("additionalProperties") is False and set(schema.get("required", ())) == set(
        schema.get("properties", ())
    )
    return (schema.get("type") != "object" or closed) and all(map(_may_be_strict, schema.values()))


def error(status: int, code: str, message: str, *, param: str | None = None, **headers: str) -> web.Response:
    """An error as the API has it. headers: `_` stands for `-`."""
    content = {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return web.json_response(content, status=status, headers=named)


def completion(body: Body, reply: Reply) -> Body:
    """A whole reply as the API has it."""
    message = {"role": "assistant", "content": reply.text, "refusal": reply.refusal}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": reply.finish}],
        "usage": usage(body, reply),
    }


def chunk(body: Body, delta: Body, finish: str | None = None) -> Body:
    """A part of a stream as the API has it."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": body["model"],
        "choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}],
    }


def usage(body: Body, reply: Reply) -> Body:
    """Tokens, with words for tokens."""
    asked = sum(len(message["content"].split()) for message in body["messages"])
    said = reply.thinking + len(str(reply.text or "").split())
    return {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}


async def whole(_: web.Request, body: Body, reply: Reply) -> web.StreamResponse:
    return web.json_response(completion(body, reply))


async def streamed(request: web.Request, body: Body, reply: Reply) -> web.StreamResponse:
    response = await begun(request)
    await say(response, chunk(body, {"role": "assistant", "content": ""}))
    if reply.refusal is not None:
        await say(response, chunk(body, {"refusal": reply.refusal}))
    for piece in reply.pieces():
        await say(response, chunk(body, {"content": piece}))
        await asyncio.sleep(reply.pause)
    await say(response, chunk(body, {}, reply.finish))
    if (body.get("stream_options") or {}).get("include_usage"):
        await say(response, {**chunk(body, {}), "choices": [], "usage": usage(body, reply)})
    await response.write(b"data: [DONE]\n\n")
    return response


async def begun(request: web.Request) -> web.StreamResponse:
    """The beginning of a stream of server-sent events."""
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream; charset=utf-8"})
    await response.prepare(request)
    return response


async def say(response: web.StreamResponse, content: Body) -> None:
    """Sends one event."""
    await response.write(f"data: {json.dumps(content)}\n\n".encode())


@contextmanager
def model_server(*answers: Answer, rules: tuple[Rule, ...] = ()) -> Iterator[ModelServer]:
    """A server on a free local port. answers: its script. rules: tried in order when the script is at its end."""
    state = ModelServer(rules=list(rules), answers=deque(answers))
    state.models.add(MODEL)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    runner = web.AppRunner(state.application(), access_log=None, shutdown_timeout=0.05, handler_cancellation=True)
    try:
        port = asyncio.run_coroutine_threadsafe(_serve(runner), loop).result(10)
        state.base_url = f"http://127.0.0.1:{port}/v1"
        yield state
    finally:
        asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _serve(runner: web.AppRunner) -> int:
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    port: int = runner.addresses[0][1]
    return port
