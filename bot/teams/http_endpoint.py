"""Teams' requests over HTTP: of a bounded size, of the right kind, authentic, and only then read."""

import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from bot.http_listener import Handler, body_of
from bot.teams.json_reading import Json
from bot.teams.request_auth import ForgedError, RequestVerifier
from domain.errors import Refused, Transient

log = logging.getLogger(__name__)

PATH = "/api/messages"

LARGEST = 262_144
"""Bytes of a request. Teams' are of some thousands."""


@dataclass(frozen=True, slots=True)
class TurnResponse:
    """What a request is answered. body: JSON, for calls that wait for one."""

    status: int = 200
    body: Json | None = None


ActivityHandler = Callable[[Json], Awaitable[TurnResponse]]
"""Does what an activity asks for. Raises Refused when it cannot be read, and Transient when it has to come again."""


def teams_handler(verifier: RequestVerifier, turn: ActivityHandler) -> Handler:
    """Handles Teams' requests. What is too large is answered 413, of another media type or packed 415, not authentic
    401, and what cannot be read 400; 503 while the database is away. All of these have an empty body."""

    async def handle(request: web.Request) -> web.StreamResponse:
        try:
            answered = await _answered(request, verifier, turn)
        except ForgedError as error:
            log.warning("A request was turned away: %s", error)
            answered = TurnResponse(401)
        except Refused as error:
            log.warning("A request could not be read: %s", error.what)
            answered = TurnResponse(400)
        except Transient as error:
            log.warning("A request could not be taken: %s", error.what)
            answered = TurnResponse(503)
        if answered.body is None:
            return web.Response(status=answered.status)
        return web.json_response(answered.body, status=answered.status)

    return handle


async def _answered(request: web.Request, verifier: RequestVerifier, turn: ActivityHandler) -> TurnResponse:
    unfit = _unfit(request)
    if unfit:
        return TurnResponse(unfit)
    tokens = request.headers.getall("Authorization", [])
    token = await verifier.token(tokens[0] if len(tokens) == 1 else None)
    body = await body_of(request, LARGEST)
    if isinstance(body, int):
        return TurnResponse(body)
    activity = _activity(body)
    verifier.activity(token, activity)
    return await turn(activity)


def _unfit(request: web.Request) -> int:
    """The status that says why a request is not looked at; 0 where it is."""
    if (request.content_length or 0) > LARGEST:
        return 413
    plain = request.headers.get("Content-Encoding", "identity") == "identity"
    # nothing is unpacked for who is not known; without a type, aiohttp takes a body for bytes
    fits = request.content_type == "application/json" and (request.charset or "utf-8").lower() in {"utf-8", "utf8"}
    return 0 if plain and fits else 415


def _activity(body: bytes) -> Json:
    try:
        found: Any = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise Refused("It is no JSON") from error
    if not isinstance(found, dict):
        raise Refused("It is no JSON object")
    return found
