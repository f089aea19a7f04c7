"""Teams' requests over HTTP: of a bounded size, of the right kind, authentic, and only then read; and what each of
them leads to."""

import json
import logging
from typing import Any

from aiohttp import web

from bot.conversation.delivery_buffer import MessageChange
from bot.http_listener import Handler, body_of
from bot.teams.activities import (
    ButtonPress,
    FeedbackGiven,
    InstallationChanged,
    MembersChanged,
    MessageReceived,
    parse_activity,
)
from bot.teams.buttons import TeamsButtons
from bot.teams.commands import TeamsCommands
from bot.teams.events import TeamsEventHandler
from bot.teams.json_reading import Json
from bot.teams.request_auth import ForgedError, RequestVerifier
from domain.errors import Refused, Transient
from domain.log_context import WAITING

log = logging.getLogger(__name__)

PATH = "/api/messages"

LARGEST = 262_144
"""Bytes of a request. Teams' are of some thousands."""


def teams_handler(
    verifier: RequestVerifier, events: TeamsEventHandler, commands: TeamsCommands, buttons: TeamsButtons
) -> Handler:
    """Handles Teams' requests. What is too large is answered 413, of another media type or packed 415, not authentic
    401, and what cannot be read 400; 503 while the database is away. All of these have an empty body."""

    async def turn(activity: Json) -> web.Response:
        """Does what an activity says."""
        body: Json | None = None
        match parse_activity(activity):
            case MessageReceived() as found:
                events.people.person_seen(found.context.person, found.context.reference)
                await commands.serve(found)
            case MessageChange() as found:
                await commands.message_changed(found)
            case InstallationChanged() as found:
                events.installation_changed(found)
            case MembersChanged() as found:
                await events.members_changed(found)
            case FeedbackGiven() as found:
                await buttons.feedback_given(found)
                body = {}
            case ButtonPress() as found:
                body = await buttons.serve(found)
            case None if activity.get("type") == "invoke":
                return web.Response(status=501)
        return web.Response() if body is None else web.json_response(body)

    async def handle(request: web.Request) -> web.StreamResponse:
        try:
            found = await _verified(request, verifier)
            return web.Response(status=found) if isinstance(found, int) else await turn(found)
        except ForgedError as error:
            log.warning("A request was turned away: %s", error)
            return web.Response(status=401)
        except Refused as error:
            log.warning("A request could not be read: %s", error.what)
            return web.Response(status=400)
        except Transient as error:
            log.warning("A request could not be taken: %s", error.what, extra=WAITING)
            return web.Response(status=503)

    return handle


async def _verified(request: web.Request, verifier: RequestVerifier) -> Json | int:
    """The activity that a request brings, or the status that says why it is not looked at. Raises ForgedError, and
    Refused for what cannot be read."""
    if (request.content_length or 0) > LARGEST:
        return 413
    plain = request.headers.get("Content-Encoding", "identity") == "identity"
    # nothing is unpacked for who is not known; without a type, aiohttp takes a body for bytes
    fits = request.content_type == "application/json" and (request.charset or "utf-8").lower() in {"utf-8", "utf8"}
    if not (plain and fits):
        return 415
    tokens = request.headers.getall("Authorization", [])
    token = await verifier.token(tokens[0] if len(tokens) == 1 else None)
    body = await body_of(request, LARGEST)
    if isinstance(body, int):
        return body
    try:
        activity: Any = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise Refused("It is no JSON") from error
    if not isinstance(activity, dict):
        raise Refused("It is no JSON object")
    verifier.activity(token, activity)
    return activity
