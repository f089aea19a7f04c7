"""An operation of the API as a row: what goes in and out, who may call it. What every request passes stands here: host,
caller, scope, sizes, times, types, masking, errors."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from aiohttp import web
from pydantic import ValidationError

from bot.http_listener import Handler, body_of
from bot.markup.plain_text import each_text
from bot.web.callers import CSRF_HEADER, Caller, Callers
from bot.web.models import Body, NoQuery
from bot.web.problems import ProblemError, fault, problem_of
from domain.errors import KbError
from domain.masking import MaskedText, Masker
from domain.text.encodable import encodable
from domain.web_access import TokenScope

log = logging.getLogger(__name__)

LARGEST_BODY = 64_000
"""Bytes of a request's body: a question has 4,000 characters."""

SECONDS = 60.0
"""That one request may take, but for streams and questions, which have a deadline of their own."""

KEPT = frozenset({"document_id", "chunk_id", "conversation"})
"""What JSON holds under these keys are digests and random names of our own."""

API = "/api/v1"

HEADERS: Mapping[str, str] = {
    "Server": "kb-agent",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Of every answer of the API. None of them lets another site read it."""

Q = TypeVar("Q", bound=Body)
B = TypeVar("B", bound=Body)


@dataclass(frozen=True, slots=True)
class ApiCall(Generic[Q, B]):
    """One request, read and permitted. body: NoQuery where the operation takes none."""

    request: web.Request
    caller: Caller
    query: Q
    body: B

    def path(self, name: str) -> str:
        """A part of the path."""
        return self.request.match_info[name]


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation. path: below API. reply: of status 200, or `status`. streams: whether it answers with events where
    that is asked for. slow: whether it waits for an answer, which has a deadline of its own."""

    name: str
    method: str
    path: str
    summary: str
    scope: TokenScope
    reply: type[Body]
    handle: Callable[[ApiCall[Any, Any]], Awaitable[Body | web.StreamResponse]]
    query: type[Body] = NoQuery
    body: type[Body] | None = None
    status: int = 200
    streams: bool = False
    slow: bool = False
    description: str = ""


def handler(operation: Operation, callers: Callers, masker: Masker) -> Handler:
    """What serves an operation."""

    async def serve(request: web.Request) -> web.StreamResponse:
        call = await permitted(operation, callers, request)
        async with asyncio.timeout(None if operation.slow or operation.streams else SECONDS):
            found = await operation.handle(call)
        if isinstance(found, web.StreamResponse):
            return found
        return web.json_response(masked_json(found, masker.mask), status=operation.status, headers=dict(HEADERS))

    return met(serve)


def met(serve: Handler) -> Handler:
    """Gives what `serve` gives; what it raises, as problem details, or, where an answer has begun, as its breaking off.
    What anybody may cause is no error in the log."""

    async def handle(request: web.Request) -> web.StreamResponse:
        try:
            return await serve(request)
        except web.HTTPException:
            raise
        except Exception as error:  # noqa: BLE001 - what is no problem of a caller's is logged
            problem = problem_in(error, f"{request.method} {request.path_qs.partition('?')[0][:100]}")
        if request.writer.output_size and request.transport is not None:
            request.transport.abort()  # an answer has begun: without its end nobody takes it for whole
        response = problem.response()
        response.headers.update(HEADERS)
        return response

    return handle


def problem_in(error: Exception, asked: str) -> ProblemError:
    """What went wrong, as a caller reads it. asked: begins the line of the log."""
    match error:
        case ProblemError():
            return error
        case KbError():
            log.warning("%s: %s (%s) %s", asked, error.what, error.why, error.next_step)
            return problem_of(error)
        case TimeoutError() | ConnectionResetError():
            return ProblemError(503, "unavailable", "This took too long")
        case _:
            log.error("A request failed", exc_info=error)
            return fault()


async def permitted(operation: Operation, callers: Callers, request: web.Request) -> ApiCall[Any, Any]:
    """A request that may be met, read. Raises ProblemError."""
    callers.check_host(request)
    caller = await callers.find(request)
    if caller is None:
        raise no_token()
    if operation.method != "GET":
        callers.check_origin(request, caller, request.headers.get(CSRF_HEADER, ""))
    check_scope(operation.scope, caller)
    query = read(operation.query, dict(_single(request)))
    body = await _body(operation.body, request) if operation.body else NoQuery()
    return ApiCall(request, caller, query, body)


def no_token() -> ProblemError:
    """Nobody says who calls."""
    asked = {"WWW-Authenticate": 'Bearer realm="kb-agent"'}
    return ProblemError(401, "unauthorized", "A valid token is needed", headers=asked)


def no_body(status: int) -> ProblemError:
    """A body that was not read; see body_of."""
    return ProblemError(status, "body", "The body was not taken", f"It may have {LARGEST_BODY:,} bytes, unpacked.")


def check_scope(needed: TokenScope, caller: Caller) -> None:
    """Raises ProblemError for a caller whose token is not good for that."""
    if needed not in caller.scopes:
        raise ProblemError(403, "scope", "This token is not good for that", f"It takes the scope {needed}.")


def _single(request: web.Request) -> Mapping[str, str]:
    """The query's parameters. Raises ProblemError where one is given twice."""
    given = request.query
    twice = sorted({name for name in given if len(given.getall(name)) > 1})
    if twice:
        raise _invalid([f"{name[:60]}: given twice" for name in twice])
    return given


def read(kind: type[Q], given: Mapping[str, object]) -> Q:
    """A query as a value. Raises ProblemError."""
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        raise _invalid(_errors(error)) from None


def check_media_type(request: web.Request) -> None:
    """Raises ProblemError for a body that is not said to be JSON."""
    if request.content_type != "application/json":
        raise ProblemError(415, "media_type", "A body of the type application/json is needed")


async def _body(kind: type[B], request: web.Request) -> B:
    check_media_type(request)
    raw = await body_of(request, LARGEST_BODY)
    if isinstance(raw, int):
        raise no_body(raw)
    try:
        return kind.model_validate_json(raw)
    except ValidationError as error:
        raise _invalid(_errors(error)) from None


def _invalid(errors: list[str]) -> ProblemError:
    return ProblemError(422, "invalid", "The request is not of the form that it should have", errors=errors)


def _errors(error: ValidationError) -> list[str]:
    """What is wrong, without what was sent."""
    found = error.errors(include_url=False, include_input=False, include_context=False)[:20]
    return [f"{'.'.join(map(str, each['loc']))[:60] or 'body'}: {each['msg']}" for each in found]


def masked(body: Q, mask: Callable[[str], MaskedText]) -> Q:
    """The same with each of its texts masked, as JSON of the API is."""
    return type(body).model_validate(masked_json(body, mask))


def masked_json(body: Body, mask: Callable[[str], MaskedText]) -> Any:
    """A reply as JSON, masked."""
    return each_text(body.model_dump(mode="json"), lambda text: mask(encodable(text)).text if text else text, KEPT)
