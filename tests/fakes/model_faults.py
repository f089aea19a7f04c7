"""Misbehaviours of a model's server, and of the model, by name."""

import asyncio
import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from aiohttp import web

from tests.fakes.model_server import Body, Misbehaviour, Reply, begun, chunk, completion, error, say

# --- the server -----------------------------------------------------------------------------------------------------


def status(code: int, error_code: str = "some_error", **headers: str) -> Misbehaviour:
    """An error that quotes the request and its key, as real servers do. headers: `_` stands for `-`."""

    async def misbehave(request: web.Request, body: Body) -> web.StreamResponse:
        quoted = f"{request.headers.get('Authorization')} {json.dumps(body)}"
        return error(code, error_code, quoted, **headers)

    return misbehave


BUSY = status(429, "rate_limit_exceeded")
BROKEN = status(500, "server_error")
OVERLOADED = status(503, "overloaded")
UNAUTHORIZED = status(401, "invalid_api_key")
NO_SUCH_MODEL = status(404, "model_not_found")
NO_CREDIT = status(429, "insufficient_quota")
TOO_LONG = status(400, "context_length_exceeded")
FILTERED_PROMPT = status(400, "content_filter")


def busy_for(seconds: float) -> Misbehaviour:
    """429 with the wait asked for in seconds."""
    return status(429, "rate_limit_exceeded", Retry_After=f"{seconds:g}")


def busy_until(seconds: float) -> Misbehaviour:
    """429 with the wait asked for as a date that many seconds from the reply."""

    async def misbehave(request: web.Request, body: Body) -> web.StreamResponse:
        date = format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)
        return await status(429, "rate_limit_exceeded", Retry_After=date)(request, body)

    return misbehave


async def no_json_schema(_: web.Request, __: Body) -> web.StreamResponse:
    return error(400, "invalid_request_error", "'response_format' of type 'json_schema' is not supported")


async def no_json_schema_in_a_list(_: web.Request, __: Body) -> web.StreamResponse:
    """As Google's endpoint for OpenAI's API refuses a schema: the error stands in a list, and names its own request."""
    message = "* GenerateContentRequest.generation_config.response_schema.properties[a].properties: should be non-empty"
    said = {"code": 400, "message": f"{message} for OBJECT type\n", "status": "INVALID_ARGUMENT"}
    return web.json_response([{"error": said}], status=400)


def no_system_role(code: int, message: str) -> Misbehaviour:
    """A server whose template for the model knows no role of that name: what it says then."""

    async def misbehave(_: web.Request, __: Body) -> web.StreamResponse:
        return error(code, "some_error", message)

    return misbehave


async def hang(_: web.Request, __: Body) -> web.StreamResponse:
    """Says nothing until the client or the server closes."""
    await asyncio.sleep(60)
    return web.Response()


async def hang_in_body(request: web.Request, body: Body) -> web.StreamResponse:
    """Says that it has begun, and then nothing until the client or the server closes."""
    response = await begun(request)
    await say(response, chunk(body, {"role": "assistant", "content": ""}))
    await asyncio.sleep(60)
    return response


async def reset(request: web.Request, _: Body) -> web.StreamResponse:
    """Breaks the connection off before anything is said."""
    _abort(request)
    return web.Response()


def trickle(pause: float, text: str = "one token after the other, for a long time " * 20) -> Misbehaviour:
    """A stream of one token every `pause` seconds; a whole reply whose bytes come as slowly."""

    async def misbehave(request: web.Request, body: Body) -> web.StreamResponse:
        response = await begun(request)
        for word in text.split():
            await say(response, chunk(body, {"role": "assistant", "content": f"{word} "}))
            await asyncio.sleep(pause)
        return response

    return misbehave


def stops(text: str) -> Misbehaviour:
    """A stream that ends orderly after `text`, without a reason and without [DONE]."""
    return _breaks_off(text, b"")


def done(text: str) -> Misbehaviour:
    """A stream that ends with [DONE] after `text`, and gives no reason for its end."""
    return _breaks_off(text, b"data: [DONE]\n\n")


def done_after(text: str, event: str) -> Misbehaviour:
    """A stream that ends with [DONE] after `text` and these lines of one event, and gives no reason for its end."""
    return _breaks_off(text, f"{event}\n\ndata: [DONE]\n\n".encode())


def not_streamed(text: str, *, indent: int | None) -> Misbehaviour:
    """A whole reply, whatever was asked for. indent: of its JSON; None for one line."""

    async def misbehave(_: web.Request, body: Body) -> web.StreamResponse:
        content = json.dumps(completion(body, Reply(text)), indent=indent)
        return web.Response(text=content, content_type="application/json")

    return misbehave


def cut(text: str) -> Misbehaviour:
    """A stream whose connection is lost after `text`."""
    return _breaks_off(text, None)


def broken_lines(text: str) -> Misbehaviour:
    """A stream with an event that is not JSON after `text`."""
    return _breaks_off(text, b'data: {"id": "chatcmpl-1", "choices": [{"ind\n\n')


def error_event(text: str, code: str = "server_error") -> Misbehaviour:
    """A stream with an error after `text`."""
    told = {"error": {"message": f"failed at {text}", "type": "server_error", "param": None, "code": code}}
    return _breaks_off(text, f"data: {json.dumps(told)}\n\n".encode())


def left_open(text: str) -> Misbehaviour:
    """A stream that gives `text` and the reason for its end, and then neither [DONE] nor the end of the connection."""

    async def misbehave(request: web.Request, body: Body) -> web.StreamResponse:
        response = await begun(request)
        await say(response, chunk(body, {"role": "assistant", "content": text}))
        await say(response, chunk(body, {}, "stop"))
        await asyncio.sleep(60)
        return response

    return misbehave


def reasons_throughout(*texts: str, pause: float) -> Misbehaviour:
    """A stream whose every part gives the reason for its end, also the first, which has no text, with a pause before
    each text."""

    async def misbehave(request: web.Request, body: Body) -> web.StreamResponse:
        response = await begun(request)
        await say(response, chunk(body, {"role": "assistant", "content": ""}, "stop"))
        for text in texts:
            await asyncio.sleep(pause)
            await say(response, chunk(body, {"content": text}, "stop"))
            await say(response, chunk(body, {"content": ""}, "stop"))
        await response.write(b"data: [DONE]\n\n")
        return response

    return misbehave


def ends_twice(first: str, second: str, pause: float, *, stops: bool) -> Misbehaviour:
    """A stream that gives a reason with its first text, and then another text. stops: whether that has one, too."""

    async def misbehave(request: web.Request, body: Body) -> web.StreamResponse:
        response = await begun(request)
        await say(response, chunk(body, {"role": "assistant", "content": first}, "stop"))
        await asyncio.sleep(pause)
        await say(response, chunk(body, {"content": second}))
        if stops:
            await say(response, chunk(body, {}, "stop"))
        return response

    return misbehave


def without_end(*, stream: bool, line: bool) -> Misbehaviour:
    """A reply of 100 MB, or what the client takes of it. line: all of it is one line; else its lines have 1 KB."""

    async def misbehave(request: web.Request, _: Body) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": f"text/{'event-stream' if stream else 'json'}"})
        await response.prepare(request)
        piece = b": " + b"a" * 1_022 if line else b": " + b"a" * 1_021 + b"\n"
        for _sent in range(100):
            await response.write(piece * 1_024)
        return response

    return misbehave


def _breaks_off(text: str, last: bytes | None) -> Misbehaviour:
    async def misbehave(request: web.Request, body: Body) -> web.StreamResponse:
        response = await begun(request)
        if text:
            await say(response, chunk(body, {"role": "assistant", "content": text}))
        if last is None:
            _abort(request)
        elif last:
            await response.write(last)
        return response

    return misbehave


async def login_page(_: web.Request, __: Body) -> web.StreamResponse:
    return web.Response(text="<!doctype html><title>Sign in</title><form>", content_type="text/html")


async def redirect(_: web.Request, __: Body) -> web.StreamResponse:
    return web.Response(status=302, headers={"Location": "/v1/models"})


async def malformed_body(_: web.Request, body: Body) -> web.StreamResponse:
    """Half of a reply's JSON."""
    whole = json.dumps(completion(body, Reply("half of it")))
    return web.Response(text=whole[: len(whole) // 2], content_type="application/json")


def body_of(content: object) -> Misbehaviour:
    """Status 200 with this JSON."""

    async def misbehave(_: web.Request, __: Body) -> web.StreamResponse:
        return web.json_response(content)

    return misbehave


def text_of(content: str) -> Misbehaviour:
    """Status 200 with this for JSON."""

    async def misbehave(_: web.Request, __: Body) -> web.StreamResponse:
        return web.Response(text=content, content_type="application/json")

    return misbehave


def _abort(request: web.Request) -> None:
    if request.transport:
        request.transport.abort()


# --- the model ------------------------------------------------------------------------------------------------------

EMPTY = Reply("")
BLANK = Reply(" \n ")
NULL = Reply(None)
ENDLESS = Reply("all work and no play " * 25_000)
REFUSAL = Reply(None, refusal="I cannot help with that secret plan.")
FILTERED = Reply("The plan is", finish="content_filter")
OUT_OF_TOKENS = Reply("The plan is to", finish="length")


def right(answer: Mapping[str, object]) -> Reply:
    return Reply(json.dumps(answer))


def fenced(answer: Mapping[str, object]) -> Reply:
    return Reply(f"```json\n{json.dumps(answer, indent=2)}\n```")


def with_prose(answer: Mapping[str, object]) -> Reply:
    return Reply(f"Sure! Here is the object {{as asked}}:\n\n{json.dumps(answer)}\n\nLet me know if it helps :-}}")


def not_json(answer: Mapping[str, object]) -> Reply:
    return Reply(str(dict(answer)))


def missing(answer: Mapping[str, object], name: str) -> Reply:
    return right({key: value for key, value in answer.items() if key != name})


def unknown(answer: Mapping[str, object]) -> Reply:
    return right({**answer, "thoughts_of_the_model": ["not asked for"]})


def wrong_types(answer: Mapping[str, object]) -> Reply:
    """Every value of another type."""
    return right({key: {"value": value} if isinstance(value, str) else str(value) for key, value in answer.items()})
